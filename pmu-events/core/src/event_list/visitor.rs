//! Receiving the parts of a list while it is parsed.

use super::event::EventRef;
use super::item::GroupRef;
use super::term::TermRef;

/// Receives the parts of an `EventList` in the same pass that
/// parses the text (`EventList::visit`).
///
/// An implementation that keeps them need not parse the text again.
///
/// ```
/// use pmu_events::__private::event_list::{EventList, EventRef, GroupRef, TermRef, Visitor};
///
/// /// The names of all events.
/// #[derive(Default)]
/// struct Names<'a>(Vec<&'a str>);
///
/// impl<'a> Visitor<'a> for Names<'a> {
///     fn event(&mut self, event: EventRef<'a>) {
///         self.0.push(event.name());
///     }
///
///     fn term(&mut self, _: TermRef<'a>) {}
///     fn group(&mut self, _: GroupRef<'a>) {}
/// }
///
/// let mut names = Names::default();
/// EventList::visit("cycles,{instructions,branches}", &mut names)?;
/// assert_eq!(names.0, ["cycles", "instructions", "branches"]);
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
pub trait Visitor<'a> {
    /// Called for each term, before its event.
    fn term(&mut self, term: TermRef<'a>);

    /// Called for each event, after its terms. If the event is in a group, the
    /// group follows; until then the event has no
    /// `Membership`.
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
