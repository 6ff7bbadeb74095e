//! A whole tree: what one `pmu_events!` line becomes.

use core::fmt;

use crate::cpuid::Automaton;
use crate::wire::{Section, Wire};

/// A tree of event descriptions, packed into two constants
/// ([the format](crate::wire)). The macro emits it; everything else is a view
/// of it.
pub struct Tree {
    pub(crate) wire: Wire<'static>,
}

impl Tree {
    /// Wraps what the macro has packed.
    ///
    /// # Panics
    ///
    /// When the constants are not of this version of the format: in the
    /// emitted code, that is an error of the compiler.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(strings: &'static str, tables: &'static [u8]) -> Self {
        match Wire::read(strings, tables) {
            Some(wire) => Tree { wire },
            None => panic!("pmu-events and pmu-events-macros are of different versions"),
        }
    }

    /// What the macro emits for a tree with faults, beside the one error: it
    /// has every name, so that no other error follows.
    #[doc(hidden)]
    #[must_use]
    pub const fn broken() -> Self {
        Tree { wire: Wire::BROKEN }
    }

    /// The automaton of the map file's patterns; its numbers are row numbers.
    #[doc(hidden)]
    #[must_use]
    pub const fn cpuids(&self) -> Automaton<'static> {
        Automaton::new(self.wire.section(Section::Cpuids))
    }

    /// The automaton of the `Compat` patterns.
    pub(crate) const fn compats(&self) -> Automaton<'static> {
        Automaton::new(self.wire.section(Section::Compats))
    }

    /// The packed form, to be measured.
    #[doc(hidden)]
    #[must_use]
    pub const fn wire(&self) -> &Wire<'static> {
        &self.wire
    }

    /// The read-only data of the tree, in bytes.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.wire.size()
    }
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tree").field("size", &self.size()).finish_non_exhaustive()
    }
}
