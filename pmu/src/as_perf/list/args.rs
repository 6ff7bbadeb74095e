//! The command line of `perf list`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgAction, Parser};

use crate::as_perf::usage::is_option;

const USAGE: &str =
    "perf list [<options>] [hw|sw|cache|tracepoint|pmu|sdt|metric|metricgroup|event_glob]";

/// List events and metrics of this machine
///
/// The options, the order and the format are those of perf 6.12. Without a word, lists
/// everything. `pmu list` lists the events of other CPUs, too, and searches descriptions.
#[derive(Debug, Parser)]
#[command(
    name = "perf list",
    disable_version_flag = true,
    infer_long_args = true,
    max_term_width = 100,
    override_usage = USAGE
)]
pub(super) struct Args {
    /// Do without brief descriptions
    #[arg(long, overrides_with = "desc", hide = true)]
    pub(super) no_desc: bool,

    /// Show brief descriptions, as is the default; `--no-desc` does without
    #[arg(short, long, overrides_with = "no_desc")]
    desc: bool,

    /// Show long descriptions instead of brief ones, and each instance of a PMU
    #[arg(short = 'v', long, overrides_with = "no_long_desc")]
    pub(super) long_desc: bool,

    #[arg(long, hide = true)]
    no_long_desc: bool,

    /// Show encodings, formulas of metrics and thresholds
    #[arg(long, overrides_with = "no_details")]
    pub(super) details: bool,

    #[arg(long, hide = true)]
    no_details: bool,

    /// List deprecated events, too
    #[arg(long, overrides_with = "no_deprecated")]
    pub(super) deprecated: bool,

    #[arg(long, hide = true)]
    no_deprecated: bool,

    /// Write one array of JSON objects
    #[arg(short, long, overrides_with = "no_json")]
    pub(super) json: bool,

    #[arg(long, hide = true)]
    no_json: bool,

    /// List only events of PMUs whose names match a shell pattern
    #[arg(long, value_name = "PMU", overrides_with = "unit")]
    pub(super) unit: Option<String>,

    /// The same for one PMU, whose name may do without `cpu_` or `uncore_`
    #[arg(long, value_name = "PMU", overrides_with = "cputype")]
    pub(super) cputype: Option<String>,

    /// Write names alone, in one line
    #[arg(long, overrides_with = "no_raw_dump")]
    pub(super) raw_dump: bool,

    #[arg(long, hide = true)]
    no_raw_dump: bool,

    /// Write to a file
    #[arg(short, long, value_name = "FILE", overrides_with = "output")]
    pub(super) output: Option<PathBuf>,

    /// Has no effect: `pmu list` says what it could not read
    #[arg(long, action = ArgAction::Count)]
    debug: u8,

    /// hw, sw, cache, tracepoint, pmu, metric, metricgroup, or a part of the names to list. What
    /// follows the first of these is none of the options
    #[arg(value_name = "WORD")]
    pub(super) words: Vec<String>,
}

/// The words with a `--` before the first that is not an option
/// (`PARSE_OPT_STOP_AT_NON_OPTION` in `tools/lib/subcmd/parse-options.h`).
pub(super) fn ended(words: &[OsString]) -> Vec<OsString> {
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| is_option(word)) {
        at += if takes_next(&word.to_string_lossy()) { 2 } else { 1 };
    }
    let (options, rest) = words.split_at(at.min(words.len()));
    let end = OsString::from("--");
    let end = if options.contains(&end) { None } else { Some(end) };
    options.iter().cloned().chain(end).chain(rest.iter().cloned()).collect()
}

/// Whether the next word is the value of an option.
fn takes_next(option: &str) -> bool {
    match option.strip_prefix("--") {
        // A long option may be shortened.
        Some(long) => {
            ["output", "unit", "cputype"].iter().any(|own| own.starts_with(long))
                && !long.is_empty()
        }
        None => option.ends_with('o'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_end_at_a_word() {
        let words =
            |text: &str| -> Vec<OsString> { text.split_whitespace().map(Into::into).collect() };
        for (given, expected) in [
            ("", "--"),
            ("-j", "-j --"),
            ("sw -j", "-- sw -j"),
            ("-j --unit cpu sw", "-j --unit cpu -- sw"),
            ("-j --un cpu sw", "-j --un cpu -- sw"),
            ("--unit=cpu sw", "--unit=cpu -- sw"),
            ("-jo file sw", "-jo file -- sw"),
            ("-o", "-o --"),
            ("-j -- -x", "-j -- -x"),
        ] {
            assert_eq!(ended(&words(given)), words(expected), "{given}");
        }
    }
}
