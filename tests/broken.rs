//! Trees that are broken, each in its own way, through the real compiler: one
//! error, and the one that stands in `expected.txt`. `tests/broken/README.md`
//! explains the directories.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// No tree may take the compiler longer, however slow the machine.
const LONGEST: Duration = Duration::from_secs(120);

/// What a crate with a broken tree does with it. None of it may be reported
/// besides the tree.
const USE: &str = "
pub const EVENT: pmu_events::Event = m::SOC.expect(\"NAME\");
pub static MODEL: &pmu_events::Model = &m::SOC;
pub const FOUND: Option<&pmu_events::Model> = m::model(\"soc\");
pub fn uses() -> bool { m::host().is_ok() && m::TREE.size() > 0 }
";

/// The same for trees of which not even the models are known.
const USE_WITHOUT_MODELS: &str = "
pub const FOUND: Option<&pmu_events::Model> = m::model(\"soc\");
pub fn uses() -> bool { m::host().is_ok() && m::TREE.size() > 0 }
";

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken")
}

/// A directory of this test alone.
fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("broken").join(name)
}

/// What rustc needs to know of the library.
struct Library {
    file: PathBuf,
    dependencies: PathBuf,
}

/// Builds the library once, with Cargo, in a directory of its own: Cargo does
/// not say where it put what this test was linked with.
fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        let output = Command::new(cargo)
            .args(["build", "--offline", "--package", "pmu-events", "--message-format=json"])
            .arg("--manifest-path")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
            .arg("--target-dir")
            .arg(scratch("target"))
            .output()
            .expect("cargo runs");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{stderr}");
        let file = String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
            .filter(|message| message["reason"] == "compiler-artifact")
            .filter(|message| message["target"]["name"] == "pmu_events")
            .filter_map(|message| message["filenames"][0].as_str().map(PathBuf::from))
            .find(|file| file.extension().is_some_and(|extension| extension == "rlib"))
            .expect("cargo names the library");
        let dependencies = file.parent().unwrap().join("deps");
        Library { file, dependencies }
    })
}

/// One diagnostic of the compiler.
struct Diagnostic {
    level: String,
    message: String,
}

