//! What commas separate: events, and groups of them.

use core::ops::Range;

use super::error::Span;
use super::event::EventRef;
use super::lexer::Word;
use super::modifier::Modifiers;

/// One of the things that commas separate.
#[derive(Clone, Copy)]
pub enum ListItem<'a> {
    /// An event that stands alone.
    Event(EventRef<'a>),
    /// A group.
    Group(GroupRef<'a>),
}

/// Events that are scheduled together: `name{a,b}:modifiers`.
#[derive(Clone, Copy)]
pub struct GroupRef<'a> {
    pub(super) text: &'a str,
    pub(super) span: Span,
    pub(super) name: Option<Word<'a>>,
    /// Behind the `{`.
    pub(super) first: usize,
    pub(super) len: usize,
    pub(super) modifiers: Modifiers,
    pub(super) modifiers_span: Span,
}

impl<'a> GroupRef<'a> {
    /// The name before the `{`.
    #[must_use]
    pub fn name(&self) -> Option<&'a str> {
        self.name.map(Word::text)
    }

    /// How many members it has; at least one.
    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// The modifiers of the group, without those of its members.
    #[must_use]
    pub const fn modifiers(&self) -> Modifiers {
        self.modifiers
    }

    /// The bytes of the modifiers; empty without any.
    #[must_use]
    pub const fn modifiers_span(&self) -> Range<usize> {
        self.modifiers_span.range()
    }

    /// The bytes of the group with its name and its modifiers.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.span.range()
    }
}
