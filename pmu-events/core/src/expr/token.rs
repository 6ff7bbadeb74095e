use core::iter::FusedIterator;
use core::ops::Range;

use super::error::{Error, Fault, FoundToken, at};
use super::identifier::Spelling;
use super::item::{Function, Operator, Query, literal_named};
use crate::event_list::Tool;

/// A token of an expression with its byte range.
///
/// ```
/// use pmu_events::__private::expr::{TokenKind, tokens};
///
/// let token = tokens("2.5 * misses").next().unwrap()?;
/// assert_eq!((token.kind(), token.span()), (TokenKind::Number(2.5), 0..3));
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Token<'a> {
    pub(crate) kind: TokenKind<'a>,
    pub(crate) span: Range<usize>,
}

impl<'a> Token<'a> {
    /// Returns the kind of the token.
    #[must_use]
    pub const fn kind(&self) -> TokenKind<'a> {
        self.kind
    }

    /// Returns the range of bytes in the text.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.span.start..self.span.end
    }
}

/// The kind of a token.
///
/// ```
/// use pmu_events::__private::expr::{Operator, TokenKind, tokens};
///
/// let kinds: Result<Vec<TokenKind>, _> =
///     tokens("(1 + 2)").map(|token| token.map(|token| token.kind())).collect();
/// assert_eq!(
///     kinds?,
///     [
///         TokenKind::Open,
///         TokenKind::Number(1.0),
///         TokenKind::Operator(Operator::Add),
///         TokenKind::Number(2.0),
///         TokenKind::Close,
///     ]
/// );
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum TokenKind<'a> {
    /// A number, or `NaN`.
    Number(f64),
    /// A `#literal`.
    Literal(Tool),
    /// Any other word that is neither a number nor a word of the grammar.
    Identifier(Spelling<'a>),
    /// The name of a function of values.
    Function(Function),
    /// The name of a function of one identifier.
    Query(Query),
    /// An operator; `-` may turn out to be a sign.
    Operator(Operator),
    /// `if`
    If,
    /// `else`
    Else,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `,`
    Comma,
}

impl From<TokenKind<'_>> for FoundToken {
    fn from(kind: TokenKind<'_>) -> Self {
        match kind {
            TokenKind::Number(_) => Self::Number,
            TokenKind::Literal(_) => Self::Literal,
            TokenKind::Identifier(_) => Self::Identifier,
            TokenKind::Function(function) => Self::Function(function.name()),
            TokenKind::Query(query) => Self::Function(query.name()),
            TokenKind::Operator(operator) => Self::Operator(operator),
            TokenKind::If => Self::If,
            TokenKind::Else => Self::Else,
            TokenKind::Open => Self::Open,
            TokenKind::Close => Self::Close,
            TokenKind::Comma => Self::Comma,
        }
    }
}

/// Splits a text into tokens, as `tools/perf/util/expr.l` does: the longest
/// match wins.
///
/// # Errors
///
/// The iterator yields an error for a character that is not part of any token,
/// a backslash before a character that cannot be escaped, an unknown operator
/// or literal, a number out of range, or an identifier that is too long. It
/// then continues after that token.
///
/// ```
/// use pmu_events::__private::expr::{self, Operator, TokenKind};
///
/// let mut tokens = expr::tokens("1e-9*cycles");
/// let mut next = || tokens.next().transpose();
/// let number = next()?.unwrap();
/// assert_eq!((number.kind(), number.span()), (TokenKind::Number(1e-9), 0..4));
/// assert_eq!(next()?.unwrap().kind(), TokenKind::Operator(Operator::Multiply));
/// assert_eq!(next()?.unwrap().span(), 5..11);
/// assert_eq!(next()?, None);
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[must_use]
pub const fn tokens(text: &str) -> Tokens<'_> {
    Tokens { text, at: 0 }
}

