//! What an event needs of its PMU.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;

use super::facts;
use super::kind::{
    FIXED_CYCLES, FIXED_INSTRUCTIONS, FIXED_REFERENCE, FIXED_SLOTS, Kind, Rules, Smt,
};
use super::supply::Supply;
use crate::event::{CounterConstraint, CounterSet};
use crate::format::Words;
use crate::{Event, Model, builtin};
use pmu_events_core::__private::{name, pmu, provided};
use pmu_events_ebb::power::{Fields, Generation};

/// What an event needs of its PMU.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    pub(super) constraint: CounterConstraint,
    pub(super) is_alone: bool,
    /// Whether the event's counter is lost to the other thread of the core.
    pub(super) is_exclusive: bool,
    /// The register with its value, if the event needs one.
    pub(super) register: Option<(u32, Option<u64>)>,
    /// How many general counters it takes.
    pub(super) width: u32,
    /// Its place among perf metrics: these are read with slots as the leader of their group.
    pub(super) perf_metric: Option<PerfMetric>,
    /// POWER's code.
    pub(super) words: Option<Words>,
    /// Whether only a fixed counter has the event: its code is one of the kernel's own.
    pub(super) is_fixed_only: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PerfMetric {
    Slots,
    /// A share of them.
    Share,
}

/// Where an event is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place<'t> {
    /// In software, or by a PMU whose events may be members of any group.
    Anywhere,
    /// On a PMU of the model's tables.
    On(&'static str),
    /// On another one.
    Other(&'t str),
}

impl<'t> Place<'t> {
    /// The place of an event as spelled in a formula of a metric of `pmu`.
    #[must_use]
    pub fn of(text: &'t str, model: Model, pmu: &'static str) -> Self {
        if is_anywhere(text) {
            return Place::Anywhere;
        }
        let written = text.split_once('/').map(|(written, _)| written);
        if let Some(event) = event_of(model, pmu, text) {
            let is_elsewhere = !pmu::is_core(event.pmu());
            return Place::On(if is_elsewhere { event.pmu() } else { pmu });
        }
        if is_of_msr(text) {
            return Place::Anywhere;
        }
        let Some(written) = written else { return Place::On(pmu) };
        let is_own = written == pmu || (pmu::is_core(pmu) && is_core_name(written));
        let mut tables = model.pmus();
        match tables.find(|table| !table.is_core() && pmu::is_of_unit(written, table.name())) {
            _ if is_own => Place::On(pmu),
            Some(table) => Place::On(table.name()),
            None => Place::Other(written),
        }
    }
}

fn is_core_name(written: &str) -> bool {
    pmu::is_core(written) || written.starts_with("armv8") || written.starts_with("apple_")
}

impl Supply {
    /// Whether an event, as spelled in a formula of this PMU's metrics, is counted on it, and not
    /// on another PMU or in software.
    #[must_use]
    pub fn counts(&self, event: &str) -> bool {
        Place::of(event, self.model, self.pmu) == Place::On(self.pmu)
    }

    /// What an event needs, as spelled in a formula.
    pub(super) fn demand(&self, text: &str) -> Demand {
        let Supply { model, pmu, kind, smt, has_slots } = *self;
        let mut demand = Demand {
            constraint: CounterConstraint::Unstated,
            is_alone: false,
            is_exclusive: false,
            register: None,
            width: 1,
            perf_metric: None,
            words: None,
            is_fixed_only: false,
        };
        let event = event_of(model, pmu, text);
        if is_anywhere(text) || event.is_none() && is_of_msr(text) {
            return Demand { constraint: CounterConstraint::FreeRunning, ..demand };
        }
        let event = event
            .filter(|event| event.pmu() == pmu || (pmu::is_core(event.pmu()) && pmu::is_core(pmu)));
        let own = event_name(text);
        match kind {
            Kind::Each => demand.constraint = CounterConstraint::FreeRunning,
            Kind::Power(generation) => {
                let words = event.and_then(|event| words_of(event, generation));
                demand.words = words.or_else(|| raw_code(text).map(Words::new));
            }
            Kind::Pool(_, Rules::Arm) => {
                if name::eq(own, "CPU_CYCLES") || is_cycles(own) {
                    demand.constraint = CounterConstraint::Fixed(Some(FIXED_CYCLES));
                }
            }
            Kind::Pool(_, Rules::Apple) => {
                let code = match event {
                    Some(event) if !has_own_terms(text) => facts::code_of(event),
                    _ => raw_code(text).or_else(|| facts::apple_generic(own)),
                };
                demand.constraint = CounterConstraint::General(facts::apple_counters(model, code));
            }
            Kind::Pool(_, Rules::Amd) => {
                let code = event.and_then(|event| event.encode(builtin::AMD).ok());
                // `amd_is_pair_event_code`
                let is_pair = |word: u64| word >> 24 & 0xf00 | word & 0xff == 0x003;
                let takes_two = code.is_some_and(|code| is_pair(code.words().config()));
                demand.width = 1 + u32::from(takes_two);
            }
            Kind::Pool(_, Rules::Plain) => {}
            Kind::Pool(pool, Rules::Intel) => {
                let has_metrics = has_slots && pool.fixed().contains(FIXED_SLOTS);
                demand.intel(text, event, has_metrics, model);
                if smt == Smt::Absent {
                    demand.constraint = without_smt(demand.constraint, event);
                }
            }
        }
        demand
    }
}

/// The words that an event of POWER sets.
fn words_of(event: Event, generation: Generation) -> Option<Words> {
    Some(event.encode(generation.formats()).ok()?.words())
}

impl Supply {
    /// The event beside which POWER9 counts one of the L2 or L3: such an event needs another
    /// one with the same selector on counter 4 (`CNST_CACHE_PMC4_MASK` in
    /// `arch/powerpc/perf/isa207-common.h`). Its count has no meaning here; where the table
    /// has none, the raw code does as well.
    pub(super) fn companion(&self, demand: &Demand) -> Option<Cow<'static, str>> {
        const COUNTER_4: u64 = 4 << 16;
        let Kind::Power(Generation::Power9) = self.kind else { return None };
        let fields = Fields::decode(Generation::Power9, demand.words?);
        if !matches!(fields.unit, 6..=9) || fields.pmc == 4 {
            return None;
        }
        let is_it = |event: &Event| {
            let words = words_of(*event, Generation::Power9).unwrap_or_default();
            let other = Fields::decode(Generation::Power9, words);
            (other.pmc, other.unit, other.pmcxsel) == (4, fields.unit, fields.pmcxsel)
        };
        let mut events = self.model.events().filter(|event| event.pmu() == self.pmu);
        let raw = || format!("event={:#x}", COUNTER_4 | fields.unit << 12 | fields.pmcxsel);
        Some(events.find(is_it).map_or_else(|| raw().into(), |event| event.name().into()))
    }

    /// The place of an event among those of its group, which are opened in this order: it
    /// decides whether they fit.
    pub(super) fn place_in_group(&self, demand: &Demand) -> (u32, u64) {
        match (self.kind, demand.constraint) {
            (Kind::Power(generation), _) => {
                let fields = demand.words.map(|words| Fields::decode(generation, words));
                let is_first =
                    fields.is_some_and(|fields| fields.pmc == 4 && matches!(fields.unit, 6..=9));
                (u32::from(!is_first), 0)
            }
            // Events with a choice leave the counters to those without. Of two sets of the
            // same size, the lower one has none of the other's last counters.
            (Kind::Pool(_, Rules::Apple), CounterConstraint::General(set)) => {
                (set.len(), set.bits())
            }
            _ => (0, 0),
        }
    }
}

