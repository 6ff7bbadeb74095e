//! Retirement latencies of events, from samples.

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::{Fields, Options, Sampler};
use crate::event::LatencyStatistic;
use crate::metric::{Latencies, LatencyOf};
use crate::open::Error;
use crate::resolve::Resolution;
use crate::system::System;

/// Samples that tell retirement latencies: how many cycles pass between the retirement of the
/// instruction before and that of the one that causes an event.
///
/// The formulas of Intel's newest cores take such latencies (`EVENT:R`), which no counter counts.
/// The processor writes them into precise samples, in
/// [`Sample::further_weights`](super::Sample::further_weights) (since Linux 6.3, on cores of the
/// generation of Granite Rapids and Lunar Lake or later).
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::event::LatencyStatistic;
/// use pmu_events::measure::Plan;
/// use pmu_events::metric::Latencies;
/// use pmu_events::sample::{LatencySampler, Options};
/// use pmu_events::{Scope, System};
///
/// # fn work() {}
/// let system = System::new();
/// let metric = system.models().first().and_then(|model| model.metric("tma_lock_latency"));
/// let mut plan = Plan::new(metric, &system, &Scope::ThisThread);
/// let needed = plan.metrics().iter().flat_map(|planned| planned.latencies());
/// let needed: Vec<_> = needed.map(|one| one.identifier().to_owned()).collect();
/// let sampler = LatencySampler::open(needed.iter().map(String::as_str), &system, &Options::new());
/// if let Ok(mut latencies) = sampler {
///     latencies.sampler().enable()?;
///     work(); // Counters of the plan count meanwhile.
///     latencies.sampler().disable()?;
///     latencies.read()?;
///     let measured = latencies.latencies(LatencyStatistic::Mean, Latencies::new());
///     plan.set_latencies(&measured);
/// }
/// # }
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Debug)]
pub struct LatencySampler {
    sampler: Sampler,
    /// What was asked for, each once.
    measured: Vec<Measured>,
    /// For each event of the sampler, the index of what it is about.
    of: Vec<usize>,
}

/// The samples of an event.
#[derive(Debug)]
struct Measured {
    /// As [`LatencyOf::of_event`] takes it.
    event: String,
    samples: u64,
    sum: u64,
    least: u16,
    most: u16,
}

impl Measured {
    fn value(&self, statistic: LatencyStatistic) -> Option<f64> {
        if self.samples == 0 {
            return None;
        }
        Some(match statistic {
            LatencyStatistic::Min => self.least.into(),
            LatencyStatistic::Max => self.most.into(),
            _ => self.sum as f64 / self.samples as f64,
        })
    }
}

impl LatencySampler {
    /// Opens the events of some latencies, written as in formulas (`EVENT:R`, `pmu/EVENT/R`), each
    /// once. Nothing is sampled before the [sampler](Self::sampler) is enabled. Of the options,
    /// all but the fields apply.
    ///
    /// # Errors
    ///
    /// Returns an error if the machine lacks an event, and if it cannot sample one precisely with
    /// weights.
    pub fn open<'e>(
        latencies: impl IntoIterator<Item = &'e str>,
        system: &System,
        options: &Options,
    ) -> Result<Self, Error> {
        let mut events = Resolution::empty(system);
        let (mut measured, mut of): (Vec<Measured>, Vec<usize>) = (Vec::new(), Vec::new());
        for latency in latencies.into_iter().filter_map(LatencyOf::parse) {
            let event = latency.to_string();
            if measured.iter().any(|known| known.event == event) {
                continue;
            }
            // As perf does, which replaces `R` (`evsel__tpebs_event` in
            // `tools/perf/util/intel-tpebs.c`).
            let precise = if latency.pmu().is_some() { "p" } else { ":p" };
            let text = format!("{event}{precise}");
            let found = system.require(&text);
            let found = found.map_err(|error| Error::unresolved(&error).of_event(&text))?;
            of.extend(found.events().iter().map(|_| measured.len()));
            events.append(found);
            measured.push(Measured { event, samples: 0, sum: 0, least: u16::MAX, most: 0 });
        }
        let fields = Fields::WEIGHTS | Fields::IDENTIFIER;
        let sampler = Sampler::open(&events, &options.clone().with_fields(fields))?;
        Ok(LatencySampler { sampler, measured, of })
    }

    /// Returns the sampler, which starts and stops, and tells what was lost.
    pub fn sampler(&mut self) -> &mut Sampler {
        &mut self.sampler
    }

    /// Reads the samples that are ready. A buffer that is not read for long loses those that
    /// follow, so that a mean would be that of the beginning.
    ///
    /// # Errors
    ///
    /// Returns an error if a buffer has something else than records.
    pub fn read(&mut self) -> Result<(), Error> {
        let (measured, of) = (&mut self.measured, &self.of);
        self.sampler.read_numbered(|event, record| {
            let weights = record.sample().and_then(|sample| sample.further_weights());
            if let (Some((_, cycles)), Some(&number)) = (weights, of.get(event)) {
                let one = &mut measured[number];
                one.samples += 1;
                one.sum += u64::from(cycles);
                (one.least, one.most) = (one.least.min(cycles), one.most.max(cycles));
            }
        })
    }

    /// Returns each event, with the number of its samples so far.
    pub fn samples(&self) -> impl Iterator<Item = (LatencyOf<'_>, u64)> {
        self.measured.iter().map(|one| (LatencyOf::of_event(&one.event), one.samples))
    }

    /// Returns a statistic of what was sampled, and for events without a sample the other
    /// latencies.
    #[must_use]
    pub fn latencies(&self, statistic: LatencyStatistic, others: Latencies) -> Latencies {
        let known = self.measured.iter().filter_map(|one| Some((one, one.value(statistic)?)));
        known.fold(others, |all, (one, cycles)| all.with_cycles(&one.event, cycles))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics() {
        let event = "MEM.LOADS";
        let none = Measured { event: event.into(), samples: 0, sum: 0, least: u16::MAX, most: 0 };
        let some = Measured { event: event.into(), samples: 4, sum: 10, least: 1, most: 5 };
        for (statistic, expected) in [
            (LatencyStatistic::Mean, 2.5),
            (LatencyStatistic::Min, 1.0),
            (LatencyStatistic::Max, 5.0),
        ] {
            assert_eq!((none.value(statistic), some.value(statistic)), (None, Some(expected)));
        }
    }
}
