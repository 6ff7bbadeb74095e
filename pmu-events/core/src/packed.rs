//! The packed tree, of which everything else is a view.

use core::fmt;

use crate::wire::Wire;

/// A tree of event descriptions, packed into two constants.
///
/// Each module of `arch` has one, and the macro emits one; everything else is a view of it.
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
    /// Wraps constants that the compiler has packed.
    ///
    /// # Panics
    ///
    /// Panics if the constants are not in this version of the format; in the initializer
    /// of a static, this is a compile error.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(strings: &'static str, tables: &'static [u8]) -> Self {
        match Wire::read(strings, tables) {
            Some(wire) => Tree { wire },
            None => panic!(
                "the tree is packed for another version of pmu-events-core: the versions of \
                 pmu-events, pmu-events-macros and pmu-events-tables do not fit together, which \
                 `cargo update` cures"
            ),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables and a core that Cargo should not have chosen together.
    #[test]
    #[should_panic(expected = "is packed for another version of pmu-events-core")]
    fn tables_of_another_version() {
        let _ = Tree::new("", &[0; 4096]);
    }
}
