//! Which events can be counted at the same time, and how few groups count them all.
//!
//! Use it to group events yourself;
//! [`measure`](https://docs.rs/pmu-events/latest/pmu_events/measure/) and
//! [`topdown`](crate::topdown) do so for metrics.
//!
//! A [`Supply`] is the counters of a PMU that are left for events, without those that the
//! kernel has taken, and the rules by which the kernel gives them out. [`Packing::of`]
//! distributes sets of events, such as those of metrics, over groups that each fit the
//! supply, so the kernel never accepts a group that it cannot schedule.
//! [`measure::Plan`] groups events with it.
//!
//! [`measure::Plan`]: https://docs.rs/pmu-events/latest/pmu_events/measure/struct.Plan.html
//!
//! ```
//! # #[cfg(feature = "x86")] {
//! use pmu_events::arch::x86;
//! use pmu_events::planner::{CoreState, Packing, Supply};
//!
//! let beside_watchdog = CoreState::default().with_watchdog(true);
//! let supply = Supply::of(x86::SKYLAKEX, "default_core", beside_watchdog)?;
//! let retiring = x86::SKYLAKEX.metric("tma_retiring").unwrap();
//! let events: Vec<&str> = retiring.events().map(|event| event.as_str()).collect();
//! let packing = Packing::of(&supply, &[&events]);
//! assert!(packing.groups().iter().all(|group| supply.fits(group.events())));
//! # }
//! # Ok::<(), pmu_events::planner::Unstated>(())
//! ```
//!
//! # A set that is too large for one group
//!
//! The planner splits such a set by events. All parts have a reference in common: slots or
//! cycles. The counts of a part belong to the time in which that part had the counters.
//! Multiplied by the reference of the first part, and divided by that of their own, they
//! belong to the time of the first part ([`Placement::reference`]). If the reference counts
//! nothing at all, as on some emulators, the counts remain as they are.
//!
//! A set that fits one group stays whole, because values from one time are more exact. Only
//! [`Packing::in_fewest_groups`] splits it, for groups that cost a run of a command each.
//!
//! # What is known of the PMUs
//!
//! | PMU | counters | source |
//! |---|---|---|
//! | Intel's, in and outside the cores | general, fixed and restricted ones, by the tree | perfmon; `arch/x86/events/intel/core.c` |
//! | AMD's cores since Zen | six; an event of large increments takes two | `amd_core_pmu_init` in `arch/x86/events/amd/core.c` |
//! | AMD's L3, data fabric and memory controllers | six; four; four | `arch/x86/events/amd/uncore.c` |
//! | HiSilicon's L3, hydra home agents and DDR controllers | eight; sixteen; one for each event | `drivers/perf/hisilicon` |
//! | Arm's cores | six, and one for cycles; A64FX eight | Arm BSA, “PMU”; reference manuals |
//! | POWER's cores | PMC1 to 4 by the event's code, PMC5 and 6 for one event each | `arch/powerpc/perf/isa207-common.c` |
//! | s390's | one for each event | `arch/s390/kernel/perf_cpum_cf.c` |
//!
//! For any other PMU, [`Supply::of`] returns [`Unstated`] with the reason.

mod arena;
mod bound;
mod demand;
mod facts;
mod fewest;
mod fit;
mod kind;
mod pack;
mod search;
mod supply;

pub use kind::{Smt, Unstated};
pub use pack::{Group, Packing, Part, Placement};
pub use supply::{CoreState, Supply};

pub(crate) use demand::event_name;
#[cfg(feature = "std")]
pub(crate) use {arena::Arena, demand::Place, pack::Packed, pack::Split};
