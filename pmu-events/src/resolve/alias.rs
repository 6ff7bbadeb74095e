//! Events of a PMU by name: from sysfs, the CPU's table and the sys tables.

use core::ops::Range;

use std::string::{String, ToString};
use std::vec::Vec;

use super::{Error, ErrorKind};
use crate::pmu::DEFAULT_CORE;
use crate::sysfs::{Pmu, Problem, Sysfs};
use crate::system::Tables;
use crate::{Event, Model, Tree};
use pmu_events_core::__private::name;
use pmu_events_core::__private::scale;

/// The meaning of an event name on one PMU.
#[derive(Clone, Copy)]
pub(super) struct Description<'a> {
    pub(super) event: Option<Event>,
    pub(super) terms: &'a str,
    pub(super) scale: f64,
    pub(super) unit: &'a str,
    pub(super) is_per_package: bool,
    pub(super) is_snapshot: bool,
    problem: Option<&'a Problem>,
}

impl Description<'_> {
    /// Checks that the meaning of a count is known, or returns why not.
    pub(super) fn check(&self, span: Range<usize>) -> Result<(), Error> {
        let error = |message: String| Error::new(ErrorKind::Unreadable, span, message);
        match self.problem {
            Some(problem) => Err(error(problem.to_string()).because_of(problem)),
            None if self.scale == 0.0 => {
                Err(error("the scale of the event's table is 0, which leaves no count".into()))
            }
            None if self.scale.is_finite() => Ok(()),
            None => Err(error("the scale of the event's table is beyond all numbers".into())),
        }
    }
}

/// A name, looked up once in the tables for all PMUs that share them.
pub(super) struct Lookup<'n> {
    name: &'n str,
    tables: &'n Tables,
    sysfs: &'n Sysfs,
    table: Named,
    common: Named,
    /// The trees that have sys tables at all.
    trees: &'n [&'static Tree],
}

/// An event, and the name that the table gives its PMU.
#[derive(Clone, Copy)]
struct OfUnit {
    event: Event,
    unit: &'static str,
    is_of_cores: bool,
}

impl OfUnit {
    fn is_on(&self, pmu: &Pmu) -> bool {
        if self.is_of_cores { pmu.is_core() } else { pmu.is_of_unit(self.unit) }
    }
}

/// The events of one name: almost always one.
struct Named {
    first: Option<OfUnit>,
    others: Vec<OfUnit>,
}

impl Named {
    fn new(model: Option<Model>, name: &str) -> Self {
        let (mut first, mut others) = (None, Vec::new());
        if let Some(model) = model {
            for event in model.events_named(name) {
                let unit = event.pmu();
                let one = OfUnit { event, unit, is_of_cores: unit == DEFAULT_CORE };
                match first {
                    None => first = Some(one),
                    Some(_) => others.push(one),
                }
            }
        }
        Named { first, others }
    }

    fn find(&self, pmu: &Pmu) -> Option<Event> {
        let first = self.first?;
        if first.is_on(pmu) {
            return Some(first.event);
        }
        for other in &self.others {
            if other.is_on(pmu) {
                return Some(other.event);
            }
        }
        None
    }
}

impl<'n> Lookup<'n> {
    pub(super) fn new(name: &'n str, tables: &'n Tables, sysfs: &'n Sysfs) -> Self {
        let table = Named::new(tables.model(), name);
        let common = Named::new(tables.common(), name);
        Lookup { name, tables, sysfs, table, common, trees: tables.trees_with_sys_tables() }
    }

    pub(super) fn is_on(&self, pmu: &Pmu) -> bool {
        self.is_own_of(pmu) || self.common(pmu).is_some()
    }

    /// Whether the PMU's own table or its driver has the event, and not just every CPU.
    pub(super) fn is_own_of(&self, pmu: &Pmu) -> bool {
        self.event(pmu).is_some() || pmu.event(self.name).is_some()
    }

    /// The same in this letter case.
    pub(super) fn is_spelled_so_on(&self, pmu: &Pmu) -> bool {
        self.event(pmu).is_some_and(|event| event.name() == self.name)
            || pmu.event(self.name).is_some_and(|alias| alias.name == self.name)
    }

    /// An event of the table and one of sysfs are merged: scale and unit of sysfs
    /// take precedence (`update_alias` and `read_alias_info` in
    /// `tools/perf/util/pmu.c`).
    pub(super) fn on<'a>(&self, pmu: &'a Pmu) -> Option<Description<'a>> {
        let alias = pmu.event(self.name);
        let event = match (self.event(pmu), alias) {
            (None, None) => self.common(pmu),
            (event, _) => event,
        };
        let mut description = match (event, alias) {
            (None, None) => return None,
            (Some(event), _) => {
                let event = event.with_encoding(self.tables.encoding());
                let (scale, unit) = event.scale_unit().map_or((1.0, ""), scale::split);
                Description {
                    event: Some(event),
                    terms: event.event_string(),
                    scale,
                    unit,
                    is_per_package: event.is_per_package(),
                    is_snapshot: false,
                    problem: None,
                }
            }
            (None, Some(alias)) => Description {
                event: None,
                terms: &alias.terms,
                scale: 1.0,
                unit: "",
                is_per_package: false,
                is_snapshot: false,
                problem: None,
            },
        };
        if let Some(alias) = alias {
            description.scale = alias.scale.unwrap_or(description.scale);
            description.unit = alias.unit.as_deref().unwrap_or(description.unit);
            description.is_per_package |= alias.is_per_package;
            description.is_snapshot |= alias.is_snapshot;
            description.problem = alias.problem.as_ref();
        }
        Some(description)
    }

    /// The CPU-independent events have the lowest precedence: where the driver
    /// names `cpu-cycles`, Arm cores need that event.
    fn common(&self, pmu: &Pmu) -> Option<Event> {
        self.common.find(pmu)
    }

    fn event(&self, pmu: &Pmu) -> Option<Event> {
        let of_cpu = match self.tables.model() {
            Some(_) => self.table.find(pmu),
            None => {
                let model = self.tables.of_pmu(pmu, self.sysfs);
                Named::new(model, self.name).find(pmu)
            }
        };
        // What its architecture names may be missing.
        let of_cpu = of_cpu.filter(|&event| self.tables.has(pmu, event, self.sysfs) != Some(false));
        of_cpu.or_else(|| {
            let identifier = if self.trees.is_empty() { None } else { pmu.identifier() }?;
            for tree in self.trees {
                for event in tree.sys_events(pmu.name(), identifier) {
                    if name::eq(event.name(), self.name) {
                        return Some(event);
                    }
                }
            }
            None
        })
    }
}
