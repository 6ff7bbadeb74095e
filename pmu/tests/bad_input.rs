//! Every command with arguments, trees, outputs and terminals that are not as
//! they should be.

#![cfg(target_os = "linux")]

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

#[allow(dead_code)] // Other tests use more of it.
#[path = "common/run.rs"]
mod run;
#[path = "common/terminal.rs"]
mod terminal;

use run::{PMU, Run};

fn command(arguments: &[impl AsRef<OsStr>]) -> Command {
    let mut command = run::command();
    command.args(arguments);
    command
}

fn run(arguments: &[impl AsRef<OsStr>]) -> Run {
    let Output { status, stdout, stderr } = command(arguments).output().expect("pmu runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Run { code: status.code(), out: text(stdout), err: text(stderr) }
}

fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad-input").join(name);
    fs::create_dir_all(&path).expect("the scratch directory can be written");
    path
}

/// A tree whose file of events is this.
fn tree(name: &str, events: &[u8]) -> PathBuf {
    let root = scratch(name);
    fs::create_dir_all(root.join("x86/w1")).expect("it can be written");
    let map = "Family-model,Version,Filename,EventType\nw-1,v1,w1,core\n";
    fs::write(root.join("x86/mapfile.csv"), map).expect("it can be written");
    fs::write(root.join("x86/w1/cache.json"), events).expect("it can be written");
    root
}

/// A tree that cannot be read is the answer of every command, which does nothing
/// else: its message begins with the path.
#[test]
fn trees_that_cannot_be_read() {
    let file = scratch("file").join("tree");
    fs::write(&file, "").expect("it can be written");
    let loops = scratch("loops").join("tree");
    let _ = fs::remove_file(&loops);
    std::os::unix::fs::symlink(&loops, &loops).expect("a link can be made");
    let directory = scratch("map-is-a-directory");
    fs::create_dir_all(directory.join("x86/mapfile.csv")).expect("it can be written");
    let inside = |root: &Path| root.join("x86/w1/cache.json").display().to_string();
    let [no_end, no_text, bad_code] = [
        tree("no-end", b"[{\"EventName\": \"HIT\""),
        tree("no-text", b"[{\"EventName\": \"\xff\"}]"),
        tree("bad-code", b"[{\"EventName\": \"HIT\", \"EventCode\": \"ff\"}]"),
    ];
    let shown = |path: &Path| path.display().to_string();
    let cases: &[(PathBuf, String)] = &[
        ("/nonexistent".into(), "/nonexistent: cannot be read: No such file or directory".into()),
        (file.clone(), format!("{}: cannot be read: Not a directory", shown(&file))),
        (loops.clone(), format!("{}: cannot be read: Too many levels", shown(&loops))),
        (scratch("empty"), format!("{}: is not an event tree: ", shown(&scratch("empty")))),
        (directory.clone(), format!("{}: is not an event tree: ", shown(&directory))),
        (no_end.clone(), format!("{}:1:20: ", inside(&no_end))),
        (no_text.clone(), format!("{}:1:17: ", inside(&no_text))),
        (bad_code.clone(), format!("{}:1:36: ", inside(&bad_code))),
        (OsString::from_vec(b"/\xff".to_vec()).into(), "/\u{fffd}: cannot be read: ".into()),
    ];
    let commands: &[(&str, &[&str], i32)] = &[
        ("list", &["list", "--tree"], 1),
        ("list", &["list", "--models", "--tree"], 1),
        ("list", &["list", "--json", "--tree"], 1),
        ("encode", &["encode", "cycles", "--tree"], 1),
        ("decode", &["decode", "r1", "--tree"], 1),
        ("page", &["page", "--html=-", "--tree"], 1),
        ("ebb", &["ebb", "--tree"], 1),
        ("doctor", &["doctor", "--tree"], 1),
        ("stat", &["stat", "-e", "duration_time", "-p", "1", "--tree"], 125),
    ];
    for (tree, message) in cases {
        for (name, arguments, code) in commands {
            let mut all: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
            all.push(tree.as_os_str());
            let run = run(&all);
            assert_eq!((run.code, run.out.as_str()), (Some(*code), ""), "{all:?}: {}", run.err);
            let message = format!("pmu {name}: {message}");
            assert!(run.err.starts_with(&message), "{all:?}: {}\nnot: {message}", run.err);
        }
        // Faults are what `lint` shows.
        let lint = run(&[OsStr::new("lint"), tree.as_os_str()]);
        assert_eq!(lint.code, Some(1), "{tree:?}: {}", lint.err);
        let said = format!("{}{}", lint.err, lint.out);
        let place = message.split(": ").next().expect("there is one");
        assert!(said.contains(place), "{tree:?}: {said}");
    }
}

