//! What is counted in the places of a selection.

use std::vec::Vec;

use super::place::Place;
use super::selection::Selection;
use crate::open::set::event::SetEvent;

/// A list of events, and where it is counted.
#[derive(Debug)]
pub(super) struct Followed {
    pub(super) selection: Selection,
    /// The answers of the resolution.
    pub(super) events: Vec<SetEvent>,
    /// The indices of the events of each group.
    pub(super) groups: Vec<Vec<usize>>,
    pub(super) places: Vec<Place>,
}

impl Followed {
    pub(super) fn descriptors(&self) -> usize {
        self.places.iter().map(Place::descriptors).sum()
    }
}
