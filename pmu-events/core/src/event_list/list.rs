//! A validated text, and iterators that parse it again piece by piece.

use core::fmt;
use core::iter::FusedIterator;

use super::error::Error;
use super::event::{EventRef, Membership};
use super::item::{GroupRef, ListItem};
use super::lexer::Cursor;
use super::parse;
use super::visitor::Visitor;

/// The value of perf's `-e` option: events and groups of events.
///
/// It only stores the text, which has been validated once; the iterators parse
/// it again as they advance.
///
/// ```
/// use pmu_events::__private::event_list::EventList;
///
/// let list = EventList::parse("{cycles,cpu/event=0x3c/u},r1a8:p")?;
/// let spans = list.events().map(|event| event.span());
/// assert_eq!(spans.collect::<Vec<_>>(), [1..7, 8..24, 26..32]);
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct EventList<'a> {
    text: &'a str,
}

impl<'a> EventList<'a> {
    /// Parses and validates a text.
    ///
    /// # Errors
    ///
    /// Returns the first error in the text.
    ///
    /// ```
    /// use pmu_events::__private::event_list::EventList;
    /// use pmu_events::located::ErrorKind;
    ///
    /// assert!(EventList::parse("{cycles,cpu/event=0x3c,cmask=1/k}:p").is_ok());
    /// let error = EventList::parse("cycles,inst_retired.any:pppp").unwrap_err();
    /// assert_eq!((error.kind(), error.span().start), (ErrorKind::OutOfRange, 27));
    /// ```
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        Self::visit(text, &mut ())
    }

    /// Validates a text as [`parse`](Self::parse) does, and passes its parts to
    /// a visitor. If this returns an error, discard what the visitor received.
    ///
    /// ```
    /// use pmu_events::__private::event_list::{EventList, EventRef, GroupRef, TermRef, Visitor};
    ///
    /// #[derive(Default)]
    /// struct Names<'a>(Vec<&'a str>);
    ///
    /// impl<'a> Visitor<'a> for Names<'a> {
    ///     fn term(&mut self, term: TermRef<'a>) {
    ///         self.0.push(term.name());
    ///     }
    ///     fn event(&mut self, event: EventRef<'a>) {
    ///         self.0.push(event.text());
    ///     }
    ///     fn group(&mut self, _: GroupRef<'a>) {}
    /// }
    ///
    /// let mut names = Names::default();
    /// EventList::visit("{cpu/event=1/k,cycles}", &mut names)?;
    /// assert_eq!(names.0, ["event", "cpu/event=1/k", "cycles"]);
    /// # Ok::<(), pmu_events::located::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first error in the text.
    pub fn visit(text: &'a str, visitor: &mut impl Visitor<'a>) -> Result<Self, Error> {
        parse::list(text, visitor)?;
        Ok(Self { text })
    }

    /// Returns the original text.
    #[must_use]
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the groups and the events outside groups, in order.
    #[must_use]
    pub const fn items(&self) -> ListItems<'a> {
        ListItems { cursor: Cursor::new(self.text, 0), more: true }
    }

    /// Returns all events in order, including the members of groups.
    #[must_use]
    pub const fn events(&self) -> EventRefs<'a> {
        EventRefs { items: self.items(), members: None }
    }
}

impl<'a> IntoIterator for EventList<'a> {
    type Item = ListItem<'a>;
    type IntoIter = ListItems<'a>;

    fn into_iter(self) -> ListItems<'a> {
        self.items()
    }
}

/// The items of a list; see [`EventList::items`].
///
/// ```
/// use pmu_events::__private::event_list::EventList;
///
/// let list = EventList::parse("cycles,{instructions,branches}")?;
/// assert_eq!(list.items().count(), 2);
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone)]
pub struct ListItems<'a> {
    cursor: Cursor<'a>,
    more: bool,
}

impl<'a> Iterator for ListItems<'a> {
    type Item = ListItem<'a>;

