//! Descriptions against those of another tree: words that contradict each other. The
//! texts themselves are compared nowhere; what is looked for are a few words and numbers
//! with units, of which one text has some and the other only their opposites.

use std::collections::BTreeSet;

/// A word with those that say the same of an event, and its opposite likewise.
type Opposites = (&'static str, &'static [&'static str], &'static str, &'static [&'static str]);

/// The first of each list is what counts as said; the others are what may stand for it.
const OPPOSITES: &[Opposites] = &[
    (
        "hit",
        &["hit", "found", "serv", "suppl", "translated", "deliver", "got", "from the", "took"],
        "miss",
        &[
            "miss", "without", "found no", "not in", "absent", "beyond", "no copy", "no valid",
            " no ",
        ],
    ),
    (
        "local",
        &["local", "this socket", "same", "own", "on-chip", "on chip", "sibling"],
        "remote",
        &["remote", "other", "another", "different", "off-chip", "distant", "outside"],
    ),
    (
        "clean",
        &["clean", "exclusive", "not be modified"],
        "modified",
        &["modified", "dirty", "hitm", "m line", "m state", "evict", "write-back", "writeback"],
    ),
];

/// The rules, by name.
pub const RULES: [&str; 6] = ["hit", "local", "clean", "paths", "level", "number"];

/// The rules that a description breaks, given what another tree says of the same event.
///
/// ```
/// use pmu_events_import::sense::against::contradictions;
/// let theirs = "Counts loads that hit in the L2 cache.";
/// assert_eq!(contradictions("A.L2", "Loads that missed the L2.", theirs), ["hit"]);
/// assert_eq!(contradictions("A.L2", "Loads that the L2 served.", theirs), [""; 0]);
/// ```
#[must_use]
pub fn contradictions(name: &str, ours: &str, theirs: &str) -> Vec<&'static str> {
    let (ours, theirs) = (clean(ours), plain(theirs));
    if theirs.split(' ').filter(|word| !word.is_empty()).count() < 3 || ours.is_empty() {
        return Vec::new();
    }
    let mut broken = Vec::new();
    let has = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
    for (rule, one, _, other) in OPPOSITES {
        let is_reversed = |said: &[&str], opposite: &[&str]| {
            has(&theirs, &said[..1])
                && !has(&theirs, opposite)
                && has(&ours, &opposite[..1])
                && !has(&ours, said)
        };
        if is_reversed(one, other) || is_reversed(other, one) {
            broken.push(*rule);
        }
    }
    let excludes = has(&ours, &["paths excluded", "paths are left out", "path are left out"]);
    let (right, wrong) = ("architecturally executed", "speculatively executed");
    let about_paths = ours.contains("wrong path");
    if about_paths
        && ((theirs.contains(right) && !theirs.contains("specul") && !excludes)
            || (theirs.contains(wrong) && !theirs.contains("architecturally") && excludes))
    {
        broken.push("paths");
    }
    let (their_levels, levels) = (levels(&theirs), levels(&ours));
    let of_name = self::levels(&name.to_ascii_lowercase().replace(['_', '.'], " "));
    if !their_levels.is_empty()
        && !levels.is_empty()
        && their_levels.is_disjoint(&levels)
        && !levels.is_subset(&of_name)
    {
        broken.push("level");
    }
    let their_numbers = numbers(&theirs);
    let is_other = |(number, unit): &(u64, &str)| {
        let mut same = their_numbers.iter().filter(|(_, their_unit)| their_unit == unit).peekable();
        same.peek().is_some()
            && !words(&theirs).any(|word| word.parse() == Ok(*number))
            && same.all(|(theirs, _)| theirs != number)
    };
    if numbers(&ours).iter().any(is_other) {
        broken.push("number");
    }
    broken
}

