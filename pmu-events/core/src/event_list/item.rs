//! The items of a list: events, and groups of events.

use core::ops::Range;

use super::error::Span;
use super::event::EventRef;
use super::lexer::Word;
use super::modifier::Modifiers;

/// An item of a list, separated from others by commas.
///
/// ```
/// use pmu_events::__private::event_list::{EventList, ListItem};
///
/// let list = EventList::parse("cycles,{instructions,branches}")?;
/// let items: Vec<ListItem<'_>> = list.items().collect();
/// assert_eq!((items[0].event_count(), items[1].event_count()), (1, 2));
/// assert!(matches!(items[1], ListItem::Group(group) if group.len() == 2));
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum ListItem<'a> {
    /// An event outside any group.
    Event(EventRef<'a>),
    /// A group.
    Group(GroupRef<'a>),
}

impl ListItem<'_> {
    /// Returns the range of the item.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        match self {
            ListItem::Event(event) => event.span(),
            ListItem::Group(group) => group.span(),
        }
    }

    /// Returns the number of events: 1, or those of the group.
    #[must_use]
    pub const fn event_count(&self) -> usize {
        match self {
            ListItem::Event(_) => 1,
            ListItem::Group(group) => group.len(),
        }
    }
}

/// Events that are scheduled together: `name{a,b}:modifiers`.
///
/// ```
/// use pmu_events::__private::event_list::{EventList, ListItem, Modifier};
///
/// let list = EventList::parse("mine{cycles,instructions}:W")?;
/// let Some(ListItem::Group(group)) = list.items().next() else { panic!("it is one group") };
/// assert_eq!((group.name(), group.len()), (Some("mine"), 2));
/// assert!(group.modifiers().contains(Modifier::Weak));
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct GroupRef<'a> {
    pub(super) text: &'a str,
    pub(super) span: Span,
    pub(super) name: Option<Word<'a>>,
    /// The position after the `{`.
    pub(super) first: usize,
    pub(super) len: usize,
    pub(super) modifiers: Modifiers,
    pub(super) modifiers_span: Span,
}

impl<'a> GroupRef<'a> {
    /// Returns the name before the `{`.
    #[must_use]
    pub fn name(&self) -> Option<&'a str> {
        self.name.map(Word::text)
    }

    /// Returns the number of members, which is at least one.
    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns the modifiers of the group, without those of its members.
    #[must_use]
    pub const fn modifiers(&self) -> Modifiers {
        self.modifiers
    }

    /// Returns the range of the modifiers; empty if there are none.
    #[must_use]
    pub const fn modifiers_span(&self) -> Range<usize> {
        self.modifiers_span.range()
    }

    /// Returns the range of the group with its name and its modifiers.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.span.range()
    }
}
