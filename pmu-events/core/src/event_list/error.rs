use core::fmt;
use core::ops::Range;

use super::term_kind::TermPlace;
use crate::located::Located;
use crate::term::PerfTerm;

/// Where something stands in a text: a `Range<usize>` that can be copied.
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

/// Why a text is no list of events, and where.
pub type Error = Located<ErrorKind>;

impl Error {
    pub(super) const fn at(kind: ErrorKind, span: Span) -> Self {
        Located::new(kind, span.start, span.end - span.start)
    }
}

/// What is wrong with a text that is no list of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A character that has no meaning where it stands.
    UnexpectedCharacter(char),
    /// Something else than what has to stand there.
    Expected {
        /// What has to stand there.
        expected: Expected,
        /// What stands there instead.
        found: Found,
    },
    /// A `{` without its `}`.
    UnclosedGroup,
    /// A `}` without its `{`.
    UnopenedGroup,
    /// A group within a group.
    NestedGroup,
    /// A group with the name of a generic event, a number or modifiers.
    GroupName,
    /// A `/` that opens terms without the `/` that closes them.
    UnclosedTerms,
    /// A `'` without the second one.
    UnclosedQuote,
    /// A character that cannot stand between quotes, or not as the first.
    QuotedCharacter(char),
    /// A number that 64 bits cannot hold.
    NumberOutOfRange,
    /// A type, in `type:config`, that 32 bits cannot hold.
    TypeOutOfRange,
    /// A letter that is no modifier.
    UnknownModifier(char),
    /// A modifier for the second time; only `p` may be repeated.
    RepeatedModifier(char),
    /// More than three `p`.
    TooPrecise,
    /// More than three `p` of a group and one of its members together.
    TooPreciseInGroup,
    /// Modifiers without the `:` before them.
    MissingColon,
    /// `W` on an event: only a group is weak.
    WeakEvent,
    /// A term that this kind of event cannot have.
    Term(TermPlace),
    /// A term that takes a number.
    TermTakesNumber(PerfTerm),
    /// A term that takes a text, which a number is not.
    TermTakesText(PerfTerm),
    /// A number that is too large for its term.
    TermTooLarge {
        /// The term.
        term: PerfTerm,
        /// The largest number that it takes.
        max: u64,
    },
    /// A value of `branch_type` that names no kind of branches.
    BranchType,
    /// An operation that the cache does not have, such as stores of the
    /// instruction cache.
    CacheOperation,
    /// Two operations, or two results, in the name of a cache event.
    CacheParts,
    /// Something else than each of `r`, `w` and `x` at most once as the access
    /// of a breakpoint.
    BreakpointAccess,
}

impl fmt::Display for ErrorKind {
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
            Self::UnknownModifier(c) => write!(f, "unknown modifier {c:?}"),
            Self::RepeatedModifier(c) => write!(f, "duplicate modifier {c:?}"),
            Self::TooPrecise => f.write_str("at most three `p` are allowed"),
            Self::TooPreciseInGroup => {
                f.write_str("at most three `p` are allowed, those of the group included")
            }
            Self::MissingColon => f.write_str("expected `:` before modifiers"),
            Self::WeakEvent => f.write_str("modifier 'W' is only allowed on a group"),
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
            Self::BranchType => f.write_str("unknown branch type"),
            Self::CacheOperation => f.write_str("this cache does not have this operation"),
            Self::CacheParts => f.write_str("a cache event has one operation and one result"),
            Self::BreakpointAccess => {
                f.write_str("expected each of `r`, `w` and `x` at most once as the access")
            }
        }
    }
}

/// What has to stand where something else does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
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
    /// How many bytes a breakpoint watches.
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

/// What stands where something else had to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Found {
    /// Nothing: the text is over.
    End,
    /// A word: letters, digits and what else names are made of.
    Word,
    /// A word that is made of nothing but modifiers.
    Modifiers,
    /// A number.
    Number,
    /// A sign of the grammar: one of `,` `/` `:` `{` `}` `=` `'` `@`.
    Sign(char),
}

impl fmt::Display for Found {
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
