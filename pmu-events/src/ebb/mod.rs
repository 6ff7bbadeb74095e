//! Event-based branches of POWER8, POWER9 and POWER10: the kernel's rules for them,
//! a builder that follows the rules, and [`start`], which opens such a group.
//!
//! Use it in a program for POWER that reacts to its own events, such as a just-in-time
//! compiler.
//!
//! [The rules](pmu_events_ebb::ebb) also cover handlers, `fork` and other events.
//!
//! [`start`] opens and enables a group, and returns whether it really got the PMU.
//!
//! ```
//! # #[cfg(feature = "powerpc")] {
//! use pmu_events::arch::powerpc;
//! use pmu_events::ebb::{self, Enable, Builder};
//! use pmu_events::power::Generation;
//!
//! let cycles = powerpc::POWER9.require("PM_CYC");
//! let group = Builder::new(Generation::Power9).event(cycles).on(1).user_only().build()?;
//! match ebb::start(&group, Enable::Ioctl) {
//!     Ok((branches, standing)) => println!("{standing:?}: {branches:?}"),
//!     Err(error) => println!("{error}"),
//! }
//! # }
//! # Ok::<(), pmu_events::ebb::Broken>(())
//! ```

mod branches;
mod error;

pub use branches::{Branches, Enable, Standing, start};
pub use error::{Error, ErrorKind};
pub use pmu_events_ebb::ebb::*;
