//! What the regions of one thread add up to.

use core::sync::atomic::{AtomicU64, Ordering};
use std::boxed::Box;
use std::collections::HashMap;
use std::sync::Arc;
use std::vec::Vec;

use crate::open::Spent;

/// How many regions of a label were entered. One thread counts; others may look.
#[derive(Clone, Debug, Default)]
pub(super) struct Entered(Arc<AtomicU64>);

impl Entered {
    #[inline]
    pub(super) fn count(&self) {
        self.add(1);
    }

    /// Whoever sees an end in the sums, which have a lock, sees what was entered before.
    #[inline]
    fn add(&self, number: u64) {
        self.0.store(self.get() + number, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The sum of the regions of one label.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    entered: Entered,
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
    pub(super) sum: Spent,
}

impl Tally {
    pub(super) fn open(&self) -> u64 {
        self.entered.get() - self.counted - self.within - self.panicked - self.forked
    }

    fn add(&mut self, other: &Tally) {
        self.entered.add(other.entered.get());
        self.counted += other.counted;
        self.within += other.within;
        self.panicked += other.panicked;
        self.forked += other.forked;
        self.nested += other.nested;
        self.sum.add(&other.sum);
    }
}

/// The sums of all labels, in the order in which they were first entered.
#[derive(Debug, Default)]
pub(super) struct Tallies {
    numbers: HashMap<Box<str>, usize>,
    all: Vec<(Box<str>, Tally)>,
}

impl Tallies {
    /// Adds a label that is not there yet. Returns where its regions are counted.
    pub(super) fn begin(&mut self, label: &str) -> Entered {
        let number = self.number(label);
        self.all[number].1.entered.clone()
    }

    fn number(&mut self, label: &str) -> usize {
        if let Some(&number) = self.numbers.get(label) {
            return number;
        }
        let number = self.all.len();
        self.numbers.insert(label.into(), number);
        self.all.push((label.into(), Tally::default()));
        number
    }

    /// The sum of a label by its number.
    #[inline]
    pub(super) fn of(&mut self, number: usize) -> &mut Tally {
        &mut self.all[number].1
    }

    pub(super) fn add(&mut self, others: &Tallies) {
        for (label, tally) in &others.all {
            let number = self.number(label);
            self.all[number].1.add(tally);
        }
    }

    pub(super) fn into_labels(self) -> impl Iterator<Item = (Box<str>, Tally)> {
        self.all.into_iter()
    }

    pub(super) fn get(&self, label: &str) -> Option<&Tally> {
        Some(&self.all[*self.numbers.get(label)?].1)
    }
}
