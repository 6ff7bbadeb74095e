//! Cases of the macro: through rustc, which may say one thing only.

use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use crate::case::scratch;

/// No tree may take the compiler longer, however slow the machine.
pub(crate) const LONGEST: Duration = Duration::from_secs(120);

/// What a crate does with a tree if its case does not say. None of it may be
/// reported besides the tree.
const USES: &str = "
pub const FOUND: Option<pmu_events::Model> = m::model(\"soc\");
pub fn uses() -> bool { m::host().is_ok() && m::TREE.size() > 0 }
";

/// What rustc needs to know of the library.
struct Library {
    file: PathBuf,
    dependencies: PathBuf,
}

/// Asks Cargo for the library with the features that all packages of the workspace ask for
/// together: it has built that already, and does not say otherwise where it is.
fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        let output = Command::new(cargo)
            .args(["build", "--offline", "--workspace", "--message-format=json"])
            // One that needs it with what it has for tests.
            .args(["--example", "cookbook"])
            .arg("--manifest-path")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
            .arg("--target-dir")
            .args(Path::new(env!("CARGO_TARGET_TMPDIR")).parent())
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
        let directory = file.parent().unwrap();
        let is_among_them = directory.ends_with("deps");
        let dependencies = if is_among_them { directory.into() } else { directory.join("deps") };
        Library { file, dependencies }
    })
}

/// Has the library built, which takes longer than any case.
pub(crate) fn build() {
    library();
}

/// What rustc says.
#[derive(Default)]
pub(crate) struct Said {
    /// `level: message` of each diagnostic.
    pub(crate) text: String,
    pub(crate) diagnostics: usize,
}

/// Compiles a crate of one module, `m`, which holds the macro, and some uses of
/// it. `manifest` is where relative paths begin.
pub(crate) fn compile(name: &str, manifest: &Path, arguments: &str, uses: Option<&str>) -> Said {
    let uses = uses.unwrap_or(USES);
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
    let mut said = Said::default();
    for line in text.lines() {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else {
            // A compiler that crashes speaks plain text.
            let _ = writeln!(said.text, "crash: {line}");
            continue;
        };
        let text = message["message"].as_str().unwrap_or_default();
        let level = message["level"].as_str().unwrap_or_default();
        // The compiler's own summary.
        if message["$message_type"] != "diagnostic"
            || level == "failure-note"
            || text.starts_with("aborting due to")
            || text.ends_with("warning emitted")
            || text.ends_with("warnings emitted")
        {
            continue;
        }
        // Stable Rust has no warnings from macros; ours are notes on the use
        // of something deprecated.
        let text = match (level, text.split_once("::event_tree`: ")) {
            ("warning", Some((_, note))) => note,
            _ => text,
        };
        let _ = writeln!(said.text, "{level}: {text}");
        said.diagnostics += 1;
    }
    said
}
