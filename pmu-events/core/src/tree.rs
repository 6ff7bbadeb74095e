//! A whole tree: the result of one `pmu_events!` invocation.

use core::fmt;

use crate::cpuid::Midr;
use crate::cpuid::patterns::Patterns;
use crate::model::Model;
use crate::wire::record::{MidrRecord, RowRecord};
use crate::wire::{Section, Wire};

/// A tree of event descriptions, packed into two constants (the module
/// documentation of `wire` describes the format). The macro emits it;
/// everything else is a view of it.
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

    /// Finds the model of a CPU by its CPUID in perf's form: the first matching
    /// row of the map file. The function `model` that the macro emits next to a
    /// tree does the same.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let model = x86::TREE.model("GenuineIntel-6-37-8").unwrap();
    /// assert_eq!(model.name(), "silvermont");
    /// assert!(x86::TREE.model("another").is_none());
    /// ```
    #[must_use]
    pub const fn model(&'static self, cpuid: &str) -> Option<Model> {
        let Some(row) = self.row(cpuid) else {
            return None;
        };
        let rows = self.wire.section(Section::Rows);
        let at = (row as usize).saturating_mul(RowRecord::SIZE);
        if at >= rows.len() {
            return None;
        }
        Some(Model::new(self, RowRecord::read(rows, at).model as usize))
    }

    /// The first matching row of the map file.
    const fn row(&self, cpuid: &str) -> Option<u32> {
        let midrs = self.wire.section(Section::Midrs);
        if midrs.is_empty() {
            return self.cpuids().matching(cpuid).first();
        }
        let Some(midr) = Midr::parse(cpuid) else {
            return None;
        };
        let mut row = 0;
        while row < midrs.len() / MidrRecord::SIZE {
            let MidrRecord { part, version } = MidrRecord::nth(midrs, row);
            if midr.part() == part && midr.version() >= version {
                return Some(row as u32);
            }
            row += 1;
        }
        None
    }

    /// Returns the map file's patterns, numbered by row.
    #[doc(hidden)]
    #[must_use]
    pub const fn cpuids(&self) -> Patterns<'_> {
        self.wire.cpuids()
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
