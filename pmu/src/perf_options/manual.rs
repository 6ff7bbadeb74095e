//! The table of perf's options, for the manual and for the documentation.

use std::fmt::Write;

use super::of_command;
use super::table::{PerfOption, Verdict};

/// What comes before the table.
const ABOUT: &str = "\
These are the options of perf COMMAND of Linux 6.12 and of Linux 7.3. An option that differs, or that has \
no effect, says how and why; one that is refused, why. A flag is taken back by its negation: \
NEGATED. A long option may be abbreviated.";

/// What becomes of the commands of a command.
const OF_STAT: [(&str, &str); 2] = [
    ("record", "Same, except for a pipe, which is refused"),
    (
        "report",
        "Different: each interval has its own counts, of which perf 6.12 shows sums since the \
         beginning; --per-cluster is refused, because no file says which CPUs share a cluster",
    ),
];

/// Those of `stat`; others have none.
fn commands(command: &str) -> &'static [(&'static str, &'static str)] {
    if command == "stat" { &OF_STAT } else { &[] }
}

fn about(command: &str) -> String {
    let negated = match command {
        "stat" => "--no-metric-only, --inherit",
        "record" => "--no-data, --inherit",
        "report" => "--no-children",
        _ => "--no-ns",
    };
    ABOUT.replace("COMMAND", command).replace("NEGATED", negated)
}

/// A section of the man page; empty for a command that perf has not.
pub(crate) fn roff(command: &str) -> String {
    let Some(all) = of_command(command) else { return String::new() };
    let name = command.to_uppercase();
    let mut text = format!(".SS \"OPTIONS OF PERF {name}\"\n{}\n", escaped(&about(command)));
    for (name, said) in commands(command) {
        let _ = write!(text, ".TP\n\\fB{name}\\fR\n{}.\n", escaped(said));
    }
    for option in all {
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
pub(super) fn markdown(command: &str) -> String {
    let all = of_command(command).expect("perf has it");
    let mut text = format!("# `pmu {command}` and the options of `perf {command}`\n\n");
    let perf = format!("perf {command}");
    text.push_str(&about(command).replace(&perf, &format!("`{perf}`")));
    text.push_str("\n\nA test writes this table, from which the program refuses, too.\n\n");
    let _ = write!(text, "| option of `{perf}` | `pmu {command}` |\n|---|---|\n");
    for (name, said) in commands(command) {
        let _ = writeln!(text, "| `{name}` | {said}. |");
    }
    for option in all {
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
    let long = Some(format!("--{}{value}", option.long)).filter(|_| !option.long.is_empty());
    short.into_iter().chain(long).collect()
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
