//! Which metrics can be measured at the same time.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::event::{CounterConstraint, CounterSet};
use crate::expr::{Literal, Machine};
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
    let mut events =
        Events { smt_is_on: machine.literal(Literal::SmtOn) != 0.0, ..Events::default() };
    let mut all: Vec<(Pass, Vec<usize>)> = Vec::new();
    // Tried for each pass and metric.
    let mut both = Vec::new();
    for &metric in metrics {
        let own = events.of(model, metric, machine);
        let place = all.iter().position(|(pass, set)| {
            if pass.fit != Fit::Proven || events.are_too_many(set, &own, pool) {
                return false;
            }
            union(set, &own, &mut both);
            events.fit(&both, pool)
        });
        match place {
            Some(place) => {
                let (pass, set) = &mut all[place];
                pass.metrics.push(metric);
                core::mem::swap(set, &mut both);
            }
            None => {
                let fit = if events.fit(&own, pool) { Fit::Proven } else { Fit::TooLarge };
                all.push((Pass { metrics: [metric].into(), fit }, own));
            }
        }
    }
    all.into_iter().map(|(pass, _)| pass).collect()
}

/// The numbers of two sorted lists, sorted.
fn union(one: &[usize], other: &[usize], both: &mut Vec<usize>) {
    both.clear();
    both.extend_from_slice(one);
    both.extend(other.iter().filter(|number| one.binary_search(number).is_err()));
    both.sort_unstable();
}

/// The events of the metrics of a step, by number.
#[derive(Default)]
struct Events {
    numbers: BTreeMap<&'static str, usize>,
    all: Vec<Needs>,
    smt_is_on: bool,
}

/// What an event needs of its PMU.
struct Needs {
    constraint: CounterConstraint,
    is_alone: bool,
    /// Whether the event's counter is lost to the other thread of the core.
    is_exclusive: bool,
    /// The register with its value, if the event needs one.
    register: Option<(u32, Option<u64>)>,
}

impl Events {
    /// The numbers of the events of a metric, sorted.
    fn of(&mut self, model: Model, metric: Metric, machine: &impl Machine) -> Vec<usize> {
        let mut numbers: Vec<usize> = Vec::new();
        for name in metric.events_on(machine) {
            let text = name.as_str();
            let number = match self.numbers.get(text) {
                Some(&number) => number,
                None => {
                    let Some(needs) = Needs::of(text, model, metric.pmu()) else { continue };
                    self.all.push(needs);
                    self.numbers.insert(text, self.all.len() - 1);
                    self.all.len() - 1
                }
            };
            numbers.push(number);
        }
        numbers.sort_unstable();
        numbers
    }

    /// Whether two sorted lists have more events than there are general counters: most
    /// do, and nothing else has to be looked at.
    fn are_too_many(&self, set: &[usize], own: &[usize], pool: Pool) -> bool {
        let takes_one = |number: &&usize| is_programmed(&self.all[**number].constraint);
        let known = set.iter().filter(takes_one).count();
        let more = own.iter().filter(takes_one).filter(|one| set.binary_search(one).is_err());
        known + more.count() > pool.general.len() as usize
    }

    fn fit(&self, numbers: &[usize], mut pool: Pool) -> bool {
        const OFFCORE: [u32; 2] = [0x1a6, 0x1a7];
        let events = || numbers.iter().map(|&number| &self.all[number]);
        if self.smt_is_on && events().any(|event| event.is_exclusive) {
            // `gpmax` in `x86_schedule_events`.
            pool.general = Pool::first(pool.general.len() as u8 / 2, 0).general;
        }
        let mut free = pool.fixed;
        let mut constraints = [CounterConstraint::FreeRunning; MAX_EVENTS];
        let (mut counted, mut programmed) = (0, 0);
        for event in events() {
            let constraint = on_hardware(event.constraint, &mut free);
            programmed += u32::from(is_programmed(&constraint));
            if constraint == CounterConstraint::FreeRunning {
                continue;
            }
            let Some(place) = constraints.get_mut(counted) else { return false };
            *place = constraint;
            counted += 1;
        }
        if programmed > pool.general.len() || programmed > 1 && events().any(|one| one.is_alone) {
            return false;
        }
        // There are two registers for offcore requests, and one of each other kind.
        let mut registers: Vec<_> = events().filter_map(|event| event.register).collect();
        registers.sort_unstable();
        registers.dedup();
        let offcore = registers.iter().filter(|(index, _)| OFFCORE.contains(index)).count();
        let is_twice = |two: &[(u32, Option<u64>)]| two[0].0 == two[1].0;
        let mut others = registers.windows(2).filter(|two| !OFFCORE.contains(&two[0].0));
        offcore <= OFFCORE.len()
            && !others.any(is_twice)
            && fit(&constraints[..counted], pool).is_ok()
    }
}

impl Needs {
    /// What an identifier of a metric needs; `None` if its event is another PMU's,
    /// which has counters of its own.
    fn of(text: &str, model: Model, pmu: &str) -> Option<Self> {
        let nothing =
            |constraint| Needs { constraint, is_alone: false, is_exclusive: false, register: None };
        if let Some(constraint) = constraint_without_event(text) {
            return Some(nothing(constraint));
        }
        let Some(event) = event_of(model, pmu, text) else {
            return Some(nothing(CounterConstraint::Unstated));
        };
        let constraint = match event.counters() {
            // Fixed counters have no mask, edge or inversion.
            CounterConstraint::Fixed(_) if text.contains('=') => CounterConstraint::Unstated,
            CounterConstraint::Fixed(_) => intel::counters(event),
            others => others,
        };
        (event.pmu() == pmu).then(|| Needs {
            constraint,
            is_alone: event.is_taken_alone(),
            is_exclusive: is_exclusive(model, event),
            register: event.msr().map(|msr| (msr.index, msr.value)),
        })
    }
}

/// Whether an event needs a general-purpose counter.
fn is_programmed(constraint: &CounterConstraint) -> bool {
    matches!(constraint, CounterConstraint::General(_) | CounterConstraint::Unstated)
}

/// What the kernel makes of fixed counters: an event whose counter is taken goes to a
/// general one (`intel_pmu_check_event_constraints` in
/// `arch/x86/events/intel/core.c`), except those without a code of their own.
fn on_hardware(constraint: CounterConstraint, free: &mut CounterSet) -> CounterConstraint {
    const WITHOUT_CODE: [u8; 2] = [FIXED_REFERENCE, FIXED_SLOTS];
    match constraint {
        CounterConstraint::Fixed(Some(number)) if !WITHOUT_CODE.contains(&number) => {
            let is_free = free.contains(number);
            free.0 &= !1_u64.checked_shl(number.into()).unwrap_or_default();
            if is_free { constraint } else { CounterConstraint::Unstated }
        }
        other => other,
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
/// slots, and the others are not of the core.
fn constraint_without_event(text: &str) -> Option<CounterConstraint> {
    const SOFTWARE: [&str; 5] =
        ["duration_time", "user_time", "system_time", "task-clock", "cpu-clock"];
    let name = text.split(['/', ':']).find(|part| !part.is_empty() && !part.starts_with("cpu"));
    let name = name.unwrap_or(text);
    let is_free =
        name.starts_with("topdown-") || SOFTWARE.contains(&name) || text.starts_with("msr/");
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