/// Rules for one sentence of ours that stands for two events, or for one name on two
/// models: those by which the other tree's texts contradict each other.
#[must_use]
pub fn differences(one: &str, other: &str) -> Vec<&'static str> {
    let (one, other) = (plain(one), plain(other));
    let mut differ = Vec::new();
    if [&one, &other].iter().any(|text| text.split(' ').filter(|w| !w.is_empty()).count() < 3) {
        return differ;
    }
    for (rule, said, _, opposite) in OPPOSITES {
        let only = |text: &str, word: &str, not: &str| text.contains(word) && !text.contains(not);
        let (a, b) = (said[0], opposite[0]);
        if (only(&one, a, b) && only(&other, b, a)) || (only(&one, b, a) && only(&other, a, b)) {
            differ.push(*rule);
        }
    }
    let (levels, other_levels) = (levels(&one), levels(&other));
    if !levels.is_empty() && !other_levels.is_empty() && levels.is_disjoint(&other_levels) {
        differ.push("level");
    }
    let (numbers, other_numbers) = (numbers(&one), numbers(&other));
    let of_one_unit = |(number, unit): &(u64, &str)| {
        other_numbers.iter().any(|(_, other)| other == unit)
            && !other_numbers.contains(&(*number, unit))
    };
    if numbers.iter().any(of_one_unit) {
        differ.push("number");
    }
    differ
}

/// Small letters, without names of events and with one word for what is not modified.
fn plain(text: &str) -> String {
    let lower = clean(text).replace("without experiencing an l1 miss", "hit");
    let is_name = |word: &&str| {
        let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        word.contains(['_', '.']) && !word.starts_with(|c: char| c.is_ascii_digit())
    };
    lower.split_whitespace().filter(|word| !is_name(word)).collect::<Vec<_>>().join(" ")
}

