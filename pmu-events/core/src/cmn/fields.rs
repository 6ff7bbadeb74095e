//! An event's terms as numbers: the one place from which its event string and
//! its config words come.

use core::fmt;

use super::scope::NodeSelection;

/// The terms of an event, each with its value, in the order in which the
/// driver writes them.
///
/// ```
/// use pmu_events::cmn::MeshEvent;
/// let fields = MeshEvent::Cycles.fields();
/// assert_eq!(fields.iter().collect::<Vec<_>>(), [("type", 3)]);
/// assert_eq!(fields.to_string(), "type=0x3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventFields {
    fields: [(&'static str, u64); Self::CAPACITY],
    len: usize,
}

impl EventFields {
    /// A watchpoint on one crosspoint with all that it can have.
    const CAPACITY: usize = 11;

    pub(super) const EMPTY: Self = EventFields { fields: [("", 0); Self::CAPACITY], len: 0 };

    pub(super) const fn with(mut self, term: &'static str, value: u64) -> Self {
        self.fields[self.len] = (term, value);
        self.len += 1;
        self
    }

    /// Adds a term that is left out where it is 0.
    pub(super) const fn with_some(self, term: &'static str, value: u64) -> Self {
        if value == 0 { self } else { self.with(term, value) }
    }

    pub(super) const fn with_scope(self, scope: NodeSelection) -> Self {
        match scope {
            NodeSelection::Mesh => self,
            NodeSelection::Node(id) => self.with("bynodeid", 1).with("nodeid", id.get() as u64),
        }
    }

    /// How many there are.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "an event has a type at least")]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// The term of a place, from 0.
    pub(super) const fn get(&self, n: usize) -> (&'static str, u64) {
        self.fields[n]
    }

    /// The terms.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.fields.into_iter().take(self.len)
    }
}

impl fmt::Display for EventFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (term, value)) in self.iter().enumerate() {
            let comma = if n == 0 { "" } else { "," };
            match term {
                "bynodeid" | "wp_exclusive" => write!(f, "{comma}{term}={value}")?,
                _ => write!(f, "{comma}{term}={value:#x}")?,
            }
        }
        Ok(())
    }
}
