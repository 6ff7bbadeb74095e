//! Raw event codes of POWER8, POWER9 and POWER10 ([`power`]), and the rules for event-based
//! branches ([`ebb`]).
//!
//! These are the modules `power` and `ebb` of
//! [`pmu-events`](https://docs.rs/pmu-events), behind the feature `ebb`. There is no `std`,
//! heap or `unsafe` code.
//!
//! ```
//! use pmu_events::ebb::Builder;
//! use pmu_events::power::{Fields, Generation};
//!
//! let group = Builder::new(Generation::Power9).raw(0x1001e).build()?;
//! let code = Fields::of(Generation::Power9, group.attributes()[0].config);
//! assert_eq!(code.to_string(), "pmcxsel=0x1e,pmc=1,ebb");
//! # Ok::<(), pmu_events::ebb::Broken>(())
//! ```

#![no_std]
#![doc(test(attr(deny(warnings), allow(dead_code, deprecated))))]
#![forbid(unsafe_code)]

pub mod ebb;
pub mod power;
