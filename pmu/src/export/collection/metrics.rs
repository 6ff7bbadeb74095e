//! Values of metrics over the exporter's own interval.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use pmu_events::event_list::Tool;
use pmu_events::follow::{Following, Place};
use pmu_events::measure::{Per, Value as Measured};
use pmu_events::open::{Count, EventReading, Part, Reading, SetEvent, Target};
use pmu_events::{Metric, Scope};

use super::labels;
use super::layout::Layout;
use crate::export::choice::{Chosen, ChosenMetrics};
use crate::export::config::ScopeKind;
use crate::export::exposition::{Label, Labels, Row, Value};
use crate::export::names;
use crate::export::rules::{self, Wanted};
use crate::system::System;

/// What was counted until the last evaluation.
#[derive(Debug, Default)]
pub(super) struct Metrics {
    /// Of each scope, those that PromQL cannot express.
    wanted: Vec<Vec<Metric>>,
    before: HashMap<(usize, Option<String>), Counts>,
}

/// The counts of each event, place by place.
type Counts = Vec<Vec<(Target, Count)>>;

impl Metrics {
    pub(super) fn new(scopes: &[Chosen], system: &System) -> Self {
        let wanted = scopes.iter().map(|chosen| without_rule(chosen, system)).collect();
        Metrics { wanted, before: HashMap::new() }
    }

    /// The values since the last call; `None` without metrics.
    pub(super) fn evaluate(
        &mut self,
        scopes: &[Chosen],
        following: &Following,
        layout: &Layout,
        elapsed: Option<Duration>,
    ) -> Option<Vec<Row>> {
        if self.wanted.iter().all(Vec::is_empty) {
            return None;
        }
        let mut rows = Vec::new();
        let mut now = HashMap::new();
        for (number, place) in following.places().enumerate() {
            let chosen = &scopes[place.selection()];
            let Some(metrics) = &chosen.metrics else { continue };
            let events = following.events(place.selection());
            let counts = counts(place, events.len());
            let key = (place.selection(), place.name().map(String::from));
            if let (Some(before), Some(elapsed)) = (self.before.get(&key), elapsed) {
                let reading =
                    reading(&events[metrics.first..], metrics.first, &counts, before, elapsed);
                let wanted = &self.wanted[place.selection()];
                let of_place = layout.place(number);
                for (part, values) in values(metrics, chosen.scope.kind, &reading) {
                    let known = values.iter().filter(|value| is_wanted(value, wanted));
                    rows.extend(known.map(|value| row(value, &part, &of_place)));
                }
            }
            now.insert(key, counts);
        }
        self.before = now;
        Some(rows)
    }
}

/// What was counted between two evaluations. The events are those from `first` on.
fn reading(
    events: &[SetEvent],
    first: usize,
    now: &Counts,
    before: &Counts,
    elapsed: Duration,
) -> Reading {
    let of_event = |(n, event): (usize, &SetEvent)| {
        let parts = match event.resolved().and_then(|one| one.tool()) {
            Some(Tool::DurationTime) => vec![time(elapsed)],
            _ => differences(&now[n], &before[n]),
        };
        EventReading::with_parts(event.clone(), parts)
    };
    Reading::new((first..).zip(events).map(of_event).collect())
}

/// The values of each part that a scope tells apart, with its labels.
fn values<'r>(
    metrics: &'r ChosenMetrics,
    kind: ScopeKind,
    reading: &Reading,
) -> Vec<(Vec<Label>, Vec<Measured<'r>>)> {
    let per = match kind {
        ScopeKind::Cpu => Per::Cpu,
        ScopeKind::Core => Per::Core,
        ScopeKind::Socket => Per::Socket,
        _ => return vec![(Vec::new(), metrics.plan.values(reading))],
    };
    let parts = metrics.plan.values_per(per, reading).unwrap_or_default();
    parts.into_iter().map(|(part, values)| (labels::of_unit(part), values)).collect()
}

fn is_wanted(value: &Measured<'_>, wanted: &[Metric]) -> bool {
    value.value().is_finite()
        && value.request().metric().is_some_and(|metric| wanted.contains(&metric))
}

fn row(value: &Measured<'_>, part: &[Label], of_place: &Arc<[Label]>) -> Row {
    let mut own = vec![(names::METRIC_NAME, value.request().name())];
    if !value.unit().is_empty() {
        own.push((names::UNIT, value.unit().to_owned()));
    }
    own.extend_from_slice(part);
    let labels = Labels { of_place: of_place.clone(), own: own.into() };
    Row { labels, value: Value::Number(value.value()) }
}

/// The metrics of a scope for which there is no recording rule.
fn without_rule(chosen: &Chosen, system: &System) -> Vec<Metric> {
    let Some(metrics) = &chosen.metrics else { return Vec::new() };
    let counted = chosen.scope.kind;
    let of_plan = metrics.plan.metrics().iter().filter_map(|planned| planned.request().metric());
    let wanted = [Wanted { counted, metrics: of_plan.collect() }];
    let machine = system.machine(&Scope::AllCpus);
    let groups = system.models().into_iter().flat_map(|model| {
        // The length of time does not matter here.
        rules::groups(model, Some(&machine), &wanted, "1m")
    });
    let level = match counted {
        ScopeKind::Instance => ScopeKind::Machine,
        level => level,
    };
    let own = groups.filter(|group| group.level == level);
    own.flat_map(|group| group.refused).map(|(metric, _)| metric).collect()
}

fn counts(place: &Place, events: usize) -> Counts {
    let mut counts: Counts = (0..events).map(|_| Vec::new()).collect();
    for cell in place.cells() {
        for (event, count) in cell.counts() {
            counts[event].push((cell.target(), count));
        }
    }
    counts
}

/// What was counted in between. What came meanwhile is counted from its beginning.
fn differences(now: &[(Target, Count)], before: &[(Target, Count)]) -> Vec<Part> {
    let part = |(target, count): &(Target, Count)| {
        let earlier = before.iter().find(|(other, _)| other == target);
        let since = earlier.map_or(Some(*count), |(_, earlier)| count.since(earlier));
        // The sums are estimates already.
        since.map(|since| {
            let time = since.time_running().max(u64::from(since.time_enabled() > 0));
            Part::new(*target, Count::new(since.value(), time, time))
        })
    };
    now.iter().filter_map(part).collect()
}

fn time(elapsed: Duration) -> Part {
    let nanoseconds = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
    Part::new(Target::ThisThread, Count::new(nanoseconds, nanoseconds, nanoseconds))
}
