//! Visiting the parts of a list while it is parsed.

use super::error::Error;
use super::event::EventRef;
use super::item::GroupRef;
use super::parse;
use super::term::TermRef;
use super::{EventList, Membership};

/// Receives the parts of an [`EventList`] in the same pass that parses the
/// text. An implementation that keeps them need not parse the text again.
pub trait Visitor<'a> {
    /// Called for each term, before its event.
    fn term(&mut self, term: TermRef<'a>);

    /// Called for each event, after its terms. If the event is in a group, the
    /// group follows; until then the event has no [`Membership`].
    fn event(&mut self, event: EventRef<'a>);

    /// Called for each group, after its events.
    fn group(&mut self, group: GroupRef<'a>);
}

/// Ignores everything.
impl<'a> Visitor<'a> for () {
    fn term(&mut self, _: TermRef<'a>) {}
    fn event(&mut self, _: EventRef<'a>) {}
    fn group(&mut self, _: GroupRef<'a>) {}
}

impl<'a> EventList<'a> {
    /// Validates a text as [`parse`](Self::parse) does, and passes its parts to
    /// a visitor. If this returns an error, discard what the visitor received.
    ///
    /// ```
    /// use pmu_events::event_list::{EventList, EventRef, GroupRef, TermRef, Visitor};
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
    /// # Ok::<(), pmu_events::event_list::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first error in the text.
    pub fn visit(text: &'a str, visitor: &mut impl Visitor<'a>) -> Result<Self, Error> {
        parse::list(text, visitor)?;
        Ok(Self::checked(text))
    }
}

impl<'a> EventRef<'a> {
    /// Returns the same event as a member of a group.
    #[must_use]
    pub const fn in_group(self, membership: Membership) -> Self {
        EventRef { membership: Some(membership), ..self }
    }
}
