//! Systems and processors whose counters no instruction reads, or whose pages nobody maps: no
//! value of these types exists.

use std::sync::Arc;
use std::vec::Vec;

use super::protocol::{Slot, Times};
use crate::open::Counter;

#[derive(Debug)]
pub(crate) enum Owner {}

#[derive(Debug)]
pub(in crate::open) enum Pages {}

impl Owner {
    pub(crate) fn new() -> Option<Arc<Self>> {
        None
    }

    pub(crate) fn is_process(&self) -> bool {
        match *self {}
    }
}

impl Pages {
    pub(in crate::open) fn map<'c>(
        owner: &Owner,
        _counters: impl Iterator<Item = &'c Counter>,
    ) -> Option<Self> {
        match *owner {}
    }

    pub(in crate::open) fn read_alone(&self) -> Option<(Slot, Times)> {
        match *self {}
    }

    pub(in crate::open) fn read(&self, _slots: &mut Vec<Slot>) -> Option<Times> {
        match *self {}
    }
}
