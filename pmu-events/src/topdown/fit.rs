//! Which metrics can be measured at the same time.

use alloc::vec::Vec;

use crate::event::CounterConstraint;
use crate::expr::{Identifier, Machine};
use crate::schedule::{MAX_EVENTS, Pool, fit};
use crate::{Event, Metric, Model};

/// Metrics to measure at the same time. Returned by [`passes`].
#[derive(Clone, Debug)]
pub struct Pass {
    /// The metrics.
    pub metrics: Vec<Metric>,
    /// Whether their events fit the counters.
    pub fit: Fit,
}

/// Whether events fit the counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fit {
    /// There is an assignment of a counter to each event.
    Proven,
    /// The events of one metric do not fit, whatever else is counted: the kernel
    /// multiplexes them.
    TooLarge,
    /// The tree does not state the counters.
    Unknown,
}

/// Returns the counters of a PMU, if the tree states them. With the NMI watchdog,
/// one general-purpose counter is taken.
#[must_use]
pub fn pool(model: Model, pmu: &str, has_watchdog: bool) -> Option<Pool> {
    let table = model.pmus().find(|table| table.name() == pmu)?;
    let general = table.general_counters()?.saturating_sub(has_watchdog.into());
    Some(Pool::first(general, table.fixed_counters().unwrap_or_default()))
}

/// Distributes metrics over as few passes as a greedy search finds, so that the
/// events of each pass fit the counters and nothing is multiplexed. Without a
/// pool, or if an event's counters are not known, there is one pass.
#[must_use]
pub fn passes(
    model: Model,
    metrics: &[Metric],
    machine: &impl Machine,
    pool: Option<Pool>,
) -> Vec<Pass> {
    let Some(pool) = pool else {
        return Vec::from([Pass { metrics: metrics.to_vec(), fit: Fit::Unknown }]);
    };
    let mut all: Vec<(Pass, Set)> = Vec::new();
    for &metric in metrics {
        let own = Set::of(model, metric, machine);
        let place = all
            .iter()
            .position(|(pass, set)| pass.fit == Fit::Proven && set.clone().with(&own).fits(pool));
        match place {
            Some(place) => {
                let (pass, set) = &mut all[place];
                pass.metrics.push(metric);
                *set = core::mem::take(set).with(&own);
            }
            None => {
                let fit = if own.fits(pool) { Fit::Proven } else { Fit::TooLarge };
                all.push((Pass { metrics: [metric].into(), fit }, own));
            }
        }
    }
    all.into_iter().map(|(pass, _)| pass).collect()
}

/// Events that are counted at the same time.
#[derive(Clone, Default)]
struct Set {
    names: Vec<Identifier<'static>>,
    constraints: Vec<CounterConstraint>,
    is_alone: bool,
    /// Register and value of each event that needs one.
    registers: Vec<(u32, Option<u64>)>,
}

impl Set {
    fn of(model: Model, metric: Metric, machine: &impl Machine) -> Self {
        let mut set = Set::default();
        for name in metric.events_on(machine) {
            set.add(name, model, metric.pmu());
        }
        set
    }

    fn add(&mut self, name: Identifier<'static>, model: Model, pmu: &str) {
        if self.names.contains(&name) {
            return;
        }
        let text = name.as_str();
        let Some(constraint) = constraint_without_event(text) else {
            let event = event_of(model, pmu, text);
            // Another PMU has counters of its own.
            if event.is_some_and(|event| event.pmu() != pmu) {
                return;
            }
            self.names.push(name);
            self.constraints.push(event.map_or(CounterConstraint::Unstated, Event::counters));
            self.is_alone |= event.is_some_and(Event::is_taken_alone);
            if let Some(msr) = event.and_then(Event::msr)
                && !self.registers.contains(&(msr.index, msr.value))
            {
                self.registers.push((msr.index, msr.value));
            }
            return;
        };
        self.names.push(name);
        self.constraints.push(constraint);
    }

    fn with(mut self, other: &Set) -> Self {
        for (name, constraint) in other.names.iter().zip(&other.constraints) {
            if !self.names.contains(name) {
                self.names.push(*name);
                self.constraints.push(*constraint);
            }
        }
        for register in &other.registers {
            if !self.registers.contains(register) {
                self.registers.push(*register);
            }
        }
        // Two that must be alone cannot be together.
        self.is_alone |= other.is_alone;
        self
    }

    fn fits(&self, pool: Pool) -> bool {
        const OFFCORE: [u32; 2] = [0x1a6, 0x1a7];
        let counted = self.constraints.iter().filter(|one| **one != CounterConstraint::FreeRunning);
        let offcore = self.registers.iter().filter(|(index, _)| OFFCORE.contains(index)).count();
        // There are two registers for offcore requests, and one of each other kind.
        let has_registers = offcore <= OFFCORE.len()
            && self.registers.iter().all(|(index, _)| {
                let same = self.registers.iter().filter(|(other, _)| other == index).count();
                OFFCORE.contains(index) || same == 1
            });
        self.constraints.len() <= MAX_EVENTS
            && (!self.is_alone || counted.count() <= 1)
            && has_registers
            && fit(&self.constraints, pool).is_ok()
    }
}

/// Events that no general-purpose counter counts: perf metrics share the counter of
/// slots, and the others are not of the core.
fn constraint_without_event(text: &str) -> Option<CounterConstraint> {
    const SOFTWARE: [&str; 5] =
        ["duration_time", "user_time", "system_time", "task-clock", "cpu-clock"];
    let name = text.split(['/', ':']).find(|part| !part.is_empty() && !part.starts_with("cpu"));
    let name = name.unwrap_or(text);
    let is_free =
        name.starts_with("topdown-") || SOFTWARE.contains(&name) || text.starts_with("msr/");
    is_free.then_some(CounterConstraint::FreeRunning)
}

/// The event of a name, or of `pmu/name,terms/modifiers`.
fn event_of(model: Model, pmu: &str, text: &str) -> Option<Event> {
    let name = event_name(text);
    model.event_on(pmu, name).or_else(|| model.event(name))
}

/// The name in `name:modifiers` or `pmu/name,terms/modifiers`.
pub(super) fn event_name(text: &str) -> &str {
    let name = text.split_once('/').map_or(text, |(_, terms)| terms);
    name.split(['/', ',', ':']).next().unwrap_or(name)
}
