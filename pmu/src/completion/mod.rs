//! Completion of command lines in a shell: commands and options from their definitions;
//! models, events, metrics and groups from the tables of the CPU that the line is about.
//!
//! `pmu completions SHELL` writes a script that starts `pmu` again for each line.
//!
//! | module | contents |
//! |---|---|
//! | [`line`](mod@line) | the CPU that the command line is about |
//! | [`list`] | the last name of a list, and what goes before it |
//! | [`names`] | the names that can stand there |

mod line;
mod list;
mod names;

use std::env;
use std::ffi::OsString;
use std::io;

use clap_complete::Shell;
use clap_complete::env::Shells;

use crate::failure::Failure;
use crate::output::Output;

pub(crate) use names::{events, list_words, metrics, models};

/// The script sets it to the name of the shell.
const VARIABLE: &str = "_PMU_COMPLETE";

/// Writes a completion script.
pub(crate) fn script(shell: Shell) -> Result<Vec<u8>, Failure> {
    let name = shell.to_string();
    let mut script = Vec::new();
    let completer = Shells::builtins();
    let completer = completer.completer(&name).expect("each shell has a completer");
    completer.write_registration(VARIABLE, "pmu", "pmu", "pmu", &mut script)?;
    Ok(script)
}

/// Answers a completion script, which asks for the words that can follow. `None` if `pmu`
/// is started by anything else.
pub(crate) fn answer(
    words: &[OsString],
    command: impl FnOnce() -> clap::Command,
) -> Option<io::Result<()>> {
    let shell = env::var(VARIABLE).ok().filter(|shell| !shell.is_empty())?;
    let shells = Shells::builtins();
    let completer = shells.completer(&shell)?;
    // The script has `--` between the program and the line.
    let line = words.get(2..).filter(|_| words[1] == "--")?;
    let mut command = command();
    command.build();
    let mut out = Vec::new();
    let directory = env::current_dir().ok();
    let written = completer
        .write_complete(&mut command, line.to_vec(), directory.as_deref(), &mut out)
        .and_then(|()| Output::for_shell(&out));
    Some(written)
}
