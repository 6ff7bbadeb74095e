//! Validation of event strings.

use core::fmt;

use super::{PerfTerm, Takes, Terms, extent};
pub(super) use crate::located::Error;
use crate::located::{self, ErrorKind};

impl Terms<'_> {
    /// Checks that a text contains only what the sysfs ABI allows in an event's
    /// file: `<term>[=<value>]` joined by commas, where a value is either a
    /// lower-case hexadecimal number of at most 64 bits with the prefix `0x`,
    /// or the `?` of a parameter. The text may end with one line feed.
    ///
    /// The ABI says of a term only that it is the name of a format file; this
    /// function accepts the characters that perf can read: letters, digits,
    /// `_`, `-` and `.`.
    ///
    /// ```
    /// use pmu_events::term::Terms;
    /// // Examples from the ABI document.
    /// Terms::check("event=0x423,inv,cmask=0x3\n")?;
    /// Terms::check("domain=0x1,offset=0x8,core=?")?;
    ///
    /// let error = Terms::check("event=0x423,cmask=3").unwrap_err();
    /// assert_eq!(error.message().to_string(), "expected `0x` and hexadecimal digits, or `?`");
    /// assert_eq!(error.span(), 18..19);
    /// # Ok::<(), pmu_events::located::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first error and its position.
    pub const fn check(text: &str) -> Result<(), Error> {
        check(text, Grammar::Abi)
    }

    /// Checks that a text is a list of terms for perf: values may also be
    /// decimal and in any letter case, and they are free text for those of
    /// perf's own terms that take text (`name=…`,
    /// [`Attributes`](crate::config::Attributes)).
    ///
    /// Text that perf reads differently from how it is written is an error:
    /// perf takes `event= 1` and `event=-1` for 1.
    ///
    /// ```
    /// use pmu_events::term::Terms;
    /// Terms::check_as_perf("event=60,umask=0X1,name='a,b',edge")?;
    ///
    /// let error = Terms::check_as_perf("event=0x3c,umask=-1").unwrap_err();
    /// assert_eq!(error.message().to_string(), "expected a number");
    /// assert_eq!(error.to_string(), "byte 17: expected a number");
    /// # Ok::<(), pmu_events::located::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first error and its position.
    #[doc(hidden)]
    pub const fn check_as_perf(text: &str) -> Result<(), Error> {
        check(text, Grammar::Perf)
    }
}

#[derive(Clone, Copy)]
enum Grammar {
    Abi,
    Perf,
}

const fn check(text: &str, grammar: Grammar) -> Result<(), Error> {
    let bytes = match text.as_bytes() {
        [bytes @ .., b'\n'] => bytes,
        bytes => bytes,
    };
    let mut at = 0;
    loop {
        let rest = bytes.split_at(at).1;
        let found = extent(rest);
        let (term, _) = rest.split_at(found.end);
        let (name, value) = term.split_at(found.name);
        if let Some(error) = name_fault(name, at, grammar) {
            return Err(error);
        }
        // The quotes are included: they enclose text, not numbers.
        if let [b'=', value @ ..] = value {
            let from = at + found.name + 1;
            let error = match grammar {
                Grammar::Abi => abi_fault(value, from),
                Grammar::Perf if is_textual(name) => None,
                Grammar::Perf => perf_fault(value, from),
            };
            if let Some(error) = error {
                return Err(error);
            }
        }
        at += found.end;
        if at >= bytes.len() {
            return Ok(());
        }
        // A comma must be followed by a term.
        at += 1;
    }
}

/// perf's own terms with text values, and drivers' settings.
const fn is_textual(name: &[u8]) -> bool {
    match PerfTerm::of_bytes(name) {
        Some(term) => !matches!(term.takes(), Takes::Number { .. }),
        None => matches!(name, [b'@', ..]),
    }
}