impl Demand {
    fn intel(&mut self, text: &str, event: Option<Event>, has_metrics: bool, model: Model) {
        let own = event_name(text);
        let fixed = |number| CounterConstraint::Fixed(Some(number));
        if has_metrics && own == "slots" {
            (self.constraint, self.perf_metric) = (fixed(FIXED_SLOTS), Some(PerfMetric::Slots));
            self.is_fixed_only = true;
        } else if has_metrics && own.starts_with("topdown-") {
            // Shares of slots are read from one register.
            let free = CounterConstraint::FreeRunning;
            (self.constraint, self.perf_metric) = (free, Some(PerfMetric::Share));
        }
        if self.perf_metric.is_some() {
            return;
        }
        let Some(event) = event else {
            // The kernel's generic events (`intel_perfmon_event_map`).
            self.constraint = match own {
                "instructions" => fixed(FIXED_INSTRUCTIONS),
                "ref-cycles" => {
                    self.is_fixed_only = true;
                    fixed(FIXED_REFERENCE)
                }
                _ if is_cycles(own) => fixed(FIXED_CYCLES),
                _ => CounterConstraint::Unstated,
            };
            return;
        };
        let code = event.encode(builtin::INTEL).map_or(u64::MAX, |code| code.words().config());
        let by_kernel = fixed_of(code).filter(|_| pmu::is_core(event.pmu()));
        self.constraint = match (event.counters(), by_kernel) {
            (CounterConstraint::FreeRunning, _) => CounterConstraint::FreeRunning,
            // Fixed counters have no mask, edge or inversion.
            (CounterConstraint::Fixed(_), _) if has_own_terms(text) => CounterConstraint::Unstated,
            (_, Some(number)) if !has_own_terms(text) => {
                // General counters do not have the kernel's own codes.
                self.is_fixed_only = code & 0xff == 0;
                fixed(number)
            }
            (others, _) => facts::restricted(model, event)
                .map_or(others, |set| CounterConstraint::General(CounterSet::from_bits(set))),
        };
        self.is_alone = event.is_taken_alone();
        self.is_exclusive = is_exclusive(model, event);
        self.register = event.msr().map(|msr| (msr.index(), msr.value()));
    }
}

