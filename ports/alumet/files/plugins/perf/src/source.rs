//! The source of measurements: counters of a process or of a control group.

use std::fs::File;
use std::io;

use alumet::{
    measurement::{MeasurementAccumulator, MeasurementPoint, Timestamp},
    metrics::TypedMetricId,
    pipeline::{Source, elements::error::PollError},
    resources::{Resource, ResourceConsumer},
};
use anyhow::Context;
use pmu_events::Scope;
use pmu_events::open::{Cgroup, Counters, Options, Reading, Target};

use crate::spec::{ConfiguredEvent, SYSTEM};

/// What is observed: a process, wherever it runs, or a control group, on each CPU.
#[derive(Debug)]
pub enum Observable {
    Process { pid: i32 },
    Cgroup { path: String, fd: File },
}

/// Counters that are open.
pub struct PerfEventSource {
    counters: Counters,
    reading: Reading,
    metrics: Vec<TypedMetricId<u64>>,
    consumer: ResourceConsumer,
}

impl Source for PerfEventSource {
    fn poll(
        &mut self,
        measurements: &mut MeasurementAccumulator,
        timestamp: Timestamp,
    ) -> Result<(), PollError> {
        self.counters.read_into(&mut self.reading);
        for event in self.reading.events() {
            let metric = self.metrics[event.event().number()];
            for part in event.parts() {
                let count = part.count();
                // An event that has had no counter so far is unknown, which is not 0.
                if count.is_starved() {
                    continue;
                }
                let value = count.estimate().unwrap_or(0);
                let resource = match part.target() {
                    Target::Cpu(id) => Resource::CpuCore { id },
                    _ => Resource::LocalMachine,
                };
                measurements.push(MeasurementPoint::new(
                    timestamp,
                    metric,
                    resource,
                    self.consumer.clone(),
                    value,
                ));
            }
        }
        Ok(())
    }
}

/// Gathers the events of a [`PerfEventSource`].
pub struct PerfEventSourceBuilder {
    options: Options,
    consumer: ResourceConsumer,
    events: Vec<String>,
    metrics: Vec<TypedMetricId<u64>>,
}

impl PerfEventSourceBuilder {
    pub fn observe(observable: Observable) -> anyhow::Result<Self> {
        let (options, consumer) = match observable {
            Observable::Process { pid } => {
                let pid = u32::try_from(pid).context("a process has no negative number")?;
                (
                    Options::new().with_scope(Scope::Threads(vec![pid])),
                    ResourceConsumer::Process { pid },
                )
            }
            Observable::Cgroup { path, fd } => {
                let cgroup = Cgroup::open(&path).with_context(|| path.clone())?;
                drop(fd);
                let options = Options::new().with_scope(Scope::AllCpus).with_cgroup(cgroup);
                (options, ResourceConsumer::ControlGroup { path: path.into() })
            }
        };
        Ok(Self { options, consumer, events: Vec::new(), metrics: Vec::new() })
    }

    pub fn add(
        &mut self,
        event: &ConfiguredEvent,
        metric: TypedMetricId<u64>,
    ) -> anyhow::Result<&mut Self> {
        self.events.push(event.0.clone());
        self.metrics.push(metric);
        Ok(self)
    }

    /// Opens all events and starts to count. Those that have not enough counters take turns.
    pub fn build(self) -> io::Result<PerfEventSource> {
        let opened = SYSTEM.open_with(&self.events.join(","), &self.options);
        let mut counters = opened.map_err(io::Error::other)?;
        if let Some(refusal) = counters.events().iter().find_map(|event| event.refusal()) {
            return Err(io::Error::other(refusal.clone()));
        }
        counters.enable().map_err(io::Error::other)?;
        log::debug!("counting {} for {:?}", self.events.join(","), self.consumer);
        let (metrics, consumer) = (self.metrics, self.consumer);
        Ok(PerfEventSource { counters, reading: Reading::default(), metrics, consumer })
    }
}
