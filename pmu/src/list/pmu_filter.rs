//! The PMUs whose events and metrics are listed.

use pmu_events::__private::glob;
use pmu_events::System;

/// A name of PMUs, of their units in tables, or a shell pattern for such names.
pub(crate) struct PmuFilter {
    name: String,
    /// Whether it is one name, which may do without a prefix.
    is_one: bool,
}

impl PmuFilter {
    /// What `--unit` and `--cputype` say, at most one of which is given.
    pub(crate) fn new(unit: Option<&str>, cputype: Option<&str>) -> Option<Self> {
        let name = unit.or(cputype)?.to_owned();
        Some(PmuFilter { name, is_one: unit.is_none() })
    }

    /// Whether the PMU of a table or of a driver is meant, by its own name or by that of one of its
    /// instances on the machine.
    pub(crate) fn has(&self, unit: &str, system: &System) -> bool {
        let mut instances = system.sysfs().pmus().iter().filter(|pmu| pmu.is_of_unit(unit));
        self.is_named(unit) || instances.any(|pmu| self.is_named(pmu.name()))
    }

    fn is_named(&self, name: &str) -> bool {
        if !self.is_one {
            return glob::matches(&self.name, name);
        }
        let mut short = ["uncore_", "cpu_"].iter().filter_map(|prefix| name.strip_prefix(prefix));
        name == self.name || short.any(|short| short == self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let system = System::at("/nonexistent");
        for (unit, cputype, name, expected) in [
            (Some("uncore_*"), None, "uncore_imc", true),
            (Some("imc"), None, "uncore_imc", false),
            (None, Some("imc"), "uncore_imc", true),
            (None, Some("core"), "cpu_core", true),
            (None, Some("uncore_imc"), "uncore_imc", true),
            (None, Some("im*"), "uncore_imc", false),
        ] {
            let filter = PmuFilter::new(unit, cputype).expect("one is given");
            assert_eq!(filter.has(name, &system), expected, "{unit:?} {cputype:?} {name}");
        }
        assert!(PmuFilter::new(None, None).is_none());
    }
}
