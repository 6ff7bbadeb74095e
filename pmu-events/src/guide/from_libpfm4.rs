//! Moving from [libpfm4](https://perfmon2.sourceforge.net): when a C library encodes your names.
//!
//! `pfm_get_os_event_encoding` turns a name into a `perf_event_attr`. Here [`System::require`] does,
//! without a C library and without an initialisation:
//!
//! ```
//! # #[cfg(feature = "x86")] {
//! use pmu_events::{System, arch::x86};
//!
//! // libpfm4:
//! //     pfm_initialize();
//! //     pfm_get_os_event_encoding("l2_lines_in:all", PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
//! //     perf_event_open(arg.attr, …);
//! # // On the running machine, it is `System::new()`.
//! let system = System::builtin("GenuineIntel-6-8F-4", x86::SAPPHIRERAPIDS);
//! let events = system.require("l2_lines_in.all:u")?;
//! assert_eq!(events[0].words().config(), 0x1f25);
//! # }
//! # Ok::<(), pmu_events::resolve::Error>(())
//! ```
//!
//! [`System::open`](crate::System::open) goes on to the open counter.
//!
//! # What replaces what
//!
//! | libpfm4 | here |
//! |---|---|
//! | `pfm_initialize` | nothing: tables are constants, and sysfs is read when a name needs it |
//! | `pfm_get_os_event_encoding`, `pfm_get_perf_event_encoding` | [`System::require`], [`System::resolve`], which keeps the names that it can resolve |
//! | `LIBPFM_FORCE_PMU=skx` | [`System::builtin`]; `PERF_CPUID` for the command; `pmu encode --model` |
//! | `pfm_find_event`, `pfm_get_event_info` | [`Model::event`], [`Event`] |
//! | `pfm_get_event_next` | [`Model::events`] |
//! | `pfm_get_pmu_info`, the PMU of an event | [`System::model`], [`Event::pmu`], [`System::sysfs`] |
//! | `PFM_PLM3`, `PFM_PLM0`; `:u`, `:k` | modifiers: `name:u`, `name:k`, `name:uk` |
//! | `showevtinfo`, `check_events` | `pmu list --details`, `pmu encode` |
//! | `PFM_ERR_NOTFOUND` | [`resolve::Error`], with a suggestion |
//!
//! # Names
//!
//! Names are the vendor's, as perf has them. libpfm4 separates the unit mask by a colon and takes
//! other attributes behind it:
//!
//! | libpfm4 | here |
//! |---|---|
//! | `INST_RETIRED:ANY`, `INST_RETIRED.ANY` | `INST_RETIRED.ANY` |
//! | `L2_LINES_IN:ALL:c=1:i` | `cpu/L2_LINES_IN.ALL,cmask=1,inv/` |
//! | `skx::UOPS_ISSUED:ANY` | `cpu/UOPS_ISSUED.ANY/` |
//! | `skx_unc_cha0::UNC_C_CLOCKTICKS` | `uncore_cha_0/UNC_CHA_CLOCKTICKS/` |
//! | `perf::PAGE-FAULTS` | `page-faults` |
//! | two unit masks in one name: `:A:B` | one event if the vendor lists the sum; else `cpu/event=…,umask=…/` |
//!
//! In perf's grammar, what follows a colon is a modifier, or the name of a tracepoint:
//! `INST_RETIRED:ANY` is refused. Some events have other names: perf's tree and libpfm4 follow
//! different editions of the vendors' lists. `pmu decode` reads libpfm4's names, and says the name of
//! a code that libpfm4 gives you.
//!
//! # Without the kernel
//!
//! Where libpfm4 encodes for bare registers (`PFM_OS_NONE`), the feature `register` has the values of
//! registers, in `const`. See [the recipe](crate::cookbook#firmware).
//!
//! [`System::require`]: crate::System::require
//! [`System::resolve`]: crate::System::resolve
//! [`System::builtin`]: crate::System::builtin
//! [`System::model`]: crate::System::model
//! [`System::sysfs`]: crate::System::sysfs
//! [`Model::event`]: crate::Model::event
//! [`Model::events`]: crate::Model::events
//! [`Event`]: crate::Event
//! [`Event::pmu`]: crate::Event::pmu
//! [`resolve::Error`]: crate::resolve::Error
