//! Event strings: terms joined by commas.

/// One term of an event string: `umask=0x1`, or `any`, which is `any=1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Term<'a> {
    /// What stands before the `=`.
    pub name: &'a str,
    /// What stands behind it; `None` for a term alone.
    pub value: Option<&'a str>,
}

impl Term<'_> {
    /// The value as a number: hexadecimal with `0x`, decimal else (a leading
    /// zero is decimal too, as perf reads it); 1 for a term alone. `None` for
    /// what is no number or does not fit 64 bits.
    ///
    /// ```
    /// use pmu_events_core::term::Terms;
    /// let mut terms = Terms::new("umask=010,cmask=0x1f,edge,name=x");
    /// let numbers: Vec<_> = terms.map(|term| term.number()).collect();
    /// assert_eq!(numbers, [Some(10), Some(0x1f), Some(1), None]);
    /// ```
    #[must_use]
    pub const fn number(&self) -> Option<u64> {
        match self.value {
            None => Some(1),
            Some(text) => number(text),
        }
    }
}

/// Reads a number as terms write it: hexadecimal with `0x`, else decimal.
///
/// ```
/// use pmu_events_core::term::number;
/// assert_eq!(number("0x3F7"), Some(0x3f7));
/// assert_eq!(number("010"), Some(10));
/// assert_eq!(number("-1"), None);
/// ```
#[must_use]
pub const fn number(text: &str) -> Option<u64> {
    let (digits, radix) = match text.as_bytes() {
        [b'0', b'x' | b'X', digits @ ..] => (digits, 16),
        digits => (digits, 10),
    };
    digits_value(digits, radix)
}

/// Digits of a radix up to 16 as a number; `None` for none, for others, and
/// beyond 64 bits.
pub(crate) const fn digits_value(mut digits: &[u8], radix: u64) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    let mut value: u64 = 0;
    while let Some((&c, rest)) = digits.split_first() {
        let digit = match c {
            b'0'..=b'9' => c - b'0',
            b'a'..=b'f' => c - b'a' + 10,
            b'A'..=b'F' => c - b'A' + 10,
            _ => return None,
        } as u64;
        if digit >= radix {
            return None;
        }
        value = match value.checked_mul(radix) {
            Some(shifted) => match shifted.checked_add(digit) {
                Some(sum) => sum,
                None => return None,
            },
            None => return None,
        };
        digits = rest;
    }
    Some(value)
}

/// The terms of an event string, in order. Empty terms (`event=1,,umask=2`)
/// are passed over.
///
/// A `const fn` can walk it with [`Terms::step`]; everything else uses it as
/// an iterator.
///
/// ```
/// use pmu_events_core::term::Terms;
/// let terms: Vec<_> = Terms::new("event=0x3c,any=1").map(|t| t.name).collect();
/// assert_eq!(terms, ["event", "any"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    rest: &'a str,
}

impl<'a> Terms<'a> {
    /// The terms of a text.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Terms { rest: text }
    }

    /// The next term and the terms behind it.
    #[must_use]
    pub const fn step(self) -> Option<(Term<'a>, Self)> {
        let mut rest = self.rest;
        while !rest.is_empty() {
            let (text, more) = cut(rest, b',');
            rest = match more {
                Some(more) => more,
                None => "",
            };
            if !text.is_empty() {
                let (name, value) = cut(text, b'=');
                return Some((Term { name, value }, Terms { rest }));
            }
        }
        None
    }

    /// The last term of a name, which is the one that counts where a term
    /// stands twice and is not OR-ed (`period`).
    #[must_use]
    pub const fn last(self, name: &str) -> Option<Term<'a>> {
        let mut terms = self;
        let mut found = None;
        while let Some((term, rest)) = terms.step() {
            if same(term.name, name) {
                found = Some(term);
            }
            terms = rest;
        }
        found
    }
}

impl<'a> Iterator for Terms<'a> {
    type Item = Term<'a>;

    fn next(&mut self) -> Option<Term<'a>> {
        let (term, rest) = self.step()?;
        *self = rest;
        Some(term)
    }
}

/// Splits at the first separator: what is before it, and what is behind it.
const fn cut(text: &str, separator: u8) -> (&str, Option<&str>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == separator {
            let (before, rest) = text.split_at(at);
            let (_, behind) = rest.split_at(1);
            return (before, Some(behind));
        }
        at += 1;
    }
    (text, None)
}

/// Term names, unlike event names, are compared with their case.
const fn same(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    while let (Some((x, rest_a)), Some((y, rest_b))) = (a.split_first(), b.split_first()) {
        if *x != *y {
            return false;
        }
        (a, b) = (rest_a, rest_b);
    }
    true
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
        ];
        for &(text, expected) in cases {
            let found: Vec<_> = Terms::new(text).map(|t| (t.name, t.value)).collect();
            assert_eq!(found, expected, "{text:?}");
        }
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
        assert_eq!(terms.last("period").unwrap().number(), Some(3));
        assert_eq!(terms.last("umask"), None);
    }
}