/// Words must be text; names of files and commands need not be.
#[test]
fn arguments_that_are_not_utf8() {
    const USAGE: &str = "error: invalid UTF-8 was detected in one or more arguments";
    let cases: &[(&[&str], i32, &str)] = &[
        (&["list"], 2, USAGE),
        (&["list", "--cpuid"], 2, USAGE),
        (&["list", "--model"], 2, USAGE),
        (&["list", "--sysfs"], 1, "pmu list: \u{fffd}: is not a directory"),
        (&["list", "--tree"], 1, "pmu list: \u{fffd}: cannot be read: "),
        (&["encode"], 2, USAGE),
        (&["encode", "cycles", "--sysfs"], 1, "pmu encode: \u{fffd}: is not a directory"),
        (&["decode"], 2, USAGE),
        (&["page", "--cpuid"], 2, USAGE),
        (&["lint"], 1, "pmu lint: \u{fffd}: cannot be read: "),
        (&["lint", "--arch"], 2, USAGE),
        (&["ebb"], 2, USAGE),
        (&["doctor"], 2, USAGE),
        (&["stat", "-e"], 125, USAGE),
        (&["stat", "-M"], 125, USAGE),
        (&["stat", "-x"], 125, USAGE),
        (&["stat", "-e", "duration_time"], 127, "pmu stat: `\u{fffd}` is not found"),
        (&["completions"], 2, "error: invalid value '\u{fffd}' for '<SHELL>'"),
        (&["man"], 2, "error: unexpected argument '\u{fffd}' found"),
        (&[], 2, "error: unrecognized subcommand '\u{fffd}'"),
    ];
    for (arguments, code, message) in cases {
        let mut all: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
        all.push(OsStr::from_bytes(b"\xff"));
        let run = run(&all);
        assert_eq!((run.code, run.out.as_str()), (Some(*code), ""), "{arguments:?}: {}", run.err);
        assert!(run.err.starts_with(message), "{arguments:?}: {}", run.err);
    }
}

