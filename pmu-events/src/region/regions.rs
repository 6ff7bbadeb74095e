//! The events of regions, resolved once for all threads.

use std::sync::{Arc, Mutex};

use super::fork::ForkMark;
use super::report::Report;
use super::shared::{Events, Shared};
use super::thread::ThreadRegions;
use crate::System;
#[cfg(feature = "metrics")]
use crate::measure::Plan;
use crate::open::{Counters, Error, Options};
use crate::resolve::Resolution;

/// The events of regions, and what the regions of all threads add up to. A clone is the same
/// value, for another thread.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::region::Regions;
///
/// let regions = Regions::open(&System::new(), "duration_time")?;
/// std::thread::scope(|scope| {
///     for _ in 0..2 {
///         let regions = regions.clone();
///         scope.spawn(move || {
///             let thread = regions.thread()?;
///             thread.count("work", || std::hint::black_box((0..1000).sum::<u64>()));
///             Ok::<(), pmu_events::open::Error>(())
///         });
///     }
/// });
/// assert_eq!(regions.report().label("work").unwrap().regions(), 2);
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Regions {
    shared: Arc<Shared>,
}

impl Regions {
    /// Resolves a list of events for regions of the calling threads.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a list of events. An event that the machine lacks is
    /// reported with its reason, as in [`System::open`].
    pub fn open(system: &System, events: &str) -> Result<Self, Error> {
        Ok(Regions::new(system.resolve(events)?, Options::new()))
    }

    /// Creates regions of resolved events, which each thread opens with these options.
    ///
    /// Each thread counts what the scope of the options says. In other scopes than
    /// [`Scope::ThisThread`](crate::Scope::ThisThread), threads count the same, and their sum has
    /// it several times.
    #[must_use]
    pub fn new(events: Resolution, options: Options) -> Self {
        Regions::of(Events::List(events), options)
    }

    /// Creates regions of the events that the metrics of a plan need; the report then has their
    /// [values](super::Label::values).
    ///
    /// ```
    /// # #[cfg(all(feature = "x86", feature = "metrics"))] {
    /// use pmu_events::measure::Plan;
    /// use pmu_events::open::Options;
    /// use pmu_events::region::Regions;
    /// use pmu_events::{Scope, System};
    ///
    /// let system = System::new();
    /// let ipc = system.model().ok().and_then(|model| model.metric("ipc"));
    /// let plan = Plan::new(ipc, &system, &Scope::ThisThread);
    /// let regions = Regions::of_plan(plan, Options::new());
    /// println!("{}", regions.report());
    /// # }
    /// ```
    #[cfg(feature = "metrics")]
    #[cfg_attr(docsrs, doc(cfg(feature = "metrics")))]
    #[must_use]
    pub fn of_plan(plan: Plan, options: Options) -> Self {
        Regions::of(Events::Plan(Arc::new(plan)), options)
    }

    fn of(events: Events, options: Options) -> Self {
        let (mark, threads) = (ForkMark::new(), Mutex::default());
        Regions { shared: Arc::new(Shared { events, options, mark, threads }) }
    }

    /// Opens and enables the events for the calling thread, and measures what an empty region
    /// costs. Nothing is resolved again.
    ///
    /// # Errors
    ///
    /// Returns an error if the kernel refuses an event that the machine has, as
    /// [`Counters::open`] does.
    pub fn thread(&self) -> Result<ThreadRegions, Error> {
        let Shared { events, options, .. } = &*self.shared;
        let mut counters = match events {
            Events::List(resolution) => Counters::open(resolution, options)?,
            #[cfg(feature = "metrics")]
            Events::Plan(plan) => plan.open(options)?,
        };
        counters.enable()?;
        Ok(ThreadRegions::new(counters, self.shared.clone()))
    }

    /// Returns what the regions of all threads have counted until now.
    #[must_use]
    pub fn report(&self) -> Report {
        let (all, overhead) = self.shared.sums();
        let report = Report::new(all, overhead);
        match &self.shared.events {
            Events::List(_) => report,
            #[cfg(feature = "metrics")]
            Events::Plan(plan) => report.with_plan(plan),
        }
    }
}
