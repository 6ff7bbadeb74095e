//! Shell patterns for names.
//!
//! Use it to select models or events as `models = ["skylake*"]` does.

/// Whether a shell pattern matches a whole name, ignoring ASCII case.
///
/// `*` matches any sequence of characters, `?` any one character, `[a-c]` a
/// character in a set, `[!a-c]` one that is not in it, and `\` makes the next
/// character literal.
///
/// These are the patterns of `perf list` and of PMU names
/// (`tools/perf/util/string.c`). An unclosed `[` is literal. Takes time at most
/// proportional to the product of both lengths, and no heap.
///
/// ```
/// use pmu_events::__private::glob;
/// assert!(glob::matches("l2_*miss", "L2_RQSTS.DEMAND_MISS"));
/// assert!(glob::matches("uncore_imc_[0-3]", "uncore_imc_2"));
/// assert!(!glob::matches("l2_?", "l2_rqsts"));
/// ```
#[must_use]
pub const fn matches(pattern: &str, name: &str) -> bool {
    matches_in(pattern, name, Case::Ignored)
}

/// Whether a shell pattern matches a whole name, like [`matches()`] but
/// case-sensitive, as for names of PMUs.
///
/// ```
/// use pmu_events::__private::glob;
/// assert!(glob::matches_case("uncore_*", "uncore_imc"));
/// assert!(!glob::matches_case("UNCORE_*", "uncore_imc"));
/// ```
#[must_use]
pub const fn matches_case(pattern: &str, name: &str) -> bool {
    matches_in(pattern, name, Case::Kept)
}

/// Whether case is significant.
#[derive(Clone, Copy)]
enum Case {
    Ignored,
    Kept,
}

impl Case {
    const fn of(self, c: u8) -> u8 {
        match self {
            Case::Ignored => c.to_ascii_lowercase(),
            Case::Kept => c,
        }
    }
}

const fn matches_in(pattern: &str, name: &str, case: Case) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let last_close = last_close(pattern);
    let (mut p, mut n) = (0, 0);
    // The position of the last star, and the end of what it has matched: on a
    // mismatch, the star takes one more character.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        let next = if p < pattern.len() && pattern[p] == b'*' {
            star = Some((p + 1, n));
            p += 1;
            continue;
        } else if p < pattern.len() {
            one(pattern, p, last_close, case.of(name[n]), case)
        } else {
            None
        };
        match (next, star) {
            (Some(after), _) => {
                p = after;
                n += 1;
            }
            (None, Some((after_star, taken))) => {
                star = Some((after_star, taken + 1));
                p = after_star;
                n = taken + 1;
            }
            (None, None) => return false,
        }
    }
    while p < pattern.len() && pattern[p] == b'*' {
        p += 1;
    }
    p == pattern.len()
}

/// Whether a text contains any character that is special to [`matches()`].
///
/// ```
/// use pmu_events::__private::glob;
/// assert!(glob::is_pattern("l2_*"));
/// assert!(!glob::is_pattern("l2_rqsts.miss"));
/// ```
#[must_use]
pub const fn is_pattern(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let Some((&c, more)) = rest.split_first() {
        if matches!(c, b'*' | b'?' | b'[' | b'\\') {
            return true;
        }
        rest = more;
    }
    false
}

/// The position of the last `]`; 0 if there is none. A set that opens after it
/// is not closed, so there is no need to scan to the end of the pattern.
const fn last_close(pattern: &[u8]) -> usize {
    let mut p = pattern.len();
    while p > 0 {
        p -= 1;
        if pattern[p] == b']' {
            return p;
        }
    }
    0
}

/// Matches one character at `pattern[p]`; returns the position after it on
/// success.
const fn one(pattern: &[u8], p: usize, last_close: usize, c: u8, case: Case) -> Option<usize> {
    match pattern[p] {
        b'?' => Some(p + 1),
        b'\\' if p + 1 < pattern.len() => {
            if case.of(pattern[p + 1]) == c {
                Some(p + 2)
            } else {
                None
            }
        }
        b'[' => match set(pattern, p, last_close, c, case) {
            Some((true, after)) => Some(after),
            Some((false, _)) => None,
            None if c == b'[' => Some(p + 1),
            None => None,
        },
        other => {
            if case.of(other) == c {
                Some(p + 1)
            } else {
                None
            }
        }
    }
}

/// Reads the set that opens at `pattern[open]`: whether it contains `c`, and
/// the position after it; `None` if the set is not closed.
const fn set(
    pattern: &[u8],
    open: usize,
    last_close: usize,
    c: u8,
    case: Case,
) -> Option<(bool, usize)> {
    let mut p = open + 1;
    let negated = p < pattern.len() && (pattern[p] == b'!' || pattern[p] == b'^');
    if negated {
        p += 1;
    }
    let first = p;
    if last_close <= first {
        return None;
    }
    let mut found = false;
    while p < pattern.len() {
        if pattern[p] == b']' && p > first {
            return Some((found != negated, p + 1));
        }
        let low = case.of(pattern[p]);
        let ranged = p + 2 < pattern.len() && pattern[p + 1] == b'-' && pattern[p + 2] != b']';
        let high = if ranged { case.of(pattern[p + 2]) } else { low };
        if low <= c && c <= high {
            found = true;
        }
        p += if ranged { 3 } else { 1 };
    }
    None
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    #[test]
    fn cases() {
        let cases: &[(&str, &str, bool)] = &[
            ("", "", true),
            ("", "a", false),
            ("*", "", true),
            ("*", "anything", true),
            ("a*", "ABC", true),
            ("*c", "abc", true),
            ("a*b*c", "aXXbYYbZc", true),
            ("a*b*c", "aXXc", false),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("[abc]x", "Bx", true),
            ("[!abc]x", "bx", false),
            ("[!abc]x", "dx", true),
            ("[a-c]", "b", true),
            ("[a-c]", "d", false),
            ("[]]", "]", true),
            ("[a-]", "-", true),
            ("[ab", "[ab", true),
            ("[]", "[]", true),
            ("[!]", "[!]", true),
            ("[!]]", "a", true),
            ("[a]b[", "ab[", true),
            ("[]-a]", "^", true),
            ("\\*", "*", true),
            ("\\*", "x", false),
            ("**a**", "bab", true),
        ];
        for &(pattern, name, expected) in cases {
            assert_eq!(matches(pattern, name), expected, "{pattern:?} {name:?}");
        }
    }

    /// Unclosed brackets must not be scanned each time, which would take
    /// minutes.
    #[test]
    fn many_open_brackets_end() {
        let pattern = std::format!("*{}x", "[".repeat(2000));
        let name = "[".repeat(4000);
        assert!(!matches(&pattern, &name));
    }

    /// Nested stars must not cost exponential time.
    #[test]
    fn many_stars_end() {
        let pattern = "a*".repeat(60) + "b";
        let name = "a".repeat(2000);
        assert!(!matches(&pattern, &name));
    }
}
