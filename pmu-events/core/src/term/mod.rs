//! Event strings: terms joined by commas.
//!
//! Use it to look at single terms, such as the unit mask of an event.
//!
//! The grammar is that of the files in
//! `/sys/bus/event_source/devices/<pmu>/events/`
//! (`Documentation/ABI/testing/sysfs-bus-event_source-devices-events`) and that
//! of perf, which allows more. [`Terms`] iterates over anything that either
//! allows and ignores the rest; [`Terms::check`] and [`Terms::check_as_perf`]
//! report errors.

mod check;
pub(crate) mod digits;
pub(crate) mod perf_term;
pub(crate) mod scan;

use core::fmt;

pub(crate) use check::Fault;
pub(crate) use digits::digits_value;
pub(crate) use perf_term::{PerfTerm, Takes};
pub(crate) use scan::same;

/// A term of an event string: `umask=0x1`, or `any`, which means `any=1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Term<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: Option<&'a str>,
    /// The value as a number, parsed once because it is encoded for many PMUs.
    number: Option<u64>,
}

impl<'a> Term<'a> {
    /// Returns the text before the `=`.
    #[must_use]
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// Returns the text after the `=`; `None` for a term without a value.
    #[must_use]
    pub const fn value(&self) -> Option<&'a str> {
        self.value
    }

    /// Makes a term from its name and value.
    #[must_use]
    #[inline]
    pub const fn new(name: &'a str, value: Option<&'a str>) -> Self {
        let number = match value {
            None => Some(1),
            Some(text) => number(text),
        };
        Term { name, value, number }
    }

    /// Returns the value as a number: hexadecimal after `0x`, otherwise decimal
    /// (even with a leading zero, as in perf); 1 for a term without a value.
    /// `None` if the value is not a number or does not fit in 64 bits.
    ///
    /// ```
    /// use pmu_events::term::Terms;
    /// let terms = Terms::new("umask=010,cmask=0x1f,edge,name=x");
    /// let numbers: Vec<_> = terms.map(|term| term.number()).collect();
    /// assert_eq!(numbers, [Some(10), Some(0x1f), Some(1), None]);
    /// ```
    #[must_use]
    #[inline]
    pub const fn number(&self) -> Option<u64> {
        self.number
    }
}

/// Displays the term as it is written: `umask=0x1`, or just the name.
impl fmt::Display for Term<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        self.value.map_or(Ok(()), |value| write!(f, "={value}"))
    }
}

/// Parses a number as in terms: hexadecimal after `0x`, otherwise decimal.
///
/// ```
/// use pmu_events::term::number;
/// assert_eq!(number("0x3F7"), Some(0x3f7));
/// assert_eq!(number("010"), Some(10));
/// assert_eq!(number("-1"), None);
/// ```
#[must_use]
#[inline]
pub const fn number(text: &str) -> Option<u64> {
    let (digits, radix) = match text.as_bytes() {
        [b'0', b'x' | b'X', digits @ ..] => (digits, 16),
        digits => (digits, 10),
    };
    digits_value(digits, radix)
}

/// The terms of an event string, in order.
///
/// Empty terms (`event=1,,umask=2`) are ignored, as is white space around the
/// whole text, because sysfs files end with a line feed.
///
/// A value may be in single quotes and may then contain commas
/// (`name='a:b=c,d'`); the quotes are not part of it (`name_tag` in
/// `tools/perf/util/parse-events.l`).
///
/// This is an iterator; a `const fn` uses [`Terms::step`].
///
/// ```
/// use pmu_events::term::Terms;
/// let terms: Vec<_> = Terms::new("event=0x3c,any=1").map(|t| t.name()).collect();
/// assert_eq!(terms, ["event", "any"]);
/// ```
#[derive(Clone, Debug)]
pub struct Terms<'a> {
    rest: &'a str,
}

impl<'a> Terms<'a> {
    /// Iterates over the terms of a text.
    #[must_use]
    #[inline]
    pub const fn new(text: &'a str) -> Self {
        Terms { rest: text.trim_ascii() }
    }

