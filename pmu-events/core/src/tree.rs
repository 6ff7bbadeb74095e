//! A whole tree: what one `pmu_events!` line becomes.

use core::fmt;

use crate::cpuid::Automaton;
use crate::event::{Event, SysEvents};
use crate::model::Model;
use crate::name;
use crate::text::Text;
use crate::wire::record::{GroupRecord, ModelRecord};
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

    /// The CPU models of the tree, in the order of their directories.
    #[must_use]
    pub const fn models(&'static self) -> Models {
        Models { tree: self, next: 0, sys: 0 }
    }

    /// The sys tables: events of system PMUs, which belong to no CPU model.
    #[must_use]
    pub const fn sys_tables(&'static self) -> Models {
        Models { tree: self, next: 0, sys: 1 }
    }

    /// The model of a directory, such as `silvermont` or `arm/neoverse-n1`,
    /// without regard to case.
    #[must_use]
    pub const fn model_named(&'static self, directory: &str) -> Option<Model> {
        let mut models = self.models();
        while let Some((model, rest)) = models.step() {
            if name::eq(model.name(), directory) {
                return Some(model);
            }
            models = rest;
        }
        None
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

    /// The sys-table events of one PMU of the running system: those whose unit
    /// the PMU's name belongs to and whose `Compat` pattern matches the whole
    /// of its `identifier`
    /// (`/sys/bus/event_source/devices/<pmu>/identifier`).
    ///
    /// A PMU's name belongs to a unit when it is that name with or without a
    /// number behind it: `arm_cmn_0` belongs to `arm_cmn`.
    #[must_use]
    pub const fn sys_events<'n>(&'static self, pmu: &'n str, identifier: &str) -> SysEvents<'n> {
        SysEvents::new(self, pmu, self.compats().matches(identifier))
    }

    /// Every distinct event of the tree, in the order of names. One event of
    /// several models comes once.
    pub fn events(&'static self) -> impl Iterator<Item = Event> {
        let size = self.wire.event_size();
        let count = self.wire.section(Section::Events).len() / size;
        (0..count).map(move |number| Event::new(self, number))
    }

    /// What a metric group is about (`metricgroups.json`), by its name without
    /// regard to case.
    #[must_use]
    pub const fn group_description(&'static self, group: &str) -> Option<Text> {
        let groups = self.wire.section(Section::Groups);
        let (mut low, mut high) = (0, groups.len() / GroupRecord::SIZE);
        while low < high {
            let middle = (low + high) / 2;
            let record = GroupRecord::read(groups, middle * GroupRecord::SIZE);
            match name::cmp(self.wire.str(record.name), group) {
                core::cmp::Ordering::Equal => return Text::new(self, record.description),
                core::cmp::Ordering::Less => low = middle + 1,
                core::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The names of all described metric groups, in order.
    pub fn groups(&'static self) -> impl Iterator<Item = &'static str> {
        let groups = self.wire.section(Section::Groups);
        (0..groups.len() / GroupRecord::SIZE)
            .map(|n| self.wire.str(GroupRecord::read(groups, n * GroupRecord::SIZE).name))
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

/// The models of a [`Tree`], or its sys tables.
#[derive(Clone, Copy, Debug)]
pub struct Models {
    tree: &'static Tree,
    next: usize,
    sys: u8,
}

impl Models {
    /// The next model and the models behind it, for a `const fn`.
    #[must_use]
    pub const fn step(self) -> Option<(Model, Self)> {
        let models = self.tree.wire.section(Section::Models);
        let mut next = self.next;
        while next < models.len() / ModelRecord::SIZE {
            let model = Model::new(self.tree, next);
            next += 1;
            if model.is_sys() == (self.sys == 1) {
                return Some((model, Models { next, ..self }));
            }
        }
        None
    }
}

impl Iterator for Models {
    type Item = Model;

    fn next(&mut self) -> Option<Model> {
        let (model, rest) = self.step()?;
        *self = rest;
        Some(model)
    }
}
