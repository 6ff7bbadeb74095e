//! How much of the time something ran. The shares of a tree are those of that time, so that a
//! program that mostly waits would look as busy as any other.

use std::collections::BTreeMap;
use std::ops::Sub;

use pmu_events::__private::file;
use pmu_events::System;
use pmu_events::measure::{Formulas, Plan, Request};
use pmu_events::open::Reading;
use pmu_events::sysfs::CpuSet;

/// CPU time in each second of what is counted. The kernel accounts it, whatever PMU there is.
const CPUS_USED: &str = r"cpus_used = task\-clock / duration_time";

/// How much of the time something ran.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Utilization {
    /// CPU time in each second.
    pub(crate) cpus_used: f64,
    /// The number of CPUs, if whole ones are counted.
    pub(crate) cpus: Option<usize>,
}

impl Utilization {
    /// The share of the time of the CPUs in which they idled or, of tasks, the least share of the
    /// time in which none ran: several may have run at once.
    pub(crate) fn idle(self) -> f64 {
        (1.0 - self.cpus_used / self.cpus.map_or(1.0, |cpus| cpus as f64)).clamp(0.0, 1.0)
    }

    /// The mean of several passes.
    pub(crate) fn mean(all: &[Self]) -> Option<Self> {
        let sum: f64 = all.iter().map(|one| one.cpus_used).sum();
        let first = all.first()?;
        Some(Utilization { cpus_used: sum / all.len() as f64, ..*first })
    }
}

/// A request for what tasks use.
pub(crate) fn request(system: &System) -> Option<Request> {
    let formulas = CPUS_USED.parse::<Formulas>().ok()?.bind(system).ok()?;
    formulas.into_iter().next().map(Request::from)
}

/// What tasks have used, from the counts of a plan with that request.
pub(crate) fn of_tasks(plan: &Plan, reading: &Reading) -> Option<Utilization> {
    let values = plan.values(reading);
    let value = values.iter().find(|value| value.request().formula().is_some())?.value();
    value.is_finite().then_some(Utilization { cpus_used: value, cpus: None })
}

/// The time of a CPU, in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Ticks {
    idle: u64,
    all: u64,
}

impl Sub for Ticks {
    type Output = Ticks;

    fn sub(self, before: Ticks) -> Ticks {
        Ticks {
            idle: self.idle.saturating_sub(before.idle),
            all: self.all.saturating_sub(before.all),
        }
    }
}

/// What the kernel accounts of whole CPUs: the lines `cpuN` of `/proc/stat` (proc(5)).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CpuTimes(BTreeMap<u32, Ticks>);

impl CpuTimes {
    /// The least ticks that say something: one more or less is then a twentieth.
    const LEAST: u64 = 20;

    /// None where they cannot be read.
    pub(crate) fn now(system: &System) -> Self {
        file::of_procfs(&system.proc().join("stat"))
            .map_or_else(|_| Self::default(), |text| Self::parse(&text))
    }

    fn parse(text: &str) -> Self {
        let of_line = |line: &str| {
            let mut words = line.split_ascii_whitespace();
            let cpu = words.next()?.strip_prefix("cpu")?.parse().ok()?;
            // The time of guests is in that of users.
            let times: Vec<u64> = words.take(8).map_while(|word| word.parse().ok()).collect();
            let idle = times.get(3)? + times.get(4).unwrap_or(&0);
            Some((cpu, Ticks { idle, all: times.iter().sum() }))
        };
        CpuTimes(text.lines().filter_map(of_line).collect())
    }

    /// What some CPUs did since an earlier moment; `None` if that is not known, or was too short.
    pub(crate) fn since(&self, before: &Self, cpus: Option<&CpuSet>) -> Option<Utilization> {
        let is_asked = |cpu: u32| cpus.is_none_or(|cpus| cpus.contains(cpu));
        let mut of_cpus = Vec::new();
        for (&cpu, &now) in self.0.iter().filter(|(cpu, _)| is_asked(**cpu)) {
            of_cpus.push(now - *before.0.get(&cpu)?);
        }
        let all: u64 = of_cpus.iter().map(|ticks| ticks.all).sum();
        let idle: u64 = of_cpus.iter().map(|ticks| ticks.idle).sum();
        if all < Self::LEAST {
            return None;
        }
        let cpus = of_cpus.len();
        let busy = 1.0 - idle as f64 / all as f64;
        Some(Utilization { cpus_used: busy * cpus as f64, cpus: Some(cpus) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "cpu  9 9 9 9\ncpu0 100 0 50 1000 20 1 2 3 7 0\ncpu1 10 0 5 100\nintr 5\n";

    #[test]
    fn times_of_cpus() {
        let text = |zero: &str, one: &str| format!("cpu 1 2 3 4\ncpu0 {zero}\ncpu1 {one}\n");
        let of_both = |used: f64| Some((used, Some(2)));
        // The times now, the CPUs that are asked for, and the CPUs used.
        let cases = [
            // Half of the time of each.
            (text("120 0 50 1020 20 1 2 3", "30 0 5 120"), "0-1", of_both(1.0)),
            // One does nothing else; waiting for a disk is idle, interrupts are not.
            (text("100 0 50 1000 60 1 2 3", "50 0 5 100"), "0-1", of_both(1.0)),
            (text("100 0 50 1000 20 41 2 3", "10 0 5 140"), "0-1", of_both(1.0)),
            (text("100 0 50 1040 20 1 2 3", "10 0 5 140"), "0-1", of_both(0.0)),
            (text("140 0 50 1000 20 1 2 3", "10 0 5 140"), "0", Some((1.0, Some(1)))),
            (text("140 0 50 1000 20 1 2 3", "10 0 5 140"), "1", Some((0.0, Some(1)))),
            // Too short to say, a file without these lines, and lines of something else.
            (text("105 0 50 1000 20 1 2 3", "10 0 5 105"), "0-1", None),
            (BEFORE.into(), "0-1", None),
            (String::new(), "0-1", None),
            ("cpu0\ncpu1 1 2\ncpux 1 2 3 4\n".into(), "0-1", None),
        ];
        for (now, cpus, expected) in cases {
            let cpus: CpuSet = cpus.parse().expect("it is one");
            let found = CpuTimes::parse(&now).since(&CpuTimes::parse(BEFORE), Some(&cpus));
            let found = found.map(|found| (found.cpus_used, found.cpus));
            assert_eq!(found, expected, "{now:?}");
        }
    }

    #[test]
    fn idle_time() {
        let of = |cpus_used, cpus| Utilization { cpus_used, cpus };
        for (utilization, expected) in [
            (of(0.5, None), 0.5),
            (of(1.0, None), 0.0),
            (of(3.5, None), 0.0),
            (of(1.0, Some(4)), 0.75),
            (of(4.0, Some(4)), 0.0),
        ] {
            assert_eq!(utilization.idle(), expected, "{utilization:?}");
        }
        assert_eq!(Utilization::mean(&[]), None);
        let mean = Utilization::mean(&[of(0.25, None), of(0.75, None)]);
        assert_eq!(mean, Some(of(0.5, None)));
    }
}
