use core::fmt;
use core::ops::Range;

use super::term_kind::TermPlace;
pub(super) use crate::located::Error;
use crate::located::{self, ErrorKind};
use crate::term::PerfTerm;

/// A range of bytes in a text: a `Range<usize>` that is `Copy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Span {
    pub(super) const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    pub(super) const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

impl Error {
    pub(super) const fn at(fault: Fault, span: Span) -> Self {
        Error::new(located::Fault::EventList(fault), span.start, span.end - span.start)
    }
}

/// What is wrong with a list of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A character that is not allowed at this position.
    UnexpectedCharacter(char),
    /// A token other than the expected one.
    Expected {
        /// The expected token.
        expected: Expected,
        /// The token found instead.
        found: Unexpected,
    },
    /// A `{` without its `}`.
    UnclosedGroup,
    /// A `}` without its `{`.
    UnopenedGroup,
    /// A group within a group.
    NestedGroup,
    /// A group whose name is that of a generic event, a number, or modifiers.
    GroupName,
    /// A `/` that opens terms without the `/` that closes them.
    UnclosedTerms,
    /// A `'` without the closing `'`.
    UnclosedQuote,
    /// A character that is not allowed within quotes, or not as the first one.
    QuotedCharacter(char),
    /// A number of more than 64 bits.
    NumberOutOfRange,
    /// A type, in `type:config`, of more than 32 bits.
    TypeOutOfRange,
    /// A letter that is not a modifier.
    UnknownModifier(char),
    /// A repeated modifier; only `p` may be repeated.
    RepeatedModifier(char),
    /// More than three `p`.
    TooPrecise,
    /// More than three `p` on a group and one of its members together.
    TooPreciseInGroup,
    /// Modifiers that are not preceded by `:`.
    MissingColon,
    /// `W` on an event: only a group can be weak.
    WeakEvent,
    /// A term that is not allowed for this kind of event.
    Term(TermPlace),
    /// A text as the value of a term that takes a number.
    TermTakesNumber(PerfTerm),
    /// A number as the value of a term that takes a text.
    TermTakesText(PerfTerm),
    /// A number that is too large for its term.
    TermTooLarge {
        /// The term.
        term: PerfTerm,
        /// The largest allowed number.
        max: u64,
    },
    /// `cpu` without a value.
    NoCpu,
    /// A value of `ratio-to-prev` that is not a positive number.
    Ratio,
    /// A value of `branch_type` that is not a kind of branches.
    BranchType,
    /// An operation that the cache does not support, such as stores in the
    /// instruction cache.
    CacheOperation,
    /// Two operations, or two results, in the name of a cache event.
    CacheParts,
    /// A breakpoint access that is not made up of `r`, `w` and `x`, each at
    /// most once.
    BreakpointAccess,
}

impl Fault {
    pub(crate) const fn kind(self) -> ErrorKind {
        match self {
            Self::UnknownModifier(_) | Self::BranchType | Self::Term(_) | Self::CacheOperation => {
                ErrorKind::Unknown
            }
            Self::NumberOutOfRange
            | Self::TypeOutOfRange
            | Self::TooPrecise
            | Self::TooPreciseInGroup
            | Self::TermTooLarge { .. } => ErrorKind::OutOfRange,
            _ => ErrorKind::Syntax,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::UnexpectedCharacter(c) => write!(f, "unexpected character {c:?}"),
            Self::Expected { expected, found } => write!(f, "expected {expected}, found {found}"),
            Self::UnclosedGroup => f.write_str("unclosed group: add `}`"),
            Self::UnopenedGroup => f.write_str("unmatched `}`"),
            Self::NestedGroup => f.write_str("a group cannot contain another group"),
            Self::GroupName => f.write_str("not allowed as the name of a group"),
            Self::UnclosedTerms => f.write_str("unclosed terms: add `/`"),
            Self::UnclosedQuote => f.write_str("unclosed quote: add `'`"),
            Self::QuotedCharacter(c) => write!(f, "{c:?} is not allowed here within quotes"),
            Self::NumberOutOfRange => f.write_str("number exceeds 64 bits"),
            Self::TypeOutOfRange => f.write_str("type exceeds 32 bits"),
            Self::UnknownModifier(c) => write!(f, "unknown modifier `{}`", c.escape_debug()),
            Self::RepeatedModifier(c) => write!(f, "duplicate modifier `{}`", c.escape_debug()),
            Self::TooPrecise => f.write_str("at most three `p` are allowed"),
            Self::TooPreciseInGroup => {
                f.write_str("at most three `p` are allowed, those of the group included")
            }
            Self::MissingColon => f.write_str("expected `:` before modifiers"),
            Self::WeakEvent => f.write_str("modifier `W` is only allowed on a group"),
            Self::Term(place) => write!(f, "this term is not allowed on {place}"),
            Self::TermTakesNumber(term) => {
                write!(f, "invalid value for term `{term}`: expected a number")
            }
            Self::TermTakesText(term) => {
                write!(f, "invalid value for term `{term}`: expected text, not a number")
            }
            Self::TermTooLarge { term, max } => {
                write!(f, "value too large for term `{term}`: at most {max} fits")
            }
            Self::NoCpu => f.write_str(
                "term `cpu` needs a value: a CPU, a range of CPUs such as `0-3`, or a PMU",
            ),
            Self::Ratio => f.write_str(
                "invalid value for term `ratio-to-prev`: expected a positive number such as `0.5`",
            ),
            Self::BranchType => f.write_str("unknown branch type"),
            Self::CacheOperation => f.write_str("this cache does not have this operation"),
            Self::CacheParts => f.write_str("a cache event has one operation and one result"),
            Self::BreakpointAccess => {
                f.write_str("expected each of `r`, `w` and `x` at most once as the access")
            }
        }
    }
}

/// The token that was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// An event.
    Event,
    /// An event or a group.
    Item,
    /// The end of an item of the list.
    ItemEnd,
    /// The end of a member of a group.
    MemberEnd,
    /// A term.
    Term,
    /// The value of a term.
    Value,
    /// The end of a term.
    TermEnd,
    /// Modifiers.
    Modifiers,
    /// The `:` between type and config.
    Colon,
    /// The config of `type:config`.
    Config,
    /// A breakpoint's address.
    Address,
    /// The number of bytes that a breakpoint watches.
    Length,
    /// The name of a driver's configuration.
    DriverConfig,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Event => "an event",
            Self::Item => "an event or a group",
            Self::ItemEnd => "`,` or the end of the text",
            Self::MemberEnd => "`,` or `}`",
            Self::Term => "a term",
            Self::Value => "a value",
            Self::TermEnd => "`,` or `/`",
            Self::Modifiers => "modifiers",
            Self::Colon => "`:` and a config after the type",
            Self::Config => "a number as config",
            Self::Address => "an address",
            Self::Length => "a length",
            Self::DriverConfig => "a name after `@`",
        })
    }
}

/// The token that was found instead of the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unexpected {
    /// The end of the text.
    End,
    /// A word: letters, digits and the other characters of names.
    Word,
    /// A word that consists of modifiers only.
    Modifiers,
    /// A number.
    Number,
    /// A sign of the grammar: one of `,` `/` `:` `{` `}` `=` `'` `@`.
    Sign(char),
}

impl fmt::Display for Unexpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::End => f.write_str("the end of the text"),
            Self::Word => f.write_str("a word"),
            Self::Modifiers => f.write_str("modifiers"),
            Self::Number => f.write_str("a number"),
            Self::Sign(c) => write!(f, "`{c}`"),
        }
    }
}
