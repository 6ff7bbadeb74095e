//! What all threads of regions share.

use std::sync::{Arc, Mutex};
use std::vec::Vec;

use super::fork::ForkMark;
use super::lock::{locked, unless_lost};
use super::overhead::Overhead;
use super::running::Sums;
use super::tally::Tallies;
#[cfg(feature = "metrics")]
use crate::measure::Plan;
use crate::open::Options;
use crate::resolve::Resolution;

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) events: Events,
    pub(super) options: Options,
    pub(super) mark: ForkMark,
    pub(super) threads: Mutex<Threads>,
}

#[derive(Debug)]
pub(super) enum Events {
    List(Resolution),
    #[cfg(feature = "metrics")]
    Plan(Arc<Plan>),
}

#[derive(Debug, Default)]
pub(super) struct Threads {
    running: Vec<Arc<Sums>>,
    ended: Tallies,
    overhead: Option<Overhead>,
}

impl Shared {
    /// What the regions of all threads add up to, and what one costs.
    pub(super) fn sums(&self) -> (Tallies, Overhead) {
        let is_in_child = self.mark.is_in_child();
        let Some(threads) = unless_lost(&self.threads, is_in_child) else {
            return Default::default();
        };
        let mut all = threads.ended.clone();
        for own in &threads.running {
            own.add_to(&mut all, is_in_child);
        }
        (all, threads.overhead.clone().unwrap_or_default())
    }

    /// A thread begins.
    pub(super) fn begin(&self, sums: &Arc<Sums>, overhead: Overhead) {
        let mut threads = locked(&self.threads);
        threads.running.push(sums.clone());
        threads.overhead = Some(match threads.overhead.take() {
            Some(before) => before.least(overhead),
            None => overhead,
        });
    }

    /// A thread ends, and leaves its sums.
    pub(super) fn end(&self, sums: &Arc<Sums>) {
        // The sums of the child are the parent's as well.
        if self.mark.is_in_child() {
            return;
        }
        let mut threads = locked(&self.threads);
        threads.running.retain(|running| !Arc::ptr_eq(running, sums));
        sums.add_to(&mut threads.ended, false);
    }
}
