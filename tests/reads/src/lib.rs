//! The protocols by which counters are read without a system call, and regions are added up
//! without a lock, in a model checker: the same code as in the library, on numbers that a writer on
//! another processor changes. loom runs all interleavings of both, with all results of loads that the
//! memory model allows. The kernel's writer of pages is on the reader's processor; a reader that holds against
//! this one holds against that.
//!
//! | module | what is in it |
//! |---|---|
//! | [`page`] | pages and counters, the writer, and faults of a reader |
//! | [`checks`] | what a read may return, whatever the order of the writer's steps, and that the checker finds each fault |
//! | [`sums`] | the sums of regions, which their thread changes while another reads them |

#![cfg(test)]

#[path = "../../../pmu-events/src/open/page/layout.rs"]
mod layout;
#[path = "../../../pmu-events/src/open/page/protocol.rs"]
mod protocol;

#[path = "../../../pmu-events/src/region/sequence.rs"]
mod sequence;

mod checks;
mod page;
mod sums;

use loom::sync::atomic;
