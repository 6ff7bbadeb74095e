//! What `pmu` answers under the name `perf` (a link): the streams, formats and exit statuses
//! of perf 6.12, for the commands that it has (`tools/perf/perf.c`).

mod list;
mod usage;

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use clap::CommandFactory as _;
use pmu_events::__private::name::Nearest;

use crate::cli::Cli;
use crate::failure::{FAILED, Failure, SUCCESS};
use crate::output::{self, Output};

pub(crate) use usage::misused;

/// The version of perf whose answers these are, and, as distributions add theirs, that of
/// the program. Some readers take two numbers each followed by a full stop, some cut the text
/// at `-`, and some take the third word of the line.
const VERSION: &str = concat!("6.12.0-pmu-", env!("CARGO_PKG_VERSION"));

/// The commands that `pmu` has under this name.
const COMMANDS: [(&str, &str); 7] = [
    ("help", "Show the options of a command"),
    ("list", "List events and metrics of this machine"),
    ("record", "Sample events while a command runs, or of what already runs"),
    ("report", "Show where the samples of a recording are"),
    ("script", "Show each sample of a recording"),
    ("stat", "Count events while a command runs, or of what already runs"),
    ("version", "Show the version"),
];

/// Those of perf that it has not (`commands` in `tools/perf/perf.c`).
const OTHERS: [&str; 26] = [
    "annotate",
    "archive",
    "bench",
    "buildid-cache",
    "buildid-list",
    "c2c",
    "check",
    "config",
    "daemon",
    "data",
    "diff",
    "evlist",
    "ftrace",
    "inject",
    "iostat",
    "kallsyms",
    "kmem",
    "kvm",
    "kwork",
    "lock",
    "mem",
    "probe",
    "sched",
    "test",
    "timechart",
    "top",
];

/// What remains to be done for a command line.
pub(crate) enum Next {
    /// Nothing.
    End(ExitCode),
    /// A command that has the same options under both names; its words begin with the name of the
    /// program.
    Run(Vec<OsString>),
}

/// Answers a command line, except for commands that have the same options under both names.
pub(crate) fn answer(words: &[OsString]) -> Next {
    let (command, words, by_pager) = match command(words.get(1..).unwrap_or_default()) {
        Ok(found) => found,
        Err(status) => return Next::End(ExitCode::from(status)),
    };
    // `perf stat --help` is `perf help stat`.
    let wants_help = words.first().is_some_and(|first| first == "--help");
    let status = match &*command {
        command if wants_help => help_of(command),
        "record" | "report" | "script" | "stat" => {
            let is_paged = matches!(&*command, "report" | "script");
            let without = (is_paged && !by_pager).then_some("--no-pager");
            let program = ["perf", &*command].into_iter().chain(without).map(OsString::from);
            return Next::Run(program.chain(words.iter().cloned()).collect());
        }
        "list" => list::run(words, by_pager),
        "version" => version(),
        "help" => match words.iter().find(|word| !usage::is_option(word)) {
            Some(command) => help_of(&command.to_string_lossy()),
            None => help(SUCCESS),
        },
        other => unknown(other),
    };
    Next::End(status.map_or_else(|failure| failure.report(&command), ExitCode::from))
}

/// The command, the words after it, and whether it may show its output by a pager. Otherwise, the
/// status of a command line without one.
fn command(mut words: &[OsString]) -> Result<(Cow<'_, str>, &[OsString], bool), u8> {
    let mut by_pager = true;
    while let Some((first, rest)) = words.split_first() {
        words = rest;
        let text = first.to_string_lossy();
        match &*text {
            "-h" | "--help" => return Ok(("help".into(), words, by_pager)),
            "-v" | "-vv" | "--version" => return Ok(("version".into(), words, by_pager)),
            "-p" | "--paginate" => by_pager = true,
            "--no-pager" => by_pager = false,
            // There is nothing to debug.
            "--buildid-dir" | "--debug" | "--debug-file" => match words.split_first() {
                Some((_, rest)) => words = rest,
                None => return Err(usage::of_perf(&format!("No value given for {text}."))),
            },
            "--list-cmds" => return Ok(("--list-cmds".into(), words, by_pager)),
            _ if usage::is_option(first) => {
                return Err(usage::of_perf(&format!("Unknown option: {text}")));
            }
            _ => return Ok((text, words, by_pager)),
        }
    }
    Ok((Cow::Borrowed(NONE), words, by_pager))
}

/// A command line without a command.
const NONE: &str = "";

fn version() -> Result<u8, Failure> {
    print(&format!("perf version {VERSION}\n"), SUCCESS)
}

fn help(status: u8) -> Result<u8, Failure> {
    let mut text =
        format!("\n usage: {}\n\n The commands that pmu has as perf are:\n", usage::USAGE);
    for (name, about) in COMMANDS {
        text.push_str(&format!("   {name:8} {about}\n"));
    }
    text.push_str("\n See 'perf help COMMAND' for the options of a command.\n\n");
    print(&text, status)
}

fn help_of(command: &str) -> Result<u8, Failure> {
    let mut help = match command {
        "list" => list::command(),
        name @ ("record" | "report" | "script" | "stat") => {
            let own = Cli::command().find_subcommand(name).cloned();
            own.unwrap_or_default().bin_name(format!("perf {name}"))
        }
        "help" | "version" => return help(SUCCESS),
        other => return unknown(other),
    };
    print(&help.render_long_help().to_string(), SUCCESS)
}

fn print(text: &str, status: u8) -> Result<u8, Failure> {
    let mut out = Output::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(status)
}

/// A command that perf has, or that nobody has.
fn unknown(command: &str) -> Result<u8, Failure> {
    let own = COMMANDS.map(|(name, _)| name);
    let message = match command {
        NONE => return help(FAILED),
        "--list-cmds" => return print(&format!("{} \n", own.join(" ")), SUCCESS),
        perf if OTHERS.contains(&perf) => format!(
            "perf: '{perf}' is not available: this is pmu {}, which has {} of perf's commands\n",
            env!("CARGO_PKG_VERSION"),
            own.join(", ")
        ),
        other => {
            let near = Nearest::instead_of(other).among(own.into_iter().chain(OTHERS));
            let near =
                near.map_or_else(String::new, |near| format!("\nDid you mean this?\n\t{near}\n"));
            format!("perf: '{other}' is not a perf-command. See 'perf --help'.\n{near}")
        }
    };
    output::tell(&message);
    Ok(FAILED)
}
