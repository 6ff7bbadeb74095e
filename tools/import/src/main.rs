//! See [`args::HELP`] and the library's documentation.

mod args;

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use args::{Args, Command};
use pmu_events_compiler::hint;
use pmu_events_import::merge;
use pmu_events_import::problem::Problems;
use pmu_events_import::share::{self, Missing};
use pmu_events_import::write::{self, Change, ChangeKind, Files};

/// Architectures that are written here, including their facts.
const OURS: &[&str] = &["common", "test"];

enum Failure {
    Usage(String),
    /// The errors have been reported.
    Problems(usize),
    Other(String),
    OutOfDate,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::OutOfDate) => ExitCode::from(1),
        Err(Failure::Problems(count)) => {
            complain(&format!("{count} errors; nothing was written"));
            ExitCode::from(1)
        }
        Err(Failure::Other(message)) => {
            complain(&message);
            ExitCode::from(1)
        }
        Err(Failure::Usage(message)) => {
            complain(&format!("{message}\nTry `pmu-events-import --help`."));
            ExitCode::from(2)
        }
    }
}

/// Unlike `eprintln!`, does not panic when standard error is closed.
fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "pmu-events-import: {message}");
}

fn say(text: &str) -> Result<(), Failure> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Other(format!("cannot write: {error}")))
        }
        _ => Ok(()),
    }
}

/// One architecture, ready to be written.
struct Ready {
    name: String,
    files: Files,
    changes: Vec<Change>,
}

fn run() -> Result<(), Failure> {
    let args = match args::parse(env::args_os().skip(1)).map_err(Failure::Usage)? {
        Command::Help => return say(args::HELP),
        Command::Version => {
            return say(concat!("pmu-events-import ", env!("CARGO_PKG_VERSION"), "\n"));
        }
        Command::Import(args) => args,
    };
    let source = source(&args)?;
    let overlay = args.overlay.clone().unwrap_or_else(|| args.out.with_file_name("overlay"));
    let mut problems = Problems::default();
    let mut missing = Missing::new();
    let mut shares = Vec::new();
    let mut ready = Vec::new();
    let names = architectures(&source, &args)?;
    for (number, name) in names.iter().enumerate() {
        progress(&format!("{name} ({} of {})", number + 1, names.len()));
        let arch = merge::import(&source.join(name), &overlay.join(name), &mut problems);
        shares.push((name.clone(), share::count(&arch, &mut missing)));
        let files = write::files(&arch);
        let changes = write::changes(&args.out.join(name), &files);
        let changes = changes.map_err(|error| cannot(&args.out.join(name), "be read", &error))?;
        ready.push(Ready { name: name.clone(), files, changes });
    }
    progress("");
    for problem in problems.warnings.iter().chain(&problems.errors) {
        let _ = writeln!(io::stderr(), "{problem}");
    }
    if !problems.errors.is_empty() {
        return Err(Failure::Problems(problems.errors.len()));
    }
    finish(&args, &ready)?;
    say(&share::table(&shares))?;
    say(&share::most_missing(&missing, args.missing))?;
    let is_current = ready.iter().all(|ready| ready.changes.is_empty());
    if args.check && !is_current { Err(Failure::OutOfDate) } else { Ok(()) }
}

/// Writes, or reports what would be written.
fn finish(args: &Args, ready: &[Ready]) -> Result<(), Failure> {
    for Ready { name, files, changes } in ready {
        let directory = args.out.join(name);
        if args.check {
            for Change { file, kind } in changes {
                say(&format!("{kind:7} {}\n", directory.join(file).display()))?;
            }
            continue;
        }
        write::write(&directory, files, changes)
            .map_err(|error| cannot(&directory, "be written", &error))?;
        let count = |kind| changes.iter().filter(|change| change.kind == kind).count();
        let counts = [ChangeKind::New, ChangeKind::Changed, ChangeKind::Removed]
            .map(|kind| format!("{} {kind}", count(kind)));
        say(&format!("{}: {} files, {}\n", directory.display(), files.len(), counts.join(", ")))?;
    }
    Ok(())
}

fn cannot(path: &Path, what: &str, error: &io::Error) -> Failure {
    Failure::Other(format!("{} cannot {what}: {error}", path.display()))
}

/// The directory of the architectures.
fn source(args: &Args) -> Result<PathBuf, Failure> {
    let tree = args.tree.clone().unwrap_or_else(|| args.out.clone());
    let within = tree.join("tools/perf/pmu-events/arch");
    let tree = if within.is_dir() { within } else { tree };
    if tree.is_dir() {
        Ok(tree)
    } else {
        Err(Failure::Other(format!("{} is not a directory", tree.display())))
    }
}

/// The architectures to import: those that have a map file.
fn architectures(source: &Path, args: &Args) -> Result<Vec<String>, Failure> {
    let entries = std::fs::read_dir(source).map_err(|error| cannot(source, "be read", &error))?;
    let mut there: Vec<String> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.path().join("mapfile.csv").is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| !OURS.contains(&name.as_str()) && !name.starts_with('.'))
        .collect();
    there.sort();
    if there.is_empty() {
        let message = "is not a tree of events: no directory in it has a mapfile.csv";
        return Err(Failure::Other(format!("{} {message}", source.display())));
    }
    for name in &args.archs {
        if !there.contains(name) {
            let hint = hint(name, there.iter().map(String::as_str));
            return Err(Failure::Usage(format!("unknown architecture `{name}`{hint}")));
        }
    }
    there.retain(|name| args.archs.is_empty() || args.archs.contains(name));
    Ok(there)
}

/// Shows progress on a terminal; an empty text erases it.
fn progress(text: &str) {
    let mut err = io::stderr();
    if err.is_terminal() {
        let _ = write!(err, "\r\x1b[K{text}");
        let _ = err.flush();
    }
}
