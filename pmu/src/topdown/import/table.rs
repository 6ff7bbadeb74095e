//! Counts by time, place and event.

use std::time::Duration;

use pmu_events::expr::EventValue;
use pmu_events::topdown::EventCount;

use super::encodings::Encodings;
use super::fields;
use super::record::Record;
use super::spelling::Spelling;
use crate::topdown::places::Place;
use crate::topdown::utilization::Utilization;

/// The counts of a file.
pub(crate) struct Table {
    pub(crate) moments: Vec<Moment>,
}

/// The counts of a run, or of an interval.
pub(crate) struct Moment {
    /// The end of the interval.
    pub(crate) end: Option<Duration>,
    pub(crate) places: Vec<(Place, Counts)>,
}

/// The counts in a place.
#[derive(Default)]
pub(crate) struct Counts {
    all: Vec<Counted>,
    pub(crate) utilization: Option<Utilization>,
}

struct Counted {
    spelling: Spelling,
    event: String,
    /// As formulas take it.
    value: Option<f64>,
    running: f64,
}

impl Table {
    /// The records of intervals leave out those of their sum.
    pub(super) fn new(records: Vec<Record>) -> Self {
        let has_intervals = records.iter().any(|record| record.interval.is_some());
        let mut moments: Vec<Moment> = Vec::new();
        let is_whole = |record: &Record| {
            record.cgroup.is_none() && record.unit.as_deref().is_some_and(fields::is_of_cpus)
        };
        for mut record in
            records.into_iter().filter(|one| !(has_intervals && one.interval.is_none()))
        {
            let end = record.interval.and_then(|end| Duration::try_from_secs_f64(end).ok());
            // The clock of whole CPUs always runs.
            record.cpus_used = record.cpus_used.filter(|_| !is_whole(&record));
            if moments.last().is_none_or(|last| last.end != end) {
                moments.push(Moment { end, places: Vec::new() });
            }
            if let Some(last) = moments.last_mut() {
                let place = Place::named(record.cgroup.clone(), record.unit.clone());
                last.counts(place).add(record);
            }
        }
        Table { moments }
    }

    /// Whether it is of whole CPUs.
    pub(crate) fn is_of_cpus(&self) -> bool {
        let mut places = self.moments.iter().flat_map(|moment| &moment.places);
        places.any(|(place, _)| place.cgroup.is_some() || is_of_cpus(place))
    }
}

fn is_of_cpus(place: &Place) -> bool {
    place.label.as_ref().is_some_and(|label| fields::is_of_cpus(label))
}

impl Moment {
    fn counts(&mut self, place: Place) -> &mut Counts {
        let known = self.places.iter().position(|(own, _)| *own == place);
        let at = known.unwrap_or_else(|| {
            self.places.push((place, Counts::default()));
            self.places.len() - 1
        });
        &mut self.places[at].1
    }
}

impl Counts {
    /// Of an event that is in several groups, the count of which most is known.
    fn add(&mut self, record: Record) {
        let spelling = Spelling::of(&record.event);
        let factor = factor(&spelling, &record.unit_of_value);
        let value = record.value.map(|value| value * factor);
        // Other clocks run while CPUs idle.
        let of_tasks = record.cpus_used.filter(|_| spelling.name == "task-clock");
        if let Some(cpus_used) = of_tasks.filter(|used| used.is_finite()) {
            self.utilization = Some(Utilization { cpus_used, cpus: None });
        }
        let counted = Counted { spelling, event: record.event, value, running: record.running };
        match self.all.iter_mut().find(|own| own.spelling == counted.spelling) {
            Some(known) if known.value.is_none() || known.running < counted.running => {
                *known = counted;
            }
            Some(_) => {}
            None => self.all.push(counted),
        }
    }

    /// The count of an event in a formula of a metric, which is of a PMU. If some code was counted
    /// alone, that is preferred which modifiers say.
    pub(crate) fn of(
        &self,
        event: &str,
        pmu: &str,
        modifiers: &str,
        encodings: &Encodings<'_>,
    ) -> EventCount {
        let wanted = Spelling::of(event);
        let best = |is_it: &dyn Fn(&Counted) -> bool| {
            let own = || self.all.iter().filter(|own| is_it(own));
            let is_preferred = |own: &&Counted| own.spelling.modifiers == modifiers;
            own().find(is_preferred).or_else(|| own().next())
        };
        let found = best(&|own| own.spelling.is_same(&wanted, pmu))
            .or_else(|| best(&|own| encodings.are_same(&own.event, event)));
        match found.and_then(|counted| Some((counted.value?, counted.running))) {
            Some((value, running)) => EventCount::new(value, running),
            None => EventCount::new(EventValue::NOT_COUNTED, 0.0),
        }
    }
}

/// What makes a shown count that of formulas, in which clocks are in nanoseconds and times of the
/// program in seconds.
fn factor(spelling: &Spelling, unit: &str) -> f64 {
    match (spelling.name.as_str(), unit) {
        ("duration_time" | "user_time" | "system_time", _) => 1e-9,
        (_, "msec") => 1e6,
        _ => 1.0,
    }
}
