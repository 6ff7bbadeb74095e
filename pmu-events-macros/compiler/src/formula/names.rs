//! The names that a formula may use.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use pmu_events_core::__private::provided;
use pmu_events_core::pmu::DEFAULT_CORE;

use crate::assemble::tree::{Item, Table};
use crate::cost::intern::Interner;
use crate::faults::Candidates;

/// The meaning of a name in a formula.
pub(super) enum Meaning<'n> {
    /// A metric of the model, the first of its name. perf looks for metrics
    /// first.
    Metric(usize),
    /// An event of the model, as the tree spells it.
    Event(&'n str),
    /// An event that the tree need not know.
    Elsewhere,
    Unknown,
}

pub(super) struct Names<'t> {
    /// In lower case.
    events: Interner<&'t str>,
    /// The first event of each of those names, among the table's.
    first_events: Vec<u32>,
    metrics: Interner<&'t str>,
    first_metrics: Vec<u32>,
    table: &'t Table<'t>,
    arch: &'t str,
    /// Computed when a name is unknown.
    spelt: OnceCell<Candidates>,
    /// Whether names that are not the model's are known elsewhere: formulas repeat them.
    elsewhere: RefCell<HashMap<Box<str>, bool>>,
}

impl<'t> Names<'t> {
    pub(super) fn of(table: &'t Table<'t>, arch: &'t str) -> Self {
        let (events, first_events) = numbered(&table.events);
        let (metrics, first_metrics) = numbered(&table.metrics);
        Names {
            events,
            first_events,
            metrics,
            first_metrics,
            table,
            arch,
            spelt: OnceCell::new(),
            elsewhere: RefCell::default(),
        }
    }

    fn event(&self, key: &str) -> Option<&'t Item<'t>> {
        let number = self.events.find(key)?;
        Some(&self.table.events[self.first_events[number as usize] as usize])
    }

    /// The meaning of a name, in lower case. `own` is the metric whose value
    /// the formula is: an event of that name is not itself.
    pub(super) fn meaning(&self, key: &str, own: Option<usize>) -> Meaning<'t> {
        let metric = self.metrics.find(key).map(|n| self.first_metrics[n as usize] as usize);
        let event = self.event(key);
        if let Some(metric) = metric
            && (event.is_none() || own.is_none_or(|own| self.table.metrics[own].key != key))
        {
            return Meaning::Metric(metric);
        }
        if let Some(item) = event {
            return Meaning::Event(item.event_name());
        }
        if self.is_elsewhere(key) { Meaning::Elsewhere } else { Meaning::Unknown }
    }

    /// Whether an event is one of the core PMU, which every machine of the
    /// model has.
    pub(super) fn is_of_core(&self, key: &str) -> bool {
        self.event(key).is_some_and(|item| item.entry.pmu == DEFAULT_CORE)
    }

    fn is_elsewhere(&self, lower: &str) -> bool {
        if let Some(&known) = self.elsewhere.borrow().get(lower) {
            return known;
        }
        let is_known = self.has_elsewhere(lower);
        self.elsewhere.borrow_mut().insert(lower.into(), is_known);
        is_known
    }

    fn has_elsewhere(&self, lower: &str) -> bool {
        if lower.contains('?') {
            return true;
        }
        let Some((pmu, event)) = lower.split_once('/') else {
            // Modifiers follow a colon.
            let name = lower.split_once(':').map_or(lower, |(name, _)| name);
            return self.events.find(name).is_some() || provided::is_on(self.arch, name);
        };
        // With terms, the event is spelt out. Without, a PMU whose events are
        // known must have it; only the system knows the events of other PMUs.
        let name = event.split([',', '/']).next().unwrap_or_default();
        let is_spelt_out = name.is_empty() || name.contains('=');
        is_spelt_out
            || self.events.find(name).is_some()
            || provided::is_generic(name)
            || provided::by_driver(pmu).is_none_or(|mut events| {
                events.any(|event| pmu_events_core::__private::name::eq(event, name))
            })
    }

    /// Whether an unknown name may be in files that could not be read.
    pub(super) fn is_whole(&self) -> bool {
        self.table.is_whole
    }

    /// All names as they are written, in a stable order.
    pub(super) fn spelt(&self) -> &Candidates {
        self.spelt.get_or_init(|| {
            let items = self.table.events.iter().chain(&self.table.metrics);
            let names = items.flat_map(|item| [&item.entry.name, &item.entry.metric.name]);
            let names = names.flatten().map(|name| name.text.to_string());
            Arc::new(names.chain(provided::names().map(str::to_owned)).collect())
        })
    }
}

/// The names of items in lower case, and the first item of each.
fn numbered<'t>(items: &'t [Item<'t>]) -> (Interner<&'t str>, Vec<u32>) {
    let mut names = Interner::new();
    let mut first = Vec::with_capacity(items.len());
    for (number, item) in (0..).zip(items) {
        if names.number(item.key.as_str()) as usize == first.len() {
            first.push(number);
        }
    }
    (names, first)
}
