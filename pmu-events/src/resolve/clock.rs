//! Events that measure time, and their unit.

use super::draft::Draft;
use crate::event_list::Software;
use crate::perf_type;

/// The clock of an event that measures time. All clocks count nanoseconds; the
/// [value](super::Resolved::in_unit) is in seconds.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::resolve::Clock;
///
/// let all = System::at("/nonexistent").require("user_time,task-clock,page-faults")?;
/// let clocks: Vec<_> = all.events().iter().map(|event| event.clock()).collect();
/// assert_eq!(clocks, [Some(Clock::Program), Some(Clock::Kernel), None]);
/// # Ok::<(), pmu_events::resolve::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Clock {
    /// The program's own, or that of the tasks in `/proc`: `duration_time`, `user_time`,
    /// `system_time`.
    Program,
    /// One of the kernel's software events: `task-clock`, `cpu-clock`.
    Kernel,
}

/// The unit of all clocks, and the factor of their counts.
pub(super) const SECONDS: (&str, f64) = ("s", 1e-9);

impl Clock {
    pub(super) fn of(draft: &Draft<'_>) -> Option<Self> {
        if let Some(tool) = draft.tool {
            return tool.is_time().then_some(Clock::Program);
        }
        let clocks = [Software::CpuClock, Software::TaskClock].map(Software::config);
        let is_clock = draft.type_ == perf_type::SOFTWARE && clocks.contains(&draft.words.config());
        // A driver that states another unit has a meaning of its own.
        let unit = (draft.unit, draft.scale);
        (is_clock && (unit == NO_UNIT || unit == KERNEL_IN_PERF)).then_some(Clock::Kernel)
    }
}

const NO_UNIT: (&str, f64) = ("", 1.0);

/// The unit and factor with which perf shows the kernel's clocks: milliseconds
/// (`evsel__new_idx` in `tools/perf/util/evsel.c`).
pub(super) const KERNEL_IN_PERF: (&str, f64) = ("msec", 1e-6);

/// The unit and factor with which perf shows the program's clocks: nanoseconds
/// (`tools/perf/util/tool_pmu.c`).
pub(super) const PROGRAM_IN_PERF: (&str, f64) = ("ns", 1.0);
