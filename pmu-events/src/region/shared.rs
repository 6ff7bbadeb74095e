//! What all threads of regions share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::vec::Vec;

use super::fork::ForkMark;
use super::overhead::Overhead;
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
    running: Vec<Arc<Mutex<Tallies>>>,
    ended: Tallies,
    overhead: Option<Overhead>,
}

impl Shared {
    fn threads(&self) -> MutexGuard<'_, Threads> {
        locked(&self.threads)
    }

    /// What the regions of all threads add up to, and what one costs.
    pub(super) fn sums(&self) -> (Tallies, Overhead) {
        let mut all = Tallies::default();
        if self.mark.is_in_child() {
            // Other threads of the parent may have held the locks for ever.
            let Ok(threads) = self.threads.try_lock() else { return (all, Overhead::default()) };
            all.add(&threads.ended);
            for own in &threads.running {
                if let Ok(own) = own.try_lock() {
                    all.add(&own);
                }
            }
            return (all, threads.overhead.clone().unwrap_or_default());
        }
        let threads = self.threads();
        all.add(&threads.ended);
        for own in &threads.running {
            all.add(&locked(own));
        }
        (all, threads.overhead.clone().unwrap_or_default())
    }

    /// A thread begins.
    pub(super) fn begin(&self, tallies: &Arc<Mutex<Tallies>>, overhead: Overhead) {
        let mut threads = self.threads();
        threads.running.push(tallies.clone());
        threads.overhead = Some(match threads.overhead.take() {
            Some(before) => before.least(overhead),
            None => overhead,
        });
    }

    /// A thread ends, and leaves its sums.
    pub(super) fn end(&self, tallies: &Arc<Mutex<Tallies>>) {
        // In a child, another thread of the parent may have held the lock for ever.
        if self.mark.is_in_child() {
            return;
        }
        let mut threads = self.threads();
        threads.running.retain(|running| !Arc::ptr_eq(running, tallies));
        threads.ended.add(&locked(tallies));
    }
}

/// A panic leaves sums of whole regions.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