    fn next(&mut self) -> Option<ListItem<'a>> {
        if !self.more {
            return None;
        }
        // The text has been validated, so there is an item.
        let item = parse::item(&mut self.cursor, &mut ()).ok();
        self.more = item.is_some() && self.cursor.eat(b',').is_some();
        item
    }
}

impl FusedIterator for ListItems<'_> {}

impl<'a> GroupRef<'a> {
    /// Returns the members in order; the first is the group leader.
    #[must_use]
    pub const fn members(&self) -> Members<'a> {
        Members { cursor: Cursor::new(self.text, self.first), group: *self, index: 0 }
    }
}

/// The members of a group; see [`GroupRef::members`].
///
/// ```
/// use pmu_events::__private::event_list::{EventList, ListItem};
///
/// let list = EventList::parse("{cycles,instructions}")?;
/// let Some(ListItem::Group(group)) = list.items().next() else { panic!("it is one group") };
/// let names: Vec<&str> = group.members().map(|event| event.name()).collect();
/// assert_eq!(names, ["cycles", "instructions"]);
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone)]
pub struct Members<'a> {
    cursor: Cursor<'a>,
    group: GroupRef<'a>,
    index: usize,
}

impl<'a> Iterator for Members<'a> {
    type Item = EventRef<'a>;

    fn next(&mut self) -> Option<EventRef<'a>> {
        if self.index == self.group.len {
            return None;
        }
        let Ok(mut event) = parse::event(&mut self.cursor, &mut ()) else {
            self.index = self.group.len;
            return None;
        };
        let GroupRef { len, modifiers, .. } = self.group;
        event.membership = Some(Membership { index: self.index, len, modifiers });
        self.cursor.eat(b',');
        self.index += 1;
        Some(event)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.group.len - self.index;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Members<'_> {}

impl FusedIterator for Members<'_> {}

/// All events of a list; see [`EventList::events`].
///
/// ```
/// use pmu_events::__private::event_list::EventList;
///
/// let list = EventList::parse("cycles,{instructions,branches}")?;
/// let names: Vec<&str> = list.events().map(|event| event.name()).collect();
/// assert_eq!(names, ["cycles", "instructions", "branches"]);
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone)]
pub struct EventRefs<'a> {
    items: ListItems<'a>,
    members: Option<Members<'a>>,
}

impl<'a> Iterator for EventRefs<'a> {
    type Item = EventRef<'a>;

    fn next(&mut self) -> Option<EventRef<'a>> {
        loop {
            if let Some(event) = self.members.as_mut().and_then(Iterator::next) {
                return Some(event);
            }
            match self.items.next()? {
                ListItem::Event(event) => return Some(event),
                ListItem::Group(group) => self.members = Some(group.members()),
            }
        }
    }
}

impl FusedIterator for EventRefs<'_> {}

/// Displays the list without blanks, with modifiers in a fixed order.
impl fmt::Display for EventList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        joined(f, self.items())
    }
}

impl fmt::Display for ListItem<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Event(event) => event.fmt(f),
            Self::Group(group) => group.fmt(f),
        }
    }
}

impl fmt::Display for GroupRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name.map_or("", |name| name.source))?;
        f.write_str("{")?;
        joined(f, self.members())?;
        f.write_str("}")?;
        if self.modifiers.is_empty() {
            return Ok(());
        }
        write!(f, ":{}", self.modifiers)
    }
}

fn joined(
    f: &mut fmt::Formatter<'_>,
    items: impl Iterator<Item = impl fmt::Display>,
) -> fmt::Result {
    for (i, item) in items.enumerate() {
        if i > 0 {
            f.write_str(",")?;
        }
        item.fmt(f)?;
    }
    Ok(())
}

impl fmt::Debug for EventList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.items()).finish()
    }
}

impl fmt::Debug for ListItem<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Event(event) => event.fmt(f),
            Self::Group(group) => group.fmt(f),
        }
    }
}

impl fmt::Debug for GroupRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GroupRef {{ name: {:?}, members: ", self.name())?;
        f.debug_list().entries(self.members()).finish()?;
        write!(f, ", modifiers: {:?} }}", self.modifiers)
    }
}
