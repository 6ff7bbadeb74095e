//! Whether a metric's events may be counted in one group.

use std::path::Path;

use super::{System, leaf};
use crate::Metric;
use crate::file::{self, Kind};
use crate::host;
use crate::metric::Constraint;
use crate::planner::{CoreState, Smt};

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
        let setting = file::of_procfs(&self.proc().join("sys/kernel/nmi_watchdog"));
        setting.is_ok_and(|setting| setting.trim() == "1") && !self.cpuid().is_ok_and(is_power)
    }

    /// Returns what decides how many counters the cores have left for events:
    /// [`has_nmi_watchdog`](Self::has_nmi_watchdog), and whether threads share cores
    /// (`devices/system/cpu/smt/active` and `control`; `Documentation/ABI/testing/`
    /// `sysfs-devices-system-cpu`). Where `CPUID` of this machine has fewer than eight counters
    /// for a thread without a sibling, such as in a virtual machine, its threads are taken for
    /// those of a core whose other thread is off.
    #[must_use]
    pub fn core_state(&self) -> CoreState {
        let control = self.sysfs().root().join("devices/system/cpu/smt/control");
        let control = file::of_sysfs(&control, Kind::Unknown, |text| text == "notsupported");
        let is_own = self.sysfs().root() == Path::new("/sys")
            && self.shared.parts.cpuid.is_none()
            && host::overridden().is_none();
        let counters = if is_own { leaf::general_counters() } else { None };
        let smt = smt(self.topology().is_smt_on(), control.ok().flatten(), counters);
        CoreState { has_watchdog: self.has_nmi_watchdog(), smt }
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
    /// [`measure`](crate::measure) therefore asks the [planner](crate::planner) instead.
    ///
    /// If the metric is requested as a member of a metric group,
    /// [`Metric::no_group`] may also forbid it.
    #[must_use]
    pub fn may_group(&self, metric: Metric) -> bool {
        self.permits_group(metric.constraint())
    }

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
    #[must_use]
    pub fn may_open_threshold(&self, metric: Metric) -> bool {
        self.permits_threshold(metric.constraint())
    }

    pub(super) fn permits_threshold(&self, constraint: Option<Constraint>) -> bool {
        constraint != Some(Constraint::NoThresholdWithNmiWatchdog) || !self.has_nmi_watchdog()
    }
}

/// Whether threads share cores: what `active` says, whether `control` is `notsupported`, and the
/// number of general counters if the CPU states it.
fn smt(is_on: Option<bool>, is_absent: Option<bool>, counters: Option<u32>) -> Smt {
    const OF_BOTH_THREADS: u32 = 8;
    match (is_on, is_absent) {
        (_, Some(true)) if counters.is_none_or(|number| number >= OF_BOTH_THREADS) => Smt::Absent,
        (_, Some(true)) | (Some(false), _) => Smt::Off,
        _ => Smt::On,
    }
}

/// Whether a CPUID is POWER's: `0x` and the eight digits of the processor version
/// (`get_cpuid_str` in `tools/perf/arch/powerpc/util/header.c`).
fn is_power(cpuid: &str) -> bool {
    let digits = cpuid.strip_prefix("0x").unwrap_or_default();
    digits.len() == 8 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_of_cores() {
        let cases = [
            (Some(true), Some(false), None, Smt::On),
            (Some(false), Some(false), None, Smt::Off),
            (Some(false), Some(true), None, Smt::Absent),
            (Some(false), Some(true), Some(8), Smt::Absent),
            // A hypervisor that hides siblings has the counters of one thread.
            (Some(false), Some(true), Some(4), Smt::Off),
            // Nothing says more than `active`, which leaves the fewest.
            (Some(false), None, Some(8), Smt::Off),
            (None, None, None, Smt::On),
        ];
        for (is_on, is_absent, counters, expected) in cases {
            assert_eq!(smt(is_on, is_absent, counters), expected, "{is_on:?} {is_absent:?}");
        }
    }
}
