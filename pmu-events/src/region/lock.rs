//! Locks of sums, which outlive panics and forks.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

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
