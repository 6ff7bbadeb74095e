//! Which metric refers to which: never to itself, not too deeply, and to not
//! too many.

use std::collections::{HashMap, HashSet};

use pmu_events_core::metric::{MAX_EVENTS, MAX_METRICS, MAX_NESTING};

use super::{Formulas, Name, Program, Reference, written};
use crate::assemble::Table;
use crate::fault::{Faults, Place, quoted};
use crate::source::Source;

pub(super) struct Graph<'t> {
    table: &'t Table<'t>,
    /// Where the metrics of a name stand in the table.
    by_name: HashMap<&'t str, Vec<usize>>,
    /// What each metric's formula refers to, and where it does.
    edges: Vec<Vec<(Place, usize)>>,
    thresholds: Vec<Vec<(Place, usize)>>,
}

/// How far a metric's own references are known.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Unknown,
    /// On the way that is being walked.
    Walked,
    /// How many refer to each other in a row from it.
    Height(usize),
}

impl<'t> Graph<'t> {
    pub(super) fn of(table: &'t Table<'t>) -> Self {
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, item) in table.metrics.iter().enumerate() {
            by_name.entry(&item.key).or_default().push(number);
        }
        let none = || (0..table.metrics.len()).map(|_| Vec::new()).collect();
        Graph { table, by_name, edges: none(), thresholds: none() }
    }

    /// Takes down what a formula of a metric refers to.
    pub(super) fn add(&mut self, metric: usize, is_threshold: bool, references: Vec<Reference>) {
        for (place, name) in references {
            if let Some(to) = self.resolve(metric, &name) {
                let edges = if is_threshold { &mut self.thresholds } else { &mut self.edges };
                edges[metric].push((place, to));
            }
        }
    }

    /// The metric that another means by a name: that of its own PMU, else the
    /// first, as the look-ups of the core find it.
    fn resolve(&self, from: usize, name: &str) -> Option<usize> {
        let named = self.by_name.get(name)?;
        let pmu = &self.table.metrics[from].entry.pmu;
        let on_pmu = named.iter().find(|&&n| self.table.metrics[n].entry.pmu == *pmu);
        on_pmu.or(named.first()).copied()
    }

    pub(super) fn check(&self, formulas: &[Formulas], source: &Source, faults: &mut Faults) {
        let mut states = vec![State::Unknown; self.edges.len()];
        let mut is_sound = true;
        for metric in 0..self.edges.len() {
            is_sound &= self.walk(metric, &mut states, source, faults);
        }
        for edges in self.edges.iter().chain(&self.thresholds) {
            let too_deep = |&&(_, to): &&(Place, usize)| matches!(states[to], State::Height(height) if height >= MAX_NESTING);
            // One that refers to it is too deep as well; the first is enough.
            if is_sound && let Some(&(place, _)) = edges.iter().find(too_deep) {
                let message = format!("metrics refer to each other more than {MAX_NESTING} deep");
                faults.error(place, message);
                is_sound = false;
            }
        }
        if is_sound {
            self.limits(formulas, faults);
        }
    }

    /// Walks along all references from a metric on; reports those that lead
    /// back.
    fn walk(
        &self,
        from: usize,
        states: &mut [State],
        source: &Source,
        faults: &mut Faults,
    ) -> bool {
        let mut is_sound = true;
        // Each metric of the way, with the number of its next reference.
        let mut way: Vec<(usize, usize)> = Vec::new();
        let mut enter = Some(from).filter(|&metric| states[metric] == State::Unknown);
        loop {
            if let Some(metric) = enter.take() {
                states[metric] = State::Walked;
                way.push((metric, 0));
            }
            let Some((metric, next)) = way.last_mut() else {
                return is_sound;
            };
            let metric = *metric;
            let Some(&(place, to)) = self.edges[metric].get(*next) else {
                states[metric] = State::Height(self.height(metric, states));
                way.pop();
                continue;
            };
            *next += 1;
            match states[to] {
                State::Unknown => enter = Some(to),
                State::Walked => {
                    is_sound = false;
                    faults.error(place, self.circle(&way, to, source));
                }
                State::Height(_) => {}
            }
        }
    }

    fn height(&self, metric: usize, states: &[State]) -> usize {
        let heights = self.edges[metric].iter().filter_map(|&(_, to)| match states[to] {
            State::Height(height) => Some(height + 1),
            _ => None,
        });
        heights.max().unwrap_or(0)
    }

    /// What to say of a way that leads back to one of its metrics.
    fn circle(&self, way: &[(usize, usize)], back_to: usize, source: &Source) -> String {
        const SHOWN: usize = 4;
        let first = way.iter().position(|&(metric, _)| metric == back_to).unwrap_or(0);
        let name = |metric: usize| quoted(written(&self.table.metrics[metric]));
        let others: Vec<String> =
            way[first + 1..].iter().map(|&(metric, _)| name(metric)).collect();
        let place = self.table.metrics[back_to].entry.metric.name.as_ref().map(|name| name.place);
        let at = place.map_or_else(String::new, |place| format!(", at {}", source.shown(place)));
        let itself = format!("MetricExpr: metric {} refers to itself", name(back_to));
        match others.len() {
            0 => itself,
            1..=SHOWN => format!("{itself} by way of {}{at}", others.join(", ")),
            len => {
                let shown = others[..SHOWN].join(", ");
                format!("{itself} by way of {shown} and {} more{at}", len - SHOWN)
            }
        }
    }

    /// Reports metrics that need more than there is room for at run time.
    fn limits(&self, formulas: &[Formulas], faults: &mut Faults) {
        // In which round each metric was last seen.
        let mut seen = vec![usize::MAX; self.edges.len()];
        let mut round = 0;
        for (from, of) in formulas.iter().enumerate() {
            let metric = &self.table.metrics[from].entry.metric;
            for (program, edges, value) in [
                (&of.expression, &self.edges[from], &metric.expression),
                (&of.threshold, &self.thresholds[from], &metric.threshold),
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
                    for &(_, to) in next {
                        if std::mem::replace(&mut seen[to], round) != round {
                            queue.push(to);
                        }
                    }
                    let Some(&metric) = queue.get(programs.len() - 1) else {
                        break;
                    };
                    // What has no program has been reported.
                    programs.push(formulas[metric].expression.as_ref().unwrap_or(program));
                    next = &self.edges[metric];
                }
                if let Some(fault) = too_many(&programs, queue.len()) {
                    faults.error(value.place, fault);
                }
            }
        }
    }
}

fn too_many(programs: &[&Program], metrics: usize) -> Option<String> {
    if metrics > MAX_METRICS {
        return Some(format!("refers to more than {MAX_METRICS} metrics, through others"));
    }
    let names = || programs.iter().flat_map(|program| &program.names);
    if names().count() <= MAX_EVENTS {
        return None;
    }
    let events = names().filter(|name| matches!(name, Name::Event(_)));
    let distinct: HashSet<&Name> = events.collect();
    (distinct.len() > MAX_EVENTS)
        .then(|| format!("needs more than {MAX_EVENTS} events, through other metrics"))
}
