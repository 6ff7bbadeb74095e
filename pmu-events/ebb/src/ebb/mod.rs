//! Event-based branches of POWER8, POWER9 and POWER10: the kernel's
//! requirements for an event whose overflow causes a branch in the counted
//! process.
//!
//! Use it in a program for POWER that reacts to its own events, such as a just-in-time
//! compiler.
//!
//! # What event-based branches are
//!
//! If bit 63 of its code is set, an event of the core PMU does not interrupt
//! the kernel when its counter overflows. Instead, the hardware branches to an
//! address that the process has stored in a register (Power ISA 2.07, Book II,
//! chapter "Event-Based Branch Facility"). The process reads and writes the
//! counters itself. The kernel does not touch them, and therefore does not let
//! such an event share the PMU with others: it must be pinned and exclusive,
//! name its counter, and belong to a task
//! (`Documentation/arch/powerpc/pmu-ebb.rst`, `ebb_event_check` in
//! `arch/powerpc/perf/core-book3s.c`, `isa207_get_constraint` in
//! `isa207-common.c`).
//!
//! A [`Builder`] builds the attributes of an event or a group according to
//! these rules; [`check`] checks any attributes against them. Every broken
//! [`Rule`] is reported together with the event that breaks it ([`Broken`]).
//! Both are `const`.
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
//! // Cycles can be counted on any of four counters; one must be named.
//! let broken = Builder::new(Generation::Power9).raw(0x1e).build().unwrap_err();
//! assert!(broken.rules().contains(Rule::NoCounter));
//! ```
//!
//! # The handler
//!
//! The handler is entered between any two instructions of the process, like an
//! interrupt handler, but in user space and without a call: nothing has been
//! saved, and every register must be saved before it is changed. The return
//! address is in `EBBRR`; `rfebb` returns and permits the next branch. To
//! enable the handler, the process stores its address in `EBBHR` and sets the
//! global enable and the performance-monitor enable in `BESCR`. After each
//! event, it must set the latter again and prepare the counters. The handler
//! cannot be a Rust function: its first and last instructions are written in
//! assembly, which saves everything the rest may change, including
//! floating-point and vector registers, before it calls anything.
//!
//! The content of the counters is up to the process: it loads them with the
//! number of events remaining until an overflow, and freezes them while the
//! handler runs. Reading the event with the system call returns a meaningless
//! number.
//!
//! # Fork, threads, other processes
//!
//! A child has no event-based branches: the event is not inherited, and
//! `BESCR`, `EBBHR` and `EBBRR` are cleared in the child. It opens its own
//! event if it wants one. An event belongs to one thread. It may be opened for
//! another thread, with the usual permission; nothing is delivered until that
//! thread itself enables branches in its `BESCR`.
//!
//! # Conflicts with other events
//!
//! While the event is on the PMU, no other event is. Events that are not pinned
//! give way: `perf stat` of such a process shows them as not counted. Of two
//! pinned events, the one enabled first has the PMU, and the other is in the
//! error state: reading it returns end of file. Enabling an event is therefore
//! not enough; a read must follow.
//!
//! # Where this is stricter than the kernel
//!
//! - With a generic type (`PERF_TYPE_HARDWARE`), the kernel accepts an event
//!   and silently loses bit 63: [`Rule::Type`].
//! - The kernel accepts an event without bit 63, but it is not an event-based
//!   branch: [`Rule::NotRequested`].
//! - The kernel ignores a branch filter without the history
//!   ([`BHRB`](crate::power::BHRB)): [`Rule::FilterAlone`].
//! - The kernel does not check a disabled member against the others when it is
//!   opened, only when it is to run: here it is always checked.
//! - The kernel takes a POWER10 threshold of more than 18 bits for the largest
//!   one: [`Rule::Reserved`].
//! - A group has at most [`MAX_EVENTS`] events; the kernel only limits hardware
//!   events.

mod attr;
mod check;
mod request;
mod rule;

pub use attr::{BranchAttr, BranchTarget, MAX_EVENTS};
pub use check::{can_share, check};
pub use request::{BranchFilter, BranchGroup, Builder};
pub use rule::{Broken, Rule, Rules};

#[cfg(test)]
mod tests;
