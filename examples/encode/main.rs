//! Event strings to the words that the kernel wants: one line for each
//! `perf_event_attr` that perf would open.
//!
//! ```text
//! cargo run --example encode -- cycles 'cpu/event=0x3c,umask=1/u'
//! cargo run --example encode -- --cpuid GenuineIntel-6-8F-4 --sysfs DIR inst_retired.any
//! cargo run --example encode -- --json - < events.txt
//! cargo run --example encode -- --help
//! ```
//!
//! | module | what is in it |
//! |---|---|
//! | [`args`] | the command line |
//! | [`cli`] | what the examples' command lines have in common |
//! | [`trees`] | every tree of `arch/`, shared with the example `list` |
//! | [`text`], [`json`] | the two outputs |

mod args;
#[path = "../cli/mod.rs"]
mod cli;
mod json;
mod text;
// `list` uses more of it.
#[allow(dead_code)]
#[path = "../list/trees.rs"]
mod trees;

use std::env;
use std::io::{self, BufRead, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use args::Command;
use cli::{System, pointed_out};
use pmu_events::resolve::resolve;

/// Why the program ends before its end.
enum Failure {
    Usage(String),
    /// What is needed is not there.
    Missing(String),
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

fn main() -> ExitCode {
    let (message, code) = match run() {
        Ok(true) => return ExitCode::SUCCESS,
        // Said already, of each event.
        Ok(false) => return ExitCode::from(1),
        // Whoever reads, as `head` does, has seen enough.
        Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => {
            return ExitCode::SUCCESS;
        }
        Err(Failure::Output(error)) => (format!("cannot write: {error}"), 1),
        Err(Failure::Missing(message)) => (message, 1),
        Err(Failure::Usage(message)) => (format!("{message}\nTry `encode --help`."), 2),
    };
    complain(&message);
    ExitCode::from(code)
}

/// Unlike `eprintln!`, does not panic when nobody listens.
fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "encode: {message}");
}

/// Whether all events could be resolved.
fn run() -> Result<bool, Failure> {
    let command = args::parse(env::args_os().skip(1)).map_err(Failure::Usage)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let args = match command {
        Command::Help => return print(out, args::HELP),
        Command::Version => {
            return print(out, concat!("encode ", env!("CARGO_PKG_VERSION"), "\n"));
        }
        Command::Encode(args) => args,
    };
    let system =
        System::of(args.cpuid.as_deref(), args.sysfs.as_deref()).map_err(Failure::Missing)?;
    let mut all_well = true;
    for event in &args.events {
        if event != "-" {
            all_well &= encode(&system, event, args.json, &mut out)?;
            continue;
        }
        for line in io::stdin().lock().lines() {
            let line =
                line.map_err(|error| Failure::Missing(format!("cannot read events: {error}")))?;
            if !line.trim().is_empty() {
                all_well &= encode(&system, &line, args.json, &mut out)?;
            }
        }
    }
    out.flush()?;
    if !all_well {
        system.excuses().iter().for_each(|excuse| complain(&format!("note: {excuse}")));
    }
    Ok(all_well)
}

fn print(mut out: impl Write, text: &str) -> Result<bool, Failure> {
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(true)
}

/// Whether the event could be resolved.
fn encode(system: &System, event: &str, json: bool, out: &mut impl Write) -> Result<bool, Failure> {
    let resolved = resolve(event, system.tables, &system.sysfs);
    match &resolved {
        Ok(all) if json => json::resolved(out, event, all)?,
        Ok(all) => text::resolved(out, all)?,
        Err(error) => {
            if json {
                json::refused(out, event, error)?;
            }
            // What went well comes before what did not, also on a terminal.
            out.flush()?;
            complain(&pointed_out(event, error));
        }
    }
    Ok(resolved.is_ok())
}
