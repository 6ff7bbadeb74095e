//! Comparing, hashing and ordering names without regard to ASCII case.
//!
//! Use it to compare names as perf does, and for “did you mean”.
//!
//! perf compares event and metric names with `strcasecmp`
//! (`tools/perf/util/pmu.c`, `pmu_events_table__find_event`). The hash below is
//! shared by the packer, which builds the index of a model, and the look-up,
//! which reads it. Both process eight bytes at a time: names are about thirty
//! bytes long, and a look-up does little more than hash and compare one.

use core::fmt;

/// The error for a text that is no value of the type that it is parsed as: an unknown name, or
/// a number or unit that cannot be read.
///
/// ```
/// use pmu_events::event_list::Hardware;
///
/// let error = "cylces".parse::<Hardware>().unwrap_err();
/// assert_eq!(error.to_string(), "expected a hardware event");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ParseError {
    expected: &'static str,
}

impl ParseError {
    pub(crate) const fn expected(expected: &'static str) -> Self {
        ParseError { expected }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.expected)
    }
}

crate::__debug_as_display!(ParseError);

impl core::error::Error for ParseError {}

/// Whether two names are equal, ignoring ASCII case.
///
/// ```
/// use pmu_events::name;
/// assert!(name::eq("INST_RETIRED.ANY", "inst_retired.any"));
/// assert!(!name::eq("INST_RETIRED.ANY", "inst_retired.any_p"));
/// ```
#[must_use]
#[inline]
pub const fn eq(a: &str, b: &str) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    // The last eight bytes overlap the previous ones.
    let (Some(x), Some(y)) = (a.last_chunk::<8>(), b.last_chunk::<8>()) else {
        return differ(tail(a), tail(b)) == 0;
    };
    let mut difference = differ(u64::from_le_bytes(*x), u64::from_le_bytes(*y));
    while a.len() > 8
        && let (Some((x, rest_a)), Some((y, rest_b))) =
            (a.split_first_chunk::<8>(), b.split_first_chunk::<8>())
    {
        difference |= differ(u64::from_le_bytes(*x), u64::from_le_bytes(*y));
        (a, b) = (rest_a, rest_b);
    }
    difference == 0
}

/// The bits in which two words of eight bytes differ, ignoring ASCII case: for
/// equality, this is less work than lowering both.
#[inline]
const fn differ(x: u64, y: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let low = (x | (ONES * 0x20)) & (ONES * 0x7f);
    let from_a = low + ONES * (0x80 - b'a' as u64);
    let beyond_z = low + ONES * (0x7f - b'z' as u64);
    let letter = (from_a ^ beyond_z) & !x & (ONES * 0x80);
    (x ^ y) & !(letter >> 2)
}

/// Compares two names in the order of perf's tables: by their bytes in lower
/// case.
///
/// ```
/// use core::cmp::Ordering;
/// use pmu_events::name;
/// assert_eq!(name::cmp("b", "A"), Ordering::Greater);
/// assert_eq!(name::cmp("cpi", "CPI"), Ordering::Equal);
/// ```
#[must_use]
pub const fn cmp(a: &str, b: &str) -> core::cmp::Ordering {
    use core::cmp::Ordering;
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    loop {
        match (a.split_first(), b.split_first()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some((x, rest_a)), Some((y, rest_b))) => {
                let (x, y) = (x.to_ascii_lowercase(), y.to_ascii_lowercase());
                if x < y {
                    return Ordering::Less;
                }
                if x > y {
                    return Ordering::Greater;
                }
                (a, b) = (rest_a, rest_b);
            }
        }
    }
}

/// Hashes a name in lower case, as the index of a model does.
#[must_use]
#[inline]
pub const fn hash(name: &str) -> u64 {
    let mut bytes = name.as_bytes();
    let mut h = (bytes.len() as u64).wrapping_mul(MULTIPLIER);
    let last = match bytes.last_chunk::<8>() {
        Some(last) => u64::from_le_bytes(*last),
        None => tail(bytes),
    };
    while bytes.len() > 8
        && let Some((chunk, rest)) = bytes.split_first_chunk::<8>()
    {
        h = mix(h ^ lower8(u64::from_le_bytes(*chunk)));
        bytes = rest;
    }
    mix(h ^ lower8(last))
}

/// Odd, with well-spread bits: 2⁶⁴ divided by the golden ratio.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline]
const fn mix(h: u64) -> u64 {
    let h = h.wrapping_mul(MULTIPLIER);
    h ^ (h >> 29)
}

/// A name of fewer than eight bytes as one word.
#[inline]
const fn tail(bytes: &[u8]) -> u64 {
    let (mut word, mut rest) = (0, bytes);
    if let Some((chunk, more)) = rest.split_first_chunk::<4>() {
        word = u32::from_le_bytes(*chunk) as u64;
        rest = more;
    }
    while let Some((&byte, more)) = rest.split_first() {
        word = word << 8 | byte as u64;
        rest = more;
    }
    word
}