/// Also where text is read: a file of events is one.
#[test]
fn input_that_is_not_utf8() {
    use std::io::Write;
    let mut child = command(&["encode", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("pmu runs");
    let mut input = child.stdin.take().expect("it is piped");
    input.write_all(b"page-faults\n\xff\n").expect("it reads");
    drop(input);
    let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
    assert_eq!(status.code(), Some(1));
    let err = String::from_utf8_lossy(&stderr);
    assert!(err.contains("pmu encode: standard input: line 2 is not UTF-8"), "{err}");
    assert!(stdout.is_empty() || stdout.starts_with(b"page-faults "), "{stdout:?}");
}

/// What each command says much of. `head` may have gone before the first byte.
#[test]
fn closed_pipes() {
    let cases: &[&[&str]] = &[
        &["list", "--model=sapphirerapids"],
        &["list", "--model=sapphirerapids", "--json"],
        &["list", "--model=sapphirerapids", "--details"],
        &["list", "metrics", "--model=sapphirerapids"],
        &["list", "metricgroups", "--model=sapphirerapids"],
        &["list", "--models"],
        &["list", "--sys"],
        &["encode", "page-faults"],
        &["encode", "--json", "page-faults"],
        &["decode", "--model=amdzen4", "r844"],
        &["decode", "--model=amdzen4", "r844", "--json"],
        &["page", "--model=sapphirerapids", "--html=-"],
        &["lint", "../arch/test"],
        &["ebb"],
        &["doctor", "duration_time"],
        &["stat", "-e", "duration_time", "true"],
        &["stat", "-j", "-e", "duration_time", "true"],
        &["stat", "-I", "1", "-e", "duration_time", "sleep", "0.02"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
        &["list", "--help"],
        &["stat", "--help"],
        &["--version"],
    ];
    for arguments in cases {
        let (reader, writer) = std::io::pipe().expect("there are pipes");
        drop(reader);
        let mut command = command(arguments);
        let other_end = writer.try_clone().expect("a file can be had twice");
        // `stat` writes to standard error.
        let is_stat = arguments[0] == "stat" && arguments[1] != "--help";
        command.stdout(writer);
        command.stderr(if is_stat { Stdio::from(other_end) } else { Stdio::piped() });
        let Output { status, stderr, .. } =
            command.spawn().and_then(|child| child.wait_with_output()).expect("pmu runs");
        let err = String::from_utf8_lossy(&stderr);
        assert_eq!(status.code(), Some(0), "{arguments:?}: {err}");
        assert!(!err.contains("panicked") && !err.contains("cannot write"), "{arguments:?}: {err}");
    }
}

/// Nothing to read from, nothing to write to.
#[test]
fn no_streams() {
    let closed = |arguments: &[&str]| {
        let shell = r#"exec "$0" "$@" <&- >&- 2>&-"#;
        let mut command = Command::new("sh");
        command.args(["-c", shell, PMU]).args(arguments).env_remove("PERF_CPUID");
        command.status().expect("there is a shell").code()
    };
    let cases: &[(&[&str], i32)] = &[
        (&["list", "--model=silvermont"], 0),
        (&["list", "--model=silvermont", "zzzz"], 1),
        (&["list", "--nonsense"], 2),
        (&["encode", "page-faults"], 0),
        (&["encode", "-"], 0),
        (&["stat", "-e", "duration_time", "true"], 0),
        (&["stat", "-e", "duration_time", "false"], 1),
        (&["stat", "--nonsense"], 125),
        (&["--help"], 0),
    ];
    for (arguments, code) in cases {
        assert_eq!(closed(arguments), Some(*code), "{arguments:?}");
    }
}

const LISTINGS: [&[&str]; 6] = [
    &["list", "--model=sapphirerapids", "cache"],
    &["list", "--model=sapphirerapids", "--details", "l2_lines"],
    &["list", "metrics", "--model=sapphirerapids"],
    &["list", "metricgroups", "--model=sapphirerapids", "--details"],
    &["list", "--models"],
    &["decode", "--cpuid=GenuineIntel-6-8F-4", "r4010023c"],
];

/// Only what has no space in it may be wider.
#[track_caller]
fn assert_width(text: &str, width: usize) {
    for line in text.lines() {
        let is_word = line.split_whitespace().count() == 1;
        assert!(line.chars().count() <= width || is_word, "{width}: {line:?}");
    }
}

#[test]
fn narrow_terminals() {
    for arguments in LISTINGS {
        for width in [30, 47, 80, 133] {
            let (text, code) = terminal::shown(command(arguments).env("NO_COLOR", "1"), width);
            assert!(code <= Some(1), "{arguments:?}: {text}");
            let shown = text.lines().filter(|line| !line.starts_with("pmu "));
            assert_width(&shown.collect::<Vec<_>>().join("\n"), width.into());
            // The same for whoever is told by `COLUMNS`.
            let told = command(arguments).env("COLUMNS", width.to_string()).output();
            let Output { stdout, stderr, .. } = told.expect("pmu runs");
            let told = [stdout, stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
            assert_eq!(told.concat(), text, "{arguments:?}, {width} columns");
        }
    }
    // No terminal is that narrow; nothing breaks.
    for columns in ["0", "1", "29", "-5", "x", "99999999999999999999"] {
        for arguments in LISTINGS {
            let run = command(arguments).env("COLUMNS", columns).output().expect("pmu runs");
            assert!(run.status.code() <= Some(1) && !run.stdout.is_empty(), "{arguments:?}");
        }
    }
    let (help, _) = terminal::shown(&mut command(&["list", "--help"]), 30);
    // The usage is not broken.
    let prose = help.lines().filter(|line| !line.contains("Usage:"));
    assert_width(&plain(&prose.collect::<Vec<_>>().join("\n")), 30);
}

/// Without emphasis.
fn plain(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let first = parts.next().unwrap_or_default().to_string();
    let behind = |part: &str| part.split_once('m').map(|(_, text)| text.to_string());
    parts.filter_map(behind).fold(first, |text, part| text + &part)
}

/// Emphasis is for terminals, and for who wants it.
#[test]
fn colours() {
    let cases: &[(&[&str], bool)] = &[
        (&["list", "--model=silvermont", "cache"], true),
        (&["list", "--model=silvermont", "cache", "--json"], false),
        (&["encode", "page-faults"], false),
        (&["list", "--help"], true),
        (&["list", "--nonsense"], true),
    ];
    for (arguments, is_emphasised) in cases {
        let on = |variables: &[(&str, &str)]| {
            let mut command = command(arguments);
            command.env("TERM", "xterm").envs(variables.iter().copied());
            terminal::shown(&mut command, 80).0.contains('\x1b')
        };
        assert_eq!(on(&[]), *is_emphasised, "{arguments:?}");
        assert_eq!(on(&[("NO_COLOR", "")]), *is_emphasised, "{arguments:?}");
        assert!(!on(&[("TERM", "dumb"), ("CI", "1"), ("CLICOLOR", "1")]), "{arguments:?}");
        assert!(!on(&[("NO_COLOR", "1")]), "{arguments:?}");
        assert!(!on(&[("TERM", "dumb")]), "{arguments:?}");
        let output = command(arguments).env("CLICOLOR_FORCE", "1").output().expect("pmu runs");
        assert!(![output.stdout, output.stderr].concat().contains(&0x1b), "{arguments:?}");
    }
}

/// Statuses of what is misused: that of `stat` is its own, as commands have
/// theirs.
#[test]
fn misuse() {
    let cases: &[(&[&str], i32, &str)] = &[
        (&["stat", "-r", "-1", "true"], 125, "expected a number of runs, 1 or more"),
        (&["stat", "--per-core", "true"], 125, "needs whole CPUs: `-a` or `-C`"),
        (&["stat", "--per-thread", "true"], 125, "`--per-thread` needs -p, -t or -a"),
        (&["stat", "record", "-r", "2", "true"], 125, "`--repeat` and `record` exclude"),
        (&["stat", "record", "-o", "/dev/null", "true"], 125, "is not a regular file"),
        (&["stat", "record", "-o", "-", "true"], 125, "`-o -`: the format for a pipe"),
        (&["stat", "record", "--per-core", "true"], 125, "needs whole CPUs: `-a` or `-C`"),
        (&["stat", "-a", "rep", "-i", "/nonexistent"], 125, "/nonexistent: No such file"),
        (&["stat", "report", "-i", "/dev/null"], 125, "/dev/null: is not a regular file"),
        (&["stat", "report", "--per-cor"], 125, "a similar argument exists: '--per-core'"),
        (&["stat", "--table", "true"], 125, "`--table` needs `--repeat`"),
        (&["stat", "-o", "x", "--log-fd", "3", "true"], 125, "exclude each other"),
        (&["stat", "--log-fd", "77", "-e", "duration_time", "true"], 125, "descriptor 77"),
        (&["stat", "-o", "/dev/full", "-e", "duration_time", "true"], 125, "No space left"),
        (&["stat", "-o", "/dev/full", "-x,", "-e", "duration_time", "true"], 125, "No space left"),
        (&["stat", "-o", "/dev/full", "-j", "-e", "duration_time", "true"], 125, "No space left"),
        (&["stat", "--hide-zero-events", "true"], 125, "a later perf than 6.12"),
        (&["stat", "--filter", "x", "true"], 125, "`--filter` is not available: "),
        (&["stat", "--sumary", "true"], 125, "a similar argument exists: '--summary'"),
        (&["list", "--model"], 2, "a value is required"),
        (&["list", "--tree", ""], 2, "a value is required"),
        (&["list", "--sys", "--models"], 2, "cannot be used with"),
        (&["encode"], 2, "required arguments were not provided"),
        (&["decode", "--nearest", "x", "r1"], 2, "invalid value 'x' for '--nearest <N>'"),
        (&["page"], 2, "required arguments were not provided"),
        (&["lint", "--unknown=no", "x"], 2, "invalid value 'no' for '--unknown <SEVERITY>'"),
        (&["ebb", "--nonsense"], 2, "unexpected argument '--nonsense' found"),
        (&["doctor", "cycles,"], 2, "pmu doctor: byte 7: "),
        (&["doctor", "--budget"], 2, "a value is required"),
        (&["completions"], 2, "required arguments were not provided"),
        (&["page", "--html", "/nonexistent/x", "--model=silvermont"], 1, "`/nonexistent/x`"),
        (&["stat", "-o", "/nonexistent/x", "true"], 125, "cannot write `/nonexistent/x`"),
        (&["stat", "-e", "duration_time", "/nonexistent/x"], 127, "is not found"),
        (&["stat", "-e", "duration_time", "/dev/null"], 126, "cannot be run"),
    ];
    for (arguments, code, message) in cases {
        let run = run(arguments);
        assert_eq!((run.code, run.out.as_str()), (Some(*code), ""), "{arguments:?}: {}", run.err);
        assert!(run.err.contains(message), "{arguments:?}: {}", run.err);
    }
}
