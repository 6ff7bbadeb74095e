//! Source text of any language: event strings, raw codes and names in it, metrics of perf's command
//! lines, and numbers where the line says that they are codes.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Context, LONGEST, commands, constants, enclosing, lines, number, strings};
use crate::audit::candidate::{Candidate, Code, Name};
use crate::audit::cpu::Cpu;

pub(crate) fn find(text: &str, context: &Context<'_>) -> Vec<Candidate> {
    let all: Vec<(usize, &str)> = lines(text).collect();
    let mut found = constants::find(text);
    for (number, &(start, line)) in all.iter().enumerate() {
        if line.len() > LONGEST {
            continue;
        }
        let of_line = of_line(start, line, context);
        if of_line.is_empty() {
            continue;
        }
        let (cpus, cpu_at) = cpus_of(&all, &[number], context);
        let with_cpus = |one| Candidate { cpus: cpus.clone(), cpu_at, ..one };
        found.extend(of_line.into_iter().map(with_cpus));
    }
    let metrics = commands::find(&all).into_iter().map(|metric| {
        let (cpus, cpu_at) = cpus_of(&all, &[metric.line, metric.command], context);
        Candidate { cpus, cpu_at, ..metric.candidate }
    });
    with_commands(found, metrics.collect(), context)
}

/// What is found in a text, with what its commands name. A name of a metric is not that of an event;
/// events that are found anyway have their codes with them.
pub(super) fn with_commands(
    mut found: Vec<Candidate>,
    named: Vec<Candidate>,
    context: &Context<'_>,
) -> Vec<Candidate> {
    let is_metric = |one: &Candidate| matches!(one.name, Some(Name::Metric(_)));
    let (metrics, events): (Vec<_>, Vec<_>) = named.into_iter().partition(is_metric);
    let places = |all: &[Candidate]| -> BTreeMap<usize, usize> {
        all.iter().map(|one| (one.span.start, one.span.end)).collect()
    };
    // Those of one kind do not overlap.
    let is_in = |places: &BTreeMap<usize, usize>, one: &Candidate| {
        let before = places.range(..one.span.end).next_back();
        before.is_some_and(|(_, &end)| one.span.start < end)
    };
    let of_metrics = places(&metrics);
    found.retain(|one| !is_in(&of_metrics, one));
    let taken = places(&found);
    let is_new = |one: &Candidate| {
        let name = one.name.as_ref().map_or("", Name::text);
        !is_in(&taken, one) && context.known.is_event(name)
    };
    found.extend(events.into_iter().filter(is_new));
    found.extend(metrics);
    found
}

/// The CPUs of the first of some lines that names any, else those of the block around the last one,
/// and where the text says so.
fn cpus_of(
    all: &[(usize, &str)],
    numbers: &[usize],
    context: &Context<'_>,
) -> (Vec<Cpu>, Option<usize>) {
    for &number in numbers {
        let (start, line) = all[number];
        let cpus = context.cpus.named_in(line);
        if !cpus.is_empty() {
            return (cpus, Some(start));
        }
    }
    let Some(&last) = numbers.last() else { return (Vec::new(), None) };
    let (cpus, head) = enclosing::cpus(all, last, context.cpus);
    let at = (!cpus.is_empty()).then_some(all[head].0);
    (cpus, at)
}

/// The candidates of a line. One code and one name on it belong together, unless they are members of
/// one list.
fn of_line(start: usize, line: &str, context: &Context<'_>) -> Vec<Candidate> {
    let strings = strings::all(line, context).into_iter();
    let mut found: Vec<Candidate> = strings.map(|one| one.candidate(start, None)).collect();
    let is_list = matches!(&found[..], [one, other] if are_members(start, line, one, other));
    found.extend(numbers(line, context).into_iter().map(|(span, code)| Candidate {
        span: span.start + start..span.end + start,
        name: None,
        code: Some(code),
        cpus: Vec::new(),
        cpu_at: None,
    }));
    if let [one, other] = &found[..]
        && !is_list
    {
        match (&one.name, &one.code, &other.name, &other.code) {
            (None, Some(_), Some(name), None) => {
                return vec![Candidate { name: Some(name.clone()), ..one.clone() }];
            }
            (Some(name), None, None, Some(_)) => {
                return vec![Candidate { name: Some(name.clone()), ..other.clone() }];
            }
            _ => {}
        }
    }
    found
}

/// Whether strings have only a comma between them: `-e r3c,inst_retired.any`, `["r3c", "l1d_cache"]`.
fn are_members(start: usize, line: &str, one: &Candidate, other: &Candidate) -> bool {
    let (one, other) = (&one.span, &other.span);
    let (first, second) = if one.start < other.start { (one, other) } else { (other, one) };
    let between = line.get(first.end - start..second.start - start).unwrap_or_default();
    between.trim_matches([' ', '"', '\'', '`']) == ","
}

