//! Which CPUs have been offline for a while, after which the kernel does not count on them.

use std::time::{Duration, Instant};
use std::vec::Vec;

use crate::open::{Attr, Counter, Target};
use crate::perf_type;
use crate::sysfs::CpuSet;
use pmu_events_core::format::{Word, Words};

/// An event on each CPU that is always enabled: its time tells for how long the CPU was online.
#[derive(Debug, Default)]
pub(super) struct Watches(Vec<Watch>);

#[derive(Debug)]
struct Watch {
    cpu: u32,
    counter: Counter,
    enabled: u64,
    at: Instant,
}

impl Watches {
    /// The CPUs that were offline since the last call, though they may be online again, and from
    /// now on those that are online are watched.
    pub(super) fn restarted(&mut self, online: &CpuSet) -> Vec<u32> {
        let mut restarted = Vec::new();
        self.0.retain_mut(|watch| {
            let is_well = online.contains(watch.cpu) && watch.has_counted();
            if !is_well {
                restarted.push(watch.cpu);
            }
            is_well
        });
        for cpu in online.iter() {
            if !self.0.iter().any(|watch| watch.cpu == cpu) {
                self.0.extend(Watch::new(cpu));
            }
        }
        restarted
    }
}

impl Watch {
    /// `PERF_COUNT_SW_DUMMY` counts nothing. Where it cannot be opened, nothing else can.
    fn new(cpu: u32) -> Option<Self> {
        const DUMMY: u64 = 9;
        let words = Words::NONE.with(Word::Config, DUMMY);
        let attr = Attr::new(perf_type::SOFTWARE, words);
        let counter = Counter::open(&attr, Target::Cpu(cpu), None).ok()?;
        counter.enable().ok()?;
        let enabled = counter.read().ok()?.time_enabled();
        Some(Watch { cpu, counter, enabled, at: Instant::now() })
    }

    /// Whether most of the time since the last call has passed for the event. A CPU is offline for
    /// longer than a read takes.
    fn has_counted(&mut self) -> bool {
        const NOISE: Duration = Duration::from_millis(20);
        let passed = self.at.elapsed();
        self.at = Instant::now();
        let Ok(count) = self.counter.read() else { return false };
        let counted = count.time_enabled().saturating_sub(self.enabled);
        self.enabled = count.time_enabled();
        Duration::from_nanos(counted) + NOISE + passed / 100 >= passed
    }
}
