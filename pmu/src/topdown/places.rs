//! Where counts belong: to a control group, to a core or another unit, to everything.

use pmu_events::measure::Plan;
use pmu_events::open::{Cgroup, Reading};

use crate::stat::{Unit, Units};

/// What has a tree of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// The control group; `None` is everything.
    pub(crate) cgroup: Option<String>,
    /// The unit; `None` is everything.
    unit: Option<Unit>,
    /// How the unit is named.
    pub(crate) label: Option<String>,
}

impl Place {
    pub(crate) fn of_cgroup(cgroup: Option<&Cgroup>) -> Self {
        let cgroup = cgroup.map(|cgroup| cgroup.name().into_owned());
        Place { cgroup, ..Place::default() }
    }

    /// A place that a file names.
    pub(crate) fn named(cgroup: Option<String>, label: Option<String>) -> Self {
        Place { cgroup, unit: None, label }
    }

    pub(crate) fn is_everything(&self) -> bool {
        self.cgroup.is_none() && self.label.is_none()
    }

    pub(crate) fn unit(&self) -> Option<Unit> {
        self.unit
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.cgroup.iter().chain(&self.label).map(String::as_str).collect();
        f.write_str(&names.join(" "))
    }
}

/// What was counted in each place.
pub(crate) struct Counts {
    of_places: Vec<(Place, Reading)>,
}

impl Counts {
    /// Divides a reading of a plan, whose events are there once for each control group.
    pub(crate) fn new(
        plan: &Plan,
        reading: &Reading,
        cgroups: &[Option<Cgroup>],
        units: &Units,
    ) -> Self {
        let mut all_units: Vec<Unit> = units.all().collect();
        all_units.sort_unstable();
        all_units.dedup();
        let of_cgroup = |(number, cgroup): (usize, &Option<Cgroup>)| {
            let own = match cgroup {
                None => reading.clone(),
                Some(_) => plan.reading_in(reading, number),
            };
            let place = Place::of_cgroup(cgroup.as_ref());
            if all_units.is_empty() {
                return vec![(place, own)];
            }
            let of_unit = |&unit: &Unit| {
                let label = Some(units.label(unit));
                let place = Place { unit: Some(unit), label, ..place.clone() };
                (place, units.part(&own, unit))
            };
            all_units.iter().map(of_unit).collect()
        };
        Counts { of_places: cgroups.iter().enumerate().flat_map(of_cgroup).collect() }
    }

    pub(crate) fn places(&self) -> impl Iterator<Item = &Place> {
        self.of_places.iter().map(|(place, _)| place)
    }

    /// What was counted in a place, if it was there.
    pub(crate) fn of(&self, place: &Place) -> Option<&Reading> {
        self.of_places.iter().find(|(own, _)| own == place).map(|(_, reading)| reading)
    }
}