const fn name_fault(name: &[u8], offset: usize, grammar: Grammar) -> Option<Error> {
    if name.is_empty() {
        return Some(error(Fault::MissingTerm, offset, 0));
    }
    let mut n = 0;
    while n < name.len() {
        match name[n] {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' => {}
            b'@' if n == 0 && matches!(grammar, Grammar::Perf) => {}
            _ => return Some(byte(Fault::NameCharacter, name, n, offset)),
        }
        n += 1;
    }
    None
}

const fn abi_fault(value: &[u8], offset: usize) -> Option<Error> {
    let digits = match value {
        b"?" => return None,
        [b'0', b'x', digits @ ..] => digits,
        _ => return Some(whole(Fault::NotHexadecimal, value, offset)),
    };
    if digits.is_empty() {
        return Some(whole(Fault::NotANumber, value, offset));
    }
    let mut n = 0;
    while n < digits.len() {
        if !matches!(digits[n], b'0'..=b'9' | b'a'..=b'f') {
            return Some(byte(Fault::Digit, digits, n, offset + 2));
        }
        n += 1;
    }
    if super::digits_value(digits, 16).is_none() {
        return Some(whole(Fault::TooLarge, value, offset));
    }
    None
}

const fn perf_fault(value: &[u8], offset: usize) -> Option<Error> {
    let (digits, radix) = match value {
        b"?" => return None,
        [b'0', b'x' | b'X', digits @ ..] => (digits, 16),
        digits => (digits, 10),
    };
    let mut n = 0;
    while n < digits.len() {
        let is_digit = match radix {
            16 => digits[n].is_ascii_hexdigit(),
            _ => digits[n].is_ascii_digit(),
        };
        if !is_digit {
            return Some(whole(Fault::NotANumber, value, offset));
        }
        n += 1;
    }
    if digits.is_empty() {
        return Some(whole(Fault::NotANumber, value, offset));
    }
    if super::digits_value(digits, radix).is_none() {
        return Some(whole(Fault::TooLarge, value, offset));
    }
    None
}

const fn whole(kind: Fault, value: &[u8], offset: usize) -> Error {
    error(kind, offset, value.len())
}

/// An error at one character of a text that begins at `offset`.
const fn byte(kind: Fault, text: &[u8], at: usize, offset: usize) -> Error {
    let mut end = at + 1;
    while end < text.len() && text[end] & 0xc0 == 0x80 {
        end += 1;
    }
    error(kind, offset + at, end - at)
}

const fn error(fault: Fault, offset: usize, len: usize) -> Error {
    Error::new(located::Fault::Term(fault), offset, len)
}

/// What is wrong with an event string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A term is missing: the text is empty, two commas are adjacent, the text
    /// ends with a comma, or a value has no name.
    MissingTerm,
    /// A character that is not allowed in a term's name.
    NameCharacter,
    /// A value that does not begin with `0x`, as the ABI requires.
    NotHexadecimal,
    /// A character after `0x` that is not a lower-case hexadecimal digit.
    Digit,
    /// A value that is neither a number nor `?`.
    NotANumber,
    /// A number of more than 64 bits.
    TooLarge,
}

impl Fault {
    pub(crate) const fn kind(self) -> ErrorKind {
        match self {
            Fault::TooLarge => ErrorKind::OutOfRange,
            _ => ErrorKind::Syntax,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::MissingTerm => "expected a term",
            Fault::NameCharacter => "character not allowed in the name of a term",
            Fault::NotHexadecimal => "expected `0x` and hexadecimal digits, or `?`",
            Fault::Digit => "expected a lower-case hexadecimal digit",
            Fault::NotANumber => "expected a number",
            Fault::TooLarge => "number exceeds 64 bits",
        })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use core::ops::Range;
    use std::string::String;

    use super::*;

