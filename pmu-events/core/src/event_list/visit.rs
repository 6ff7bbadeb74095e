//! What a list is made of, told while it is read.

use super::error::Error;
use super::event::EventRef;
use super::item::GroupRef;
use super::parse;
use super::term::Term;
use super::{EventList, Membership};

/// Is told what an [`EventList`] is made of, piece by piece, in the one pass in
/// which the text is read. Who keeps the pieces need not read it again.
pub trait Visitor<'a> {
    /// A term, whose event follows.
    fn term(&mut self, term: Term<'a>);

    /// An event, behind its terms. If it is in a group, that follows: until then
    /// the event knows of no [`Membership`].
    fn event(&mut self, event: EventRef<'a>);

    /// A group, behind its events.
    fn group(&mut self, group: GroupRef<'a>);
}

/// Nobody wants to know.
impl<'a> Visitor<'a> for () {
    fn term(&mut self, _: Term<'a>) {}
    fn event(&mut self, _: EventRef<'a>) {}
    fn group(&mut self, _: GroupRef<'a>) {}
}

impl<'a> EventList<'a> {
    /// Checks a text as [`parse`](Self::parse) does, and tells what it is made
    /// of. After an error, what was told means nothing.
    ///
    /// ```
    /// use pmu_events::event_list::{EventList, EventRef, GroupRef, Term, Visitor};
    ///
    /// #[derive(Default)]
    /// struct Names<'a>(Vec<&'a str>);
    ///
    /// impl<'a> Visitor<'a> for Names<'a> {
    ///     fn term(&mut self, term: Term<'a>) {
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
    /// The first thing that is wrong.
    pub fn visit(text: &'a str, visitor: &mut impl Visitor<'a>) -> Result<Self, Error> {
        parse::list(text, visitor)?;
        Ok(Self::checked(text))
    }
}

impl<'a> EventRef<'a> {
    /// The same event, in a group.
    #[must_use]
    pub const fn in_group(self, membership: Membership) -> Self {
        EventRef { membership: Some(membership), ..self }
    }
}
