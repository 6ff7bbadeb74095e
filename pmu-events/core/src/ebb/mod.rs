//! Event-based branches of POWER8, POWER9 and POWER10: what the kernel wants
//! of an event whose overflow is to be a branch of the process that it counts.
//!
//! # What they are
//!
//! With bit 63 of its code set, an event of the core PMU does not interrupt
//! the kernel when its counter overflows: the hardware branches to an address
//! that the process has put into a register (Power ISA 2.07, Book II, chapter
//! "Event-Based Branch Facility"). The process reads and writes the counters
//! by itself. The kernel keeps away from them, and therefore lets such an
//! event share the PMU with no other: it must be pinned and exclusive, name
//! its counter, and belong to a task
//! (`Documentation/arch/powerpc/pmu-ebb.rst`, `ebb_event_check` in
//! `arch/powerpc/perf/core-book3s.c`, `isa207_get_constraint` in
//! `isa207-common.c`).
//!
//! A [`Builder`] builds the attributes of an event or a group by these rules;
//! [`check`] holds any attributes against them. Each [`Rule`] that is broken
//! is reported, and of which event ([`Broken`]). Both are `const`.
//!
//! ```
//! use pmu_events::arch::powerpc;
//! use pmu_events::ebb::{BranchFilter, BranchGroup, Builder, Rule};
//! use pmu_events::power::Generation;
//!
//! const GROUP: BranchGroup = match Builder::new(Generation::Power9)
//!     .event(powerpc::POWER9.require("PM_CYC")).on(1).bhrb(BranchFilter::All)
//!     .raw(0x4d05e)
//!     .build()
//! {
//!     Ok(group) => group,
//!     Err(broken) => broken.panic(),
//! };
//! let [cycles, branches] = GROUP.attributes() else { panic!() };
//! assert_eq!(cycles.config, 0xc000_0000_0001_001e);
//! assert!(cycles.pinned && cycles.exclusive && cycles.disabled);
//! assert_eq!(branches.config, 0x8000_0000_0004_d05e);
//! assert!(!branches.pinned && !branches.exclusive);
//!
//! // Cycles are counted on any of four counters; one has to be named.
//! let broken = Builder::new(Generation::Power9).raw(0x1e).build().unwrap_err();
//! assert!(broken.rules().contains(Rule::NoCounter));
//! ```
//!
//! # The handler
//!
//! It is entered between any two instructions of the process, as an interrupt
//! handler is, but in user space and by no call: nothing has been saved, and
//! no register may be changed that has not been saved first. The address to
//! go back to is in `EBBRR`; `rfebb` returns and permits the next branch. To
//! be entered at all, the process puts the handler's address into `EBBHR` and
//! sets the global enable and the performance-monitor enable in `BESCR`; and
//! again the latter after each event, with the counters made ready. The
//! handler cannot be a Rust function: its first and last instructions are
//! written in assembly, which saves what the rest may change, floating-point
//! and vector registers included, before it calls anything.
//!
//! What is in the counters then is the process's own business: it loads them
//! with what is left until an overflow, and freezes them while the handler
//! runs. A read of the event by the system call gives a number that means
//! nothing.
//!
//! # Fork, threads, other processes
//!
//! A child has no event-based branches: the event is not inherited, and
//! `BESCR`, `EBBHR` and `EBBRR` are cleared in it. It opens its own event if
//! it wants one. An event is for one thread. It may be opened for another one,
//! with the usual permission; nothing is delivered until that thread itself
//! enables branches in its `BESCR`.
//!
//! # Beside other events
//!
//! While the event is on the PMU no other is. Events that are not pinned give
//! way: `perf stat` of such a process shows them as not counted. Of two that
//! are both pinned, the first that was enabled has the PMU and the other is in
//! error: a read of it gives the end of the file. That is why enabling is not
//! enough, and a read must follow.
//!
//! # Where this is stricter than the kernel
//!
//! - Through a generic type (`PERF_TYPE_HARDWARE`) the kernel takes an event
//!   and loses bit 63 silently: [`Rule::Type`].
//! - An event without bit 63 is fine for the kernel, but no event-based
//!   branch: [`Rule::NotRequested`].
//! - A branch filter without the history ([`BHRB`](crate::power::BHRB)) is
//!   passed over by the kernel: [`Rule::FilterAlone`].
//! - A member that is disabled is not held against the others when it is
//!   opened, only when it is to run: here it is, always.
//! - A threshold of POWER10 with more bits than its 18 is one that the kernel
//!   takes for the largest: [`Rule::Reserved`].
//! - A group has at most [`MAX_EVENTS`] events; the kernel bounds hardware
//!   events alone.

mod attr;
mod check;
mod request;
mod rule;

pub use attr::{BranchAttr, BranchTarget, MAX_EVENTS};
pub use check::check;
pub use request::{BranchFilter, BranchGroup, Builder};
pub use rule::{Broken, Rule, Rules};

#[cfg(test)]
mod tests;
