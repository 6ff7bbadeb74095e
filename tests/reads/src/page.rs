//! Pages and counters as the model has them.

use std::cell::Cell;

use loom::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use loom::sync::atomic::{AtomicU32, AtomicU64, fence};

use crate::layout;
use crate::protocol::Page;

/// A field of a page that the writer changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Index,
    Offset,
    Enabled,
    Capabilities,
}

/// A page, without what does not change.
pub(crate) struct Fields {
    sequence: AtomicU32,
    index: AtomicU32,
    offset: AtomicU64,
    enabled: AtomicU64,
    capabilities: AtomicU64,
}

/// The counters of a processor: what they count is not in the page.
pub(crate) struct Counters(pub(crate) [AtomicU64; 3]);

pub(crate) const READABLE: u64 = layout::NEEDED;
pub(crate) const REVOKED: u64 = READABLE & !(1 << 2);

impl Fields {
    pub(crate) fn new(index: u32, offset: u64, enabled: u64) -> Self {
        Fields {
            sequence: AtomicU32::new(0),
            index: AtomicU32::new(index),
            offset: AtomicU64::new(offset),
            enabled: AtomicU64::new(enabled),
            capabilities: AtomicU64::new(READABLE),
        }
    }

    /// Changes fields, one after another, between two steps of the sequence number
    /// (`perf_event_update_userpage`).
    pub(crate) fn change(&self, fields: impl IntoIterator<Item = (Field, u64)>) {
        // Nobody else writes.
        let sequence = self.sequence.load(Relaxed);
        self.sequence.store(sequence + 1, Relaxed);
        fence(Release);
        for (field, value) in fields {
            match field {
                Field::Index => self.index.store(value as u32, Relaxed),
                Field::Offset => self.offset.store(value, Relaxed),
                Field::Enabled => self.enabled.store(value, Relaxed),
                Field::Capabilities => self.capabilities.store(value, Relaxed),
            }
        }
        self.sequence.store(sequence + 2, Release);
    }
}

impl Counters {
    /// Gives a counter to an event, after the pages that name it have changed.
    pub(crate) fn set(&self, number: usize, value: u64) {
        fence(Release);
        self.0[number].store(value, Relaxed);
    }
}

/// What a reader may forget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// To look whether the number has changed.
    Unchecked,
    /// That an odd number is that of a page which is being changed.
    Odd,
    /// To keep its loads in order.
    Unordered,
    /// To look at the numbers of all pages of a group.
    LeaderAlone,
}

/// A page as a reader sees it.
pub(crate) struct Seen<'p> {
    fields: &'p Fields,
    counters: &'p Counters,
    is_leader: bool,
    fault: Option<Fault>,
    first: Cell<Option<u32>>,
}

impl<'p> Seen<'p> {
    pub(crate) fn new(
        fields: &'p Fields,
        counters: &'p Counters,
        is_leader: bool,
        fault: Option<Fault>,
    ) -> Self {
        Seen { fields, counters, is_leader, fault, first: Cell::new(None) }
    }

    fn sequence(&self) -> u32 {
        let found = self.fields.sequence.load(Relaxed);
        match self.fault {
            Some(Fault::Unchecked) => {
                let first = self.first.get().unwrap_or(found);
                // The second of each two is that of the check.
                self.first.set(self.first.get().is_none().then_some(found));
                first
            }
            Some(Fault::Odd) => found & !1,
            Some(Fault::LeaderAlone) if !self.is_leader => 0,
            _ => found,
        }
    }
}

impl Page for Seen<'_> {
    fn load_u32(&self, offset: usize) -> u32 {
        match offset {
            layout::SEQUENCE => self.sequence(),
            layout::INDEX => self.fields.index.load(Relaxed),
            _ => unreachable!("{offset}"),
        }
    }

    fn load_u64(&self, offset: usize) -> u64 {
        match offset {
            layout::OFFSET => self.fields.offset.load(Relaxed),
            layout::TIME_ENABLED | layout::TIME_RUNNING => self.fields.enabled.load(Relaxed),
            layout::CAPABILITIES => self.fields.capabilities.load(Relaxed),
            // 32 bits; a tick is a nanosecond, and the clock stands still.
            layout::CONVERSION => 1 << 32 | 32,
            layout::TIME_OFFSET => 0,
            _ => unreachable!("{offset}"),
        }
    }

    fn fence(&self) {
        if self.fault != Some(Fault::Unordered) {
            fence(Acquire);
        }
    }

    fn counter(&self, number: u32) -> Option<u64> {
        Some(self.counters.0.get(number as usize)?.load(Relaxed))
    }

    fn clock(&self) -> u64 {
        0
    }
}
