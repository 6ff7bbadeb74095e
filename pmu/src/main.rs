//! `pmu`: performance-monitoring events by name, from a shell.
//!
//! Each command is a module that takes its parsed arguments and returns the
//! exit status. Code that several commands need is in these modules:
//!
//! | module | contents |
//! |---|---|
//! | [`cli`] | the commands and their help, from which completions and the man page are made |
//! | [`completion`] | what a shell offers for a command line |
//! | [`perf_spelling`] | options as perf spells them, too |
//! | [`failure`] | why a command ends early, and its exit status |
//! | [`trees`] | the event trees: those of the program, or those of a directory |
//! | [`subject`] | the tables that the user asks for |
//! | [`system`] | the PMUs and tables that event strings are resolved on |
//! | [`core_codes`] | the codes of a core's events, and generic names with the same codes |
//! | `metric_names` | from words to metrics |
//! | [`facts`], [`spelling`] | what is known of an event or a metric, in words |
//! | [`decimals`] | how many digits of a value are shown |
//! | [`invocation`] | whether it is started as `pmu` or as `perf` |
//! | [`output`] | the one way out, which leaves nothing in that a terminal obeys |
//! | [`pager`] | long output page by page |
//! | [`style`], [`terminal`] | lines of a terminal: emphasis, width, wrapping |
//! | [`json`] | the output for programs |
//! | `csv` | fields of a line |
//! | [`html`] | pages for a browser |
//! | [`perf_options`] | what becomes of each option of perf's commands |
//! | [`pointer`](mod@pointer) | an error with the text below it and the fault marked |
//!
//! Under the name `perf`, `as_perf` comes first.

// Elsewhere, the arguments of commands that only Linux has are parsed and no more.
#![cfg_attr(not(target_os = "linux"), allow(dead_code))]

mod aggregation_args;
#[cfg(target_os = "linux")]
mod as_perf;
mod audit;
mod cli;
mod completion;
mod core_codes;
#[cfg(target_os = "linux")]
mod csv;
mod decimals;
mod decode;
mod destination_args;
mod doctor;
mod ebb;
mod encode;
#[cfg(target_os = "linux")]
mod export;
mod export_args;
mod facts;
mod failure;
mod html;
#[cfg(target_os = "linux")]
mod image;
mod invocation;
mod json;
mod latency_args;
mod lint;
mod list;
mod machine_args;
mod mesh;
mod metric_names;
mod output;
mod page;
#[cfg(target_os = "linux")]
mod pager;
#[cfg(target_os = "linux")]
mod perf_data;
mod perf_options;
mod perf_spelling;
mod pointer;
#[cfg(target_os = "linux")]
mod profile;
#[cfg(target_os = "linux")]
mod record;
mod record_args;
mod record_values;
mod refused_args;
#[cfg(target_os = "linux")]
mod report;
mod report_args;
mod report_values;
#[cfg(target_os = "linux")]
mod script;
mod script_args;
mod spelling;
#[cfg(target_os = "linux")]
mod stat;
mod stat_args;
mod stat_output_args;
mod stat_preset_args;
mod style;
mod subject;
mod system;
mod target_args;
mod terminal;
mod time_args;
#[cfg(target_os = "linux")]
mod topdown;
mod topdown_args;
mod trees;
mod unknown_cpu;

use std::env;
use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use clap::CommandFactory as _;

use cli::{Cli, Command};
use failure::{SUCCESS, USAGE};
#[cfg(target_os = "linux")]
use invocation::Invocation;

/// The binary of a release starts in half the system calls with it.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

fn main() -> ExitCode {
    let words: Vec<OsString> = env::args_os().collect();
    if let Some(written) = completion::answer(&words, Cli::command) {
        return ExitCode::from(if written.is_ok() { SUCCESS } else { failure::FAILED });
    }
    #[cfg(target_os = "linux")]
    let words = match Invocation::current() {
        Invocation::Pmu => words,
        Invocation::Perf => match as_perf::answer(&words) {
            as_perf::Next::End(status) => return status,
            as_perf::Next::Run(words) => words,
        },
    };
    let cli = match Cli::of_words(&words) {
        Ok(cli) => cli,
        Err(error) => return misused(&error),
    };
    let name = cli.command.name();
    let status = match cli.command {
        #[cfg(target_os = "linux")]
        Command::Stat(args) => return stat::main(args, &words),
        #[cfg(target_os = "linux")]
        Command::Topdown(args) => return topdown::main(args),
        #[cfg(target_os = "linux")]
        Command::Record(args) => return record::main(args),
        #[cfg(target_os = "linux")]
        Command::Report(args) => report::run(&args),
        #[cfg(target_os = "linux")]
        Command::Script(args) => script::run(&args),
        #[cfg(target_os = "linux")]
        Command::Export(args) => export::run(&args),
        #[cfg(not(target_os = "linux"))]
        Command::Report(_) | Command::Script(_) | Command::Export(_) => {
            Err(failure::Failure::Missing("only Linux has it".into()))
        }
        #[cfg(not(target_os = "linux"))]
        Command::Stat(_) | Command::Topdown(_) | Command::Record(_) => {
            failure::complain(name, "only Linux has perf_event_open");
            return ExitCode::from(STAT_FAILED);
        }
        Command::Doctor(args) => doctor::run(&args),
        Command::List(args) => list::run(&args),
        Command::Encode(args) => encode::run(&args),
        Command::Decode(args) => decode::run(&args),
        Command::Audit(args) => audit::run(&args),
        Command::Page(args) => page::run(&args),
        Command::Lint(args) => lint::run(&args),
        Command::Ebb(args) => ebb::run(&args),
        Command::Completions { shell } => cli::completions(shell),
        Command::Man => cli::man(),
    };
    status.map_or_else(|failure| failure.report(name), ExitCode::from)
}

/// The status of a failure of `stat` or `topdown` itself. All others belong to the
/// command that they run, as for `env`, `nice` and `timeout`.
const STAT_FAILED: u8 = 125;

/// Shows the help that was asked for, or a usage error.
pub(crate) fn misused(error: &clap::Error) -> ExitCode {
    #[cfg(target_os = "linux")]
    if Invocation::current().is_perf() {
        return ExitCode::from(as_perf::misused(error));
    }
    let (text, to_stderr) = (error.render(), error.use_stderr());
    // Not clap's own rule for styles: it also takes `CI` for a terminal with colours,
    // and knows variables that no other output of `pmu` obeys.
    output::help(to_stderr, &text.to_string(), &text.ansi().to_string());
    let counts = ["stat", "topdown", "record"].map(OsStr::new);
    let is_stat = env::args_os().nth(1).is_some_and(|name| counts.contains(&&*name));
    ExitCode::from(match to_stderr {
        false => SUCCESS,
        true if is_stat => STAT_FAILED,
        true => USAGE,
    })
}
