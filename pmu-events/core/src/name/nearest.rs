//! “Did you mean”: how similar names are.

/// Returns the edit distance between two names: the number of insertions,
/// deletions, replacements and swaps of neighbouring letters, ignoring case.
///
/// `None` if it is more than `limit`, or if a name is longer than 127 bytes.
///
/// ```
/// use pmu_events::__private::name;
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
/// use pmu_events::__private::name::Nearest;
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
    use super::*;

    extern crate std;

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
