//! References among metrics: never to themselves, not too deep, and not to too
//! many.

use std::collections::HashSet;

use pmu_events_core::__private::metric::{MAX_EVENTS, MAX_METRICS, MAX_NESTING};

use super::place::within;
use super::program::{Formulas, Name, Program};
use crate::assemble::tree::{Item, Table};
use crate::entry::fields::Value;
use crate::faults::{Faults, Message, quoted};
use crate::files::Files;

/// Where a formula refers to a metric.
#[derive(Clone, Copy)]
pub(super) struct Reference {
    /// The byte of its text.
    pub(super) offset: usize,
    /// The number of the metric in its table.
    pub(super) to: usize,
}

pub(super) struct Graph<'t> {
    table: &'t Table<'t>,
    /// What each metric's formula refers to.
    edges: Vec<Vec<Reference>>,
    thresholds: Vec<Vec<Reference>>,
}

/// How far a metric's own references are known.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Unknown,
    /// On the current path, at this position.
    Walked(usize),
    /// The length of the longest chain of references from it.
    Height(usize),
}

impl<'t> Graph<'t> {
    pub(super) fn of(table: &'t Table<'t>) -> Self {
        let none = || (0..table.metrics.len()).map(|_| Vec::new()).collect();
        Graph { table, edges: none(), thresholds: none() }
    }

