//! Receiving the parts of a list while it is parsed.

use super::event::EventRef;
use super::item::GroupRef;
use super::term::TermRef;

/// Receives the parts of an [`EventList`](super::EventList) in the same pass that
/// parses the text ([`EventList::visit`](super::EventList::visit)).
///
/// An implementation that keeps them need not parse the text again.
pub trait Visitor<'a> {
    /// Called for each term, before its event.
    fn term(&mut self, term: TermRef<'a>);

    /// Called for each event, after its terms. If the event is in a group, the
    /// group follows; until then the event has no
    /// [`Membership`](super::Membership).
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
