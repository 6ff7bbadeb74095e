//! Words that one thread changes together and others read, without a lock.
//!
//! A sequence lock, as that of the page of an event: the writer makes the sequence number odd while
//! the words change, and a reader tries again unless the number was even and is still the same. The
//! writer has no read-modify-write operation to wait for, which costs a region more than all else
//! that its end has to do.

use std::boxed::Box;
use std::vec::Vec;

// By way of the parent, which is the model checker's in `tests/reads`.
use super::atomic::Ordering::{Acquire, Relaxed, Release};
use super::atomic::{AtomicU64, fence};

#[derive(Debug)]
pub(crate) struct Sequenced {
    sequence: AtomicU64,
    words: Box<[AtomicU64]>,
}

impl Sequenced {
    pub(crate) fn new(words: usize) -> Self {
        let words = (0..words).map(|_| AtomicU64::new(0)).collect();
        Sequenced { sequence: AtomicU64::new(0), words }
    }

    /// Changes the words. One thread alone may call this.
    #[inline]
    pub(crate) fn change<T>(&self, change: impl FnOnce(&[AtomicU64]) -> T) -> T {
        let sequence = self.sequence.load(Relaxed);
        self.sequence.store(sequence.wrapping_add(1), Relaxed);
        fence(Release);
        let result = change(&self.words);
        self.sequence.store(sequence.wrapping_add(2), Release);
        result
    }

    /// Reads the words; `None` if they changed meanwhile.
    pub(crate) fn try_read(&self) -> Option<Vec<u64>> {
        let sequence = self.sequence.load(Acquire);
        let words = self.words.iter().map(|word| word.load(Relaxed)).collect();
        fence(Acquire);
        (sequence.is_multiple_of(2) && self.sequence.load(Relaxed) == sequence).then_some(words)
    }
}

/// Adds to a word, which only this thread changes.
#[inline]
pub(crate) fn add(word: &AtomicU64, number: u64) {
    word.store(word.load(Relaxed).wrapping_add(number), Relaxed);
}