/// Lowers eight ASCII bytes at once.
#[inline]
const fn lower8(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let low = word & (ONES * 0x7f);
    let from_a = low + ONES * (0x80 - b'A' as u64);
    let beyond_z = low + ONES * (0x7f - b'Z' as u64);
    let upper = (from_a ^ beyond_z) & !word & (ONES * 0x80);
    word | (upper >> 2)
}

/// Returns the edit distance between two names: the number of insertions,
/// deletions, replacements and swaps of neighbouring letters, ignoring case.
///
/// `None` if it is more than `limit`, or if a name is longer than 127 bytes.
///
/// ```
/// use pmu_events::name;
/// assert_eq!(name::distance("inst_retierd.any", "INST_RETIRED.ANY", 3), Some(1));
/// assert_eq!(name::distance("cycles", "INST_RETIRED.ANY", 3), None);
/// ```
#[must_use]
pub const fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    const LONGEST: usize = 127;
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() > LONGEST || b.len() > LONGEST || a.len().abs_diff(b.len()) > limit {
        return None;
    }
    // Three rows of the usual table; the oldest is needed for swaps.
    let mut rows = [[0u8; LONGEST + 1]; 3];
    let mut j = 0;
    while j <= b.len() {
        rows[0][j] = j as u8;
        j += 1;
    }
    let mut i = 1;
    while i <= a.len() {
        let (this, last, before) = (i % 3, (i + 2) % 3, (i + 1) % 3);
        rows[this][0] = i as u8;
        let mut smallest = rows[this][0];
        let mut j = 1;
        while j <= b.len() {
            let same = a[i - 1].eq_ignore_ascii_case(&b[j - 1]);
            let mut cost = rows[last][j - 1] + !same as u8;
            if rows[last][j] + 1 < cost {
                cost = rows[last][j] + 1;
            }
            if rows[this][j - 1] + 1 < cost {
                cost = rows[this][j - 1] + 1;
            }
            if i > 1
                && j > 1
                && a[i - 1].eq_ignore_ascii_case(&b[j - 2])
                && a[i - 2].eq_ignore_ascii_case(&b[j - 1])
                && rows[before][j - 2] + 1 < cost
            {
                cost = rows[before][j - 2] + 1;
            }
            rows[this][j] = cost;
            if cost < smallest {
                smallest = cost;
            }
            j += 1;
        }
        if smallest as usize > limit {
            return None;
        }
        i += 1;
    }
    let cost = rows[a.len() % 3][b.len()] as usize;
    if cost <= limit { Some(cost) } else { None }
}

/// Finds the most similar of the names offered to it, for “did you mean” hints.
///
/// At most a third of the written letters may be wrong: beyond that, every
/// short name is similar. Of two equally similar names, the first is found.
///
/// ```
/// use pmu_events::name::Nearest;
/// let mut nearest = Nearest::to("inst_retierd.any");
/// for (number, name) in ["cycles", "INST_RETIRED.ANY_P", "INST_RETIRED.ANY"].iter().enumerate() {
///     nearest.offer(name, number);
/// }
/// assert_eq!(nearest.found(), Some(2));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Nearest<'w, T> {
    written: &'w str,
    /// Whether the written text itself is not a valid answer.
    is_wrong: bool,
    limit: usize,
    found: Option<T>,
}

impl<'w, T: Copy> Nearest<'w, T> {
    /// Finds the name most similar to the written text, which may be one of the
    /// names.
    #[must_use]
    pub const fn to(written: &'w str) -> Self {
        Nearest { written, is_wrong: false, limit: written.len() / 3, found: None }
    }

    /// Like [`Nearest::to`], for a text that is known to be wrong and is never
    /// found itself.
    #[must_use]
    pub const fn instead_of(written: &'w str) -> Self {
        Nearest { is_wrong: true, ..Self::to(written) }
    }

    /// Offers a name, with the value to return if it is the most similar one.
    pub const fn offer(&mut self, name: &str, meaning: T) {
        if self.is_wrong && same(self.written.as_bytes(), name.as_bytes()) {
            return;
        }
        // From now on, only more similar names are accepted.
        let limit = match (self.found, self.limit) {
            (None, limit) => limit,
            (Some(_), 0) => return,
            (Some(_), limit) => limit - 1,
        };
        if let Some(distance) = distance(self.written, name, limit) {
            (self.limit, self.found) = (distance, Some(meaning));
        }
    }

    /// Returns the value of the most similar name, if any is similar enough.
    #[must_use]
    pub const fn found(&self) -> Option<T> {
        self.found
    }
}

