//! The table of perf's options, for the manual and for the documentation.

use std::fmt::Write;

use super::table::{ALL, PerfOption, Verdict};

/// What comes before the table.
const ABOUT: &str = "\
These are the options of perf stat of Linux 6.12 and of Linux 7.3. An option that differs, or that has \
no effect, says how and why; one that is refused, why. A flag is taken back by its negation: \
--no-metric-only, --inherit. A long option may be abbreviated.";

/// A section of the man page.
pub(crate) fn roff() -> String {
    let mut text = format!(".SS \"OPTIONS OF PERF STAT\"\n{}\n", escaped(ABOUT));
    for option in ALL {
        let names = names(option).join(", ");
        let _ = write!(text, ".TP\n\\fB{}\\fR\n{}\n", escaped(&names), escaped(&said(option)));
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-")
}

/// The same as a file.
#[cfg(test)]
pub(super) fn markdown() -> String {
    let mut text = String::from("# `pmu stat` and the options of `perf stat`\n\n");
    text.push_str(&ABOUT.replace("perf stat", "`perf stat`"));
    text.push_str("\n\nA test writes this table, from which the program refuses, too.\n\n");
    text.push_str("| option of `perf stat` | `pmu stat` |\n|---|---|\n");
    for option in ALL {
        let names: Vec<String> = names(option).iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(text, "| {} | {} |", names.join(", "), said(option).replace('|', "\\|"));
    }
    text
}

/// Its short name and its long one, with its value.
fn names(option: &PerfOption) -> Vec<String> {
    let value = match (option.value, option.is_optional) {
        ("", _) => String::new(),
        (value, false) => format!(" <{value}>"),
        (value, true) => format!("[=<{value}>]"),
    };
    let short = option.short.map(|short| format!("-{short}"));
    short.into_iter().chain([format!("--{}{value}", option.long)]).collect()
}

fn said(option: &PerfOption) -> String {
    let said = match option.verdict {
        Verdict::Same => "Same.".into(),
        Verdict::Differs(how) => format!("Different: {how}."),
        Verdict::Accepted(why) => format!("No effect: {why}."),
        Verdict::Refused(why) => format!("Refused: {why}."),
    };
    if option.is_later { format!("{said} Since a later Linux than 6.12.") } else { said }
}
