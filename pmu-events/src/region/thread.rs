//! The regions of one thread.

use core::cell::RefCell;
use core::fmt;
use core::marker::PhantomData;
use core::mem;
use std::boxed::Box;
use std::sync::Arc;
use std::thread;
use std::vec::Vec;

use super::labels::Labels;
use super::overhead::{self, Overhead};
use super::running::Sums;
use super::shared::Shared;
use super::tally::Tallies;
use crate::open::{Counters, Reading, Snapshot};

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
    labels: RefCell<Labels>,
    own: Arc<Sums>,
    shared: Arc<Shared>,
    /// To be taken again.
    #[expect(clippy::vec_box, reason = "a guard has one, and is moved")]
    spare: RefCell<Vec<Box<Ends>>>,
    /// The counters count this thread.
    stays: PhantomData<*const ()>,
}

/// The counts at both ends of a region.
#[derive(Debug, Default)]
struct Ends {
    before: Snapshot,
    after: Snapshot,
}

impl fmt::Debug for ThreadRegions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadRegions").field("events", &self.counters.events()).finish()
    }
}

impl ThreadRegions {
    pub(super) fn new(counters: Counters, shared: Arc<Shared>) -> Self {
        let mut regions = ThreadRegions {
            own: Arc::new(Sums::new(&counters)),
            counters,
            labels: RefCell::default(),
            shared,
            spare: RefCell::default(),
            stays: PhantomData,
        };
        let overhead = Overhead::of(&regions);
        // Those were only tried.
        regions.labels = RefCell::default();
        regions.own = Arc::new(Sums::new(&regions.counters));
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
        let is_in_child = self.shared.mark.is_in_child();
        let Some(label) = self.number(label, is_in_child) else {
            return Region { thread: self, state: State::Unknown, was_panicking };
        };
        let mut labels = self.labels.borrow_mut();
        let is_outermost = labels.begin(label);
        let is_read = (is_outermost && !is_in_child).then(|| {
            let mut ends = self.spare.borrow_mut().pop().unwrap_or_default();
            self.counters.take(&mut ends.before);
            (ends, labels.ended())
        });
        Region { thread: self, state: State::Open { label, is_read }, was_panicking }
    }

    /// The number of a label; `None` if it is new in a child, in which another thread may have held
    /// the lock for ever.
    #[inline]
    fn number(&self, label: &str, is_in_child: bool) -> Option<usize> {
        let known = self.labels.borrow().find(label);
        known.or_else(|| self.add(label, is_in_child))
    }

    #[cold]
    fn add(&self, label: &str, is_in_child: bool) -> Option<usize> {
        let running = self.own.begin(label, is_in_child)?;
        Some(self.labels.borrow_mut().add(label, running))
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

    /// What the regions of a label have counted.
    pub(super) fn sum(&self, label: &str) -> Reading {
        let mut all = Tallies::default();
        self.own.add_to(&mut all, false);
        all.of(label).sum.clone()
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
        is_read: Option<(Box<Ends>, u64)>,
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
        let mut labels = thread.labels.borrow_mut();
        if thread.shared.mark.is_in_child() {
            labels.end(label).end_in_child();
            return;
        }
        let Some((mut ends, ended)) = is_read else {
            labels.end_within(label).end_within();
            return;
        };
        thread.counters.take(&mut ends.after);
        let nested = labels.ended() - ended;
        let running = labels.end(label);
        if thread::panicking() && !self.was_panicking {
            running.end_in_panic();
        } else {
            let Ends { before, after } = &mut *ends;
            running.end(&thread.counters, before, after, nested);
        }
        thread.spare.borrow_mut().push(ends);
    }
}