impl<'w, 'n> Nearest<'w, &'n str> {
    /// Offers names, and returns the most similar one.
    #[must_use]
    pub fn among(mut self, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
        names.into_iter().for_each(|name| self.offer(name, name));
        self.found
    }
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let (mut a, mut b) = (a, b);
    while let (Some((x, rest_a)), Some((y, rest_b))) = (a.split_first(), b.split_first()) {
        if *x != *y {
            return false;
        }
        (a, b) = (rest_a, rest_b);
    }
    a.is_empty() && b.is_empty()
}

/// Counts the bytes that two names share at their start and at their end,
/// ignoring case: a similarity that takes one pass, for choosing the few names
/// worth passing to [`distance`].
#[must_use]
pub(crate) const fn shared(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let shorter = if a.len() < b.len() { a.len() } else { b.len() };
    let mut start = 0;
    while start < shorter && a[start].eq_ignore_ascii_case(&b[start]) {
        start += 1;
    }
    let mut end = 0;
    while end < shorter - start && a[a.len() - 1 - end].eq_ignore_ascii_case(&b[b.len() - 1 - end])
    {
        end += 1;
    }
    start + end
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::{string::String, vec::Vec};

    /// Compares every byte value at every position of a word with the standard
    /// library.
    #[test]
    fn equality_and_hash_follow_ascii_case() {
        for length in 0..20 {
            for at in 0..length {
                for c in 0..128u8 {
                    let mut bytes: Vec<u8> = (0..length).map(|i| b'a' + i as u8).collect();
                    bytes[at] = c;
                    let name = String::from_utf8(bytes).unwrap();
                    let upper = name.to_ascii_uppercase();
                    assert!(eq(&name, &upper), "{name:?}");
                    assert_eq!(hash(&name), hash(&upper), "{name:?}");
                    let other = name.replace(c as char, "~");
                    assert_eq!(eq(&name, &other), name.eq_ignore_ascii_case(&other));
                }
            }
        }
    }

    #[test]
    fn letters_beyond_ascii_keep_their_case() {
        assert!(!eq("\u{c4}", "\u{e4}"));
        assert!(eq("x\u{c4}", "X\u{c4}"));
    }

    #[test]
    fn order_is_that_of_lower_case() {
        let names = ["", "A", "a.b", "B", "b_", "ba", "Z"];
        for a in names {
            for b in names {
                let expected = a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase());
                assert_eq!(cmp(a, b), expected, "{a} {b}");
            }
        }
    }

    #[test]
    fn distances() {
        let cases: &[(&str, &str, Option<usize>)] = &[
            ("", "", Some(0)),
            ("abc", "ABC", Some(0)),
            ("abc", "abd", Some(1)),
            ("abc", "acb", Some(1)),
            ("abc", "ab", Some(1)),
            ("abc", "xabc", Some(1)),
            ("kitten", "sitting", Some(3)),
            ("abcdef", "ghijkl", None),
            ("a", "abcdef", None),
        ];
        for &(a, b, expected) in cases {
            assert_eq!(distance(a, b, 3), expected, "{a} {b}");
            assert_eq!(distance(b, a, 3), expected, "{b} {a}");
        }
        let long = "x".repeat(300);
        assert_eq!(distance(&long, &long, 3), None);
    }

    #[test]
    fn nearest() {
        let names = ["period", "percore", "perCore", "inherit", "no-inherit", "nr"];
        let cases: &[(&str, Option<&str>, Option<&str>)] = &[
            ("period", Some("period"), None),
            ("Period", Some("period"), Some("period")),
            ("peroid", Some("period"), Some("period")),
            // The first of two equally similar names.
            ("percor", Some("percore"), Some("percore")),
            ("perCore", Some("percore"), Some("percore")),
            ("percore", Some("percore"), Some("perCore")),
            // A third of the letters.
            ("nherit", Some("inherit"), Some("inherit")),
            ("xxherit", Some("inherit"), Some("inherit")),
            ("xxxerit", None, None),
            ("no_inherit", Some("no-inherit"), Some("no-inherit")),
            // Any letter is near any other.
            ("nx", None, None),
            ("NR", Some("nr"), Some("nr")),
            ("", None, None),
        ];
        for &(written, to, instead) in cases {
            assert_eq!(Nearest::to(written).among(names), to, "{written}");
            assert_eq!(Nearest::instead_of(written).among(names), instead, "{written}");
        }
    }

    #[test]
    fn shared_counts_both_ends_once() {
        assert_eq!(shared("inst_retierd.any", "INST_RETIRED.ANY"), 14);
        assert_eq!(shared("aaa", "aa"), 2);
        assert_eq!(shared("", "abc"), 0);
    }
}