/// Compiles a crate of one module, which holds the macro, and some uses of it.
/// `manifest` is where relative paths begin.
fn compile(name: &str, manifest: &Path, arguments: &str, uses: &str) -> Vec<Diagnostic> {
    let out = scratch("out").join(name);
    fs::create_dir_all(&out).unwrap();
    let main = out.join("lib.rs");
    fs::write(&main, format!("mod m {{ pmu_events::pmu_events!({arguments}); }}\n{uses}")).unwrap();
    let library = library();
    let mut extern_argument = OsString::from("pmu_events=");
    extern_argument.push(&library.file);
    let mut child = Command::new(env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc")))
        .args(["--crate-name", "case", "--crate-type", "lib", "--edition", "2024"])
        .args(["--emit", "metadata", "--error-format", "json"])
        .arg("--out-dir")
        .arg(&out)
        .arg("--extern")
        .arg(extern_argument)
        .arg("-L")
        .arg(&library.dependencies)
        .arg(&main)
        .env("CARGO_MANIFEST_DIR", manifest)
        .env_remove("PMU_EVENTS_NOT_SET")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("rustc runs");
    let mut stderr = child.stderr.take().unwrap();
    let reader = thread::spawn(move || {
        let mut text = String::new();
        stderr.read_to_string(&mut text).map(|_| text)
    });
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > LONGEST {
            child.kill().unwrap();
            panic!("{name}: the compiler does not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
    let text = reader.join().unwrap().unwrap();
    let mut diagnostics = Vec::new();
    for line in text.lines() {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else {
            // A compiler that crashes speaks plain text.
            diagnostics.push(Diagnostic { level: "crash".to_owned(), message: line.to_owned() });
            continue;
        };
        let text = message["message"].as_str().unwrap_or_default().to_owned();
        let level = message["level"].as_str().unwrap_or_default().to_owned();
        // The compiler's own summary.
        if message["$message_type"] != "diagnostic"
            || level == "failure-note"
            || text.starts_with("aborting due to")
            || text.ends_with("warning emitted")
            || text.ends_with("warnings emitted")
        {
            continue;
        }
        diagnostics.push(Diagnostic { level, message: text });
    }
    diagnostics
}

/// What the compiler said, as `expected.txt` has it.
fn shown(diagnostics: &[Diagnostic], manifest: &Path) -> String {
    let mut shown = String::new();
    for Diagnostic { level, message } in diagnostics {
        // Stable Rust has no warnings from macros; ours are notes on the use
        // of something deprecated.
        let message = match (level.as_str(), message.split_once("::event_tree`: ")) {
            ("warning", Some((_, note))) => note,
            _ => message,
        };
        let _ = writeln!(shown, "{level}: {message}");
    }
    let manifest = manifest.display().to_string();
    let real = fs::canonicalize(&manifest).map_or(manifest.clone(), |p| p.display().to_string());
    shown.replace(&real, "$DIR").replace(&manifest, "$DIR")
}

/// Runs one case; `Err` says what differs.
fn run(name: &str) -> Result<(), String> {
    let case = cases().join(name);
    let read = |file: &str| fs::read_to_string(case.join(file)).ok();
    let manifest = match GENERATED.iter().find(|(generated, _)| *generated == name) {
        None => case.clone(),
        Some((_, generate)) => {
            let manifest = scratch("generated").join(name);
            remove(&manifest);
            fs::create_dir_all(manifest.join("tree")).unwrap();
            generate(&manifest.join("tree"));
            manifest
        }
    };
    let arguments = read("arguments.txt").unwrap_or_else(|| "\"tree\"".to_owned());
    let has_models = manifest.join("tree/soc").is_dir() && !case.join("no-models").exists();
    let uses = read("use.rs")
        .unwrap_or_else(|| if has_models { USE.to_owned() } else { USE_WITHOUT_MODELS.to_owned() });
    let diagnostics = compile(name, &manifest, arguments.trim_end(), &uses);
    let found = shown(&diagnostics, &manifest);
    if env::var_os("BLESS").is_some() {
        fs::write(case.join("expected.txt"), &found).unwrap();
    }
    let expected = read("expected.txt").unwrap_or_default();
    let mut report = String::new();
    if found != expected {
        let _ = write!(report, "--- expected\n{expected}--- found\n{found}");
    }
    if diagnostics.len() > 1 {
        let _ = writeln!(report, "--- {} diagnostics instead of one", diagnostics.len());
    }
    if found.contains("proc macro panicked") || found.contains("crash: ") {
        let _ = writeln!(report, "--- the macro or the compiler crashed");
    }
    if report.is_empty() { Ok(()) } else { Err(format!("{name}\n{report}")) }
}

/// Removes a directory, and what a test before may have closed.
fn remove(directory: &Path) {
    #[cfg(unix)]
    if let Ok(items) = fs::read_dir(directory.join("tree")) {
        use std::os::unix::fs::PermissionsExt;
        for item in items.flatten() {
            if item.file_type().is_ok_and(|kind| kind.is_dir()) {
                fs::set_permissions(item.path(), fs::Permissions::from_mode(0o755)).unwrap();
            }
        }
    }
    if let Err(error) = fs::remove_dir_all(directory) {
        assert_eq!(error.kind(), std::io::ErrorKind::NotFound, "{}", directory.display());
    }
}

fn names() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(cases())
        .unwrap()
        .map(|item| item.unwrap())
        .filter(|item| item.file_type().unwrap().is_dir())
        .map(|item| item.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn every_broken_tree_has_its_message() {
    let names = names();
    let numbers: BTreeSet<_> = names.iter().map(|name| name.split('-').next()).collect();
    assert_eq!(numbers.len(), names.len(), "a number stands twice");
    for (generated, _) in GENERATED {
        assert!(names.iter().any(|name| name == generated), "{generated} has no directory");
    }
    library();
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, |n| n.get());
    let reports: Vec<String> = thread::scope(|scope| {
        let work = || {
            let mut reports = Vec::new();
            while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                reports.extend(run(name).err());
            }
            reports
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(reports.is_empty(), "{} cases differ\n\n{}", reports.len(), reports.join("\n"));
}

/// Writes a tree of one model, `soc`, with one event and what else is given.
fn tree(root: &Path, files: &[(&str, &[u8])]) {
    let basis: [(&str, &[u8]); 2] = [
        ("mapfile.csv", b"Family-model,Version,Filename,EventType\nsoc,v1,soc,core\n"),
        ("soc/basis.json", b"[\n  {\"EventName\": \"NAME\", \"EventCode\": \"0x1\"}\n]\n"),
    ];
    for (path, text) in basis.iter().chain(files) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

type Generate = fn(&Path);

/// Trees that a repository cannot hold, or should not.
const GENERATED: &[(&str, Generate)] = &[
    ("020-empty-directory", |_| {}),
    // jevents itself knows the one row of the architecture of that name.
    ("037-empty-directory-named-test", |root| {
        fs::create_dir(root.with_file_name("test")).unwrap();
    }),
    ("038-directories-below-one-named-test", |root| {
        fs::create_dir_all(root.with_file_name("test").join("test_soc/cpu/deeper")).unwrap();
    }),
    ("070-deep-nesting", |root| {
        tree(root, &[("soc/deep.json", "[".repeat(100_000).as_bytes())]);
    }),
    ("071-deep-nesting-in-a-value", |root| {
        let (open, close) = ("[".repeat(100_000), "]".repeat(100_000));
        let text = format!("[\n  {{\"EventName\": \"A\", \"EventCode\": {open}{close}}}\n]\n");
        tree(root, &[("soc/deep.json", text.as_bytes())]);
    }),
    ("072-deep-nesting-of-objects", |root| {
        let text = format!("[{}1{}]", "{\"a\":".repeat(100_000), "}".repeat(100_000));
        tree(root, &[("soc/deep.json", text.as_bytes())]);
    }),
    ("073-not-utf-8", |root| {
        tree(
            root,
            &[(
                "soc/latin.json",
                b"[\n  {\"EventName\": \"A\", \"BriefDescription\": \"caf\xe9\"}\n]\n",
            )],
        );
    }),
    ("074-not-utf-8-map-file", |root| {
        tree(root, &[("mapfile.csv", b"header\nsoc,v1,soc,core\nM\xfcller,v1,soc,core\n")]);
    }),
    ("075-utf-16", |root| {
        let text = "\u{feff}[{\"EventName\": \"A\"}]";
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        tree(root, &[("soc/wide.json", &bytes)]);
    }),
    ("076-nul-bytes", |root| tree(root, &[("soc/zero.json", &[0; 100])])),
    ("077-carriage-returns-are-fine", |root| {
        tree(
            root,
            &[
                ("mapfile.csv", b"header\r\n\r\n# comment\r\nsoc,v1,soc,core\r\n"),
                ("soc/dos.json", b"[\r\n  {\r\n    \"EventName\": \"DOS\"\r\n  }\r\n]\r\n"),
            ],
        );
    }),
    ("078-place-after-carriage-returns", |root| {
        tree(root, &[
            ("mapfile.csv", b"header\r\n\r\n# comment\r\nsoc,v1,soc,core\r\nx,v1,sox,core\r\n"),
            (
                "soc/dos.json",
                b"[\r\n  {\r\n    \"EventName\": \"DOS\",\r\n    \"UMask\": \"x\"\r\n  }\r\n]\r\n",
            ),
        ]);
    }),
    ("079-byte-order-mark-is-fine", |root| {
        tree(
            root,
            &[
                ("mapfile.csv", b"\xef\xbb\xbfheader\nsoc,v1,soc,core\n"),
                ("soc/mark.json", b"\xef\xbb\xbf[{\"EventName\": \"MARK\"}]\n"),
            ],
        );
    }),
    ("080-place-after-byte-order-mark", |root| {
        tree(
            root,
            &[("soc/mark.json", b"\xef\xbb\xbf[{\"EventName\": \"MARK\", \"UMask\": \"x\"}]\n")],
        );
    }),
    ("180-very-long-values", |root| {
        let long = "x".repeat(1_000_000);
        let text = format!(
            "[\n  {{\"EventName\": \"{long}\"}},\n  {{\"EventName\": \"A\", \"Unit\": \"{long}\"}},\n  \
             {{\"EventName\": \"B\", \"UMask\": \"{long}\"}},\n  {{\"EventName\": \"C\", \"{long}\": \
             \"1\"}},\n  {{\"EventName\": \"D\", \"ArchStdEvent\": \"{long}\"}},\n  {{\"MetricName\": \
             \"E\", \"MetricExpr\": \"1 + {long} +\"}},\n  {{\"EventName\": \"F\", \"Filter\": \
             \"{long}\"}}\n]\n"
        );
        tree(root, &[("soc/long.json", text.as_bytes())]);
    }),
    #[cfg(unix)]
    ("190-loop-of-links", |root| {
        tree(root, &[]);
        fs::create_dir(root.join("soc/sys")).unwrap();
        std::os::unix::fs::symlink("../..", root.join("soc/sys/up")).unwrap();
    }),
    #[cfg(unix)]
    ("191-link-to-itself", |root| {
        tree(root, &[]);
        std::os::unix::fs::symlink("self.json", root.join("soc/self.json")).unwrap();
    }),
    #[cfg(unix)]
    ("192-dangling-link", |root| {
        tree(root, &[]);
        std::os::unix::fs::symlink("nowhere", root.join("soc/gone.json")).unwrap();
    }),
    // A pipe would keep whoever reads it waiting for ever.
    #[cfg(unix)]
    ("193-pipe", |root| {
        tree(root, &[]);
        let status = Command::new("mkfifo").arg(root.join("soc/pipe.json")).status().unwrap();
        assert!(status.success());
    }),
    #[cfg(unix)]
    ("194-dangling-link-as-map-file", |root| {
        tree(root, &[]);
        fs::remove_file(root.join("mapfile.csv")).unwrap();
        std::os::unix::fs::symlink("nowhere", root.join("mapfile.csv")).unwrap();
    }),
    #[cfg(unix)]
    ("195-endless-device", |root| {
        tree(root, &[]);
        std::os::unix::fs::symlink("/dev/zero", root.join("soc/zero.json")).unwrap();
    }),
    #[cfg(unix)]
    ("196-many-links-to-one-directory", |root| {
        tree(root, &[]);
        for level in ["v", "v/w", "v/w/x", "v/w/x/y"] {
            fs::create_dir_all(root.join(level)).unwrap();
        }
        for n in 0..10 {
            std::os::unix::fs::symlink("../../soc", root.join(format!("v/w/{n}"))).unwrap();
        }
    }),
    // There are as many ways through them as permutations.
    #[cfg(unix)]
    ("197-directories-linked-to-each-other", |root| {
        tree(root, &[]);
        for from in 0..12 {
            let directory = root.join(format!("d{from}"));
            fs::create_dir(&directory).unwrap();
            for to in (0..12).filter(|&to| to != from) {
                let target = format!("../d{to}");
                std::os::unix::fs::symlink(target, directory.join(format!("d{to}"))).unwrap();
            }
        }
    }),
    #[cfg(target_os = "linux")]
    ("198-name-that-is-not-utf-8", |root| {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        tree(root, &[]);
        let name = |bytes| OsStr::from_bytes(bytes);
        fs::write(root.join("soc").join(name(b"caf\xe9.json")), "[]").unwrap();
        fs::write(root.join("soc").join(name(b"caf\xe9.txt")), "").unwrap();
        fs::create_dir(root.join(name(b"caf\xe9"))).unwrap();
    }),
];

/// Permissions do not bind root, under which containers run tests: then the
/// tree must compile, because nothing is closed.
#[cfg(unix)]
#[test]
fn closed_directories_and_files() {
    use std::os::unix::fs::PermissionsExt;
    let manifest = scratch("generated").join("closed");
    remove(&manifest);
    let root = manifest.join("tree");
    tree(&root, &[("soc/closed.json", b"[]"), ("vault/a.json", b"[]")]);
    for (path, mode) in [("soc/closed.json", 0o000), ("vault", 0o000)] {
        fs::set_permissions(root.join(path), fs::Permissions::from_mode(mode)).unwrap();
    }
    let is_closed = fs::read(root.join("soc/closed.json")).is_err();
    let found = shown(&compile("closed", &manifest, "\"tree\"", USE), &manifest);
    remove(&manifest);
    let expected = if is_closed {
        "error: 2 errors in the event tree\n\
         tree/soc/closed.json: cannot be read: Permission denied (os error 13)\n\
         tree/vault: cannot be read: Permission denied (os error 13)\n"
    } else {
        ""
    };
    assert_eq!(found, expected);
}

/// Messages do not depend on the order in which files are read or hashed.
#[test]
fn messages_are_the_same_every_time() {
    let name = "170-more-than-twenty-faults";
    let case = cases().join(name);
    let expected = fs::read_to_string(case.join("expected.txt")).unwrap();
    for n in 0..5 {
        let found = compile(&format!("again-{n}"), &case, "\"tree\"", USE);
        assert_eq!(shown(&found, &case), expected);
    }
}

/// A huge file ends, one way or the other, with a message or without.
mod huge {
    use super::*;

    /// How large; smaller where 100 MB would keep everybody waiting, because
    /// the macro is not optimised. `PMU_EVENTS_HUGE_MB=100` is the whole size.
    fn size(default: usize) -> usize {
        let given = env::var("PMU_EVENTS_HUGE_MB").ok();
        1_000_000 * given.map_or(default, |text| text.parse().expect("a number of megabytes"))
    }

    /// Compiles a tree with one huge file; gives what was said, and prints how
    /// long it took.
    fn compile_huge(name: &str, write: impl FnOnce(&mut dyn std::io::Write)) -> String {
        let manifest = scratch("generated").join(name);
        remove(&manifest);
        let root = manifest.join("tree");
        tree(&root, &[]);
        let path = root.join("soc/huge.json");
        let mut file = std::io::BufWriter::new(fs::File::create(&path).unwrap());
        write(&mut file);
        file.flush().unwrap();
        drop(file);
        library();
        let bytes = fs::metadata(&path).unwrap().len();
        let start = Instant::now();
        let found = shown(&compile(name, &manifest, "\"tree\"", USE), &manifest);
        println!("{name}: {bytes} bytes in {:.1} s: {found}", start.elapsed().as_secs_f64());
        remove(&manifest);
        assert!(!found.contains("proc macro panicked") && !found.contains("crash: "), "{found}");
        found
    }

    #[test]
    #[ignore = "writes up to 100 MB; CI runs it"]
    fn many_events() {
        let events = size(30) / 200;
        let found = compile_huge("huge-events", |file| {
            let filler = "An event of which there are all too many";
            file.write_all(b"[").unwrap();
            for n in 0..events {
                let separator = if n == 0 { "" } else { "," };
                writeln!(
                    file,
                    "{separator}{{\"EventName\": \"HUGE.EVENT_{n}\", \"EventCode\": \"{n:#x}\", \
                     \"UMask\": \"{:#x}\", \"Counter\": \"0,1,2,3\", \"SampleAfterValue\": \
                     \"2000003\", \"BriefDescription\": \"{filler}, number {n}.\"}}",
                    n % 256
                )
                .unwrap();
            }
            file.write_all(b"]").unwrap();
        });
        assert!(found.is_empty() || found.starts_with("error: tree: too large: "), "{found}");
    }

    #[test]
    #[ignore = "writes up to 100 MB; CI runs it"]
    fn long_descriptions() {
        let words = size(100) / 20;
        let found = compile_huge("huge-descriptions", |file| {
            file.write_all(b"[").unwrap();
            for n in 0..20 {
                let separator = if n == 0 { "" } else { "," };
                write!(file, "{separator}{{\"EventName\": \"HUGE.{n}\", \"BriefDescription\": \"")
                    .unwrap();
                for word in 0..words / 10 {
                    write!(file, "word {:04x} ", (word * 7 + n) % 0xffff).unwrap();
                }
                file.write_all(b"\"}\n").unwrap();
            }
            file.write_all(b"]").unwrap();
        });
        assert!(found.is_empty() || found.starts_with("error: tree: too large: "), "{found}");
    }

    #[test]
    #[ignore = "writes up to 100 MB; CI runs it"]
    fn white_space() {
        let bytes = size(100);
        let found = compile_huge("huge-space", |file| {
            let line = [b' '; 1000];
            file.write_all(b"[").unwrap();
            for _ in 0..bytes / line.len() {
                file.write_all(&line).unwrap();
            }
            file.write_all(b"]").unwrap();
        });
        assert_eq!(found, "");
    }

    #[test]
    #[ignore = "writes up to 100 MB; CI runs it"]
    fn faults_everywhere() {
        let objects = size(30) / 40;
        let found = compile_huge("huge-faults", |file| {
            file.write_all(b"[").unwrap();
            for n in 0..objects {
                let separator = if n == 0 { "" } else { "," };
                writeln!(file, "{separator}{{\"EventName\": \"E{n}\", \"UMask\": \"x\"}}").unwrap();
            }
            file.write_all(b"]").unwrap();
        });
        assert!(found.starts_with(&format!("error: {objects} errors in the event tree\n")));
        assert!(found.ends_with(&format!("… and {} more\n", objects - 20)), "{found}");
        assert_eq!(found.lines().count(), 22);
    }
}
