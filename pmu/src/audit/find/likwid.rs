//! LIKWID's lists of events, `perfmon_CPU_events.txt`: lines of a keyword with a name, and a number.
//!
//! `EVENT_` begins an event with its code and counters; each `UMASK_` below it is a selection with
//! the whole name. `DEFAULT_OPTIONS_` has conditions of the selection of that name.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::{fields, lines, number};
use crate::audit::candidate::{Candidate, Code, Name};

pub(super) fn is_list(text: &str) -> bool {
    let is_event = |line: &str| line.starts_with("EVENT_") && fields(line).len() == 3;
    let mut events = lines(text).filter(|(_, line)| is_event(line)).take(2);
    let has_umasks = || lines(text).any(|(_, line)| line.starts_with("UMASK_"));
    events.next().is_some() && has_umasks()
}

pub(super) fn find(text: &str) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut event = None;
    let mut options: HashMap<&str, &str> = HashMap::new();
    for (start, line) in lines(text) {
        let fields = fields(line);
        let Some(&(at, keyword)) = fields.first() else { continue };
        let value = fields.get(1).map(|&(_, value)| value);
        if keyword.starts_with("EVENT_") {
            let counters = fields.get(2).map_or("", |&(_, counters)| counters);
            let pmu = if is_of_core(counters) { None } else { counters.split('|').next() };
            let counter = counters.strip_prefix("PMC").and_then(|number| number.parse().ok());
            event = value.and_then(number::any).map(|code| (code, pmu, counter));
            options.clear();
        } else if let Some(name) = keyword.strip_prefix("DEFAULT_OPTIONS_") {
            options.insert(name, value.unwrap_or_default());
        } else if let Some(name) = keyword.strip_prefix("UMASK_") {
            let umask = value.and_then(number::any);
            let (Some((event, pmu, counter)), Some(umask)) = (event, umask) else { continue };
            let mut terms = format!("event={event:#x},umask={umask:#x}");
            add_options(&mut terms, options.get(name).copied().unwrap_or_default());
            // Further values are bits of other registers.
            for (_, value) in fields.iter().skip(2) {
                let _ = write!(terms, ",{value}");
            }
            let end = start + line.trim_end().len();
            found.push(Candidate {
                span: start + at..end,
                name: Some(Name::Event(name.into())),
                code: Some(Code { counter, ..Code::of_pmu(pmu.map(String::from), terms) }),
                cpus: Vec::new(),
                cpu_at: None,
            });
        }
    }
    found
}

/// Whether the counters are general ones of a core: `PMC`, `PMC0|PMC1`.
fn is_of_core(counters: &str) -> bool {
    counters.split('|').all(|counter| {
        let digits = counter.strip_prefix("PMC");
        digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

/// Adds the terms of the options. Those that select in another register keep LIKWID's names, which no
/// PMU has.
fn add_options(terms: &mut String, options: &str) {
    for option in options.split(',').filter(|option| !option.is_empty()) {
        let (name, value) = option.split_once('=').unwrap_or((option, "1"));
        let term = match name {
            "EVENT_OPTION_THRESHOLD" => "cmask",
            "EVENT_OPTION_INVERT" => "inv",
            "EVENT_OPTION_EDGE" => "edge",
            "EVENT_OPTION_ANYTHREAD" => "any",
            other => other,
        };
        let _ = match number::any(value) {
            Some(value) => write!(terms, ",{term}={value:#x}"),
            None => write!(terms, ",{term}={value}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selections() {
        let text = "\
# A comment
EVENT_TEMP_CORE 0x00 TMP0
UMASK_TEMP_CORE 0x00

EVENT_L2  0x24  PMC
UMASK_L2_MISS   0x3F
DEFAULT_OPTIONS_L2_BUSY EVENT_OPTION_THRESHOLD=0x1,EVENT_OPTION_INVERT=1
UMASK_L2_BUSY   0x10
DEFAULT_OPTIONS_L2_FAR EVENT_OPTION_MATCH0=0x1
UMASK_L2_FAR    0x10
UMASK_L2_OTHER  0x1 0xff 0xff
EVENT_CAS 0x04 MBOX0C0|MBOX0C1
UMASK_CAS_RD 0x3
EVENT_ONE 0xf0 PMC3
UMASK_ONE 0x0
EVENT_TWO 0xfa PMC3|PMC4
UMASK_TWO 0x0
";
        assert!(is_list(text));
        let found: Vec<String> = find(text)
            .iter()
            .map(|one| {
                let name = one.name.as_ref().map_or("", |name| name.text());
                let code = one.code.as_ref().expect("it has a code");
                let pmu = code.pmu.as_deref().unwrap_or_default();
                let counter = code.counter.map(|n| format!(" counter {n}")).unwrap_or_default();
                format!("{} | {name} | {pmu} {}{counter}", &text[one.span.clone()], code.terms)
            })
            .collect();
        assert_eq!(
            found,
            [
                "UMASK_TEMP_CORE 0x00 | TEMP_CORE | TMP0 event=0x0,umask=0x0",
                "UMASK_L2_MISS   0x3F | L2_MISS |  event=0x24,umask=0x3f",
                "UMASK_L2_BUSY   0x10 | L2_BUSY |  event=0x24,umask=0x10,cmask=0x1,inv=0x1",
                "UMASK_L2_FAR    0x10 | L2_FAR |  event=0x24,umask=0x10,EVENT_OPTION_MATCH0=0x1",
                "UMASK_L2_OTHER  0x1 0xff 0xff | L2_OTHER |  event=0x24,umask=0x1,0xff,0xff",
                "UMASK_CAS_RD 0x3 | CAS_RD | MBOX0C0 event=0x4,umask=0x3",
                "UMASK_ONE 0x0 | ONE |  event=0xf0,umask=0x0 counter 3",
                "UMASK_TWO 0x0 | TWO |  event=0xfa,umask=0x0",
            ]
        );
        assert!(!is_list("EVENT_X 1 2\n"));
        assert!(!is_list(""));
    }
}
