//! A position in the text, and the words that can be read there.
//!
//! perf's lexer has a state for events and one for terms; here the parser asks
//! for the kind of word it needs. Blanks are only significant within a word.

use super::cache::Spelling;
use super::error::{Error, Expected, Fault, Span, Unexpected};
use super::generic::{Hardware, Software, Tool};
use super::modifier;
use crate::term::{digits_value, number};

/// A position in a text.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

/// A word as written in the text, with its quotes.
#[derive(Clone, Copy)]
pub(super) struct Word<'a> {
    pub(super) source: &'a str,
    pub(super) start: usize,
}

impl<'a> Word<'a> {
    /// The word without its quotes.
    pub(super) fn text(self) -> &'a str {
        let inner = self.source.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
        inner.unwrap_or(self.source)
    }

    pub(super) fn span(self) -> Span {
        Span::new(self.start, self.start + self.source.len())
    }

    pub(super) fn is_quoted(self) -> bool {
        self.source.starts_with('\'')
    }
}

/// The meaning of a word where an event is expected.
#[derive(Clone, Copy)]
pub(super) enum Meaning {
    Hardware(Hardware),
    Software(Software),
    Tool(Tool),
    Cache(Spelling),
    Raw(u64),
    /// `None` if it does not fit in 64 bits.
    Number(Option<u64>),
    Modifiers,
    Name,
}

impl Meaning {
    /// The rules are tried in the order of `parse-events.l`: `branches` is a
    /// hardware event before it is a cache, `e` is a modifier before it is a
    /// name.
    pub(super) fn of(word: Word<'_>) -> Self {
        let text = word.source;
        if let Some(event) = Hardware::word(text) {
            Self::Hardware(event)
        } else if let Some(event) = Software::word(text) {
            Self::Software(event)
        } else if let Some(event) = Tool::word(text) {
            Self::Tool(event)
        } else if let Some(spelling) = Spelling::of(text) {
            Self::Cache(spelling)
        } else if let Some(config) = raw(text) {
            Self::Raw(config)
        } else if is_number(text) {
            Self::Number(number(text))
        } else if modifier::is_modifiers(text) {
            Self::Modifiers
        } else {
            Self::Name
        }
    }
}

/// `r` and up to 16 hexadecimal digits: the config of a raw event.
pub(super) fn raw(word: &str) -> Option<u64> {
    let digits = word.strip_prefix('r')?;
    if digits.len() > 16 { None } else { digits_value(digits.as_bytes(), 16) }
}

/// Whether perf takes a word for a number: decimal digits, or `0x` and up to 16
/// hexadecimal digits. Any other word is a name.
pub(super) fn is_number(word: &str) -> bool {
    match word.as_bytes() {
        [b'0', b'x', digits @ ..] => {
            matches!(digits.len(), 1..=16) && digits.iter().all(u8::is_ascii_hexdigit)
        }
        digits => digits.iter().all(u8::is_ascii_digit),
    }
}

/// Whether a word may begin with this byte.
const fn begins_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'*' | b'?' | b'[' | b']')
}

/// Whether a word of an event may continue with this byte.
const fn in_event_word(b: u8) -> bool {
    begins_word(b) || matches!(b, b'.' | b'!' | b'-')
}

/// Whether a word of a term may continue with this byte, unless the word begins
/// with a digit or contains brackets.
const fn in_term_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'*' | b'?' | b'.' | b'-' | b':')
}

/// Whether this byte is allowed within quotes, after the first character.
const fn in_quotes(b: u8) -> bool {
    begins_word(b) || matches!(b, b'.' | b'-' | b',' | b':' | b'=')
}

