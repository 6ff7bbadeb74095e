//! What could not be opened, and why.

use core::fmt;
use std::string::String;

use crate::open::Error;

/// A place of a [`Following`](super::Following) that could not be opened, or not on all of its CPUs,
/// and the reason. It displays itself as a sentence.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::follow::{Following, Selection};
///
/// let system = System::new();
/// let mut following = Following::new(&system).with_limit(0);
/// following.follow(system.require("page-faults")?, Selection::cpus());
/// following.update();
/// if let [left_out] = following.left_out() {
///     assert_eq!(left_out.name(), None);
/// }
/// # Ok::<(), pmu_events::resolve::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct LeftOut {
    selection: usize,
    name: Option<String>,
    descriptors: usize,
    why: Error,
}

impl LeftOut {
    pub(super) fn new(
        selection: usize,
        name: Option<&str>,
        descriptors: usize,
        why: Error,
    ) -> Self {
        LeftOut { selection, name: name.map(String::from), descriptors, why }
    }

    /// Returns the number of the selection, which is also its rank.
    #[must_use]
    pub fn selection(&self) -> usize {
        self.selection
    }

    /// Returns the control group or the name of the process; `None` is the machine.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns how many counters the place lacks; 0 if that is unknown.
    #[must_use]
    pub fn descriptors(&self) -> usize {
        self.descriptors
    }

    /// Returns the reason.
    #[must_use]
    pub fn why(&self) -> &Error {
        &self.why
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "`{name}`: ")?,
            None => f.write_str("the machine: ")?,
        }
        match self.descriptors {
            0 => write!(f, "{}", self.why),
            counters => write!(f, "{} ({counters} counters)", self.why),
        }
    }
}
