//! What regions add up to.

use std::boxed::Box;
use std::collections::HashMap;
use std::vec::Vec;

use crate::open::Reading;

/// The sum of the regions of one label.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) entered: u64,
    /// How many ended as they should, and are in the sum.
    pub(super) counted: u64,
    /// How many ended within another of the label, whose counts have theirs.
    pub(super) within: u64,
    /// How many were left by a panic.
    pub(super) panicked: u64,
    /// How many were entered or left in a child after a fork.
    pub(super) forked: u64,
    /// How many regions began and ended within those that are counted.
    pub(super) nested: u64,
    pub(super) sum: Reading,
}

impl Tally {
    pub(super) fn open(&self) -> u64 {
        self.entered - self.counted - self.within - self.panicked - self.forked
    }

    pub(super) fn add(&mut self, other: &Tally) {
        self.entered += other.entered;
        self.counted += other.counted;
        self.within += other.within;
        self.panicked += other.panicked;
        self.forked += other.forked;
        self.nested += other.nested;
        self.sum.add(&other.sum);
    }
}

/// The sums of all labels, in the order in which they were first entered.
#[derive(Clone, Debug, Default)]
pub(super) struct Tallies {
    numbers: HashMap<Box<str>, usize>,
    all: Vec<(Box<str>, Tally)>,
}

impl Tallies {
    /// The sum of a label.
    pub(super) fn of(&mut self, label: &str) -> &mut Tally {
        let number = match self.numbers.get(label) {
            Some(&number) => number,
            None => {
                let number = self.all.len();
                self.numbers.insert(label.into(), number);
                self.all.push((label.into(), Tally::default()));
                number
            }
        };
        &mut self.all[number].1
    }

    pub(super) fn into_labels(self) -> impl Iterator<Item = (Box<str>, Tally)> {
        self.all.into_iter()
    }
}
