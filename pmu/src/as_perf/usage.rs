//! Usage errors in perf's form, and their status (`tools/lib/subcmd/parse-options.c`).

use std::ffi::OsStr;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::output;

pub(super) const USAGE: &str = "perf [--version] [--help] [OPTIONS] COMMAND [ARGS]";

/// The status of a usage error, and of `-h`.
const STATUS: u8 = 129;

/// Tells that the options before a command are wrong.
pub(super) fn of_perf(message: &str) -> u8 {
    output::tell(&format!("{message}\n\n Usage: {USAGE}\n"));
    STATUS
}

pub(super) fn is_option(word: &OsStr) -> bool {
    word.as_encoded_bytes().starts_with(b"-")
}

/// Tells that the words of a command are wrong, or shows the usage that was asked for.
pub(crate) fn misused(error: &clap::Error) -> u8 {
    let text = error.render();
    if error.use_stderr() {
        // Without clap's own beginning, and with perf's words for the most common error.
        let rest = text.to_string();
        let rest = rest.strip_prefix("error: ").unwrap_or(&rest);
        let told = match unknown_option(error) {
            Some(option) => {
                let more = rest.split_once('\n').map_or("", |(_, more)| more);
                format!("unknown option `{option}'\n{more}")
            }
            None => rest.to_owned(),
        };
        output::tell(&format!("  Error: {told}"));
    } else {
        // perf shows its usage as if it were an error.
        output::help(true, &text.to_string(), &text.ansi().to_string());
    }
    STATUS
}

/// Without its hyphens.
fn unknown_option(error: &clap::Error) -> Option<&str> {
    match (error.kind(), error.get(ContextKind::InvalidArg)?) {
        (ErrorKind::UnknownArgument, ContextValue::String(option)) => {
            Some(option.trim_start_matches('-'))
        }
        _ => None,
    }
}
