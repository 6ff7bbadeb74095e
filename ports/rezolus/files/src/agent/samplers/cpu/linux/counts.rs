//! Samplers that read perf events of all CPUs at each refresh.

use crate::agent::timing::AcquisitionGroup;
use crate::agent::*;

use pmu_events::open::{Counters, Options, Reading, Target};
use pmu_events::resolve::{Resolution, Resolved};
use pmu_events::{Scope, System};

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::thread::JoinHandle;

/// What is done with the counts of a CPU, in the order of the events.
type Publish = fn(cpu: usize, counts: &[u64]);

/// The open events of a sampler.
pub(super) struct Counts {
    name: &'static str,
    group: &'static AcquisitionGroup,
    readers: Vec<(JoinHandle<()>, SyncPrimitive)>,
}

impl Counts {
    /// Opens the first of these lists whose events this machine has, as a pinned group on each
    /// CPU: such a group has its counters all the time, or never.
    pub fn sampler(
        config: &Config,
        name: &'static str,
        group: &'static AcquisitionGroup,
        lists: &[&str],
        publish: Publish,
    ) -> SamplerResult {
        if !config.enabled(name) {
            return Ok(None);
        }
        let (counters, width) = open(&System::new(), lists)?;
        let readers =
            counters.into_iter().map(|counters| reader(counters, width, publish)).collect();
        group.set_member_bound(crate::agent::bpf::possible_cpus());
        Ok(Some(Box::new(Self { name, group, readers })))
    }
}

#[async_trait]
impl Sampler for Counts {
    fn name(&self) -> &'static str {
        self.name
    }

    async fn refresh(&self) {
        let window = self.group.acquire();
        let read = self.readers.iter().map(|(thread, sync)| {
            assert!(!thread.is_finished(), "a thread of {} has ended", self.name);
            sync.trigger();
            sync.wait_notify()
        });
        futures::future::join_all(read).await;
        window.finish();
    }
}

/// Resolves the first of the lists that is complete. Returns it, and the number of its events.
fn resolve(system: &System, lists: &[&str]) -> io::Result<(Resolution, usize)> {
    let mut refused = None;
    for list in lists {
        match system.resolve(&format!("{{{list}}}:D")).and_then(Resolution::complete) {
            Ok(resolution) => return Ok((resolution, list.split(',').count())),
            Err(error) => refused = Some(error),
        }
    }
    Err(refused.map_or_else(|| io::Error::other("no events"), io::Error::other))
}

/// Opens a list on all CPUs. In a guest, where each other CPU takes an interrupt to be read and
/// may not be running, each CPU is read by a thread of its own.
fn open(system: &System, lists: &[&str]) -> io::Result<(Vec<Counters>, usize)> {
    let (resolution, width) = resolve(system, lists)?;
    let of_core = |event: &Resolved| event.pmu().is_some_and(|pmu| pmu.is_core());
    let scopes = if is_virt() && resolution.events().iter().all(of_core) {
        let cpus = cpus()?.into_iter().map(|cpu| cpu.to_string().parse());
        cpus.map(|cpu| cpu.map(Scope::Cpus)).collect::<Result<_, _>>().map_err(io::Error::other)?
    } else {
        vec![Scope::AllCpus]
    };
    let mut opened = Vec::new();
    for scope in scopes {
        let options = Options::new().with_scope(scope);
        let mut counters = Counters::open(&resolution, &options).map_err(io::Error::other)?;
        if let Some(refusal) = counters.events().iter().find_map(|event| event.refusal()) {
            return Err(io::Error::other(refusal.clone()));
        }
        counters.enable().map_err(io::Error::other)?;
        opened.push(counters);
    }
    Ok((opened, width))
}

/// Starts the thread that reads some counters whenever it is triggered.
fn reader(counters: Counters, width: usize, publish: Publish) -> (JoinHandle<()>, SyncPrimitive) {
    let sync = SyncPrimitive::new();
    let triggered = sync.clone();
    let thread = std::thread::spawn(move || {
        let targets = (0..counters.events().len()).flat_map(|event| counters.targets(event));
        let targets: HashSet<Target> = targets.collect();
        if let [Target::Cpu(cpu)] = Vec::from_iter(targets)[..] {
            core_affinity::set_for_current(core_affinity::CoreId { id: cpu as usize });
        }
        let mut reading = Reading::default();
        loop {
            triggered.wait_trigger();
            counters.read_into(&mut reading);
            for (cpu, counts) in by_cpu(&reading, width) {
                publish(cpu, &counts);
            }
            triggered.notify();
        }
    });
    (thread, sync)
}

/// The counts of each CPU that has all of them. Those of several instances of a PMU are added.
fn by_cpu(reading: &Reading, width: usize) -> BTreeMap<usize, Vec<u64>> {
    let mut parts = BTreeMap::<_, Vec<Vec<Option<u64>>>>::new();
    for event in reading.events() {
        for part in event.parts() {
            let Target::Cpu(cpu) = part.target() else { continue };
            let count = part.count();
            let of_cpu = parts.entry(cpu as usize).or_insert_with(|| vec![Vec::new(); width]);
            of_cpu[event.event().number()].push((!count.is_starved()).then(|| count.value()));
        }
    }
    let whole = |instances: &Vec<Option<u64>>| match instances.as_slice() {
        [] => None,
        counts => counts.iter().copied().sum(),
    };
    parts
        .iter()
        .filter_map(|(cpu, events)| Some((*cpu, events.iter().map(whole).collect::<Option<_>>()?)))
        .collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The first event of the lists that a CPU has.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn first(cpuid: &str, lists: &[&str]) -> Option<String> {
        let system = System::builtin(cpuid, pmu_events::arch::model(cpuid).unwrap());
        let (resolution, _) = resolve(&system, lists).ok()?;
        Some(resolution.events()[0].name().to_string())
    }

    /// What every kernel counts, where counting is permitted.
    #[test]
    fn each_cpu_has_all_counts() {
        match open(&System::new(), &["no-such-event", "cpu-clock,page-faults"]) {
            Ok((counters, width)) => {
                let counts: Vec<_> =
                    counters.iter().flat_map(|counters| by_cpu(&counters.read(), width)).collect();
                assert!(
                    !counts.is_empty()
                        && counts.iter().all(|(_, counts)| counts.len() == 2 && counts[0] > 0)
                );
            }
            Err(error) => assert!(error.to_string().contains("perf_event"), "{error}"),
        }
        assert!(open(&System::new(), &["no-such-event"]).is_err());
    }
}
