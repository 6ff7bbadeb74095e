//! Whether a metric's events may be counted in one group.

use super::System;
#[cfg(feature = "metrics")]
use crate::Metric;
use crate::file;
#[cfg(feature = "metrics")]
use crate::metric::Constraint;

impl System {
    /// Whether the NMI watchdog holds a counter of each CPU
    /// (`/proc/sys/kernel/nmi_watchdog`).
    ///
    /// On POWER the setting may be on, but the watchdog there is a timer and counts
    /// nothing (`arch/powerpc/kernel/watchdog.c`; `HARDLOCKUP_DETECTOR_PERF` excludes
    /// it). A kernel whose CPUs watch each other (`HARDLOCKUP_DETECTOR_PREFER_BUDDY`)
    /// has the same setting as one that counts, so that a counter may be free that
    /// seems taken.
    #[must_use]
    pub fn has_nmi_watchdog(&self) -> bool {
        let is_on = || {
            let setting = file::of_procfs(&self.proc().join("sys/kernel/nmi_watchdog"));
            setting.is_ok_and(|setting| setting.trim() == "1") && !self.cpuid().is_ok_and(is_power)
        };
        *self.shared.has_nmi_watchdog.get_or_init(is_on)
    }

    /// Whether a metric's events may be one group on this machine
    /// (`metric__group_events` in `tools/perf/util/metricgroup.c`). It has to be a
    /// weak group, as it may have more events than the PMU can count at once.
    ///
    /// Only the constraint that the table states is asked, as perf does. The kernel
    /// refuses a group that never fits, and a weak one is then counted singly; but it
    /// tries a group on an empty PMU (`validate_group` in `arch/x86/events/core.c`), so
    /// that it accepts one for which the watchdog or a sibling thread leaves too few
    /// counters, and never counts it. Where the counters are known,
    /// [`measure`] therefore asks the [`planner`] instead.
    ///
    /// If the metric is requested as a member of a metric group,
    /// [`Metric::no_group`] may also forbid it.
    ///
    /// [`measure`]: https://docs.rs/pmu-events/latest/pmu_events/measure/
    /// [`planner`]: https://docs.rs/pmu-events/latest/pmu_events/planner/
    #[cfg(feature = "metrics")]
    #[must_use]
    pub(crate) fn may_group(&self, metric: Metric) -> bool {
        self.permits_group(metric.constraint())
    }

    #[cfg(feature = "metrics")]
    pub(super) fn permits_group(&self, constraint: Option<Constraint>) -> bool {
        match constraint {
            Some(Constraint::NoGroup) => false,
            Some(Constraint::NoGroupWithNmiWatchdog) => !self.has_nmi_watchdog(),
            Some(Constraint::NoGroupWithSmt) => self.topology().is_smt_on() != Some(true),
            // No constraint, or one of the threshold.
            _ => true,
        }
    }

    /// Whether events that only a metric's threshold needs may be counted on this
    /// machine.
    #[cfg(feature = "metrics")]
    #[must_use]
    pub(crate) fn may_open_threshold(&self, metric: Metric) -> bool {
        self.permits_threshold(metric.constraint())
    }

    #[cfg(feature = "metrics")]
    pub(super) fn permits_threshold(&self, constraint: Option<Constraint>) -> bool {
        constraint != Some(Constraint::NoThresholdWithNmiWatchdog) || !self.has_nmi_watchdog()
    }
}

/// Whether a CPUID is POWER's: `0x` and the eight digits of the processor version
/// (`get_cpuid_str` in `tools/perf/arch/powerpc/util/header.c`).
fn is_power(cpuid: &str) -> bool {
    let digits = cpuid.strip_prefix("0x").unwrap_or_default();
    digits.len() == 8 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}