impl<'a> Cursor<'a> {
    pub(super) const fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    pub(super) const fn text(&self) -> &'a str {
        self.text
    }

    /// The byte offset after the last token.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// The byte at this position, blank or not.
    fn byte(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    fn pass_blanks(&mut self) {
        while self.byte().is_some_and(|b| b.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// The next byte that is not a blank.
    pub(super) fn peek(&mut self) -> Option<u8> {
        self.pass_blanks();
        self.byte()
    }

    /// Reads a sign of the grammar if it is the next byte that is not a blank.
    pub(super) fn eat(&mut self, sign: u8) -> Option<Span> {
        let found = self.peek() == Some(sign);
        found.then(|| {
            self.at += 1;
            Span::new(self.at - 1, self.at)
        })
    }

    /// Reads the byte at this position if it is wanted.
    pub(super) fn eat_here(&mut self, wanted: impl Fn(u8) -> bool) -> Option<u8> {
        let byte = self.byte().filter(|&b| wanted(b))?;
        // Only ASCII is ever wanted, so the position stays on a character
        // boundary.
        self.at += 1;
        Some(byte)
    }

    /// Reads the bytes from this position on that belong.
    pub(super) fn run(&mut self, belongs: impl Fn(u8) -> bool) -> Word<'a> {
        let start = self.at;
        self.at += self.rest().iter().position(|&b| !belongs(b)).unwrap_or(self.rest().len());
        Word { source: self.text.get(start..self.at).unwrap_or_default(), start }
    }

    /// Whether the next token is a word, quoted or not.
    pub(super) fn at_word(&mut self) -> bool {
        self.peek().is_some_and(|b| begins_word(b) || b == b'\'')
    }

    /// Reads a word where perf reads events.
    pub(super) fn event_word(&mut self, expected: Expected) -> Result<Word<'a>, Error> {
        match self.peek() {
            Some(b'\'') => self.quoted(),
            Some(b) if begins_word(b) => Ok(self.run(in_event_word)),
            _ => Err(self.unexpected(expected)),
        }
    }

    /// Reads a word where perf reads terms. There are two rules for names, and
    /// the longer match wins: `config:1` matches one, `a[1]` the other.
    pub(super) fn term_word(&mut self, expected: Expected) -> Result<Word<'a>, Error> {
        let first = match self.peek() {
            Some(b'\'') => return self.quoted(),
            Some(b) if begins_word(b) => b,
            _ => return Err(self.unexpected(expected)),
        };
        let start = self.at;
        self.run(|b| in_event_word(b) && in_term_word(b));
        if self.byte() == Some(b':') {
            if in_term_word(first) && !first.is_ascii_digit() {
                self.run(in_term_word);
            }
        } else {
            self.run(in_event_word);
        }
        Ok(Word { source: self.text.get(start..self.at).unwrap_or_default(), start })
    }

    fn quoted(&mut self) -> Result<Word<'a>, Error> {
        let start = self.at;
        self.at += 1;
        self.eat_here(begins_word);
        let first_is_wrong = self.at == start + 1;
        if !first_is_wrong {
            self.run(in_quotes);
        }
        match self.byte() {
            Some(b'\'') if !first_is_wrong => {
                self.at += 1;
                Ok(Word { source: self.text.get(start..self.at).unwrap_or_default(), start })
            }
            None => Err(Error::at(Fault::UnclosedQuote, Span::new(start, start + 1))),
            // If no other quote follows, report the opening quote rather than
            // the character at which the problem was noticed.
            Some(_) if !self.rest().contains(&b'\'') => {
                Err(Error::at(Fault::UnclosedQuote, Span::new(start, start + 1)))
            }
            Some(_) => Err(self.at_character(Fault::QuotedCharacter)),
        }
    }

    /// Reads the next token as a number, in the way perf reads the address and
    /// the length of a breakpoint.
    pub(super) fn plain_number(&mut self, expected: Expected) -> Result<u64, Error> {
        if !self.peek().is_some_and(|b| b.is_ascii_digit()) {
            return Err(self.unexpected(expected));
        }
        let word = self.run(|b| b.is_ascii_alphanumeric());
        let is_number = is_number(word.source);
        // `0x` and more digits than perf's lexer accepts.
        let digits = word.source.strip_prefix("0x").unwrap_or_default();
        let too_long = digits.len() > 16 && digits.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_number && !too_long {
            return Err(Error::at(expectation(expected, Unexpected::Word), word.span()));
        }
        let out_of_range = Error::at(Fault::NumberOutOfRange, word.span());
        number(word.source).filter(|_| is_number).ok_or(out_of_range)
    }

    /// The error for a token other than the expected one.
    pub(super) fn unexpected(&mut self, expected: Expected) -> Error {
        let found = match self.peek() {
            None => {
                let end = self.text.len();
                return Error::at(expectation(expected, Unexpected::End), Span::new(end, end));
            }
            Some(b) if begins_word(b) => {
                let word = self.run(in_event_word);
                let found = match Meaning::of(word) {
                    Meaning::Modifiers => Unexpected::Modifiers,
                    Meaning::Number(_) => Unexpected::Number,
                    _ => Unexpected::Word,
                };
                return Error::at(expectation(expected, found), word.span());
            }
            Some(b @ (b',' | b'/' | b':' | b'{' | b'}' | b'=' | b'\'' | b'@')) => {
                Unexpected::Sign(char::from(b))
            }
            Some(_) => return self.at_character(Fault::UnexpectedCharacter),
        };
        Error::at(expectation(expected, found), Span::new(self.at, self.at + 1))
    }

    /// The error for the character at this position.
    fn at_character(&self, kind: impl Fn(char) -> Fault) -> Error {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let c = rest.chars().next().unwrap_or_default();
        Error::at(kind(c), Span::new(self.at, self.at + c.len_utf8()))
    }
}

const fn expectation(expected: Expected, found: Unexpected) -> Fault {
    Fault::Expected { expected, found }
}
