//! Events of system PMUs, which belong to no CPU model.

use crate::cpuid::patterns::Matching;
use crate::event::Event;
use crate::model::{Events, Models};
use crate::pmu;
use crate::tree::Tree;

impl Tree {
    /// Returns the sys-table events for one PMU of the running system: those
    /// whose unit matches the PMU's name and whose `Compat` pattern matches the
    /// whole `identifier` (`/sys/bus/event_source/devices/<pmu>/identifier`).
    ///
    /// ```
    /// use pmu_events::arch::arm64;
    ///
    /// let mut events = arm64::TREE.sys_events("arm_cmn_0", "43401");
    /// assert!(events.any(|event| event.name() == "hnf_cache_miss"));
    /// assert_eq!(arm64::TREE.sys_events("arm_cmn_0", "other").count(), 0);
    /// ```
    #[must_use]
    pub const fn sys_events<'n>(&'static self, pmu: &'n str, identifier: &str) -> SysEvents<'n> {
        let compats = self.wire.compats().matching(identifier);
        SysEvents { pmu, compats, tables: self.sys_tables(), events: None }
    }

    /// Returns every distinct event of the tree, sorted by name. An event that
    /// several models share is returned once.
    pub fn events(&'static self) -> impl Iterator<Item = Event> {
        (0..self.wire.event_count()).map(move |number| Event::new(self, number))
    }
}

/// The sys-table events for one PMU of the running system.
#[derive(Clone, Debug)]
pub struct SysEvents<'n> {
    pmu: &'n str,
    compats: Matching<'static>,
    tables: Models,
    /// The rest of the table before these events.
    events: Option<Events>,
}

impl SysEvents<'_> {
    fn fits(&self, event: Event) -> bool {
        event.compat_pattern().is_some_and(|pattern| self.compats.contains(pattern))
            && pmu::is_of_unit(self.pmu, event.pmu())
    }
}

impl Iterator for SysEvents<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.events.as_mut().and_then(Iterator::next) {
                if self.fits(event) {
                    return Some(event);
                }
            } else {
                self.events = Some(self.tables.next()?.events());
            }
        }
    }
}