    #[test]
    fn faults() {
        use Fault::*;
        type Found = Option<(Fault, Range<usize>)>;
        let cases: &[(&str, Found, Found)] = &[
            ("event=0x2abc", None, None),
            ("event=0x423,inv,cmask=0x3\n", None, None),
            ("domain=0x1,offset=0x8,core=?", None, None),
            ("event=0xffffffffffffffff", None, None),
            ("event=0x0000000000000000001", None, None),
            ("a.b-c=0x1", None, None),
            ("event=60", Some((NotHexadecimal, 6..8)), None),
            ("event=0X3c", Some((NotHexadecimal, 6..10)), None),
            ("event=0x3C", Some((Digit, 9..10)), None),
            ("event=0x", Some((NotANumber, 6..8)), Some((NotANumber, 6..8))),
            ("event=", Some((NotHexadecimal, 6..6)), Some((NotANumber, 6..6))),
            ("event=-1", Some((NotHexadecimal, 6..8)), Some((NotANumber, 6..8))),
            ("event= 1", Some((NotHexadecimal, 6..8)), Some((NotANumber, 6..8))),
            ("event=abc", Some((NotHexadecimal, 6..9)), Some((NotANumber, 6..9))),
            ("x=0x10000000000000000", Some((TooLarge, 2..21)), Some((TooLarge, 2..21))),
            ("x=18446744073709551616", Some((NotHexadecimal, 2..22)), Some((TooLarge, 2..22))),
            ("name=a.b", Some((NotHexadecimal, 5..8)), None),
            ("name='a,b=c',inv", Some((NotHexadecimal, 5..12)), None),
            ("cpu=0-3,ratio-to-prev=2.5", Some((NotHexadecimal, 4..7)), None),
            ("call-graph=fp,time=0", Some((NotHexadecimal, 11..13)), None),
            ("x='0x1'", Some((NotHexadecimal, 2..7)), Some((NotANumber, 2..7))),
            ("@sink=etr", Some((NameCharacter, 0..1)), None),
            ("", Some((MissingTerm, 0..0)), Some((MissingTerm, 0..0))),
            ("\n", Some((MissingTerm, 0..0)), Some((MissingTerm, 0..0))),
            ("a,,b", Some((MissingTerm, 2..2)), Some((MissingTerm, 2..2))),
            ("a,=0x1", Some((MissingTerm, 2..2)), Some((MissingTerm, 2..2))),
            (" a", Some((NameCharacter, 0..1)), Some((NameCharacter, 0..1))),
            ("a\n\n", Some((NameCharacter, 1..2)), Some((NameCharacter, 1..2))),
            ("a/", Some((NameCharacter, 1..2)), Some((NameCharacter, 1..2))),
            ("a\u{e4}=0x1", Some((NameCharacter, 1..3)), Some((NameCharacter, 1..3))),
            ("a=0x\u{e4}", Some((Digit, 4..6)), Some((NotANumber, 2..6))),
        ];
        let said = Terms::check("event=0x3C").map_err(|error| std::format!("{error}"));
        assert_eq!(said.unwrap_err(), "byte 9: expected a lower-case hexadecimal digit");
        let fault = |checked: Result<(), Error>| {
            checked.err().map(|e| match e.fault() {
                located::Fault::Term(fault) => (fault, e.span()),
                _ => unreachable!(),
            })
        };
        for (text, abi, perf) in cases {
            assert_eq!(fault(Terms::check(text)), *abi, "{text:?}");
            assert_eq!(fault(Terms::check_as_perf(text)), *perf, "{text:?}");
        }
        // A list cannot end with a comma in perf's grammar.
        assert!(Terms::check("a,").is_err());
    }

    #[test]
    fn random_texts_do_not_panic() {
        let pieces = ["a", "=", ",", "0x", "?", "'", "f", "\u{e4}", "\n", " ", "name", "@"];
        let mut state = 1_u64;
        for _ in 0..50_000 {
            let mut text = String::new();
            for _ in 0..state >> 60 {
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
            }
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let walked = Terms::new(&text).count();
            for checked in [Terms::check(&text), Terms::check_as_perf(&text)] {
                match checked {
                    Ok(()) => assert_ne!(walked, 0, "{text:?}"),
                    Err(error) => assert!(text.get(error.span()).is_some(), "{text:?}"),
                }
            }
        }
    }
}
