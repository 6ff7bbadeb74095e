//! The regions of one thread.

use core::cell::RefCell;
use core::fmt;
use core::marker::PhantomData;
use core::mem;
use std::sync::{Arc, Mutex};
use std::thread;
use std::vec::Vec;

use super::overhead::{self, Overhead};
use super::shared::{Shared, locked};
use super::tally::{End, Tallies};
use crate::open::{Counters, Reading};

/// Counters of the thread that opened them, for its regions. They stay with that thread.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::region::{Regions, ThreadRegions};
///
/// struct Parser {
///     regions: ThreadRegions,
/// }
///
/// impl Parser {
///     fn parse(&self, text: &str) -> usize {
///         let _region = self.regions.enter("parse");
///         text.split_whitespace().count()
///     }
/// }
///
/// let regions = Regions::open(&System::new(), "duration_time")?;
/// let parser = Parser { regions: regions.thread()? };
/// assert_eq!(parser.parse("three short words"), 3);
/// println!("{}", regions.report());
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
pub struct ThreadRegions {
    counters: Counters,
    own: Arc<Mutex<Tallies>>,
    shared: Arc<Shared>,
    /// Readings to be read into.
    spare: RefCell<Vec<Reading>>,
    /// The counters count this thread.
    stays: PhantomData<*const ()>,
}

impl fmt::Debug for ThreadRegions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadRegions").field("events", &self.counters.events()).finish()
    }
}

impl ThreadRegions {
    pub(super) fn new(counters: Counters, shared: Arc<Shared>) -> Self {
        let mut regions = ThreadRegions {
            counters,
            own: Arc::default(),
            shared,
            spare: RefCell::default(),
            stays: PhantomData,
        };
        let overhead = Overhead::of(&regions);
        // Those were only tried.
        regions.own = Arc::default();
        regions.shared.begin(&regions.own, overhead);
        regions
    }

    /// Begins a region, which ends when the guard is dropped.
    ///
    /// ```
    /// # use pmu_events::{System, region::Regions};
    /// # let regions = Regions::open(&System::new(), "duration_time")?;
    /// let thread = regions.thread()?;
    /// let outer = thread.enter("all");
    /// for size in [10, 1000] {
    ///     let _inner = thread.enter("sort");
    ///     std::hint::black_box((0..size).rev().collect::<Vec<u32>>()).sort();
    /// }
    /// drop(outer);
    /// let report = regions.report();
    /// assert_eq!(report.label("sort").unwrap().regions(), 2);
    /// # Ok::<(), pmu_events::open::Error>(())
    /// ```
    #[must_use = "the region ends when the guard is dropped"]
    pub fn enter(&self, label: &str) -> Region<'_> {
        let was_panicking = thread::panicking();
        if self.shared.mark.is_in_child() {
            // Another thread may have held the lock for ever.
            let begun = self.own.try_lock().map(|mut own| own.begin(label).0);
            let state = begun.map_or(State::Unknown, |label| State::Open { label, is_read: None });
            return Region { thread: self, state, was_panicking };
        }
        let mut own = locked(&self.own);
        let (label, is_outermost) = own.begin(label);
        let ended = own.ended();
        drop(own);
        let is_read = is_outermost.then(|| {
            let mut reading = self.spare();
            self.counters.read_into(&mut reading);
            (reading, ended)
        });
        Region { thread: self, state: State::Open { label, is_read }, was_panicking }
    }

    /// Counts a region: some work, which may return something.
    ///
    /// ```
    /// # use pmu_events::{System, region::Regions};
    /// # let regions = Regions::open(&System::new(), "duration_time")?;
    /// let thread = regions.thread()?;
    /// let sum = thread.count("sum", || (1..=100).sum::<u32>());
    /// assert_eq!(sum, 5050);
    /// # Ok::<(), pmu_events::open::Error>(())
    /// ```
    pub fn count<T>(&self, label: &str, work: impl FnOnce() -> T) -> T {
        let _region = self.enter(label);
        work()
    }

    fn spare(&self) -> Reading {
        self.spare.borrow_mut().pop().unwrap_or_default()
    }

    /// What the regions of a label have counted.
    pub(super) fn sum(&self, label: &str) -> Reading {
        locked(&self.own).get(label).map(|tally| tally.sum.clone()).unwrap_or_default()
    }
}

impl Drop for ThreadRegions {
    fn drop(&mut self) {
        self.shared.end(&self.own);
    }
}

impl overhead::Empty for ThreadRegions {
    fn empty(&self, label: &str, inner: Option<&str>) -> Reading {
        let outer = self.enter(label);
        inner.map(|inner| self.enter(inner));
        drop(outer);
        self.sum(label)
    }
}

/// An open region. It ends when it is dropped.
///
/// ```
/// # use pmu_events::{System, region::Regions};
/// # let regions = Regions::open(&System::new(), "duration_time")?;
/// # let thread = regions.thread()?;
/// let region = thread.enter("sum");
/// std::hint::black_box((0..1000).sum::<u64>());
/// drop(region);
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Debug)]
pub struct Region<'t> {
    thread: &'t ThreadRegions,
    state: State,
    was_panicking: bool,
}

#[derive(Debug)]
enum State {
    Open {
        label: usize,
        /// The counts at the beginning, and how many regions had ended before. A region
        /// within another of its label has none, and a region that begins in a child.
        is_read: Option<(Reading, u64)>,
    },
    /// In a child in which the sums cannot be accessed.
    Unknown,
}

impl Drop for Region<'_> {
    fn drop(&mut self) {
        let State::Open { label, is_read } = mem::replace(&mut self.state, State::Unknown) else {
            return;
        };
        let thread = self.thread;
        if thread.shared.mark.is_in_child() {
            if let Ok(mut own) = thread.own.try_lock() {
                own.end(label, End::Forked);
            }
            return;
        }
        let Some((before, ended)) = is_read else {
            return locked(&thread.own).end(label, End::Within);
        };
        let mut reading = thread.spare();
        thread.counters.read_into(&mut reading);
        let is_left = thread::panicking() && !self.was_panicking;
        let end = if is_left {
            End::Panicked
        } else {
            reading.subtract(&before);
            End::Counted(&reading, ended)
        };
        locked(&thread.own).end(label, end);
        thread.spare.borrow_mut().extend([before, reading]);
    }
}
