//! Memory that reads of a set use and leave to the next.

use std::sync::Arc;
use std::vec::Vec;

use super::event::SetEvent;
use super::pinned::TimesEnabled;
use super::presence::Present;
use super::timed::Read;
use crate::open::page::Slot;

/// What has been done to a set of counters until they were read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SetState {
    /// Whether the counters have ever been enabled.
    pub(super) was_enabled: bool,
    /// How many times the counters have been reset.
    pub(super) resets: u64,
}

/// What a read of a set is made of.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The events of the set and its state, which those of the reading are known to have.
    pub(super) of: Option<Arc<[Arc<SetEvent>]>>,
    pub(super) state: SetState,
    /// What the kernel writes when a group is read.
    pub(super) words: Vec<u64>,
    /// What is read of a group without the kernel.
    pub(super) slots: Vec<Slot>,
    /// The counts of all groups, in their order.
    pub(super) counts: Vec<Read>,
    pub(super) times: TimesEnabled,
    pub(super) present: Present,
}
