//! What `perf list` is, for any CPU of `arch/`: events and metrics by topic,
//! with search.
//!
//! ```text
//! cargo run --example list                                # this machine's
//! cargo run --example list -- --model silvermont cache    # another's
//! PERF_CPUID=GenuineIntel-6-8F-4 cargo run --example list -- l2_lines
//! cargo run --example list -- --help
//! ```
//!
//! | module | what is in it |
//! |---|---|
//! | [`args`] | the command line |
//! | [`cli`] | what the examples' command lines have in common |
//! | [`trees`] | every tree of `arch/`, and finding a table in them |
//! | [`subject`] | whose events are asked for, or why there are none |
//! | [`search`] | patterns, and what of a table matches them |
//! | [`facts`] | what is known of an event or a metric |
//! | [`text`], [`json`] | the two outputs |
//! | [`metrics`] | `list metrics`, `list metricgroups` |
//! | [`page`] | lines of a terminal: width, wrapping, emphasis |
//! | [`spelling`] | words and numbers that both outputs write alike |

mod args;
#[path = "../cli/words.rs"]
#[allow(dead_code)] // `stat` uses more of it.
mod cli;
mod facts;
mod json;
mod metrics;
mod page;
mod search;
mod spelling;
mod subject;
mod text;
mod trees;

use std::env;
use std::fmt::Write as _;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use args::{Args, Command, Subject, What};
use page::Page;
use pmu_events::{glob, host};
use search::{Found, Pattern};
use trees::Table;

/// Why there is nothing to list; the exit code follows from it.
enum Failure {
    Usage(String),
    NotFound(String),
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

fn main() -> ExitCode {
    let (message, code) = match run() {
        Ok(()) => return ExitCode::SUCCESS,
        // Whoever reads, as `head` does, has seen enough.
        Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => {
            return ExitCode::SUCCESS;
        }
        Err(Failure::Output(error)) => (format!("cannot write: {error}"), 1),
        Err(Failure::NotFound(message)) => (message, 1),
        Err(Failure::Usage(message)) => (format!("{message}\nTry `list --help`."), 2),
    };
    complain(&message);
    ExitCode::from(code)
}

/// Unlike `eprintln!`, does not panic when nobody listens.
fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "list: {message}");
}

fn run() -> Result<(), Failure> {
    let command = args::parse(env::args_os().skip(1)).map_err(Failure::Usage)?;
    let out = BufWriter::new(io::stdout().lock());
    match command {
        Command::Help => print(out, args::HELP),
        Command::Version => print(out, concat!("list ", env!("CARGO_PKG_VERSION"), "\n")),
        Command::List(args) if args.subject == Subject::Models => models(&args, out),
        Command::List(args) => list(&args, out),
    }
}

fn print(mut out: impl Write, text: &str) -> Result<(), Failure> {
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

fn models(args: &Args, mut out: impl Write) -> Result<(), Failure> {
    let mut tables: Vec<Table> = trees::all().collect();
    tables.retain(|table| {
        let names = [table.directory(), &table.to_string()];
        let asked_for = |pattern: &Pattern| names.iter().any(|name| pattern.matches_name(name));
        args.patterns.is_empty() || args.patterns.iter().any(asked_for)
    });
    if args.json {
        json::models(&mut out, &tables)?;
    } else {
        text::models(&mut out, &tables)?;
    }
    out.flush()?;
    if tables.is_empty() {
        return Err(Failure::NotFound("no model matches; `list --models` shows all".into()));
    }
    Ok(())
}

fn list(args: &Args, mut out: impl Write) -> Result<(), Failure> {
    let tables = match unknown_host(&args.subject) {
        None => tables(&args.subject)?,
        Some(why) if args.patterns.is_empty() => {
            complain(&format!("{why}; these are known, and `--model` chooses one"));
            return models(args, out);
        }
        Some(why) => {
            complain(&format!("{why}; looking through all"));
            trees::all().collect()
        }
    };
    if args.what == What::MetricGroups {
        return groups(args, &tables, out);
    }
    let mut found: Vec<Found> =
        tables.iter().map(|&t| search::search(t, &args.patterns, args.deprecated)).collect();
    if args.what == What::Metrics {
        for found in &mut found {
            found.events.clear();
            found.hidden = 0;
        }
    }
    let hidden: usize = found.iter().map(|f| f.hidden).sum();
    let empty = found.iter().all(Found::is_empty);
    if args.json {
        json::entries(&mut out, &found)?;
    } else if args.what == What::Metrics {
        metrics::metrics(&mut Page::new(&mut out), &found, args.details)?;
    } else {
        text::entries(&mut Page::new(&mut out), &found, args.details)?;
    }
    out.flush()?;
    if empty {
        return Err(Failure::NotFound(nothing(&tables, &args.patterns, hidden)));
    }
    if hidden > 0 {
        complain(&format!(
            "{}; `--deprecated` shows them",
            spelling::count(hidden, "deprecated event")
        ));
    }
    Ok(())
}

fn groups(args: &Args, tables: &[Table], mut out: impl Write) -> Result<(), Failure> {
    let found: Vec<_> =
        tables.iter().map(|&table| (table, metrics::groups(table, &args.patterns))).collect();
    if args.json {
        json::metric_groups(&mut out, &found)?;
    } else {
        metrics::group_list(&mut Page::new(&mut out), &found, args.details)?;
    }
    out.flush()?;
    if found.iter().all(|(_, groups)| groups.is_empty()) {
        return Err(Failure::NotFound("no metric group matches".into()));
    }
    Ok(())
}

/// Why the machine's own events cannot be listed. Who sets `PERF_CPUID` asks
/// for a CPU by name, and is told that it is unknown instead.
fn unknown_host(subject: &Subject) -> Option<host::Error> {
    if *subject != Subject::Host || env::var_os(host::OVERRIDE).is_some() {
        return None;
    }
    match host::cpuid() {
        _ if !trees::of_machine().is_empty() => None,
        Ok(cpuid) => Some(host::Error::Unknown(cpuid)),
        Err(error) => Some(error),
    }
}

/// The tables that are asked for.
fn tables(subject: &Subject) -> Result<Vec<Table>, Failure> {
    match subject {
        Subject::Models => Ok(trees::all().collect()),
        Subject::Sys => Ok(trees::all().filter(|table| table.sys).collect()),
        Subject::Named(name) => subject::named(name).map_err(Failure::NotFound),
        Subject::Cpu(cpuid) => subject::of_cpu(cpuid).map_err(Failure::NotFound),
        Subject::Host => subject::of_host().map_err(Failure::NotFound),
    }
}

fn nothing(tables: &[Table], patterns: &[Pattern], hidden: usize) -> String {
    if hidden > 0 {
        return "only deprecated events match; `--deprecated` shows them".into();
    }
    let mut message = match tables {
        [table] => format!("{table} has nothing that matches"),
        _ => "nothing matches".into(),
    };
    for (n, pattern) in patterns.iter().map(Pattern::as_str).enumerate() {
        let _ = write!(message, "{} `{pattern}`", if n == 0 { "" } else { " or" });
    }
    let nearest = |pattern| tables.iter().find_map(|table| table.model.nearest(pattern));
    let plain = patterns.iter().map(Pattern::as_str).filter(|p| !glob::is_pattern(p));
    for near in plain.filter_map(nearest) {
        let _ = write!(message, "\nDid you mean `{near}`?");
    }
    message
}
