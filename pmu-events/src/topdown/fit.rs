//! Which metrics can be measured at the same time.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::Metric;
use crate::expr::Machine;
use crate::planner::Supply;
use crate::planner::pack::Packing;

/// Metrics to measure at the same time. Returned by [`passes`].
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::arch::x86;
/// use pmu_events::expr::UnknownMachine;
/// use pmu_events::planner::{CoreState, Supply};
/// use pmu_events::__private::topdown::{Fit, passes};
///
/// let metrics: Vec<_> = x86::SKYLAKEX.metrics().in_group("TopdownL1").collect();
/// let supply = Supply::of(x86::SKYLAKEX, "default_core", CoreState::default())?;
/// for pass in passes(&metrics, &UnknownMachine, Some(&supply)) {
///     assert_eq!(pass.fit(), Fit::Proven);
///     println!("{} metrics at once", pass.metrics().len());
/// }
/// # }
/// # Ok::<(), pmu_events::planner::Unstated>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pass {
    pub(crate) metrics: Vec<Metric>,
    pub(crate) parts: Vec<MetricPart>,
    pub(crate) fit: Fit,
}

impl Pass {
    /// Returns the metrics all of whose events are counted in this pass.
    #[must_use]
    pub fn metrics(&self) -> &[Metric] {
        &self.metrics
    }

    /// Returns those of whose events a part is counted in this pass: the counters do not suffice for
    /// all of them.
    #[must_use]
    pub fn parts(&self) -> &[MetricPart] {
        &self.parts
    }

    /// Whether their events fit the counters.
    #[must_use]
    pub fn fit(&self) -> Fit {
        self.fit
    }
}

/// A part of the events of a metric.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::arch::x86;
/// use pmu_events::expr::UnknownMachine;
/// use pmu_events::planner::{CoreState, Supply};
/// use pmu_events::__private::topdown::passes;
///
/// let metrics: Vec<_> = x86::SKYLAKEX.metrics().in_group("TmaL4").collect();
/// let supply = Supply::of(x86::SKYLAKEX, "default_core", CoreState::default())?;
/// let all = passes(&metrics, &UnknownMachine, Some(&supply));
/// for part in all.iter().flat_map(|pass| pass.parts()) {
///     println!("{} is split: {:?}", part.metric().name(), part.events());
/// }
/// # }
/// # Ok::<(), pmu_events::planner::Unstated>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MetricPart {
    pub(crate) metric: Metric,
    pub(crate) events: Vec<&'static str>,
    pub(crate) reference: Option<String>,
}

impl MetricPart {
    /// Returns the metric.
    #[must_use]
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Returns the events of the part, as spelled in the formula.
    #[must_use]
    pub fn events(&self) -> &[&'static str] {
        &self.events
    }

    /// Returns the event that every part of the metric has. Counts of one part belong to the time
    /// of another if they are multiplied by the other's count of this event over their own.
    #[must_use]
    pub fn reference(&self) -> Option<&str> {
        self.reference.as_deref()
    }
}

/// Whether events fit the counters.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::arch::x86;
/// use pmu_events::expr::UnknownMachine;
/// use pmu_events::__private::topdown::{Fit, passes};
///
/// let ipc = x86::SKYLAKEX.metric("ipc").unwrap();
/// // Without a supply, nobody knows the counters.
/// assert_eq!(passes(&[ipc], &UnknownMachine, None)[0].fit(), Fit::Unknown);
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fit {
    /// There is an assignment of a counter to each event.
    Proven,
    /// The PMU cannot count an event of the pass at all.
    TooLarge,
    /// No source states the counters.
    Unknown,
}

/// Distributes metrics over as few passes as [`Packing`] finds, so that the events of each
/// pass fit the counters and nothing is multiplexed. A metric that is too large for one pass
/// is split. Without a supply, there is one pass.
#[must_use]
pub fn passes(metrics: &[Metric], machine: &impl Machine, supply: Option<&Supply>) -> Vec<Pass> {
    packed(metrics, machine, supply, Packing::of)
}

/// Distributes metrics over the fewest passes that [`Packing::in_fewest_groups`] finds, which
/// splits metrics wherever that saves a pass.
#[must_use]
pub fn fewest_passes(
    metrics: &[Metric],
    machine: &impl Machine,
    supply: Option<&Supply>,
) -> Vec<Pass> {
    packed(metrics, machine, supply, Packing::in_fewest_groups)
}

fn packed(
    metrics: &[Metric],
    machine: &impl Machine,
    supply: Option<&Supply>,
    pack: impl Fn(&Supply, &[Vec<&'static str>]) -> Packing<'static>,
) -> Vec<Pass> {
    let Some(supply) = supply else {
        let all = metrics.to_vec();
        return Vec::from([Pass { metrics: all, parts: Vec::new(), fit: Fit::Unknown }]);
    };
    let mut counted: BTreeMap<&'static str, bool> = BTreeMap::new();
    let own = |metric: &Metric| -> Vec<&'static str> {
        let events = metric.events_on(machine).map(|event| event.as_str());
        let mut counts = |text| *counted.entry(text).or_insert_with(|| supply.counts(text));
        events.filter(|text| counts(text)).collect()
    };
    let sets: Vec<Vec<&'static str>> = metrics.iter().map(own).collect();
    let packing = pack(supply, &sets);
    let fit = |has_room| if has_room { Fit::Proven } else { Fit::TooLarge };
    let pass = |fit| Pass { metrics: Vec::new(), parts: Vec::new(), fit };
    let mut all: Vec<Pass> =
        packing.groups().iter().map(|group| pass(fit(group.has_room))).collect();
    for ((&metric, set), placement) in metrics.iter().zip(&sets).zip(packing.placements()) {
        match &placement.parts[..] {
            [] => {
                // It needs no counter.
                if all.is_empty() {
                    all.push(pass(Fit::Proven));
                }
                all[0].metrics.push(metric);
            }
            [whole] => all[whole.group].metrics.push(metric),
            parts => {
                for part in parts {
                    let events = part.events.iter().map(|&n| set[n]).collect();
                    let reference = placement.reference.clone().filter(|_| part.has_reference);
                    all[part.group].parts.push(MetricPart { metric, events, reference });
                }
            }
        }
    }
    all
}