fn clean(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let words = ["non-modified", "unmodified", "not modified"];
    words.iter().fold(lower, |text, word| text.replace(word, "clean"))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

/// Levels of caches and TLBs; the last level is a level of its own as well as the third.
fn levels(text: &str) -> BTreeSet<char> {
    const MEANT: &[(&str, &str)] = &[
        ("llc", "3L"),
        ("last level", "3L"),
        ("last-level", "3L"),
        ("mlc", "2"),
        ("second level", "2"),
        ("second-level", "2"),
        ("data cache", "1"),
        ("instruction cache", "1"),
        ("dcache", "1"),
        ("icache", "1"),
        ("dl1", "1"),
        ("tlb", "12"),
    ];
    let meant = MEANT.iter().filter(|(word, _)| text.contains(word));
    let mut found: BTreeSet<char> = meant.flat_map(|(_, levels)| levels.chars()).collect();
    let mut before = "";
    for word in words(text) {
        let mut letters = word.chars();
        match (letters.next(), letters.next()) {
            (Some('l'), Some(level @ '0'..='4')) => found.insert(level),
            (Some(level @ '0'..='4'), None) if before == "level" => found.insert(level),
            _ => false,
        };
        before = word;
    }
    found
}

/// Numbers with a unit of size or time.
fn numbers(text: &str) -> BTreeSet<(u64, &'static str)> {
    const UNITS: &[(&str, &str)] = &[
        ("b", "b"),
        ("byte", "b"),
        ("bytes", "b"),
        ("k", "k"),
        ("kb", "k"),
        ("kib", "k"),
        ("m", "m"),
        ("mb", "m"),
        ("mib", "m"),
        ("g", "g"),
        ("gb", "g"),
        ("gib", "g"),
        ("cycle", "cycles"),
        ("cycles", "cycles"),
        ("ns", "ns"),
    ];
    let unit = |word: &str| UNITS.iter().find(|(unit, _)| *unit == word).map(|(_, unit)| *unit);
    let text = text.replace(',', "");
    let all: Vec<&str> = words(&text).collect();
    let mut found = BTreeSet::new();
    for (at, word) in all.iter().enumerate() {
        let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, rest) = word.split_at(digits);
        let Ok(number) = number.parse() else {
            continue;
        };
        let rest = if rest.is_empty() { all.get(at + 1).copied().unwrap_or("") } else { rest };
        if let Some(unit) = unit(rest) {
            found.insert((number, unit));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Errors that descriptions had, beside the facts in other words; then the sentence
    /// that took the place of each.
    #[test]
    fn each_rule_finds_the_errors_it_is_made_for() {
        let cases: &[(&str, &str, &str, &str, &str)] = &[
            (
                "hit",
                "UNC_C_MISC.CVZERO_PREFETCH_MISS",
                "Prefetches that missed lines without core-valid bits.",
                "Data reads hit lines whose core-valid bits are clear.",
                "Data reads that hit lines without core-valid bits, not in state M.",
            ),
            (
                "local",
                "RD_SPIPE",
                "Reads from remote clusters.",
                "reads that come from the local cluster",
                "Reads from this cluster, the local one.",
            ),
            (
                "clean",
                "DL1.REPLACEMENT",
                "Clean lines that left the L1 data cache.",
                "counts dirty lines evicted from the L1, that is modified ones",
                "Modified lines that left the L1 data cache.",
            ),
            (
                "paths",
                "IEL_SPEC",
                "Operations between elements, on wrong paths too.",
                "counts architecturally executed operations between elements",
                "Operations between elements, wrong paths excluded.",
            ),
            (
                "paths",
                "NOP_SPEC",
                "No-operations, wrong paths excluded.",
                "counts no-operations that are speculatively executed",
                "No-operations, on wrong paths too.",
            ),
            (
                "level",
                "PM_SN_HIT",
                "Snoops that hit the L2.",
                "port 0 snoop machine hit in the L3",
                "Snoops that hit the L3.",
            ),
            (
                "number",
                "MISALIGN_MEM_REF.SPLIT",
                "Accesses across a boundary of 64 bytes.",
                "accesses that cross an 8 byte boundary",
                "Accesses across a boundary of 8 bytes.",
            ),
            (
                "number",
                "DATA_BEATS",
                "Beats of 64 bytes into the cores.",
                "data beats (32 bytes) to the cores",
                "Beats of 32 bytes into the cores.",
            ),
        ];
        for (rule, name, wrong, theirs, right) in cases {
            assert!(RULES.contains(rule));
            assert_eq!(contradictions(name, wrong, theirs), [*rule], "{wrong}");
            assert_eq!(contradictions(name, right, theirs), [""; 0], "{right}");
        }
        for rule in RULES {
            assert!(cases.iter().any(|case| case.0 == rule), "{rule}");
        }
    }

    #[test]
    fn what_is_said_in_other_words() {
        for (name, ours, theirs) in [
            ("A", "Loads that the L2 served.", "Loads that hit in the L2."),
            ("A", "Lines of an E state, exclusive ones.", "Hits of an unmodified line there."),
            ("A.L2_MISS", "Reads that missed the L2.", "Reads A.L2_HIT and others of this."),
            ("A", "Reads from the LLC.", "Reads from the L3 cache."),
            ("PM_16M", "Misses for pages of 16 MB.", "Translation of a 16M page was missing."),
            ("A", "Anything.", "A.B"),
        ] {
            assert_eq!(contradictions(name, ours, theirs), [""; 0], "{ours}");
        }
    }

    #[test]
    fn texts_that_need_two_sentences() {
        for (rule, one, other) in [
            ("hit", "Requests that hit the cache.", "Requests that miss the cache."),
            ("local", "Reads of local memory, too.", "Reads of remote memory, too."),
            ("level", "Misses of the L2 there.", "Misses of the L3 there."),
            ("number", "Data in beats of 32 bytes.", "Data in beats of 64 bytes."),
        ] {
            assert_eq!(differences(one, other), [rule]);
            assert_eq!(differences(one, one), [""; 0]);
        }
        assert_eq!(differences("Hits and misses, both.", "Hits of the cache."), [""; 0]);
    }
}
