//! Event-based branches of POWER8, POWER9 and POWER10: the rules and the
//! builder of [`pmu_events_core::ebb`], where the page about handlers, fork
//! and other events is; and here, what opens them.
//!
//! [`start`] opens, enables, and says whether the group really got the PMU.
//!
//! ```
//! use pmu_events::ebb::{self, Enable, Request};
//! use pmu_events::power::Generation;
//! mod powerpc { pmu_events::pmu_events!("../arch/powerpc"); }
//!
//! let cycles = powerpc::POWER9.expect("PM_CYC");
//! let group = Request::new(Generation::Power9).event(cycles).on(1).user_only().build()?;
//! match ebb::start(&group, Enable::Ioctl) {
//!     Ok((branches, standing)) => println!("{standing:?}: {branches:?}"),
//!     Err(error) => println!("{error}"),
//! }
//! # Ok::<(), ebb::Broken>(())
//! ```

mod branches;
mod error;

pub use branches::{Branches, Enable, Standing, start};
pub use error::Error;
pub use pmu_events_core::ebb::*;
