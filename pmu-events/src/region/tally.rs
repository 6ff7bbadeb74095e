//! What the regions of one thread add up to.

use std::boxed::Box;
use std::collections::HashMap;
use std::vec::Vec;

use crate::open::Reading;

/// The sum of the regions of one label.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    /// How many were entered.
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
    /// How many are open.
    active: u64,
}

impl Tally {
    pub(super) fn open(&self) -> u64 {
        self.entered - self.counted - self.within - self.panicked - self.forked
    }

    fn add(&mut self, other: &Tally) {
        self.entered += other.entered;
        self.counted += other.counted;
        self.within += other.within;
        self.panicked += other.panicked;
        self.forked += other.forked;
        self.nested += other.nested;
        self.sum.add(&other.sum);
    }
}

/// How a region ended.
pub(super) enum End<'r> {
    /// As it should, with what was counted, and after how many regions of the thread it had
    /// begun.
    Counted(&'r Reading, u64),
    Within,
    Panicked,
    Forked,
}

/// The sums of all labels, in the order in which they were first entered.
#[derive(Debug, Default)]
pub(super) struct Tallies {
    numbers: HashMap<Box<str>, usize>,
    all: Vec<(Box<str>, Tally)>,
    /// How many regions have been read at both ends.
    ended: u64,
}

impl Tallies {
    fn number(&mut self, label: &str) -> usize {
        if let Some(&number) = self.numbers.get(label) {
            return number;
        }
        let number = self.all.len();
        self.numbers.insert(label.into(), number);
        self.all.push((label.into(), Tally::default()));
        number
    }

    /// The label's number, and whether no other of its regions is open.
    pub(super) fn begin(&mut self, label: &str) -> (usize, bool) {
        let number = self.number(label);
        let tally = &mut self.all[number].1;
        tally.entered += 1;
        tally.active += 1;
        (number, tally.active == 1)
    }

    pub(super) fn ended(&self) -> u64 {
        self.ended
    }

    pub(super) fn end(&mut self, number: usize, end: End<'_>) {
        let tally = &mut self.all[number].1;
        tally.active -= 1;
        match end {
            End::Counted(reading, before) => {
                tally.counted += 1;
                tally.nested += self.ended - before;
                tally.sum.add(reading);
            }
            End::Within => tally.within += 1,
            End::Panicked => tally.panicked += 1,
            End::Forked => tally.forked += 1,
        }
        if !matches!(end, End::Within) {
            self.ended += 1;
        }
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
