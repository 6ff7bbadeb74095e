//! What a generic name means.

/// What a generic name means where no PMU stands before it: `cycles`, `cache-misses`.
///
/// The kernel has ten hardware events of its own, for each of which a driver knows the code of
/// its CPU. Some PMUs have events of the same names, in sysfs or in a table, and versions of
/// perf differ in which of the two they mean. A program may select either
/// ([`System::with_generic_names`]), and so may a user of `pmu` (`--generic-names`).
///
/// | name | [`Kernel`](Self::Kernel), the default: as perf of Linux 6.12 | [`Pmu`](Self::Pmu): as perf of Linux 7.3 |
/// |---|---|---|
/// | `cpu-cycles`, `instructions` and others that sysfs has on x86 and POWER; `cycles`, `instructions` on Apple's cores | the kernel's event: type 0 | the event of sysfs: type of the PMU, with the same code |
/// | `cycles`, `branches` and others that sysfs lacks there; all of them on other Arm and RISC-V cores | the kernel's event | the same |
/// | `instructions` on s390, which has `INSTRUCTIONS` | the kernel's event | s390's |
/// | `cycles` on a machine where the driver of an interconnect, a cache or a memory controller has an event `cycles` (`arm_dsu_0`, `smmuv3_pmcg_…`, `imx8_ddr0`, …) | the cores' | the cores', and that of each of these PMUs: ticks of other clocks |
///
/// By default, then, a generic name means the same on every machine, whatever else the machine
/// has. The two differ in no other names: one of a cache (`L1-dcache-loads`) is in both the
/// event of that name that a PMU has, and on a core that has none the kernel's; one of software
/// (`task-clock`) is always the kernel's; and with a core PMU (`cpu/cycles/`), a name means that
/// PMU's own event if it has one, else the kernel's. (With another PMU that has no event of the
/// name, `Kernel` still means the kernel's; `Pmu` refuses it. As a value, as in
/// `cpu/event=cycles/`, `Kernel` knows only the PMU's own.) Nor do they differ in metrics, whose
/// formulas name events in the same way.
///
/// Other things that perf of Linux 7.3 does otherwise do not depend on this, and are here as in
/// 6.12: it counts guests unless `:H` excludes them, adds `slots` to top-down events that lack
/// it, moves `duration_time` and its like out of groups, lets a generic event's code override a
/// term `config=`, and refuses a cache's name with the result before the operation
/// (`L1-dcache-misses-loads`).
///
/// ```
/// use pmu_events::System;
/// use pmu_events::system::GenericNames;
///
/// // As in perf of Linux 7.3.
/// let system = System::new().with_generic_names(GenericNames::Pmu);
/// assert_eq!(system.generic_names(), GenericNames::Pmu);
/// ```
///
/// [`System::with_generic_names`]: crate::System::with_generic_names
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GenericNames {
    /// The kernel's event, as in perf of Linux 6.12 and before.
    #[default]
    Kernel,
    /// The events of that name that PMUs have, and the kernel's on the core PMUs that have
    /// none, as in perf of Linux 7.3.
    Pmu,
}
