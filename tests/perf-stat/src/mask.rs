//! What a program writes, without what it has measured: the numbers, how many lines an interval
//! lasts, and what perf leaves out where a deviation or a time is 0.

use crate::combinations::Combination;
use crate::run::Run;

/// The run with masks in place of numbers.
pub fn masked(run: &Run, combination: &Combination) -> Run {
    let has_intervals = combination.words.contains("-I ");
    let text = |text: &str| {
        // perf has no line for a time that is 0.
        let may_be_missing =
            |line: &&str| line.contains("user_time") || line.contains("system_time");
        let lines = text.lines().filter(|line| !may_be_missing(line));
        let mut lines: Vec<String> = lines.map(|text| line(text, combination)).collect();
        if has_intervals {
            let mut seen = Vec::new();
            lines.retain(|line| {
                let is_new = !seen.contains(line);
                seen.push(line.clone());
                is_new
            });
        }
        let end = if text.is_empty() || text.ends_with('\n') { "" } else { "<no line feed>" };
        lines.join("\n") + end
    };
    Run {
        status: run.status,
        out: text(&run.out),
        err: text(&run.err),
        file: run.file.as_deref().map(text),
        descriptor: text(&run.descriptor),
    }
}

fn line(text: &str, combination: &Combination) -> String {
    let is_of_programs = [" -x", " -j", "-x", "-j"]
        .iter()
        .any(|option| combination.words.starts_with(option) || combination.words.contains(option));
    if text.starts_with("# started on ") {
        return "# started on <time>".into();
    }
    if is_of_programs {
        return without_prefix(&numbers(text, false), false);
    }
    // The digits that these have follow from the deviation.
    if text.contains("seconds time elapsed") && text.contains(" +- ") {
        return "<time> +- <time> seconds time elapsed".into();
    }
    if text.contains(" (+0.") || text.contains(" (-0.") {
        return "<time> (<time>) ###".into();
    }
    for heading in ["# Table of individual measurements:", "# Final result:"] {
        if text.trim_start() == heading {
            return heading.into();
        }
    }
    without_prefix(&numbers(without_noise(text), true), true)
}

/// Without the deviation, which is not there where it is 0.
fn without_noise(text: &str) -> &str {
    match text.find("  ( +-") {
        Some(start) => &text[..start],
        None => text,
    }
}

/// Numbers have a mark for each decimal. What is left of the point has the width of its column,
/// if columns are aligned. A number that is part of a name stays.
fn numbers(text: &str, is_aligned: bool) -> String {
    let mut masked = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let before = masked.chars().next_back();
        let is_of_name = before.is_some_and(|c| c.is_alphabetic() || c == '-' || c == '_');
        if !first.is_ascii_digit() || is_of_name {
            masked.push(first);
            rest = &rest[first.len_utf8()..];
            // The other digits of a name.
            if first.is_ascii_digit() {
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                masked.push_str(&rest[..end]);
                rest = &rest[end..];
            }
            continue;
        }
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let mut width = end;
        rest = &rest[end..];
        if is_aligned {
            // Of a number of thousands.
            while rest.starts_with(',') && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
                width += 4;
                rest = &rest[4..];
            }
            let blanks = masked.len() - masked.trim_end_matches(' ').len();
            masked.truncate(masked.len() - blanks);
            // The last digit says where a column ends.
            masked.push_str(&"#".repeat(blanks + width - 1));
            masked.push('9');
        } else {
            masked.push('#');
        }
        if let Some(decimals) = rest.strip_prefix('.') {
            let end = decimals.find(|c: char| !c.is_ascii_digit()).unwrap_or(decimals.len());
            masked.push('.');
            masked.push_str(&"#".repeat(end));
            rest = &decimals[end..];
        }
    }
    masked
}

/// Without the K, M or G of a rate; a blank takes its place in a column.
fn without_prefix(text: &str, is_aligned: bool) -> String {
    let mut text = text.to_string();
    for prefix in ["K/sec", "M/sec", "G/sec"] {
        text = text.replace(prefix, if is_aligned { "/sec " } else { "/sec" });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let text = Combination { words: "-e cs true".into(), has_contents: false };
        let fields = Combination { words: "-x, -e cs true".into(), has_contents: false };
        for (combination, before, after) in [
            (&text, "              0.78 msec cs", "##############9.## msec cs"),
            (&text, "S0-D0-C1     1    12      cs", "S0-D0-C1#####9#####9      cs"),
            (&text, "   # 12.000 K/sec     |", "   ###9.### /sec      |"),
            (&text, "   1,234,567      cs", "###########9      cs"),
            (&text, " 1.2  ( +-  3.00% )", "#9.#"),
            (&fields, "CPU0,12.50,msec,cs,7,100.00,1.2,K/sec", "CPU0,#.##,msec,cs,#,#.##,#.#,/sec"),
            (&fields, "sleep-123,1,,cs", "sleep-123,#,,cs"),
        ] {
            assert_eq!(line(before, combination), after);
        }
    }
}