    /// Records that a formula of a metric refers to the metrics of a name, of
    /// which it knows the first: it means the one on its own PMU, otherwise the
    /// first, as in the core's look-ups.
    pub(super) fn add(&mut self, metric: usize, is_threshold: bool, reference: Reference) {
        let metrics = &self.table.metrics;
        let meant = (&*metrics[reference.to].key, &*metrics[metric].entry.pmu);
        // They are sorted so, and of two that are alike the first is meant.
        fn of<'i>(item: &'i Item<'_>) -> (&'i str, &'i str) {
            (&item.key, &item.entry.pmu)
        }
        let to = metrics.partition_point(|item| of(item) < meant);
        let has_own = metrics.get(to).is_some_and(|item| of(item) == meant);
        let to = if has_own { to } else { reference.to };
        let edges = if is_threshold { &mut self.thresholds } else { &mut self.edges };
        edges[metric].push(Reference { to, ..reference });
    }

    pub(super) fn check(&self, formulas: &[Formulas], files: &Files, faults: &mut Faults) {
        let mut states = vec![State::Unknown; self.edges.len()];
        for metric in 0..self.edges.len() {
            self.walk(metric, &mut states, files, faults);
        }
        let mut is_sound = true;
        for (metric, item) in self.table.metrics.iter().enumerate() {
            let values = &item.entry.metric;
            for (edges, value) in [
                (&self.edges[metric], &values.expression),
                (&self.thresholds[metric], &values.threshold),
            ] {
                let too_deep = |reference: &&Reference| matches!(states[reference.to], State::Height(h) if h >= MAX_NESTING);
                // One that refers to it is too deep as well; the first is
                // enough.
                if is_sound
                    && let (Some(value), Some(reference)) = (value, edges.iter().find(too_deep))
                {
                    let message =
                        format!("metrics refer to each other more than {MAX_NESTING} deep");
                    faults.error(within(value, reference.offset, files), message);
                    is_sound = false;
                }
            }
        }
        if is_sound {
            self.limits(formulas, faults);
        }
    }

    /// Follows all references from a metric on; warns of those that lead back,
    /// as two do in the kernel's tests. Such a metric has no value.
    fn walk(&self, from: usize, states: &mut [State], files: &Files, faults: &mut Faults) {
        // Each metric of the path, with the number of its next reference.
        let mut way: Vec<(usize, usize)> = Vec::new();
        let mut enter = Some(from).filter(|&metric| states[metric] == State::Unknown);
        loop {
            if let Some(metric) = enter.take() {
                states[metric] = State::Walked(way.len());
                way.push((metric, 0));
            }
            let Some((metric, next)) = way.last_mut() else {
                return;
            };
            let metric = *metric;
            let Some(&Reference { offset, to }) = self.edges[metric].get(*next) else {
                states[metric] = State::Height(self.height(metric, states));
                way.pop();
                continue;
            };
            *next += 1;
            match states[to] {
                State::Unknown => enter = Some(to),
                State::Walked(first) => {
                    let value: Option<&Value<'_>> =
                        self.table.metrics[metric].entry.metric.expression.as_ref();
                    if let Some(value) = value {
                        let place = within(value, offset, files);
                        faults.warning(place, self.circle(&way[first..]));
                    }
                }
                State::Height(_) => {}
            }
        }
    }

    fn height(&self, metric: usize, states: &[State]) -> usize {
        let heights =
            self.edges[metric].iter().filter_map(|reference| match states[reference.to] {
                State::Height(height) => Some(height + 1),
                _ => None,
            });
        heights.max().unwrap_or(0)
    }

    /// The message about a path that leads back to its beginning.
    fn circle(&self, way: &[(usize, usize)]) -> Message {
        const SHOWN: usize = 4;
        let name = |metric: usize| quoted(self.table.metrics[metric].metric_name());
        let Some((&(first, _), others)) = way.split_first() else {
            return String::new().into();
        };
        let place = self.table.metrics[first].entry.metric.name.as_ref().map(|name| name.place);
        let itself = format!("MetricExpr: metric {} refers to itself", name(first));
        let shown: Vec<String> = others.iter().take(SHOWN).map(|&(n, _)| name(n)).collect();
        let shown = shown.join(", ");
        let way = match others.len() {
            0 => return itself.into(),
            1..=SHOWN => format!("{itself} by way of {shown}"),
            len => format!("{itself} by way of {shown} and {} more", len - SHOWN),
        };
        match place {
            Some(place) => Message::from(way).text(", at ").place(place),
            None => way.into(),
        }
    }

    /// Reports metrics that need more than there is room for at run time.
    fn limits(&self, formulas: &[Formulas], faults: &mut Faults) {
        // The round in which each metric was last seen.
        let mut seen = vec![usize::MAX; self.edges.len()];
        let mut round = 0;
        for (from, of) in formulas.iter().enumerate() {
            let metric = &self.table.metrics[from].entry.metric;
            for (key, program, edges, value) in [
                ("MetricExpr", &of.expression, &self.edges[from], &metric.expression),
                ("MetricThreshold", &of.threshold, &self.thresholds[from], &metric.threshold),
            ] {
                // The identifiers of one formula are never too many.
                let (Some(program), Some(value), false) = (program, value, edges.is_empty()) else {
                    continue;
                };
                round += 1;
                let mut programs = vec![program];
                let mut queue: Vec<usize> = Vec::new();
                let mut next = edges;
                loop {
                    for &Reference { to, .. } in next {
                        if std::mem::replace(&mut seen[to], round) != round {
                            queue.push(to);
                        }
                    }
                    let Some(&metric) = queue.get(programs.len() - 1) else {
                        break;
                    };
                    if queue.len() > MAX_METRICS {
                        break;
                    }
                    // A formula without a program has been reported.
                    programs.push(formulas[metric].expression.as_ref().unwrap_or(program));
                    next = &self.edges[metric];
                }
                if let Some(fault) = too_many(&programs, queue.len()) {
                    faults.error(value.place, format!("{key}: {fault}"));
                }
            }
        }
    }
}

fn too_many(programs: &[&Program], metrics: usize) -> Option<String> {
    if metrics > MAX_METRICS {
        return Some(format!("it refers to more than {MAX_METRICS} metrics, through others"));
    }
    let names = || programs.iter().flat_map(|program| &program.names);
    if names().count() <= MAX_EVENTS {
        return None;
    }
    let events = names().filter(|name| matches!(name, Name::Event(_)));
    let distinct: HashSet<&Name> = events.collect();
    (distinct.len() > MAX_EVENTS)
        .then(|| format!("it needs more than {MAX_EVENTS} events, through other metrics"))
}
