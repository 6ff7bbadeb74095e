//! What was counted, put into the formulas (`prepare_metric` and
//! `generic_metric` in `tools/perf/util/stat-shadow.c`).

use pmu_events::expr::{Identifier, Reading};
use pmu_events::machine::SystemMachine;
use pmu_events::metric::NeededEvents;
use pmu_events::resolve::Resolved;

use super::Asked;
use super::plan::{Operand, Plan, Planned};
use crate::linux::lines::Line;

/// Metrics whose events are known by their places in the set.
pub(crate) struct Bound<'p> {
    machine: &'p SystemMachine<'p>,
    metrics: Vec<BoundMetric<'p>>,
}

struct BoundMetric<'p> {
    planned: &'p Planned,
    name: String,
    /// Of each operand; empty for what is missing.
    places: Vec<Vec<usize>>,
}

/// What a metric comes to.
pub(crate) struct Computed<'p> {
    pub(crate) name: &'p str,
    pub(crate) unit: &'static str,
    /// Scaled; NaN where it has no value.
    pub(crate) value: f64,
    /// `None` where there is no threshold, or where it cannot be told.
    pub(crate) is_crossed: Option<bool>,
}

impl Computed<'_> {
    /// Its unit and its name, as perf joins them.
    pub(crate) fn what(&self) -> String {
        if self.unit.is_empty() {
            self.name.into()
        } else {
            format!("{}  {}", self.unit, self.name)
        }
    }

    /// What the threshold says, in perf's words (`metric_threshold_classify`
    /// since Linux 6.13).
    pub(crate) fn verdict(&self) -> Option<&'static str> {
        self.is_crossed.map(|is_crossed| if is_crossed { "bad" } else { "good" })
    }
}

impl<'p> Bound<'p> {
    /// `bases` has the number of each list's first event among all events.
    pub(crate) fn new(
        plan: &'p Plan,
        resolved: &[Resolved<'_>],
        bases: &[usize],
        machine: &'p SystemMachine<'p>,
    ) -> Bound<'p> {
        let bound = |planned: &'p Planned| BoundMetric {
            name: planned.asked.name(),
            places: planned.operands.iter().map(|o| places(o, planned, resolved, bases)).collect(),
            planned,
        };
        Bound { machine, metrics: plan.metrics.iter().map(bound).collect() }
    }

    /// What is shown beside a line: the metrics whose first event it is.
    /// `reading` gives what was counted on a line, not scaled; times in
    /// seconds.
    pub(crate) fn beside(
        &self,
        line: usize,
        lines: &[Line],
        reading: impl Fn(usize) -> Option<Reading>,
    ) -> Vec<Computed<'_>> {
        let of = |metric: &&BoundMetric<'_>| metric.lines(0, lines).first() == Some(&line);
        let computed = |metric| self.computed(metric, lines, &reading);
        self.metrics.iter().filter(of).map(computed).collect()
    }

    fn computed<'b>(
        &'b self,
        bound: &'b BoundMetric<'_>,
        lines: &[Line],
        reading: &impl Fn(usize) -> Option<Reading>,
    ) -> Computed<'b> {
        let Planned { asked, operands } = bound.planned;
        let readings: Vec<Reading> = (0..operands.len())
            .map(|n| {
                let of_lines = bound.lines(n, lines).into_iter().filter_map(reading);
                of_lines.reduce(together).unwrap_or(Reading::NOT_COUNTED)
            })
            .collect();
        let value = |identifier: Identifier<'static>| {
            let n = operands.iter().position(|o| o.identifier == identifier.as_str());
            n.map_or(Reading::NOT_COUNTED, |n| readings[n])
        };
        // `max(NaN, 0)` is 0 in perf, which leaves out a metric whose first event
        // was not counted.
        let are_counted =
            |mut events: NeededEvents| events.all(|event| !value(event).value.is_nan());
        let Asked { metric, .. } = asked;
        let threshold = || metric.is_crossed_on(self.machine, value);
        Computed {
            name: &bound.name,
            unit: metric.scale().1,
            value: match are_counted(metric.events_on(self.machine)) {
                true => metric.evaluate_on(self.machine, value),
                false => f64::NAN,
            },
            is_crossed: are_counted(metric.threshold_events_on(self.machine))
                .then(threshold)
                .flatten(),
        }
    }
}

impl BoundMetric<'_> {
    /// The lines that show an operand.
    fn lines(&self, operand: usize, lines: &[Line]) -> Vec<usize> {
        let places = &self.places[operand];
        let event = &self.planned.operands[operand].event;
        let shows = |line: &Line| match places.is_empty() {
            true => line.is_missing() && line.name == *event,
            false => line.shows_any_of(places),
        };
        (0..lines.len()).filter(|&n| shows(&lines[n])).collect()
    }
}

/// Where there are several kinds of cores, the metric's own counts
/// (`setup_metric_events` in `tools/perf/util/metricgroup.c`).
fn places(
    operand: &Operand,
    planned: &Planned,
    resolved: &[Resolved<'_>],
    bases: &[usize],
) -> Vec<usize> {
    let Some((list, place)) = operand.place else {
        return Vec::new();
    };
    let event = bases[list] + place;
    let all: Vec<usize> = (0..resolved.len()).filter(|&n| resolved[n].event == event).collect();
    let unit = planned.asked.metric.pmu();
    let is_of_unit =
        |n: usize| resolved[n].pmu.is_some_and(|pmu| pmu.is_core() && pmu.is_of_unit(unit));
    match all.iter().copied().filter(|&n| is_of_unit(n)).collect::<Vec<_>>() {
        own if own.is_empty() => all,
        own => own,
    }
}

fn together(one: Reading, two: Reading) -> Reading {
    Reading {
        value: one.value + two.value,
        sources: one.sources + two.sources,
        aggregated: one.aggregated + two.aggregated,
    }
}
