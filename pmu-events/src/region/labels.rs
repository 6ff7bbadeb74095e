//! The labels that a thread has used, and what only the thread itself must know of them.

use std::boxed::Box;
use std::collections::HashMap;
use std::sync::Arc;
use std::vec::Vec;

use super::running::Running;

#[derive(Debug, Default)]
pub(super) struct Labels {
    known: Vec<Known>,
    numbers: HashMap<Box<str>, usize>,
    /// How many regions have been read at both ends.
    ended: u64,
}

#[derive(Debug)]
struct Known {
    label: Box<str>,
    running: Arc<Running>,
    /// How many of its regions are open.
    active: u64,
}

impl Labels {
    /// Finds the number of a label.
    #[inline]
    pub(super) fn find(&self, label: &str) -> Option<usize> {
        /// Comparing so many is faster than hashing one.
        const FEW: usize = 8;
        let few = &self.known[..self.known.len().min(FEW)];
        let number = few.iter().position(|known| *known.label == *label);
        number.or_else(|| self.numbers.get(label).copied())
    }

    /// Adds a label, whose number is the next one.
    pub(super) fn add(&mut self, label: &str, running: Arc<Running>) -> usize {
        let number = self.known.len();
        self.numbers.insert(label.into(), number);
        self.known.push(Known { label: label.into(), running, active: 0 });
        number
    }

    /// Begins a region. Returns whether no other of its label is open.
    #[inline]
    pub(super) fn begin(&mut self, number: usize) -> bool {
        let known = &mut self.known[number];
        known.running.enter();
        known.active += 1;
        known.active == 1
    }

    /// Ends a region within another of its label. Returns the sums of the label.
    #[inline]
    pub(super) fn end_within(&mut self, number: usize) -> &Running {
        let known = &mut self.known[number];
        known.active -= 1;
        &known.running
    }

    /// Ends a region, which [`ended`](Self::ended) then includes. Returns the sums of the label.
    #[inline]
    pub(super) fn end(&mut self, number: usize) -> &Running {
        self.ended += 1;
        self.end_within(number)
    }

    #[inline]
    pub(super) fn ended(&self) -> u64 {
        self.ended
    }
}
