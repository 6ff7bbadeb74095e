//! The walk through the trees of one place.

use pmu_events::__private::topdown;
use pmu_events::Metric;
use pmu_events::expr::{Identifier, Machine};
use pmu_events::metric::Latencies;
use pmu_events::topdown::{Drill, EventCount, Finding, Hierarchy, Step};

use super::bottlenecks::{self, Bottleneck};
use super::places::{Counts, Place};
use super::utilization::Utilization;

/// The trees of a place: one for each kind of core.
#[derive(Clone)]
pub(crate) struct Walk<'h> {
    pub(crate) place: Place,
    drills: Vec<Drill<'h>>,
    /// For each tree, metrics that are no nodes, and what is known of them.
    beside: Vec<Vec<(Metric, Option<Finding>)>>,
    /// What was used in each pass.
    pub(crate) utilizations: Vec<Utilization>,
}

impl<'h> Walk<'h> {
    pub(crate) fn new(place: Place, drills: Vec<Drill<'h>>) -> Self {
        let beside = drills.iter().map(|_| Vec::new()).collect();
        Walk { place, drills, beside, utilizations: Vec::new() }
    }

    /// The same in a place.
    pub(crate) fn at(&self, place: Place) -> Self {
        Walk { place, ..self.clone() }
    }

    /// Measures the metrics of bottlenecks, too, where the tables have some.
    pub(crate) fn with_bottlenecks(mut self) -> Self {
        let metrics = |drill: &Drill<'_>| bottlenecks::metrics(drill.tree());
        let unknown = |metrics: Vec<Metric>| metrics.into_iter().map(|one| (one, None)).collect();
        self.beside = self.drills.iter().map(|drill| unknown(metrics(drill))).collect();
        self
    }

    /// Metrics to measure that are no nodes.
    pub(crate) fn beside(&self) -> impl Iterator<Item = Metric> {
        let unknown = self.beside.iter().flatten().filter(|(_, finding)| finding.is_none());
        unknown.map(|&(metric, _)| metric)
    }

    /// The parts of the whole in each tree to show.
    pub(crate) fn bottlenecks(&self) -> impl Iterator<Item = (&Drill<'h>, Vec<Bottleneck>)> {
        let all = self.drills.iter().zip(&self.beside);
        let shown = all.filter(|(drill, _)| self.is_shown(drill));
        shown.map(|(drill, beside)| {
            let known = beside.iter().filter_map(|&(metric, finding)| Some((metric, finding?)));
            (drill, bottlenecks::of(drill, &known.collect::<Vec<_>>()))
        })
    }

    /// The walk through the same trees in each place of its control group.
    pub(crate) fn into_places(self, counts: &Counts) -> impl Iterator<Item = Walk<'h>> {
        let own = counts.places().filter(|place| place.cgroup == self.place.cgroup);
        let own: Vec<Place> = own.cloned().collect();
        own.into_iter().map(move |place| self.at(place))
    }

    /// What to measure next, in each tree.
    pub(crate) fn steps(&self) -> Vec<Option<Step>> {
        self.drills.iter().map(Drill::next_step).collect()
    }

    /// Takes these retirement latencies from now on.
    pub(crate) fn take_latencies(&mut self, latencies: &Latencies) {
        for drill in &mut self.drills {
            *drill = drill.clone().with_latencies(latencies.clone());
        }
    }

    pub(crate) fn learn(
        &mut self,
        steps: &[Option<Step>],
        machine: &impl Machine,
        count: impl Fn(Metric, Identifier<'static>) -> EventCount,
    ) {
        for (drill, step) in self.drills.iter_mut().zip(steps) {
            if let Some(step) = step {
                drill.learn(step, machine, &count);
            }
        }
        self.learn_beside(machine, &count);
    }

    fn learn_beside(
        &mut self,
        machine: &impl Machine,
        count: &impl Fn(Metric, Identifier<'static>) -> EventCount,
    ) {
        for (drill, beside) in self.drills.iter().zip(&mut self.beside) {
            for (metric, finding) in beside.iter_mut().filter(|(_, finding)| finding.is_none()) {
                *finding = Some(topdown::beside(drill, *metric, machine, count));
            }
        }
    }

    /// Takes all steps for which there are counts.
    pub(crate) fn descend(
        &mut self,
        machine: &impl Machine,
        count: impl Fn(Metric, Identifier<'static>) -> EventCount,
    ) {
        for drill in &mut self.drills {
            while let Some(step) = drill.next_step() {
                let mut further = drill.clone();
                further.learn(&step, machine, &count);
                let is_counted = |&node: &usize| {
                    further.finding(node).is_some_and(|finding| finding.running() > 0.0)
                };
                if !step.nodes().iter().any(is_counted) {
                    break;
                }
                *drill = further;
            }
        }
        self.learn_beside(machine, &count);
    }

    /// Whether nothing more is to be measured.
    pub(crate) fn is_at_end(&self) -> bool {
        self.steps().iter().all(Option::is_none)
    }

    /// The trees to show: a part of a machine has no core of some kinds.
    pub(crate) fn drills(&self) -> impl Iterator<Item = &Drill<'h>> {
        self.drills.iter().filter(|drill| self.is_shown(drill))
    }

    fn is_shown(&self, drill: &Drill<'_>) -> bool {
        self.place.label.is_none() || is_counted(drill)
    }

    /// All of the trees.
    pub(crate) fn trees(&self) -> impl Iterator<Item = &'h Hierarchy> {
        self.drills.iter().map(Drill::tree)
    }

    /// Whether a tree has any value.
    pub(crate) fn is_counted(&self) -> bool {
        self.drills.iter().any(is_counted)
    }

    pub(crate) fn utilization(&self) -> Option<Utilization> {
        Utilization::mean(&self.utilizations)
    }
}

fn is_counted(drill: &Drill<'_>) -> bool {
    drill.found().iter().any(|found| found.finding().running() > 0.0)
}