/// The fixed counter on which the kernel puts a code, with or without a choice: it compares
/// perf's code, and not the vendor's, which for `CPU_CLK_UNHALTED.REF` may be another one
/// (`FIXED_EVENT_CONSTRAINT` in `arch/x86/events/intel/core.c`).
fn fixed_of(config: u64) -> Option<u8> {
    // Event, unit mask, edge, inversion, counter mask and transactions.
    const SELECTOR: u64 = 0xffff | 1 << 18 | 1 << 23 | 0xff << 24 | 0b11 << 32;
    match config & SELECTOR {
        0x00c0 => Some(FIXED_INSTRUCTIONS),
        0x003c => Some(FIXED_CYCLES),
        config @ 0x0100..=0x1000 if config & 0xff == 0 => Some((config >> 8) as u8 - 1),
        _ => None,
    }
}

/// Counters of a thread that has all of its core's.
fn without_smt(constraint: CounterConstraint, event: Option<Event>) -> CounterConstraint {
    let code = event.and_then(|event| event.encode(builtin::INTEL).ok());
    let is_free = code.is_some_and(|code| facts::may_use_upper(code.words().config() as u8));
    match constraint {
        CounterConstraint::General(set) if set.bits() == 0xf && is_free => {
            CounterConstraint::Unstated
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
    let code = || event.encode(builtin::INTEL).map(|encoded| encoded.words().config() & 0xff);
    MODELS.contains(&model.name()) && matches!(code(), Ok(0xd0..=0xd3))
}

fn is_cycles(name: &str) -> bool {
    matches!(name, "cycles" | "cpu-cycles")
}

/// Events that are counted in software, and those of the PMU `msr`, which the kernel treats
/// like software (`perf_sw_context` in `arch/x86/events/msr.c`).
fn is_anywhere(text: &str) -> bool {
    const SOFTWARE: [&str; 19] = [
        "duration_time",
        "user_time",
        "system_time",
        "task-clock",
        "cpu-clock",
        "page-faults",
        "faults",
        "minor-faults",
        "major-faults",
        "context-switches",
        "cs",
        "cpu-migrations",
        "migrations",
        "alignment-faults",
        "emulation-faults",
        "bpf-output",
        "cgroup-switches",
        "dummy",
        "num_cpus_online",
    ];
    SOFTWARE.contains(&event_name(text))
        || ["msr", "software", "tool"].into_iter().any(|pmu| is_on(text, pmu))
}

/// Whether an event that no table has is one of the PMU `msr`, whose counters each CPU has and no
/// task. Intel's formulas name its `TSC` without the PMU.
#[must_use]
pub fn is_of_msr(text: &str) -> bool {
    let is_bare = !text.contains('/');
    let mut of_driver = provided::by_driver("msr").into_iter().flatten();
    is_on(text, "msr") || is_bare && of_driver.any(|event| name::eq(event, event_name(text)))
}

fn is_on(text: &str, pmu: &str) -> bool {
    text.strip_prefix(pmu).is_some_and(|rest| rest.starts_with('/'))
}

/// The event of a name, or of `pmu/name,terms/modifiers`.
#[must_use]
pub fn event_of(model: Model, pmu: &str, text: &str) -> Option<Event> {
    let name = event_name(text);
    model.event_on(pmu, name).or_else(|| model.event(name))
}

/// The name in `name:modifiers` or `pmu/name,terms/modifiers`.
pub(crate) fn event_name(text: &str) -> &str {
    let name = text.split_once('/').map_or(text, |(_, terms)| terms);
    name.split(['/', ',', ':']).next().unwrap_or(name)
}

/// Whether terms change what the table's event selects.
fn has_own_terms(text: &str) -> bool {
    text.contains('=')
}

/// The code of `pmu/event=0x1001e/` or `r1001e`.
fn raw_code(text: &str) -> Option<u64> {
    let terms = text.split_once('/').map_or(text, |(_, terms)| terms);
    let mut terms = terms.split(['/', ',', ':']);
    let digits = terms.find_map(|term| term.strip_prefix("event=0x"))?;
    u64::from_str_radix(digits, 16).ok()
}

/// An event with the PMU and the modifiers of another; a raw one (`event=0x4608c`) has to be
/// written with its PMU.
pub(super) fn spelled_like(other: &str, name: &str) -> String {
    if name.contains('=') && !other.contains('/') {
        let modifiers = other.split_once(':').map_or("", |(_, modifiers)| modifiers);
        return format!("cpu/{name}/{modifiers}");
    }
    match other.split_once('/') {
        Some((pmu, rest)) => {
            let modifiers = rest.rsplit_once('/').map_or("", |(_, modifiers)| modifiers);
            format!("{pmu}/{name}/{modifiers}")
        }
        None => match other.split_once(':') {
            Some((_, modifiers)) => format!("{name}:{modifiers}"),
            None => name.into(),
        },
    }
}
