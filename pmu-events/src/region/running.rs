//! What the regions of one thread add up to, label by label.

use core::sync::atomic::{AtomicU64, Ordering};
use std::boxed::Box;
use std::sync::{Arc, Mutex};
use std::thread;
use std::vec::Vec;

use super::lock::{locked, unless_lost};
use super::sequence::{Sequenced, add};
use super::tally::{Tallies, Tally};
use crate::open::{Counters, Layout, Reading, Snapshot};

/// The sums of all labels of a thread, in the order in which it first entered them.
#[derive(Debug)]
pub(super) struct Sums {
    /// What the words of a snapshot mean.
    layout: Option<Arc<Layout>>,
    labels: Mutex<Vec<(Box<str>, Arc<Running>)>>,
}

impl Sums {
    pub(super) fn new(counters: &Counters) -> Self {
        Sums { layout: counters.layout().cloned(), labels: Mutex::default() }
    }

    /// Adds a label that is not there yet; `None` in a child, if another thread held the lock at
    /// the fork.
    pub(super) fn begin(&self, label: &str, is_in_child: bool) -> Option<Arc<Running>> {
        let running = Arc::new(Running::new(self.layout.as_deref()));
        unless_lost(&self.labels, is_in_child)?.push((label.into(), running.clone()));
        Some(running)
    }

    /// Adds the sums as they are now to those of other threads. In a child, what another thread was
    /// changing at the fork is left out.
    pub(super) fn add_to(&self, all: &mut Tallies, is_in_child: bool) {
        let Some(labels) = unless_lost(&self.labels, is_in_child) else { return };
        for (label, running) in &*labels {
            if let Some(tally) = running.tally(self.layout.as_deref(), is_in_child) {
                all.of(label).add(&tally);
            }
        }
    }
}

/// The sums of one label, to which one thread adds.
#[derive(Debug)]
pub(super) struct Running {
    /// How many regions were entered.
    entered: AtomicU64,
    /// How many regions ended, by how they did, and the sum of their counts as the kernel writes
    /// them.
    ended: Sequenced,
    /// What does not happen at most ends.
    rare: Mutex<Tally>,
}

const COUNTED: usize = 0;
const NESTED: usize = 1;
const WITHIN: usize = 2;
const COUNTS: usize = 3;

impl Running {
    fn new(layout: Option<&Layout>) -> Self {
        Running {
            entered: AtomicU64::new(0),
            ended: Sequenced::new(COUNTS + layout.map_or(0, Layout::length)),
            rare: Mutex::default(),
        }
    }

    #[inline]
    pub(super) fn enter(&self) {
        add(&self.entered, 1);
    }

    /// A region ends within another of its label.
    pub(super) fn end_within(&self) {
        self.ended.change(|words| add(&words[WITHIN], 1));
    }

    /// Adds what a region has counted, in which `nested` others ended. The snapshots are then only
    /// of use to be taken again.
    #[inline]
    pub(super) fn end(
        &self,
        counters: &Counters,
        before: &mut Snapshot,
        after: &mut Snapshot,
        nested: u64,
    ) {
        let is_added = self.ended.change(|words| {
            let (numbers, counts) = words.split_at(COUNTS);
            let is_added = counters.add_between(before, after, counts);
            if is_added {
                add(&numbers[COUNTED], 1);
                add(&numbers[NESTED], nested);
            }
            is_added
        });
        if !is_added {
            self.end_decoded(counters.difference(before, after), nested);
        }
    }

    #[cold]
    fn end_decoded(&self, spent: &Reading, nested: u64) {
        let mut rare = locked(&self.rare);
        rare.counted += 1;
        rare.nested += nested;
        rare.sum.add(spent);
    }

    /// A region is left by a panic.
    #[cold]
    pub(super) fn end_in_panic(&self) {
        locked(&self.rare).panicked += 1;
    }

    /// A region is entered or left in a child after a fork, in which another thread may have held
    /// the lock for ever.
    #[cold]
    pub(super) fn end_in_child(&self) {
        if let Some(mut rare) = unless_lost(&self.rare, true) {
            rare.forked += 1;
        }
    }

    /// The sums as they are now; `None` in a child, if another thread was changing them at the fork.
    fn tally(&self, layout: Option<&Layout>, is_in_child: bool) -> Option<Tally> {
        let words = loop {
            match self.ended.try_read() {
                Some(words) => break words,
                None if is_in_child => return None,
                None => thread::yield_now(),
            }
        };
        let mut tally = unless_lost(&self.rare, is_in_child)?.clone();
        tally.counted += words[COUNTED];
        tally.nested += words[NESTED];
        tally.within += words[WITHIN];
        if let (Some(layout), 1..) = (layout, words[COUNTED]) {
            tally.sum.add(&layout.reading_of_sums(&words[COUNTS..]));
        }
        // Read last, so that the begins of those that ended are among them.
        tally.entered = self.entered.load(Ordering::Relaxed);
        Some(tally)
    }
}
