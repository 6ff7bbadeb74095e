//! Whether a sentence reflects the filters of the final event string: what is counted only
//! in part, or only while something holds.

use std::collections::BTreeSet;

use super::said::Said;
use crate::encoded;
use crate::record::number;

/// Says which filter of an event its description leaves out.
pub(super) fn filter(said: &Said<'_>) -> Option<String> {
    let terms = encoded::terms(said.record);
    let value = |name: &str| {
        let (_, value) = terms.iter().find(|(own, _)| own == name)?;
        number(value)
    };
    let is_of_cycles = value("edge").is_none() && value("inv").is_none();
    terms.iter().find_map(|(name, text)| {
        let is_said = match (name.as_str(), number(text)) {
            ("ch_mask", Some(mask)) => parts(said, mask),
            ("fc_mask", Some(mask)) => classes(said, mask),
            ("cmask", Some(mask)) if is_of_cycles => threshold(said, mask, value("umask")),
            ("cmask", _) => true,
            ("inv", _) => said.says(INVERTED),
            // The rules `duration` and `scope` ask about these.
            ("edge" | "any", _) => true,
            ("ldlat", Some(cycles)) => said.has_number(cycles),
            // jevents' text for a register without a value: perf refuses the event.
            ("ldlat", None) => true,
            ("config1", Some(filter)) => said.says(of_opcode(filter >> 41 & 0x3ff)),
            ("filter_opc", Some(opcode)) => said.says(of_opcode(opcode)),
            ("filter_state", Some(states)) => said.says(of_states(states)),
            ("filter_nc", _) => said.says(&["memory-mapped", "non-coherent"]),
            ("filter_tid", Some(0x3e)) => said.says(&["device"]),
            ("occ_sel", Some(state @ 1..=3)) => {
                said.says(&[["c0", "c3", "c6"][state as usize - 1]])
            }
            ("rdwrmask", Some(1)) => said.says(&["read"]),
            ("rdwrmask", Some(2)) => said.says(&["writ"]),
            (name, value) => is_whole(name, value),
        };
        (!is_said).then(|| format!("does not say what {name}={text} selects"))
    })
}

/// Terms that are the code of the event, and those that take in all there is.
fn is_whole(name: &str, value: Option<u64>) -> bool {
    match name {
        "event" | "umask" | "config" | "eventid" | "type" => true,
        "legacy-hardware-config" | "legacy-cache-config" => true,
        // The values of these registers make different names and sentences: one sentence for
        // two of a model is refused.
        "offcore_rsp" | "frontend" | "offmodule_rsp" => true,
        "enallcores" | "enallslices" => value == Some(1),
        // All slices, when they are enabled; both threads.
        "sliceid" | "threadmask" => value == Some(3),
        _ => false,
    }
}

/// Parts or ports of a stack: those of the mask, all of which need no word.
fn parts(said: &Said<'_>, mask: u64) -> bool {
    const ALL: [u64; 4] = [0xf, 0x1f, 0xff, 0xfff];
    let brief = said.brief.to_ascii_lowercase();
    let named = named_parts(&brief);
    let bits: BTreeSet<u64> =
        (0..u64::from(u64::BITS)).filter(|bit| mask >> bit & 1 == 1).collect();
    if !named.is_empty() {
        return named == bits;
    }
    let unit = match mask {
        0x10 => Some("vt-d 0"),
        0x20 => Some("vt-d 1"),
        0x100 => Some("iommu 0"),
        0x200 => Some("iommu 1"),
        _ => None,
    };
    ALL.contains(&mask) || unit.is_some_and(|unit| brief.contains(unit))
}

/// The numbers after "part", "parts", "port" and "ports".
fn named_parts(brief: &str) -> BTreeSet<u64> {
    let words: Vec<&str> =
        brief.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut named = BTreeSet::new();
    for (at, _) in words
        .iter()
        .enumerate()
        .filter(|(_, word)| ["part", "parts", "port", "ports"].contains(word))
    {
        let number = |ahead: usize| words.get(at + ahead).and_then(|word| word.parse::<u64>().ok());
        let Some(first) = number(1).filter(|first| *first < 64) else {
            continue;
        };
        let last = match words.get(at + 2) {
            Some(&("to" | "and" | "or")) => number(3).filter(|last| *last < 64),
            _ => None,
        };
        named.extend(first..=last.unwrap_or(first));
    }
    named
}

/// Classes of flow control: posted, non-posted and completions, all of which need no word.
fn classes(said: &Said<'_>, mask: u64) -> bool {
    const CLASSES: [&[&str]; 3] = [&["post"], &["non-posted"], &["completion"]];
    let mut asked = CLASSES.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
    mask == 7 || asked.all(|(_, words)| said.says(words))
}

/// A mask above one: its number, unless it only repeats bits of the unit mask, as for events
/// that count pending misses.
fn threshold(said: &Said<'_>, mask: u64, umask: Option<u64>) -> bool {
    mask < 2 || umask.is_some_and(|umask| mask & umask == mask) || said.has_number(mask)
}

const INVERTED: &[&str] = &[
    "no ", "not ", "none", "nothing", "neither", "never", "without", "fewer", "less", "at most",
    "below", "under ", "only one", "empty", "stall", "idle", "lack",
];

/// The words for an opcode of a TOR filter: numbers of Haswell's CBo, then those of
/// Skylake's CHA.
fn of_opcode(opcode: u64) -> &'static [&'static str] {
    match opcode {
        0x180 | 0x200 => &["rfo", "ownership"],
        0x181 | 0x201 => &["code read"],
        0x182 | 0x202 => &["data read"],
        0x187 | 0x207 => &["uncacheable", "memory-mapped"],
        0x18c | 0x20c => &["full line"],
        0x18d | 0x20d => &["partial line"],
        0x18f | 0x20f => &["memory-mapped"],
        0x190 | 0x258 => &["ownership prefetch", "rfo prefetch"],
        0x191 | 0x259 => &["code prefetch"],
        0x192 | 0x25a => &["data prefetch"],
        0x19e | 0x21e => &["current value"],
        0x1c8 | 0x248 => &["itom"],
        _ => &[],
    }
}

/// The words for states of a line: without any valid one, a look-up is a miss.
fn of_states(states: u64) -> &'static [&'static str] {
    match states {
        1 => &["miss", "state i"],
        _ => &[],
    }
}