/// The tokens of a text; see [`tokens`].
///
/// ```
/// use pmu_events::__private::expr::tokens;
///
/// assert_eq!(tokens("misses / (hits + misses)").count(), 7);
/// assert!(tokens("misses ! hits").any(|token| token.is_err()));
/// ```
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) const fn end(&self) -> usize {
        self.text.len()
    }

    /// Reads the token or the error at the start of `rest`, which is not empty;
    /// also returns its length in bytes.
    fn first(rest: &'a str) -> (Result<TokenKind<'a>, Fault>, usize) {
        let bytes = rest.as_bytes();
        let operator = |operator| (Ok(TokenKind::Operator(operator)), 1);
        match bytes[0] {
            b'=' | b'!' | b'<' | b'>' if bytes.get(1) == Some(&b'=') => {
                let operator = match bytes[0] {
                    b'=' => "==",
                    b'!' => "!=",
                    b'<' => "<=",
                    _ => ">=",
                };
                (Err(Fault::UnknownOperator(operator)), 2)
            }
            b'|' => operator(Operator::Or),
            b'^' => operator(Operator::Xor),
            b'&' => operator(Operator::And),
            b'<' => operator(Operator::Less),
            b'>' => operator(Operator::Greater),
            b'+' => operator(Operator::Add),
            b'-' => operator(Operator::Subtract),
            b'*' => operator(Operator::Multiply),
            b'/' => operator(Operator::Divide),
            b'%' => operator(Operator::Remainder),
            b'(' => (Ok(TokenKind::Open), 1),
            b')' => (Ok(TokenKind::Close), 1),
            b',' => (Ok(TokenKind::Comma), 1),
            b'#' if bytes.get(1).copied().is_some_and(is_literal) => {
                let len = 1 + run(&bytes[1..], is_literal);
                let literal = literal_named(&rest[..len]).map(TokenKind::Literal);
                (literal.ok_or(Fault::UnknownLiteral), len)
            }
            _ => {
                let (word, number) = (word_len(bytes), number_len(bytes));
                if number >= word && number > 0 {
                    (value(&rest[..number]).map(TokenKind::Number), number)
                } else if word > 0 {
                    (named(&rest[..word]).ok_or(Fault::LongIdentifier), word)
                } else if bytes[0] == b'\\' {
                    (Err(Fault::Escape), 1)
                } else {
                    let c = rest.chars().next().unwrap_or_default();
                    (Err(Fault::UnexpectedCharacter(c)), c.len_utf8())
                }
            }
        }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Result<Token<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.at += run(&self.text.as_bytes()[self.at..], |b| b.is_ascii_whitespace());
        let rest = &self.text[self.at..];
        if rest.is_empty() {
            return None;
        }
        let (first, len) = Self::first(rest);
        let start = self.at;
        self.at += len;
        Some(match first {
            Ok(kind) => Ok(Token { kind, span: start..self.at }),
            Err(fault) => Err(at(fault, start, len)),
        })
    }
}

impl FusedIterator for Tokens<'_> {}

fn run(bytes: &[u8], mut belongs: impl FnMut(u8) -> bool) -> usize {
    bytes.iter().position(|&b| !belongs(b)).unwrap_or(bytes.len())
}

fn is_literal(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-')
}

fn word_len(bytes: &[u8]) -> usize {
    let mut len = 0;
    let mut is_in_pmu = false;
    loop {
        match bytes[len..] {
            [b'\\', b'-' | b',' | b'=', ..] => len += 2,
            [b'@', ..] => {
                is_in_pmu = !is_in_pmu;
                len += 1;
            }
            // Arrow Lake's metrics have `msr@tsc\,cpu=cpu_core@`.
            [b'=', next, ..] if is_in_pmu && (next == b'_' || next.is_ascii_alphanumeric()) => {
                len += 1;
            }
            [b'_' | b'.' | b':' | b'?', ..] => len += 1,
            [b, ..] if b.is_ascii_alphanumeric() => len += 1,
            _ => return len,
        }
    }
}

/// The length of the number at the start, as perf's lexer reads it: digits with
/// an optional point before, among or after them, and an exponent only if it is
/// complete.
fn number_len(bytes: &[u8]) -> usize {
    let digits = |from: usize| run(&bytes[from..], |b| b.is_ascii_digit());
    let whole = digits(0);
    let mut len = whole;
    if bytes.get(len) == Some(&b'.') {
        let fraction = digits(len + 1);
        if whole == 0 && fraction == 0 {
            return 0;
        }
        len += 1 + fraction;
    }
    if len > 0 && bytes.get(len) == Some(&b'e') {
        let sign = usize::from(bytes.get(len + 1) == Some(&b'-'));
        let exponent = digits(len + 1 + sign);
        if exponent > 0 {
            len += 1 + sign + exponent;
        }
    }
    len
}

/// perf turns a range error of `strtod`, in either direction, into a syntax
/// error.
fn value(text: &str) -> Result<f64, Fault> {
    let value: f64 = text.parse().map_err(|_| Fault::MalformedNumber)?;
    let mantissa = text.split('e').next().unwrap_or_default();
    let vanished = value == 0.0 && mantissa.bytes().any(|b| matches!(b, b'1'..=b'9'));
    if value.is_infinite() || vanished {
        return Err(Fault::NumberOutOfRange);
    }
    Ok(value)
}

fn named(word: &str) -> Option<TokenKind<'_>> {
    Some(match word {
        "if" => TokenKind::If,
        "else" => TokenKind::Else,
        "min" => TokenKind::Function(Function::Min),
        "max" => TokenKind::Function(Function::Max),
        "d_ratio" => TokenKind::Function(Function::DRatio),
        "source_count" => TokenKind::Query(Query::SourceCount),
        "aggr_nr" => TokenKind::Query(Query::AggrNr),
        "has_event" => TokenKind::Query(Query::HasEvent),
        "strcmp_cpuid_str" => TokenKind::Query(Query::StrcmpCpuidStr),
        "NaN" => TokenKind::Number(f64::NAN),
        _ => TokenKind::Identifier(Spelling::new(word)?),
    })
}
