//! What the regions of all threads have counted.

use core::fmt;
use std::string::{String, ToString};
#[cfg(feature = "metrics")]
use std::sync::Arc;
use std::vec::Vec;

use super::overhead::Overhead;
use super::tally::{Tallies, Tally};
#[cfg(feature = "metrics")]
use crate::measure::{Plan, Value};
use crate::open::Reading;

mod json;
mod table;

/// What the regions of all threads have counted, label by label.
///
/// It displays itself as a table; [`to_json`](Self::to_json) is for programs.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::region::Regions;
///
/// let regions = Regions::open(&System::new(), "duration_time,no_such_event")?;
/// let thread = regions.thread()?;
/// thread.count("sum", || std::hint::black_box((0..1000).sum::<u64>()));
/// let report = regions.report();
/// let sum = report.label("sum").unwrap().reading();
/// assert!(sum["duration_time"].exact()? > 0.0);
/// println!("{report}"); // Also why `no_such_event` has no value.
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Report {
    labels: Vec<Label>,
    overhead: Overhead,
    is_subtracted: bool,
}

/// The regions of one label.
///
/// ```
/// # use pmu_events::{System, region::Regions};
/// # let regions = Regions::open(&System::new(), "duration_time")?;
/// let thread = regions.thread()?;
/// thread.count("sum", || ());
/// let _open = thread.enter("sum");
/// let report = regions.report();
/// let label = report.label("sum").unwrap();
/// assert_eq!((label.name(), label.regions(), label.unclosed()), ("sum", 1, 1));
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Label {
    name: String,
    tally: Tally,
    #[cfg(feature = "metrics")]
    plan: Option<Arc<Plan>>,
}

impl Report {
    pub(super) fn new(all: Tallies, overhead: Overhead) -> Self {
        let label = |(name, tally): (_, Tally)| Label {
            name: String::from(name),
            tally,
            #[cfg(feature = "metrics")]
            plan: None,
        };
        let labels = all.into_labels().map(label).collect();
        Report { labels, overhead, is_subtracted: false }
    }

    /// The same with the values of a plan's metrics.
    #[cfg(feature = "metrics")]
    pub(super) fn with_plan(mut self, plan: &Arc<Plan>) -> Self {
        self.labels.iter_mut().for_each(|label| label.plan = Some(plan.clone()));
        self
    }

    /// Returns the labels, in the order in which threads first entered them.
    #[must_use]
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// Finds a label.
    #[must_use]
    pub fn label(&self, name: &str) -> Option<&Label> {
        self.labels.iter().find(|label| label.name == name)
    }

    /// Returns what a region counts of its own reads: the count of an empty one; `None` if no event
    /// has that name. The unit is that of [`Count::value`](crate::open::Count::value).
    ///
    /// ```
    /// # use pmu_events::{System, region::Regions};
    /// # let regions = Regions::open(&System::new(), "duration_time")?;
    /// # let _thread = regions.thread()?;
    /// let own = regions.report().overhead("duration_time").unwrap();
    /// println!("an empty region counts {own} ns");
    /// # Ok::<(), pmu_events::open::Error>(())
    /// ```
    #[must_use]
    pub fn overhead(&self, event: &str) -> Option<u64> {
        self.overhead.counts().find(|(name, ..)| *name == event).map(|(_, own, _)| own)
    }

    /// Returns the count that an empty region adds to the region around it.
    #[must_use]
    pub fn nested_overhead(&self, event: &str) -> Option<u64> {
        self.overhead.counts().find(|(name, ..)| *name == event).map(|(.., nested)| nested)
    }

    /// Returns the report with the overhead subtracted: its own of each region, and that of
    /// each region within it. A count does not become less than zero. Events that were
    /// multiplexed are left as they are, since it is unknown how much of their overhead was
    /// counted.
    #[must_use]
    pub fn without_overhead(mut self) -> Self {
        if !self.is_subtracted {
            for Label { tally, .. } in &mut self.labels {
                let overhead = self.overhead.share(tally.counted, tally.nested);
                tally.sum.reduce(overhead);
            }
        }
        self.is_subtracted = true;
        self
    }

    /// Returns the report as one JSON object.
    ///
    /// `labels` has an object for each label: `label`, the numbers `regions`, `within`,
    /// `panicked`, `forked` and `unclosed`, and lists of `events` and `metrics`. An event has
    /// `name`, `unit`, `value` (or null), `share` (the part of the time for which it had a
    /// counter) and `reason` (why it has no value, or null); a metric has `name`, `unit` and
    /// `value`. `overhead` lists the counts of empty regions, and `is_overhead_subtracted` says
    /// whether the values are without them.
    ///
    /// ```
    /// # use pmu_events::{System, region::Regions};
    /// # let regions = Regions::open(&System::new(), "duration_time")?;
    /// # let thread = regions.thread()?;
    /// thread.count("sum", || ());
    /// let json = regions.report().to_json();
    /// assert!(json.starts_with(r#"{"labels":[{"label":"sum","regions":1,"#), "{json}");
    /// # Ok::<(), pmu_events::open::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        json::Json(self).to_string()
    }
}

/// The table: for each label, its events and metrics, each on a line.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        table::write(self, f)
    }
}

impl Label {
    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of regions in the sum.
    #[must_use]
    pub fn regions(&self) -> u64 {
        self.tally.counted
    }

    /// Returns the number of regions within another of the same label and thread, with which
    /// they are counted.
    #[must_use]
    pub fn within(&self) -> u64 {
        self.tally.within
    }

    /// Returns the number of regions that a panic left. They are not in the sum.
    #[must_use]
    pub fn panicked(&self) -> u64 {
        self.tally.panicked
    }

    /// Returns the number of regions that began or ended in a child after `fork`. They are not
    /// in the sum, since the counters are those of the parent.
    #[must_use]
    pub fn forked(&self) -> u64 {
        self.tally.forked
    }

    /// Returns the number of regions that are not closed: they still run, or their guards were
    /// never dropped.
    #[must_use]
    pub fn unclosed(&self) -> u64 {
        self.tally.open()
    }

    /// Returns the sum of the counts.
    #[must_use]
    pub fn reading(&self) -> &Reading {
        &self.tally.sum
    }

    /// Returns the values of the metrics; none without a plan
    /// ([`Regions::of_plan`](super::Regions::of_plan)).
    #[cfg(feature = "metrics")]
    #[cfg_attr(docsrs, doc(cfg(feature = "metrics")))]
    #[must_use]
    pub fn values(&self) -> Vec<Value<'_>> {
        self.plan.as_ref().map(|plan| plan.values(&self.tally.sum)).unwrap_or_default()
    }
}
