//! Which metrics can be measured at the same time.

use alloc::vec::Vec;

use crate::event::CounterConstraint;
use crate::expr::{Identifier, Literal, Machine};
use crate::register::intel;
use crate::schedule::{MAX_EVENTS, Pool, fit};
use crate::{Event, Metric, Model, builtin};

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

/// Returns the counters of a PMU, if the tree states them.
///
/// The NMI watchdog counts cycles: it takes their fixed counter, or, without such,
/// one general-purpose counter.
#[must_use]
pub fn pool(model: Model, pmu: &str, has_watchdog: bool) -> Option<Pool> {
    let table = model.pmus().find(|table| table.name() == pmu)?;
    let general = table.general_counters()?;
    let mut pool = Pool::first(general, table.fixed_counters().unwrap_or_default());
    if has_watchdog {
        match pool.fixed.contains(FIXED_CYCLES) {
            true => pool.fixed.0 &= !(1 << FIXED_CYCLES),
            false => pool.general = Pool::first(general.saturating_sub(1), 0).general,
        }
    }
    Some(pool)
}

/// Intel's fixed counters, by the hardware's numbers.
const FIXED_CYCLES: u8 = 1;
const FIXED_REFERENCE: u8 = 2;
const FIXED_SLOTS: u8 = 3;

/// Distributes metrics over as few passes as a greedy search finds, so that the
/// events of each pass fit the counters and nothing is multiplexed.
///
/// Without a pool, or if an event's counters are not known, there is one pass.
///
/// ```
/// use pmu_events::arch::x86;
/// use pmu_events::expr::UnknownMachine;
/// use pmu_events::topdown;
///
/// let model = x86::SKYLAKEX;
/// let metrics: Vec<_> = ["ipc", "cpi"].iter().flat_map(|name| model.metric(name)).collect();
/// let pool = topdown::pool(model, "default_core", false);
/// for pass in topdown::passes(model, &metrics, &UnknownMachine, pool) {
///     println!("{} metrics at once: {:?}", pass.metrics.len(), pass.fit);
/// }
/// ```
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
    /// Whether an event's counter is lost to the other thread of the core.
    is_exclusive: bool,
    /// Register and value of each event that needs one.
    registers: Vec<(u32, Option<u64>)>,
}

impl Set {
    fn of(model: Model, metric: Metric, machine: &impl Machine) -> Self {
        let mut set = Set::default();
        for name in metric.events_on(machine) {
            set.add(name, model, metric.pmu());
        }
        set.is_exclusive &= machine.literal(Literal::SmtOn) != 0.0;
        set
    }

    fn add(&mut self, name: Identifier<'static>, model: Model, pmu: &str) {
        if self.names.contains(&name) {
            return;
        }
        let text = name.as_str();
        let event = match constraint_without_event(text) {
            Some(constraint) => {
                self.names.push(name);
                self.constraints.push(constraint);
                return;
            }
            None => event_of(model, pmu, text),
        };
        // Another PMU has counters of its own.
        if event.is_some_and(|event| event.pmu() != pmu) {
            return;
        }
        self.names.push(name);
        let Some(event) = event else {
            self.constraints.push(CounterConstraint::Unstated);
            return;
        };
        self.constraints.push(match event.counters() {
            // Fixed counters have no mask, edge or inversion.
            CounterConstraint::Fixed(_) if text.contains('=') => CounterConstraint::Unstated,
            CounterConstraint::Fixed(_) => intel::counters(event),
            others => others,
        });
        self.is_alone |= event.is_taken_alone();
        self.is_exclusive |= is_exclusive(model, event);
        if let Some(msr) = event.msr()
            && !self.registers.contains(&(msr.index, msr.value))
        {
            self.registers.push((msr.index, msr.value));
        }
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
        self.is_exclusive |= other.is_exclusive;
        self
    }

    fn fits(&self, mut pool: Pool) -> bool {
        const OFFCORE: [u32; 2] = [0x1a6, 0x1a7];
        let constraints = self.on_hardware(pool);
        let is_programmed = |one: &&CounterConstraint| {
            matches!(one, CounterConstraint::General(_) | CounterConstraint::Unstated)
        };
        let programmed = constraints.iter().filter(is_programmed).count();
        let offcore = self.registers.iter().filter(|(index, _)| OFFCORE.contains(index)).count();
        // There are two registers for offcore requests, and one of each other kind.
        let has_registers = offcore <= OFFCORE.len()
            && self.registers.iter().all(|(index, _)| {
                let same = self.registers.iter().filter(|(other, _)| other == index).count();
                OFFCORE.contains(index) || same == 1
            });
        if self.is_exclusive {
            // `gpmax` in `x86_schedule_events`.
            pool.general = Pool::first(pool.general.len() as u8 / 2, 0).general;
        }
        constraints.len() <= MAX_EVENTS
            && (!self.is_alone || programmed <= 1)
            && has_registers
            && fit(&constraints, pool).is_ok()
    }

    /// What the kernel makes of fixed counters: an event whose counter is taken goes
    /// to a general one (`intel_pmu_check_event_constraints` in
    /// `arch/x86/events/intel/core.c`), except those without a code of their own.
    fn on_hardware(&self, pool: Pool) -> Vec<CounterConstraint> {
        const WITHOUT_CODE: [u8; 2] = [FIXED_REFERENCE, FIXED_SLOTS];
        let mut free = pool.fixed;
        let place = |&constraint: &CounterConstraint| match constraint {
            CounterConstraint::Fixed(Some(number)) if !WITHOUT_CODE.contains(&number) => {
                let is_free = free.contains(number);
                free.0 &= !1_u64.checked_shl(number.into()).unwrap_or_default();
                if is_free { constraint } else { CounterConstraint::Unstated }
            }
            other => other,
        };
        self.constraints.iter().map(place).collect()
    }
}

/// Whether an event's counter is lost to the other thread of the core: on some cores,
/// counting loads by where they hit corrupts the other thread's counter of the same
/// number, so that with SMT the kernel lets a thread have half of the counters
/// (`INTEL_EXCLEVT_CONSTRAINT` in `arch/x86/events/intel/core.c`; errata BJ122, BV98
/// and HSD29).
fn is_exclusive(model: Model, event: Event) -> bool {
    const MODELS: [&str; 6] =
        ["sandybridge", "jaketown", "ivybridge", "ivytown", "haswell", "haswellx"];
    let code = || event.encode(builtin::INTEL).map(|encoded| encoded.words[0] & 0xff);
    MODELS.contains(&model.name()) && matches!(code(), Ok(0xd0..=0xd3))
}

/// Events that no general-purpose counter counts: perf metrics share the counter of
/// slots, a retirement latency comes with samples, and the others are not of the
/// core.
fn constraint_without_event(text: &str) -> Option<CounterConstraint> {
    const SOFTWARE: [&str; 5] =
        ["duration_time", "user_time", "system_time", "task-clock", "cpu-clock"];
    let name = text.split(['/', ':']).find(|part| !part.is_empty() && !part.starts_with("cpu"));
    let name = name.unwrap_or(text);
    let modifiers = text.rsplit_once(['/', ':']).map_or("", |(_, modifiers)| modifiers);
    let is_free = name.starts_with("topdown-")
        || SOFTWARE.contains(&name)
        || text.starts_with("msr/")
        || modifiers.contains('R');
    match name {
        "slots" => Some(CounterConstraint::Fixed(Some(FIXED_SLOTS))),
        _ => is_free.then_some(CounterConstraint::FreeRunning),
    }
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
