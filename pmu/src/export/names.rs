//! The names of series and labels: what is exported, what rules refer to, and what dashboards show.
//!
//! They follow Prometheus's conventions: base units, the unit at the end of a name, `_total` at
//! the end of a counter, `_info` at the end of a series of the value 1. Names of families have no
//! `_total` and no `_info`; the encoder adds them.
//!
//! | series | labels | value |
//! |---|---|---|
//! | `pmu_events_total` | `event`, `pmu`, `unit` if the event has an unusual one; scope | what an event has counted |
//! | `pmu_events_joules_total`, `_bytes_total`, `_seconds_total` | `event`, `pmu`, scope | the same of an event that has such a unit, see [`Series::of_unit`] |
//! | `pmu_group_running_ratio` | `group`, scope | the share of the time in which a group had its counters, from 0 to 1, since the request before; none for events that the kernel counts in software, which never wait |
//! | `pmu_group_enabled_seconds_total` | `group`, scope | for how long a group was enabled |
//! | `pmu_event_not_counted_info` | `event`, `pmu`, `reason`, `scope` | 1: the event is not counted in a scope of the configuration |
//! | `pmu_machine_info` | `model`, `cpuid`, `table`, `version` | 1 |
//! | `pmu_machine_number` | `number` | a number of the machine that formulas name: `num_packages` for `#num_packages` |
//! | `pmu_metric` | `metric`, `unit`, scope | a metric that PromQL cannot express, over the exporter's own interval |
//! | `pmu_export_…` | | the exporter itself |
//!
//! The label `event` has the event as the configuration or the table of a metric spells it,
//! modifiers included: `instructions:u`, `INST_RETIRED.ANY`. The label `pmu` has the PMU as sysfs
//! calls it, in the scope `pmu` with the number of the instance (`uncore_cha_0`); `software` for
//! events that the kernel counts. The label `group` has the events of a group, joined by commas.
//!
//! | scope | labels |
//! |---|---|
//! | the whole machine | none; instances of a PMU are added up, and `pmu` has no number |
//! | `pmu` | `socket`; `pmu` has the number of the instance |
//! | `cpu` | `cpu` |
//! | `core` | `socket`, `die`, `core` |
//! | `socket` | `socket` |
//! | `cgroup` | `cgroup`: the path below the mount point; `slice`, `systemd_unit`, `pod`, `namespace`, `container` where the path or files of the container runtime tell |
//! | `process` | `process` |

/// The family of counts. Its counter ends with `_total`.
pub(crate) const EVENTS: &str = "pmu_events";
/// The family of ratios of times running and enabled.
pub(crate) const RUNNING_RATIO: &str = "pmu_group_running_ratio";
/// The family of times enabled.
pub(crate) const ENABLED: &str = "pmu_group_enabled_seconds";
/// The family of events that are not counted. Its series end with `_info`.
pub(crate) const NOT_COUNTED: &str = "pmu_event_not_counted";
/// The family of the machine. Its series end with `_info`.
pub(crate) const MACHINE: &str = "pmu_machine";
/// The family of the machine's numbers.
pub(crate) const NUMBERS: &str = "pmu_machine_number";
/// The family of metrics that PromQL cannot express.
pub(crate) const METRIC: &str = "pmu_metric";

pub(crate) const EVENT: &str = "event";
pub(crate) const PMU: &str = "pmu";
pub(crate) const UNIT: &str = "unit";
pub(crate) const GROUP: &str = "group";
pub(crate) const REASON: &str = "reason";
pub(crate) const SCOPE: &str = "scope";
pub(crate) const METRIC_NAME: &str = "metric";
pub(crate) const MODEL: &str = "model";
pub(crate) const CPUID: &str = "cpuid";
pub(crate) const TABLE: &str = "table";
pub(crate) const NUMBER: &str = "number";
pub(crate) const VERSION: &str = "version";

pub(crate) const CPU: &str = "cpu";
pub(crate) const CORE: &str = "core";
pub(crate) const DIE: &str = "die";
pub(crate) const SOCKET: &str = "socket";
pub(crate) const CGROUP: &str = "cgroup";
pub(crate) const SLICE: &str = "slice";
pub(crate) const SYSTEMD_UNIT: &str = "systemd_unit";
pub(crate) const POD: &str = "pod";
pub(crate) const NAMESPACE: &str = "namespace";
pub(crate) const CONTAINER: &str = "container";
pub(crate) const PROCESS: &str = "process";

/// The value of the label `pmu` for events that the kernel counts.
pub(crate) const SOFTWARE: &str = "software";

/// The series of an event's counts, which its unit decides.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Series {
    /// The name of the family, which lacks `_total`.
    pub(crate) family: &'static str,
    /// What a count in the unit is multiplied by.
    pub(crate) factor: f64,
    /// The value of the label `unit`, if there is one.
    pub(crate) unit: Option<String>,
}

impl Series {
    /// The series of an event whose counts, scaled as sysfs or the table says, have this unit.
    /// Energies are in joules, amounts of memory in bytes, times in seconds; any other unit is a
    /// label of the plain series.
    pub(crate) fn of_unit(unit: &str) -> Self {
        let (family, factor) = match unit {
            "Joules" | "J" => ("pmu_events_joules", 1.0),
            "Bytes" | "bytes" | "B" => ("pmu_events_bytes", 1.0),
            "KiB" => ("pmu_events_bytes", 1024.0),
            "MiB" => ("pmu_events_bytes", 1024.0 * 1024.0),
            "GiB" => ("pmu_events_bytes", 1024.0 * 1024.0 * 1024.0),
            "KB" => ("pmu_events_bytes", 1e3),
            "MB" => ("pmu_events_bytes", 1e6),
            "GB" => ("pmu_events_bytes", 1e9),
            "s" | "seconds" => ("pmu_events_seconds", 1.0),
            "ms" | "msec" => ("pmu_events_seconds", 1e-3),
            "us" => ("pmu_events_seconds", 1e-6),
            "ns" => ("pmu_events_seconds", 1e-9),
            "" => return Series { family: EVENTS, factor: 1.0, unit: None },
            other => return Series { family: EVENTS, factor: 1.0, unit: Some(other.into()) },
        };
        Series { family, factor, unit: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_decide_the_series() {
        for (unit, family, factor, label) in [
            ("", "pmu_events", 1.0, None),
            ("Joules", "pmu_events_joules", 1.0, None),
            ("MiB", "pmu_events_bytes", 1_048_576.0, None),
            ("MB", "pmu_events_bytes", 1e6, None),
            ("s", "pmu_events_seconds", 1.0, None),
            ("ns", "pmu_events_seconds", 1e-9, None),
            ("C", "pmu_events", 1.0, Some("C")),
        ] {
            let unit_label = label.map(String::from);
            assert_eq!(
                Series::of_unit(unit),
                Series { family, factor, unit: unit_label },
                "{unit}"
            );
        }
    }
}