/// Codes that are numbers: behind `PERF_TYPE_RAW`, shifted into place, or values of an event selector.
/// On a line that names no CPU, such a value may be any number.
fn numbers(line: &str, context: &Context<'_>) -> Vec<(Range<usize>, Code)> {
    if !line.contains("0x") && !line.contains("0X") {
        return Vec::new();
    }
    let mut found = shifted(line);
    let numbers = hexadecimal(line);
    let is_free = |found: &[(Range<usize>, Code)], span: &Range<usize>| {
        !found.iter().any(|(other, _)| other.start < span.end && span.start < other.end)
    };
    let raw = line.find("PERF_TYPE_RAW").map(|at| at + "PERF_TYPE_RAW".len());
    // The next one: what follows may be config1.
    let of_raw = raw.and_then(|raw| numbers.iter().find(|(span, _)| span.start >= raw));
    if let Some((span, config)) = of_raw
        && is_free(&found, span)
    {
        found.push((span.clone(), Code::raw(*config)));
    }
    let mut is_of_cpu = None;
    for (span, config) in numbers.iter().filter(|(_, config)| is_selector(*config)) {
        let is_of_cpu = *is_of_cpu.get_or_insert_with(|| !context.cpus.named_in(line).is_empty());
        if is_free(&found, span) && (is_of_cpu || *config >> 24 == 0) {
            let code = match is_of_cpu {
                true => Code::raw(*config),
                false => Code::of_any_pmu(Code::raw(*config).terms),
            };
            found.push((span.clone(), code));
        }
    }
    found
}

/// Whether a number has the bits of an event selector that counts: enabled, for the user, the kernel
/// or both, and an event.
fn is_selector(config: u64) -> bool {
    matches!(config >> 16 & 0xff, 0x41 | 0x42 | 0x43 | 0x51 | 0x52 | 0x53)
        && config & 0xff != 0
        && config >> 48 == 0
}

/// The hexadecimal numbers of a line.
fn hexadecimal(line: &str) -> Vec<(Range<usize>, u64)> {
    let mut found = Vec::new();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for (at, _) in line.match_indices('0') {
        let is_begun = !line[..at].ends_with(is_word);
        if is_begun && line[at..].starts_with(['0']) && line[at + 1..].starts_with(['x', 'X']) {
            let length = line[at..].find(|c| !is_word(c)).unwrap_or(line.len() - at);
            if let Some(number) = number::hexadecimal(&line[at..at + length]) {
                found.push((at..at + length, number));
            }
        }
    }
    found
}

/// `(0x01 << 8) | 0x08`.
fn shifted(line: &str) -> Vec<(Range<usize>, Code)> {
    let mut found = Vec::new();
    for (at, _) in line.match_indices("<< 8") {
        let before = line[..at].trim_end();
        let start = before.rfind(['(', ' ', '=']).map_or(0, |open| open + 1);
        let after = line[at + "<< 8".len()..].trim_start_matches([')', ' ']);
        let Some(after) = after.strip_prefix('|') else { continue };
        let after = after.trim_start();
        let length = after.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(after.len());
        let umask = number::hexadecimal(&before[start..]);
        let event = number::hexadecimal(&after[..length]);
        if let (Some(umask @ 0..=0xff), Some(event @ 0..=0xff)) = (umask, event) {
            let end = line.len() - after.len() + length;
            let start = if line[..start].ends_with('(') { start - 1 } else { start };
            found
                .push((start..end, Code::of_any_pmu(format!("event={event:#x},umask={umask:#x}"))));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_in_numbers() {
        let shown = |line: &str| -> Vec<String> {
            shifted(line)
                .iter()
                .map(|(span, code)| format!("{} {}", &line[span.clone()], code.terms))
                .collect()
        };
        assert_eq!(
            shown("let load_config = (0x01 << 8) | 0x08; // DTLB"),
            ["(0x01 << 8) | 0x08 event=0x8,umask=0x1"]
        );
        assert!(shown("x = y << 8 | z").is_empty());
        for (config, expected) in [
            (0x5101c4, true),
            (0x53003c, true),
            (0x0100_0051_11c4, true),
            (0x412e, false),
            (0x5555_5554, false),
            (0x51_0000, false),
        ] {
            assert_eq!(is_selector(config), expected, "{config:#x}");
        }
        let line = "a0x12 0x3_4 0X5 0 0xg";
        assert_eq!(hexadecimal(line), [(6..11, 0x34), (12..15, 5)]);
    }
}
