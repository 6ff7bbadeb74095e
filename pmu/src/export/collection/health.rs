//! The series of the exporter itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pmu_events::follow::{Cell, Following, Place};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Unit;

use crate::export::exposition::{Family, Labels, Row, Value};

/// What the server counts.
#[derive(Clone, Debug, Default)]
pub(in crate::export) struct Requests(Arc<Counted>);

#[derive(Debug, Default)]
struct Counted {
    answered: AtomicU64,
    refused: AtomicU64,
    given_up: AtomicU64,
    reloads: AtomicU64,
    reload_faults: AtomicU64,
    textfile_faults: AtomicU64,
}

/// Something that happened.
#[derive(Clone, Copy, Debug)]
pub(in crate::export) enum Event {
    Answered,
    /// A connection beyond the limit.
    Refused,
    /// A connection that took too long, or whose request was too large or no request.
    GivenUp,
    Reloaded,
    ReloadFault,
    TextfileFault,
}

impl Requests {
    pub(in crate::export) fn count(&self, event: Event) {
        self.of(event).fetch_add(1, Ordering::Relaxed);
    }

    fn of(&self, event: Event) -> &AtomicU64 {
        match event {
            Event::Answered => &self.0.answered,
            Event::Refused => &self.0.refused,
            Event::GivenUp => &self.0.given_up,
            Event::Reloaded => &self.0.reloads,
            Event::ReloadFault => &self.0.reload_faults,
            Event::TextfileFault => &self.0.textfile_faults,
        }
    }
}

#[derive(Debug)]
pub(super) struct Health {
    requests: Requests,
    read: Duration,
}

/// Its families, with those of `values` in the same order.
const FAMILIES: [(&str, Option<Unit>, MetricType, &str); 11] = [
    ("pmu_export_counters", None, MetricType::Gauge, "Counters that are open"),
    (
        "pmu_export_unreadable_counters",
        None,
        MetricType::Gauge,
        "Counters that the last read failed on",
    ),
    ("pmu_export_series", None, MetricType::Gauge, "Series of counts"),
    ("pmu_export_series_left_out", None, MetricType::Gauge, "Series over the limit"),
    (
        "pmu_export_places_left_out",
        None,
        MetricType::Gauge,
        "Control groups, processes and CPUs that could not be opened",
    ),
    (
        "pmu_export_read",
        Some(Unit::Seconds),
        MetricType::Gauge,
        "How long the last read of all counters took",
    ),
    ("pmu_export_requests", None, MetricType::Counter, "Requests that were answered"),
    ("pmu_export_connections_refused", None, MetricType::Counter, "Connections over the limit"),
    (
        "pmu_export_connections_given_up",
        None,
        MetricType::Counter,
        "Connections that took too long, or asked wrongly",
    ),
    ("pmu_export_reloads", None, MetricType::Counter, "How often a configuration was read again"),
    (
        "pmu_export_faults",
        None,
        MetricType::Counter,
        "Configurations and text files that were refused",
    ),
];

impl Health {
    pub(super) fn new(requests: &Requests) -> Self {
        Health { requests: requests.clone(), read: Duration::ZERO }
    }

    pub(super) fn read_in(&mut self, time: Duration) {
        self.read = time;
    }

    pub(super) fn families(&self) -> impl Iterator<Item = Family> {
        FAMILIES.into_iter().map(|(name, unit, kind, help)| {
            let row = Row { labels: Labels::default(), value: Value::Unknown };
            Family { name, unit, help, kind, rows: vec![row] }
        })
    }

    /// `series` are those of counts, and those for which there was no room.
    pub(super) fn put(&self, following: &Following, series: (usize, usize), all: &mut [Family]) {
        let Some(begin) = all.len().checked_sub(FAMILIES.len()) else { return };
        let unreadable = following.places().flat_map(Place::cells).filter_map(Cell::error).count();
        let told = |event: Event| self.requests.of(event).load(Ordering::Relaxed);
        let values = [
            Value::Whole(following.descriptors() as u64),
            Value::Whole(unreadable as u64),
            Value::Whole(series.0 as u64),
            Value::Whole(series.1 as u64),
            Value::Whole(following.left_out().len() as u64),
            Value::Number(self.read.as_secs_f64()),
            Value::Whole(told(Event::Answered)),
            Value::Whole(told(Event::Refused)),
            Value::Whole(told(Event::GivenUp)),
            Value::Whole(told(Event::Reloaded)),
            Value::Whole(told(Event::ReloadFault) + told(Event::TextfileFault)),
        ];
        for (family, value) in all[begin..].iter_mut().zip(values) {
            family.rows.iter_mut().for_each(|row| row.value = value);
        }
    }
}
