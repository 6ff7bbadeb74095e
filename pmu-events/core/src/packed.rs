//! The packed tree, of which everything else is a view.

use core::fmt;

use crate::wire::Wire;

/// A tree of event descriptions, packed into two constants.
///
/// The macro emits it; everything else is a view of it.
///
/// ```
/// use pmu_events::arch::x86;
///
/// let zens = x86::TREE.models().filter(|model| model.name().starts_with("amdzen"));
/// assert!(zens.count() >= 5);
/// assert_eq!(x86::TREE.model("GenuineIntel-6-37-8").unwrap().name(), "silvermont");
/// ```
pub struct Tree {
    pub(crate) wire: Wire<'static>,
}

impl Tree {
    /// Wraps the constants that the macro has packed.
    ///
    /// # Panics
    ///
    /// Panics if the constants are not in this version of the format; in the
    /// emitted code, this is a compile error.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(strings: &'static str, tables: &'static [u8]) -> Self {
        match Wire::read(strings, tables) {
            Some(wire) => Tree { wire },
            None => panic!("pmu-events and pmu-events-macros are of different versions"),
        }
    }

    /// The macro emits this for a tree with errors, next to the one error it
    /// reports: every name exists here, so no further errors follow.
    #[doc(hidden)]
    #[must_use]
    pub const fn broken() -> Self {
        Tree { wire: Wire::BROKEN }
    }

    /// Returns the packed form, for measuring it.
    #[doc(hidden)]
    #[must_use]
    pub const fn wire(&self) -> &Wire<'static> {
        &self.wire
    }

    /// Returns the size of the tree's read-only data, in bytes.
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
