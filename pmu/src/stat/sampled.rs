//! Retirement latencies that are sampled while events are counted.

use std::collections::BTreeSet;

use pmu_events::event::LatencyStatistic;
use pmu_events::measure::Plan;
use pmu_events::metric::Latencies;
use pmu_events::open;
use pmu_events::sample::{LatencySampler, Options};
use pmu_events::{Scope, System};

use crate::stat::args::RunArgs;
use crate::stat::failure::reason;

/// The latencies that metrics take, and what is taken of their samples.
#[derive(Default)]
pub(crate) struct Wanted {
    operands: BTreeSet<String>,
    statistic: LatencyStatistic,
}

/// What was sampled.
#[derive(Clone, Default)]
pub(crate) struct Measured {
    /// Those that have samples.
    pub(crate) latencies: Latencies,
    /// Why others have none.
    pub(crate) notes: Vec<String>,
}

/// The samples that are being taken, if any.
pub(crate) struct Sampling {
    sampler: Option<LatencySampler>,
    statistic: LatencyStatistic,
    notes: Vec<String>,
}

impl Wanted {
    /// Those of a plan.
    pub(crate) fn of(plan: &Plan) -> Self {
        let all = plan.metrics().iter();
        let operands = all.clone().flat_map(|planned| planned.latencies());
        let first = all.clone().next().map(|planned| planned.request().latencies().statistic());
        Wanted {
            operands: operands.map(|one| one.identifier().to_owned()).collect(),
            statistic: first.unwrap_or_default(),
        }
    }

    /// Opens the events. A machine that cannot sample them has the latencies of the tables.
    pub(crate) fn open(
        &self,
        system: &System,
        scope: &Scope,
        args: &RunArgs,
        waits_for_exec: bool,
    ) -> Sampling {
        let mut sampling = Sampling { sampler: None, statistic: self.statistic, notes: Vec::new() };
        if self.operands.is_empty() {
            return sampling;
        }
        let options = Options::new()
            .with_scope(scope.clone())
            .with_inherit(!args.no_inherit)
            .with_enable_on_exec(waits_for_exec);
        let operands = self.operands.iter().map(String::as_str);
        match LatencySampler::open(operands, system, &options) {
            Ok(sampler) => sampling.sampler = Some(sampler),
            Err(error) => sampling.notes.push(format!(
                "retirement latencies cannot be sampled: {}; those of the tables are taken",
                reason(&error)
            )),
        }
        sampling
    }
}

impl Sampling {
    /// Whether buffers are to be read now and then.
    pub(crate) fn is_on(&self) -> bool {
        self.sampler.is_some()
    }

    pub(crate) fn enable(&mut self) -> Result<(), open::Error> {
        self.sampler.as_mut().map_or(Ok(()), |sampler| sampler.sampler().enable())
    }

    pub(crate) fn disable(&mut self) -> Result<(), open::Error> {
        self.sampler.as_mut().map_or(Ok(()), |sampler| sampler.sampler().disable())
    }

    /// Reads what the buffers have.
    pub(crate) fn read(&mut self) -> Result<(), open::Error> {
        self.sampler.as_mut().map_or(Ok(()), LatencySampler::read)
    }

    /// What has been sampled so far.
    pub(crate) fn latencies(&self) -> Latencies {
        let all = self.sampler.as_ref();
        all.map(|sampler| sampler.latencies(self.statistic, Latencies::new())).unwrap_or_default()
    }

    /// What has been sampled in all.
    pub(crate) fn measured(&mut self) -> Measured {
        let latencies = self.latencies();
        if let Some(sampler) = &mut self.sampler {
            if let Ok(Some(lost @ 1..)) = sampler.sampler().lost() {
                self.notes.push(format!(
                    "{lost} samples of retirement latencies were lost, because the buffers were full"
                ));
            }
            let without: Vec<String> = sampler
                .samples()
                .filter(|&(_, samples)| samples == 0)
                .map(|(of, _)| format!("`{of}`"))
                .collect();
            if !without.is_empty() {
                self.notes.push(format!(
                    "no sample tells the retirement latency of {}, which occurs too rarely; that \
                     of the tables is taken",
                    without.join(", ")
                ));
            }
        }
        Measured { latencies, notes: std::mem::take(&mut self.notes) }
    }
}
