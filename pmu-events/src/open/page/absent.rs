//! Systems and processors whose counters no instruction reads, or whose pages nobody maps: no
//! value of these types exists.

use std::sync::Arc;
use std::vec::Vec;

use super::protocol::{Slot, Times};
use crate::open::{Counter, Owner};

#[derive(Debug)]
pub(in crate::open) enum Pages {}

impl Pages {
    pub(in crate::open) fn map<'c>(
        _owner: &Arc<Owner>,
        _counters: impl Iterator<Item = &'c Counter>,
    ) -> Option<Self> {
        None
    }

    pub(in crate::open) fn read_alone(&self) -> Option<(Slot, Times)> {
        match *self {}
    }

    pub(in crate::open) fn read<'s>(
        &self,
        _slots: &'s mut Vec<Slot>,
    ) -> Option<(&'s [Slot], Times)> {
        match *self {}
    }
}
