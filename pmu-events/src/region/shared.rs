//! What all threads of regions share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::vec::Vec;

use super::fork::ForkMark;
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

/// A panic leaves sums of whole regions.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Locks; `None` in a child, in which another thread of the parent may have held the lock at the
/// fork, and holds it for ever.
pub(super) fn unless_lost<T>(mutex: &Mutex<T>, is_in_child: bool) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Err(TryLockError::WouldBlock) if is_in_child => None,
        Err(TryLockError::WouldBlock) => Some(locked(mutex)),
        Err(TryLockError::Poisoned(guard)) => Some(guard.into_inner()),
        Ok(guard) => Some(guard),
    }
}
