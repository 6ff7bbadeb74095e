//! How many counters are free: pinned events are opened until one finds none.

use std::format;
use std::string::{String, ToString};
use std::sync::Arc;
use std::vec::Vec;

use super::affinity::Visit;
use super::{Fact, capacity, holders, loops};
use crate::open::{Attr, Counter, Error, Flag, SetEvent, Target};
use crate::sysfs::{CpuSet, Pmu};
use crate::system::System;

/// The counters of a PMU that were free when it was checked: on one CPU, for the calling thread. It
/// is as many as copies of `instructions` can be counted at a time, or of another event for a PMU
/// outside the cores.
///
/// ```
/// use pmu_events::System;
///
/// for pmu in System::new().check("cycles")?.counters() {
///     match (pmu.free(), pmu.total()) {
///         (Some(free), Some(total)) => println!("{}: {free} of {total} free", pmu.pmu()),
///         (Some(free), None) => println!("{}: {free} free", pmu.pmu()),
///         (None, _) => println!("{} counts nothing", pmu.pmu()),
///     }
/// }
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Debug)]
pub struct FreeCounters {
    pmu: String,
    free: Result<u32, String>,
    total: Option<u32>,
}

impl FreeCounters {
    /// Returns the name of the PMU.
    #[must_use]
    pub fn pmu(&self) -> &str {
        &self.pmu
    }

    /// Returns the number of free counters; `None` if that could not be measured, for which a
    /// [fact](super::Report::facts) has the reason.
    #[must_use]
    pub fn free(&self) -> Option<u32> {
        self.free.as_ref().ok().copied()
    }

    /// Returns the number of counters that the tables and the CPU state, without that of the NMI
    /// watchdog; `None` if they do not.
    #[must_use]
    pub fn total(&self) -> Option<u32> {
        self.total
    }

    /// How many others hold.
    pub(super) fn held(&self) -> u32 {
        match (self.free(), self.total) {
            (Some(free), Some(total)) => total.saturating_sub(free),
            _ => 0,
        }
    }
}

/// The counters of each kind of core.
pub(super) fn of_cores(system: &System) -> Vec<FreeCounters> {
    // What every PMU of a core counts; not all have a generic event of each name.
    let of = |text| system.open(text).map_err(|error| error.to_string());
    let tries = ["instructions:u", "cycles:u"].map(of);
    let several = system.sysfs().core_pmus().nth(1).is_some();
    let of_pmu = |pmu: &Pmu| {
        let is_its = |event: &&Arc<SetEvent>| match event.pmu_name() {
            Some(own) => own == pmu.name(),
            None => !several,
        };
        let _visit = if several { pmu.cpus().ok().flatten().and_then(Visit::to) } else { None };
        let mut free = Err(String::from("nothing is known that it counts"));
        for counters in &tries {
            free = match counters {
                Err(why) => Err(why.clone()),
                Ok(counters) => match counters.events().iter().find(is_its) {
                    Some(event) => of_event(event, Target::ThisThread),
                    None => continue,
                },
            };
            if free.is_ok() {
                break;
            }
        }
        let total = capacity::supply(pmu, system).as_ref().and_then(capacity::copies);
        FreeCounters { pmu: pmu.name().into(), free, total }
    };
    system.sysfs().core_pmus().map(of_pmu).collect()
}

/// The counters of a PMU outside the cores, on its first CPU, by one of its events.
pub(super) fn outside_cores(event: &SetEvent, pmu: &Pmu) -> FreeCounters {
    let cpu = pmu.cpus().ok().flatten().and_then(CpuSet::first).unwrap_or(0);
    FreeCounters { pmu: pmu.name().into(), free: of_event(event, Target::Cpu(cpu)), total: None }
}

/// The free counters by an event that was opened before, so that it is known how the kernel
/// accepts it.
fn of_event(event: &SetEvent, target: Target) -> Result<u32, String> {
    if let Some(why) = event.refusal() {
        return Err(why.to_string());
    }
    let attr = event.attr().ok_or("it is not open")?;
    copies(attr, target).map_err(|error| error.to_string())
}

/// How many pinned copies of an event have a counter. Events of this thread never take the
/// counter of another pinned one: those of CPUs go first, and older ones before newer ones
/// (`ctx_sched_in` in `kernel/events/core.c`).
fn copies(attr: &Attr, target: Target) -> Result<u32, Error> {
    let attr = attr.with(Flag::Pinned, true).with(Flag::Disabled, false);
    let mut open = Vec::new();
    while open.len() < capacity::MOST {
        let counter = match Counter::open(&attr, target, None) {
            Ok(counter) => counter,
            Err(error) if open.is_empty() => return Err(error),
            Err(_) => break,
        };
        // Clocks may tick slowly.
        loops::pause();
        // One without a counter is at its end; one of another kind of core has not run.
        if !counter.read().is_ok_and(|count| count.time_running() > 0) {
            break;
        }
        open.push(counter);
    }
    Ok(open.len() as u32)
}

/// What the numbers mean.
pub(super) fn facts(counters: &[FreeCounters], system: &System) -> Vec<Fact> {
    let mut facts: Vec<Fact> = counters.iter().map(fact).collect();
    if counters.iter().any(|pmu| pmu.held() > 0 || pmu.free() == Some(0)) {
        facts.push(holders::fact(system));
    }
    facts
}

fn fact(counters: &FreeCounters) -> Fact {
    let FreeCounters { pmu, free, total } = counters;
    match (free, total) {
        (Err(why), _) => {
            Fact::finding("counters", format!("PMU `{pmu}`: no counter can be opened: {why}"))
        }
        (Ok(0), _) => Fact::finding(
            "counters",
            format!(
                "PMU `{pmu}`: no counter is free: events are not counted, or in turn with those of \
                 others"
            ),
        ),
        (Ok(free), Some(total)) if free < total => Fact::finding(
            "counters",
            format!(
                "PMU `{pmu}`: {free} of {total} counters are free; others hold the rest, or a \
                 hypervisor keeps them"
            ),
        ),
        (Ok(free), Some(_)) => {
            Fact::new("counters", format!("PMU `{pmu}`: all {free} counters are free"))
        }
        (Ok(free), None) => Fact::new("counters", format!("PMU `{pmu}`: {free} counters are free")),
    }
}
