//! Which events can be counted at the same time.
//!
//! Use it to group events yourself;
//! [`measure`](https://docs.rs/pmu-events/latest/pmu_events/measure/) and
//! [`topdown`](crate::topdown) do so for metrics.
//!
//! A [`Supply`] is the counters of a PMU that are left for events, without those that the
//! kernel has taken, and the rules by which the kernel gives them out. It says whether the
//! kernel can schedule a group of events, before the kernel is asked: it accepts groups that
//! never run.
//!
//! ```
//! # #[cfg(feature = "x86")] {
//! use pmu_events::arch::x86;
//! use pmu_events::planner::{CoreState, Supply};
//!
//! let beside_watchdog = CoreState::default().with_watchdog(true);
//! let supply = Supply::of(x86::SKYLAKEX, "default_core", beside_watchdog)?;
//! // The watchdog has the counter of cycles, which then take one of the four others.
//! let fits = ["CPU_CLK_UNHALTED.THREAD", "L1D.REPLACEMENT", "L2_LINES_IN.ALL", "ITLB_MISSES.STLB_HIT"];
//! assert!(supply.fits(&fits));
//! assert!(!supply.fits(&[&fits[..], &["BR_MISP_RETIRED.ALL_BRANCHES"]].concat()));
//! # }
//! # Ok::<(), pmu_events::planner::Unstated>(())
//! ```
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
pub(crate) mod demand;
mod facts;
mod fewest;
mod fit;
mod kind;
pub(crate) mod pack;
mod search;
mod supply;

pub use kind::{Smt, Unstated};
pub use supply::{CoreState, Supply};

pub(crate) use demand::event_name;
#[cfg(feature = "std")]
pub(crate) use {arena::Arena, demand::Place, pack::Packed, pack::Split};
