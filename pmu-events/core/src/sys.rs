//! Events of system PMUs, which belong to no CPU model.

use crate::cpuid::patterns::Matching;
use crate::event::Event;
use crate::model::{Events, Models};
use crate::pmu;

/// The sys-table events for one PMU of the running system.
#[derive(Clone, Debug)]
pub(crate) struct SysEvents<'n> {
    pmu: &'n str,
    compats: Matching<'static>,
    tables: Models,
    /// The rest of the table before these events.
    events: Option<Events>,
}

impl<'n> SysEvents<'n> {
    pub(crate) const fn new(pmu: &'n str, compats: Matching<'static>, tables: Models) -> Self {
        SysEvents { pmu, compats, tables, events: None }
    }

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
