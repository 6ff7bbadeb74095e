//! Generic events in source text, by the constants of `linux/perf_event.h` and by the names that the
//! crate `perf-event` has for them: `PERF_COUNT_SW_DUMMY`, `Software::DUMMY`.

use std::ops::Range;

use super::enclosing::is_comment;
use super::{LONGEST, lines};
use crate::audit::candidate::{Candidate, Code, Name};
use crate::decode::{constants, generic};

/// What constants begin with, and what the kernel's begin with.
const STARTS: [(&str, &str); 3] = [
    ("PERF_COUNT_", "PERF_COUNT_"),
    ("Hardware::", "PERF_COUNT_HW_"),
    ("Software::", "PERF_COUNT_SW_"),
];

/// A longer expression is none of three constants, and what is farther away is no label.
const MOST: usize = 200;

/// A constant, or an expression of those of a cache event.
struct Found {
    span: Range<usize>,
    event: (u32, u64),
}

pub(super) fn find(text: &str) -> Vec<Candidate> {
    let mut all: Vec<Found> = Vec::new();
    for (start, line) in lines(text).filter(|(_, line)| line.len() <= LONGEST && !is_comment(line))
    {
        for (at, word) in words(line) {
            let at = start + at;
            if all.last().is_some_and(|last| at < last.span.end) {
                continue;
            }
            all.extend(of(text, at, word));
        }
    }
    let candidate = |(n, found): (usize, &Found)| Candidate {
        span: found.span.clone(),
        name: label(text, &all, n),
        code: Some(Code::of_kernel(found.event)),
        cpus: Vec::new(),
        cpu_at: None,
    };
    all.iter().enumerate().map(candidate).collect()
}

/// The constants of a line, with their places.
fn words(line: &str) -> Vec<(usize, &str)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (start, _) in STARTS {
        for (at, _) in line.match_indices(start) {
            let rest = &line[at + start.len()..];
            let length = start.len() + rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            if !line[..at].ends_with(is_word) && !is_definition(&line[..at], &line[at + length..]) {
                found.push((at, &line[at..at + length]));
            }
        }
    }
    found.sort();
    found
}

/// Whether a constant gets its value here.
fn is_definition(before: &str, after: &str) -> bool {
    let after = after.trim_start();
    let is_assigned =
        after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>");
    is_assigned || before.trim_end().ends_with("const")
}

/// The event of a constant, or of the expression that begins with it.
fn of(text: &str, at: usize, word: &str) -> Option<Found> {
    let kernels = STARTS
        .iter()
        .find_map(|(own, kernels)| Some(format!("{kernels}{}", word.strip_prefix(own)?)))?;
    if let Some(event) = constants::event(&kernels) {
        return Some(Found { span: at..at + word.len(), event });
    }
    let rest = &text[at..];
    let end = rest.find([',', ';', '{', '}', '"']).unwrap_or(rest.len()).min(MOST);
    let end = (0..=end).rev().find(|&end| rest.is_char_boundary(end))?;
    let event = constants::event(&rest[..end])?;
    let last = rest[..end].rfind("PERF_COUNT_")?;
    let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    let end = rest[last..].find(is_end).map_or(rest.len(), |length| last + length);
    Some(Found { span: at..at + end, event })
}

/// The quoted name of another generic event before a constant, if no such name of its own stands
/// beside it: lists have the name on either side.
fn label(text: &str, all: &[Found], n: usize) -> Option<Name> {
    let Found { span, event } = &all[n];
    let from = n.checked_sub(1).map_or(0, |last| all[last].span.end);
    let to = all.get(n + 1).map_or(text.len(), |next| next.span.start);
    let (before, after) = (&text[from..span.start], &text[span.end..to]);
    let last = |text: &str| -> Option<String> {
        let close = text.rfind(QUOTES)?;
        let open = text[..close].rfind(QUOTES)?;
        is_beside(&text[close + 1..]).then(|| text[open + 1..close].to_string())
    };
    let first = |text: &str| -> Option<String> {
        let open = text.find(QUOTES)?;
        let close = text[open + 1..].find(QUOTES)?;
        is_beside(&text[..open]).then(|| text[open + 1..open + 1 + close].to_string())
    };
    let label = last(before)?;
    let named = generic::event_of_name(&label)?;
    let is_named_behind =
        first(after).and_then(|name| generic::event_of_name(&name)) == Some(*event);
    (named == *event || !is_named_behind).then_some(Name::Label(label))
}

const QUOTES: [char; 3] = ['"', '\'', '`'];

/// Whether a name and a constant with this between them are one entry.
fn is_beside(between: &str) -> bool {
    between.len() <= MOST && !between.contains(';') && between.matches('\n').count() <= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generic_events() {
        let shown = |text: &str| -> Vec<String> {
            find(text)
                .iter()
                .map(|one| {
                    let (type_, config) = one.code.as_ref().and_then(|code| code.kernel).unwrap();
                    let label = one.name.as_ref().map_or("-", Name::text);
                    format!("{} {type_}:{config:#x} {label}", &text[one.span.clone()])
                })
                .collect()
        };
        for (text, expected) in [
            (
                "{ \"faults\", PERF_COUNT_SW_PAGE_FAULTS },",
                &["PERF_COUNT_SW_PAGE_FAULTS 1:0x2 faults"][..],
            ),
            (
                "\"CGROUP_SWITCHES\" => Ok((\n    events::Software::DUMMY,",
                &["Software::DUMMY 1:0x9 CGROUP_SWITCHES"],
            ),
            (
                "PERF_COUNT_HW_CPU_CYCLES: 'cycles', PERF_COUNT_HW_INSTRUCTIONS: 'instructions'",
                &["PERF_COUNT_HW_CPU_CYCLES 0:0x0 -", "PERF_COUNT_HW_INSTRUCTIONS 0:0x1 -"],
            ),
            (
                "x = PERF_COUNT_HW_CACHE_LL |\n  (PERF_COUNT_HW_CACHE_OP_READ << 8) |\n  \
                 (PERF_COUNT_HW_CACHE_RESULT_MISS << 16);",
                &["PERF_COUNT_HW_CACHE_LL |\n  (PERF_COUNT_HW_CACHE_OP_READ << 8) |\n  \
                   (PERF_COUNT_HW_CACHE_RESULT_MISS 3:0x10002 -"],
            ),
            (
                "log(\"cycles\"); open(PERF_COUNT_HW_INSTRUCTIONS)",
                &["PERF_COUNT_HW_INSTRUCTIONS 0:0x1 -"],
            ),
            ("PERF_COUNT_HW_CPU_CYCLES = 0,\n#define PERF_COUNT_SW_DUMMY 9", &[]),
            ("pub const PERF_COUNT_SW_DUMMY: u32 = 9;\n// PERF_COUNT_SW_DUMMY", &[]),
            ("PERF_COUNT_HW_MAX Hardware::new MY_PERF_COUNT_SW_DUMMY", &[]),
            ("c = PERF_COUNT_HW_CACHE_LL;", &[]),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