    /// Returns the next term. The same as [`next`](Iterator::next), for use in a
    /// `const fn`.
    #[inline]
    pub const fn step(&mut self) -> Option<Term<'a>> {
        let mut rest = self.rest;
        while let [b',', ..] = rest.as_bytes() {
            rest = rest.split_at(1).1;
        }
        if rest.is_empty() {
            self.rest = rest;
            return None;
        }
        let Extent { name, value, end } = extent(rest.as_bytes());
        let value = match value {
            Some((from, to)) => Some(rest.split_at(to).0.split_at(from).1),
            None => None,
        };
        self.rest = rest.split_at(end).1;
        Some(Term::new(rest.split_at(name).0, value))
    }

    /// Returns the last term with this name, which is the one that takes effect
    /// if a term appears twice and its values are not OR-ed (`period`).
    #[must_use]
    pub const fn last_named(&self, name: &str) -> Option<Term<'a>> {
        let mut terms = self.copy();
        let mut found = None;
        while let Some(term) = terms.step() {
            if same(term.name, name) {
                found = Some(term);
            }
        }
        found
    }

    /// `clone`, for use in a `const fn`.
    pub(crate) const fn copy(&self) -> Self {
        Terms { rest: self.rest }
    }
}

impl<'a> Iterator for Terms<'a> {
    type Item = Term<'a>;

    fn next(&mut self) -> Option<Term<'a>> {
        self.step()
    }
}

/// The extent of the first term of a text.
struct Extent {
    /// The end of its name.
    name: usize,
    /// Its value, without quotes.
    value: Option<(usize, usize)>,
    /// Its end: a comma, or the end of the text.
    end: usize,
}

#[inline]
const fn extent(text: &[u8]) -> Extent {
    let name = scan::first_of(text, 0, b'=', b',');
    if name == text.len() || text[name] == b',' {
        return Extent { name, value: None, end: name };
    }
    let from = name + 1;
    if from < text.len() && text[from] == b'\'' {
        let mut to = from + 1;
        while to < text.len() && text[to] != b'\'' {
            to += 1;
        }
        if to < text.len() && (to + 1 == text.len() || text[to + 1] == b',') {
            return Extent { name, value: Some((from + 1, to)), end: to + 1 };
        }
        // Quotes that do not enclose the whole value have no meaning.
    }
    let end = scan::first_of(text, from, b',', b',');
    Extent { name, value: Some((from, end)), end }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    #[test]
    fn terms() {
        let cases: &[(&str, &[(&str, Option<&str>)])] = &[
            ("", &[]),
            (",", &[]),
            ("a", &[("a", None)]),
            ("a=", &[("a", Some(""))]),
            ("a=1,b", &[("a", Some("1")), ("b", None)]),
            ("a=1,,b=2,", &[("a", Some("1")), ("b", Some("2"))]),
            ("a=b=c", &[("a", Some("b=c"))]),
            (" a=1\n", &[("a", Some("1"))]),
            ("a= 1, b", &[("a", Some(" 1")), (" b", None)]),
            ("n='x:y=1,z',b", &[("n", Some("x:y=1,z")), ("b", None)]),
            ("n=''", &[("n", Some(""))]),
            ("n='", &[("n", Some("'"))]),
            ("n='a,b", &[("n", Some("'a")), ("b", None)]),
            ("n='a,b'c", &[("n", Some("'a")), ("b'c", None)]),
            ("=,=\u{e4}", &[("", Some("")), ("", Some("\u{e4}"))]),
        ];
        for &(text, expected) in cases {
            let found: Vec<_> = Terms::new(text).map(|t| (t.name, t.value)).collect();
            assert_eq!(found, expected, "{text:?}");
        }
        let shown: Vec<_> =
            Terms::new("a,b=,c=0x1F,=1").map(|term| std::format!("{term}")).collect();
        assert_eq!(shown, ["a", "b=", "c=0x1F", "=1"]);
    }

    #[test]
    fn numbers() {
        let cases: &[(&str, Option<u64>)] = &[
            ("0", Some(0)),
            ("0x", None),
            ("", None),
            ("12a", None),
            ("18446744073709551615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("0xffffffffffffffff", Some(u64::MAX)),
            ("0x10000000000000000", None),
            (" 1", None),
        ];
        for &(text, expected) in cases {
            assert_eq!(number(text), expected, "{text:?}");
        }
    }

    #[test]
    fn last_of_a_name() {
        let terms = Terms::new("period=1,event=2,period=3,Period=4");
        assert_eq!(terms.last_named("period").unwrap().number(), Some(3));
        assert_eq!(terms.last_named("umask"), None);
    }
}
