//! Why a known event cannot be opened: its PMU is missing, or its file cannot be
//! read.

use std::format;

use super::alias::Lookup;
use super::resolver::Resolver;
use super::{Error, ErrorKind};
use crate::Event;
use crate::pmu;
use crate::sysfs::Pmu;
use pmu_events_core::__private::name;
use pmu_events_core::__private::provided;

impl Resolver<'_> {
    /// Why no PMU has a known event, without its position; `None` for an unknown one.
    pub(super) fn absent(&self, event: &str) -> Option<Error> {
        for pmu in self.sysfs.pmus() {
            if let Some(reason) = unreadable(event, pmu) {
                return Some(reason);
            }
        }
        match self.of_missing_pmu(event) {
            Some(reason) => Some(reason),
            None => self.of_missing_driver(event),
        }
    }

    /// Why a PMU does not have a known event, without its position.
    pub(super) fn absent_on(&self, event: &str, pmu: &Pmu) -> Option<Error> {
        if let Some(reason) = unreadable(event, pmu) {
            return Some(reason);
        }
        let lookup = Lookup::new(event, self.tables, self.sysfs);
        for other in self.sysfs.pmus() {
            if other.name() != pmu.name() && lookup.is_on(other) {
                let (other, pmu) = (other.name(), pmu.name());
                let what = format!("`{event}` is an event of PMU `{other}`, not of `{pmu}`");
                return Some(Error::new(ErrorKind::OtherPmu, 0..0, what));
            }
        }
        self.of_missing_pmu(event)
    }

    /// An event that the drivers of core PMUs name in sysfs, on a machine without one.
    fn of_missing_driver(&self, event: &str) -> Option<Error> {
        let mut of_cores = provided::by_driver("cpu")?;
        let is_known = of_cores.any(|known| name::eq(known, event));
        if !is_known || self.sysfs.core_pmus().next().is_some() {
            return None;
        }
        let what = format!("event `{event}` is of a core PMU, which this machine does not have");
        Some(Error::new(ErrorKind::NoCorePmu, 0..0, what))
    }

    /// An event of a table for a PMU that the machine does not have.
    fn of_missing_pmu(&self, event: &str) -> Option<Error> {
        let known = self.in_any_table(event)?;
        let unit = known.pmu();
        let other = self.sysfs.pmus().iter().find(|pmu| pmu.is_of_unit(unit));
        let (kind, what) = match other {
            // The machine has a PMU of this name, but with other events.
            Some(other) if known.compat().is_some() => {
                let identifier = match other.identifier() {
                    Some(identifier) => format!("has identifier `{identifier}`"),
                    None => "has no identifier".into(),
                };
                (
                    ErrorKind::NoPmu,
                    format!("another PMU than `{}`, which {identifier}", other.name()),
                )
            }
            Some(other) => {
                let other = other.name();
                (ErrorKind::NoPmu, format!("CPUs other than those that read PMU `{other}`"))
            }
            None if unit == pmu::DEFAULT_CORE => {
                (ErrorKind::NoCorePmu, "a core PMU, which this machine does not have".into())
            }
            None => (ErrorKind::NoPmu, format!("PMU `{unit}`, which this machine does not have")),
        };
        Some(Error::new(kind, 0..0, format!("event `{event}` is of {what}")))
    }

    fn in_any_table(&self, event: &str) -> Option<Event> {
        let mut models = self.tables.models(self.sysfs);
        models.extend(self.tables.common());
        for tree in self.tables.trees() {
            for table in tree.sys_tables() {
                models.push(table);
            }
        }
        for model in models {
            if let Some(event) = model.event(event) {
                return Some(event);
            }
        }
        None
    }
}

/// An event named by the PMU's driver, whose file is not text.
fn unreadable(event: &str, pmu: &Pmu) -> Option<Error> {
    let file = pmu.event_names().find(|file| name::eq(file, event))?;
    if pmu.event(event).is_some() {
        return None;
    }
    let path = pmu.path().join("events").join(file);
    let problem = pmu.problems().into_iter().find(|problem| problem.path() == path)?;
    let message = format!("event `{event}`: {problem}");
    Some(Error::new(ErrorKind::Unreadable, 0..0, message).because_of(&problem))
}
