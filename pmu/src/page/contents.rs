//! The contents of a page: events and metrics, each with its place on the page,
//! and the meaning of names in formulas.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use pmu_events::__private::expr::{self, Query, Spelling};
use pmu_events::__private::pmu;
use pmu_events::{Event, Metric};

use crate::html::fragment;
use crate::trees::Table;

/// The events and metrics of a page. Other modules refer to them by number.
pub(crate) struct Contents {
    pub(crate) events: Vec<Event>,
    pub(crate) metrics: Vec<Metric>,
    /// The `id` of each one's element.
    pub(crate) event_ids: Vec<String>,
    pub(crate) metric_ids: Vec<String>,
    /// By name in lower case.
    events_named: BTreeMap<String, Vec<usize>>,
    metrics_named: BTreeMap<String, Vec<usize>>,
}

/// The meaning of a name in a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Meaning {
    Metric(usize),
    Event(usize),
}

/// The two formulas of a metric.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Role {
    Value,
    Threshold,
}

impl Contents {
    pub(crate) fn of(tables: &[Table]) -> Self {
        let events: Vec<Event> = tables.iter().flat_map(Table::events).collect();
        let metrics: Vec<Metric> = tables.iter().flat_map(|table| table.model.metrics()).collect();
        // The event that a bare name means is the first to have it as its id.
        let mut core_first: Vec<usize> = (0..events.len()).collect();
        core_first.sort_by_key(|&n| !pmu::is_core(events[n].pmu()));
        let in_order =
            ids("event", core_first.iter().map(|&n| (events[n].name(), events[n].pmu())));
        let mut event_ids = vec![String::new(); events.len()];
        for (n, id) in core_first.into_iter().zip(in_order) {
            event_ids[n] = id;
        }
        let metric_ids = ids("metric", metrics.iter().map(|m| (m.name(), m.pmu())));
        let events_named = numbered(events.iter().map(|event| event.name()));
        let metrics_named = numbered(metrics.iter().map(|metric| metric.name()));
        Contents { events, metrics, event_ids, metric_ids, events_named, metrics_named }
    }

    /// The metric of a name: that of a given PMU if it has one.
    pub(crate) fn metric_named(&self, name: &str, pmu: &str) -> Option<usize> {
        let named = self.metrics_named.get(&name.to_lowercase())?;
        let of_pmu = named.iter().find(|&&n| self.metrics[n].pmu() == pmu);
        of_pmu.or(named.first()).copied()
    }

    /// The event of a name: that of a given PMU if it has one, otherwise of a
    /// core.
    fn event_named(&self, name: &str, is_of_pmu: impl Fn(&str) -> bool) -> Option<usize> {
        let named = self.events_named.get(&name.to_lowercase())?;
        let of = |is_it: &dyn Fn(&str) -> bool| {
            named.iter().copied().find(|&n| is_it(self.events[n].pmu()))
        };
        of(&is_of_pmu).or_else(|| of(&pmu::is_core)).or(named.first().copied())
    }

    /// The event that counts the same as a deprecated one.
    pub(crate) fn successor(&self, event: usize) -> Option<usize> {
        let event = self.events[event];
        let name = event.successor()?;
        self.event_named(name, |pmu| pmu == event.pmu())
    }

    /// The meaning of an identifier in a formula of a metric. As in perf, a
    /// metric comes before an event, unless a value would need itself. `None`
    /// for names that only the running system or perf knows, and for unknown
    /// names.
    fn meaning(&self, identifier: Spelling<'_>, own: usize, role: Role) -> Option<Meaning> {
        let written = identifier.to_string();
        let metric = self.metrics[own];
        // `pmu/event,terms/modifiers`, or `event:modifiers`.
        let (unit, name) = match written.split_once('/') {
            Some((unit, rest)) => (unit, rest.split([',', '/']).next().unwrap_or_default()),
            None => (metric.pmu(), written.as_str()),
        };
        let is_of_unit =
            |pmu: &str| pmu::matches(pmu, unit) || (pmu == pmu::DEFAULT_CORE && pmu::is_core(unit));
        let event = self.event_named(name, is_of_unit).or_else(|| {
            let (name, _) = name.split_once(':')?;
            self.event_named(name, is_of_unit)
        });
        let itself = role == Role::Value && written.eq_ignore_ascii_case(metric.name());
        match self.metric_named(&written, metric.pmu()) {
            Some(found) if !(itself && event.is_some()) => Some(Meaning::Metric(found)),
            _ => event.map(Meaning::Event),
        }
    }

    /// The names in a formula of a metric, in the order of the text: their
    /// positions and their meanings.
    pub(crate) fn names(&self, own: usize, role: Role) -> Vec<(Range<usize>, Option<Meaning>)> {
        let mut names = Vec::new();
        // The compiler has parsed it already.
        let _ = expr::parse(&self.formula(own, role), |item, span| match item.identifier() {
            None | Some((_, Some(Query::StrcmpCpuidStr))) => {}
            Some((identifier, _)) => names.push((span, self.meaning(identifier, own, role))),
        });
        names
    }

    pub(crate) fn formula(&self, metric: usize, role: Role) -> String {
        match role {
            Role::Value => self.metrics[metric].expression().to_string(),
            Role::Threshold => {
                let threshold = self.metrics[metric].threshold();
                threshold.map(|formula| formula.to_string()).unwrap_or_default()
            }
        }
    }

    pub(crate) fn id(&self, meaning: Meaning) -> &str {
        match meaning {
            Meaning::Metric(n) => &self.metric_ids[n],
            Meaning::Event(n) => &self.event_ids[n],
        }
    }

    pub(crate) fn name(&self, meaning: Meaning) -> &'static str {
        match meaning {
            Meaning::Metric(n) => self.metrics[n].name(),
            Meaning::Event(n) => self.events[n].name(),
        }
    }
}

fn numbered(names: impl Iterator<Item = &'static str>) -> BTreeMap<String, Vec<usize>> {
    let mut numbered: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, name) in names.enumerate() {
        numbered.entry(name.to_lowercase()).or_default().push(number);
    }
    numbered
}

/// An id for each name: with its PMU if the name is taken, with a number if that
/// is taken too. Ids are unique in any letter case.
fn ids<'n>(kind: &str, names: impl Iterator<Item = (&'n str, &'n str)>) -> Vec<String> {
    let mut taken = HashSet::new();
    let free = |(name, pmu)| {
        let mut id = fragment(&format!("{kind}-{name}"));
        for number in 1.. {
            if taken.insert(id.to_lowercase()) {
                break;
            }
            let tilde = if number > 1 { format!("~{number}") } else { String::new() };
            id = fragment(&format!("{kind}-{name}@{pmu}{tilde}"));
        }
        id
    };
    names.map(free).collect()
}

#[cfg(test)]
mod tests {
    use super::ids;

    #[test]
    fn ids_are_unique_in_any_case() {
        let names = [("a", "p"), ("b", "p"), ("A", "p"), ("a", "p"), ("a", "p"), ("a", "q")];
        let expected =
            ["metric-a", "metric-b", "metric-A@p", "metric-a@p~2", "metric-a@p~3", "metric-a@q"];
        assert_eq!(ids("metric", names.into_iter()), expected);
    }
}
