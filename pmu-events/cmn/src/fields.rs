//! An event's terms as numbers, from which both its event string and its config
//! words are made.

use core::fmt;

use super::node_id::NodeSelection;

/// The terms of an event, each with its value, in the driver's order.
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
    /// The number of terms of a watchpoint on one crosspoint, which is the
    /// maximum.
    const CAPACITY: usize = 11;

    pub(super) const EMPTY: Self = EventFields { fields: [("", 0); Self::CAPACITY], len: 0 };

    pub(super) const fn with(mut self, term: &'static str, value: u64) -> Self {
        self.fields[self.len] = (term, value);
        self.len += 1;
        self
    }

    /// Adds a term unless its value is 0, which is the default.
    pub(super) const fn with_some(self, term: &'static str, value: u64) -> Self {
        if value == 0 { self } else { self.with(term, value) }
    }

    pub(super) const fn with_scope(self, scope: NodeSelection) -> Self {
        match scope {
            NodeSelection::Mesh => self,
            NodeSelection::Node(id) => self.with("bynodeid", 1).with("nodeid", id.get() as u64),
        }
    }

    /// Returns the number of terms.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "an event has a type at least")]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// The term at an index.
    pub(super) const fn get(&self, n: usize) -> (&'static str, u64) {
        self.fields[n]
    }

    /// Returns the terms.
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
