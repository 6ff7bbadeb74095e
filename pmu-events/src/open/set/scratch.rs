//! Memory that reads of a set use and leave to the next.

use std::vec::Vec;

use super::pinned::TimesEnabled;
use super::presence::Present;
use super::timed::Read;
use crate::open::page::Slot;

/// What a read of a set is made of.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// What the kernel writes when a group is read.
    pub(super) words: Vec<u64>,
    /// What is read of a group without the kernel.
    pub(super) slots: Vec<Slot>,
    /// The counts of all groups, in their order.
    pub(super) counts: Vec<Read>,
    pub(super) times: TimesEnabled,
    pub(super) present: Present,
}
