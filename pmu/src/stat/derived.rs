//! What a count means in relation to others: `perf_stat__print_shadow_stats` in
//! `tools/perf/util/stat-shadow.c`, for generic events.

use std::time::Duration;

use pmu_events::__private::event_list::{
    Cache, CacheOperation, CacheResult, CacheUnit, EventKind, EventList,
};
use pmu_events::event_list::Settings;
use pmu_events::perf_type;
use pmu_events::resolve::{Clock, Resolved};

/// What an event counts, if something follows from it.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Meaning {
    /// Nanoseconds: of a CPU by the kernel's clocks, otherwise of elapsed time or of what a
    /// command spent.
    Measured(Clock),
    Cycles,
    Instructions,
    Branches,
    BranchMisses,
    CacheReferences,
    CacheMisses,
    StalledFrontEnd,
    StalledBackEnd,
    /// Loads from one of the generic caches, and those that miss it.
    Loads(CacheUnit),
    LoadMisses(CacheUnit),
    Other,
}

/// What a line's number means, and the kind of core on which it was counted:
/// cycles of one kind say nothing about instructions on another.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    pub(crate) meaning: Meaning,
    pub(crate) core: u64,
    pub(crate) context: Context,
    /// Before the event's scale.
    pub(crate) value: f64,
}

/// In which mode an event is counted, and with which others: counts of different modes have
/// no relation, and a member of a group is related only to others of it (`find_stat` in
/// `tools/perf/util/stat-shadow.c`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Context {
    /// What is left out.
    excluded: [bool; 6],
    /// The number of its group, if that has other members.
    group: Option<usize>,
}

impl Context {
    pub(crate) fn new(settings: Settings, group: Option<usize>) -> Self {
        let excluded = [
            settings.exclude_user(),
            settings.exclude_kernel(),
            settings.exclude_hv(),
            settings.exclude_host(),
            settings.exclude_guest(),
            settings.exclude_idle(),
        ];
        Context { excluded, group }
    }

    /// That of the flags of `perf_event_attr`, the first in the lowest bit.
    pub(crate) fn of_flags(flags: u64) -> Self {
        // `exclude_user`, `_kernel`, `_hv`, `_host`, `_guest`, `_idle`
        let excluded = [4, 5, 6, 19, 20, 7].map(|bit| flags >> bit & 1 == 1);
        Context { excluded, group: None }
    }

    fn is_related_to(self, other: Context) -> bool {
        self.excluded == other.excluded && (self.group.is_none() || self.group == other.group)
    }
}

/// The kind of core of a generic event, if there are several
/// (`PERF_PMU_TYPE_SHIFT`).
pub(crate) fn core(resolved: &Resolved) -> u64 {
    core_of_counter(resolved.type_(), resolved.words().config())
}

pub(crate) fn core_of_counter(type_: u32, config: u64) -> u64 {
    if matches!(type_, perf_type::HARDWARE | perf_type::CACHE) { config >> 32 } else { 0 }
}

impl Meaning {
    pub(crate) fn of(resolved: &Resolved) -> Meaning {
        match resolved.clock() {
            Some(clock) => Meaning::Measured(clock),
            None => Meaning::of_counter(resolved.type_(), resolved.words().config()),
        }
    }

    /// That of `type` and `config` of `perf_event_attr`.
    pub(crate) fn of_counter(type_: u32, word: u64) -> Meaning {
        // The upper half identifies the kind of core.
        let word = word & 0xffff_ffff;
        if type_ == perf_type::CACHE {
            return Meaning::of_cache(word);
        }
        let generic = (type_ == perf_type::HARDWARE).then_some(word);
        let is = |name: &str| generic.is_some() && generic == config(name);
        match () {
            () if is("cycles") => Meaning::Cycles,
            () if is("instructions") => Meaning::Instructions,
            () if is("branches") => Meaning::Branches,
            () if is("branch-misses") => Meaning::BranchMisses,
            () if is("cache-references") => Meaning::CacheReferences,
            () if is("cache-misses") => Meaning::CacheMisses,
            () if is("stalled-cycles-frontend") => Meaning::StalledFrontEnd,
            () if is("stalled-cycles-backend") => Meaning::StalledBackEnd,
            () => Meaning::Other,
        }
    }

    fn of_cache(config: u64) -> Meaning {
        let is = |unit, result| Cache::new(unit, CacheOperation::Load, result).config() == config;
        let loads = CACHES.iter().find(|(unit, _)| is(*unit, CacheResult::Access));
        let misses = CACHES.iter().find(|(unit, _)| is(*unit, CacheResult::Miss));
        match (loads, misses) {
            (Some(&(unit, _)), _) => Meaning::Loads(unit),
            (_, Some(&(unit, _))) => Meaning::LoadMisses(unit),
            (None, None) => Meaning::Other,
        }
    }
}

/// What a count is shown as a share or a multiple of.
struct Ratio {
    of: Meaning,
    factor: f64,
    unit: &'static str,
}

impl Meaning {
    fn ratio(self) -> Option<Ratio> {
        let (of, factor, unit) = match self {
            Meaning::Instructions => (Meaning::Cycles, 1.0, "insn per cycle"),
            Meaning::BranchMisses => (Meaning::Branches, 100.0, "of all branches"),
            Meaning::StalledFrontEnd => (Meaning::Cycles, 100.0, "frontend cycles idle"),
            Meaning::StalledBackEnd => (Meaning::Cycles, 100.0, "backend cycles idle"),
            Meaning::CacheMisses => (Meaning::CacheReferences, 100.0, "of all cache refs"),
            Meaning::LoadMisses(missed) => {
                let (_, unit) = CACHES.iter().find(|(unit, _)| *unit == missed)?;
                (Meaning::Loads(missed), 100.0, *unit)
            }
            _ => return None,
        };
        Some(Ratio { of, factor, unit })
    }
}

/// Caches whose misses perf shows as a share, and its name for that share.
const CACHES: [(CacheUnit, &str); 5] = [
    (CacheUnit::L1Data, "of all L1-dcache accesses"),
    (CacheUnit::L1Instruction, "of all L1-icache accesses"),
    (CacheUnit::LastLevel, "of all LL-cache accesses"),
    (CacheUnit::DataTlb, "of all dTLB cache accesses"),
    (CacheUnit::InstructionTlb, "of all iTLB cache accesses"),
];

/// The kernel's number of a generic event.
fn config(name: &str) -> Option<u64> {
    match EventList::parse(name).ok()?.events().next()?.kind() {
        EventKind::Hardware(hardware) => Some(hardware.config()),
        _ => None,
    }
}

/// The other counts, of one CPU or of all.
pub(crate) struct Others<'o> {
    pub(crate) values: &'o [Known],
    pub(crate) elapsed: Duration,
}

/// A number beside a count, and its unit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Derived {
    /// `None` where perf writes the unit alone.
    pub(crate) value: Option<f64>,
    pub(crate) unit: String,
}

impl Others<'_> {
    /// If there are several, the first.
    fn first(&self, context: Context, meaning: Meaning, core: Option<u64>) -> Option<f64> {
        let is_it = |known: &&Known| {
            known.meaning == meaning
                && core.is_none_or(|core| known.core == core)
                && context.is_related_to(known.context)
        };
        self.values.iter().find(is_it).map(|known| known.value).filter(|&value| value > 0.0)
    }

    /// A number and its label: `(0.081, "CPUs utilized")`.
    pub(crate) fn derive(&self, known: Known) -> Option<(f64, String)> {
        let Known { meaning, core, context, value } = known;
        let clock = self.first(context, Meaning::Measured(Clock::Kernel), None);
        match meaning {
            Meaning::Measured(Clock::Kernel) => {
                let elapsed = self.elapsed.as_nanos() as f64;
                return (elapsed > 0.0).then(|| (value / elapsed, "CPUs utilized".into()));
            }
            Meaning::Measured(_) => return None,
            Meaning::Cycles => return clock.map(|clock| (value / clock, "GHz".into())),
            _ => {}
        }
        let ratio = meaning.ratio().and_then(|Ratio { of, factor, unit }| {
            Some((factor * value / self.first(context, of, Some(core))?, unit.to_string()))
        });
        ratio.or_else(|| clock.map(|clock| rate(1e9 * value / clock)))
    }

    /// What perf 6.12 writes: the unit alone where the other count is missing, and a rate only
    /// of what has no ratio.
    pub(crate) fn derive_as_perf(&self, known: Known) -> Vec<Derived> {
        let Known { meaning, core, context, value } = known;
        let other = |meaning| self.first(context, meaning, Some(core));
        let clock = self.first(context, Meaning::Measured(Clock::Kernel), None);
        match meaning {
            Meaning::Measured(Clock::Kernel) => {
                let elapsed = self.elapsed.as_nanos() as f64;
                let value = (elapsed > 0.0).then(|| value / elapsed);
                vec![Derived { value, unit: "CPUs utilized".into() }]
            }
            Meaning::Cycles => {
                let value = clock.filter(|_| value != 0.0).map(|clock| value / clock);
                vec![Derived { value, unit: "GHz".into() }]
            }
            Meaning::Instructions => {
                let per_cycle = other(Meaning::Cycles).map(|cycles| value / cycles);
                let stalled = [Meaning::StalledFrontEnd, Meaning::StalledBackEnd].map(other);
                let stalled = stalled.into_iter().flatten().reduce(f64::max);
                let stalled = stalled.filter(|_| value != 0.0).map(|stalled| Derived {
                    value: Some(stalled / value),
                    unit: "stalled cycles per insn".into(),
                });
                let per_cycle = Derived { value: per_cycle, unit: "insn per cycle".into() };
                [per_cycle].into_iter().chain(stalled).collect()
            }
            _ => match meaning.ratio() {
                Some(Ratio { of, factor, unit }) => {
                    let value =
                        other(of).filter(|_| value != 0.0).map(|other| factor * value / other);
                    vec![Derived { value, unit: unit.into() }]
                }
                None => {
                    let rate = clock.map(|clock| rate(1e9 * value / clock));
                    let derived = rate.map(|(value, unit)| Derived { value: Some(value), unit });
                    derived.into_iter().collect()
                }
            },
        }
    }
}

/// `convert_unit_double` in `tools/perf/util/units.c`
fn rate(a_second: f64) -> (f64, String) {
    let units = [(1e9, "G/sec"), (1e6, "M/sec"), (1e3, "K/sec")];
    match units.iter().find(|(factor, _)| a_second > *factor) {
        Some((factor, unit)) => (a_second / factor, (*unit).into()),
        None => (a_second, "/sec".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pmu_events::System;

    /// Misses are a share of the loads of their own cache and kind of core.
    #[test]
    fn misses_of_caches() {
        const ZEN4: &str = "AuthenticAMD-25-61-2";
        let model = pmu_events::arch::x86::model(ZEN4).expect("its tree has it");
        let system = System::builtin(ZEN4, model);
        let meaning = |event: &str| Meaning::of(&system.require(event).unwrap()[0]);
        let context = Context::default();
        let known = |event, core, value| Known { meaning: meaning(event), core, context, value };
        let values = [
            known("L1-dcache-loads", 4, 50.0),
            known("L1-dcache-loads", 10, 400.0),
            known("LLC-loads", 10, 80.0),
            known("dTLB-loads", 10, 1000.0),
        ];
        let others = Others { values: &values, elapsed: Duration::from_secs(1) };
        let share = |event| others.derive(known(event, 10, 20.0));
        let expected = |value, what: &str| Some((value, what.to_string()));
        assert_eq!(share("L1-dcache-load-misses"), expected(5.0, "of all L1-dcache accesses"));
        assert_eq!(share("LLC-load-misses"), expected(25.0, "of all LL-cache accesses"));
        assert_eq!(share("dTLB-load-misses"), expected(2.0, "of all dTLB cache accesses"));
        // Nothing else is a share of them.
        for event in ["iTLB-load-misses", "LLC-store-misses", "L1-dcache-prefetch-misses"] {
            assert_eq!(share(event), None, "{event}");
        }
    }

    /// A count of user space has no relation to the clock of both, nor one of a group to a
    /// clock outside.
    #[test]
    fn contexts() {
        let system = System::at("/nonexistent");
        let settings = |event: &str| system.require(event).unwrap()[0].settings();
        let context = |event: &str, group| Context::new(settings(event), group);
        let clock = |context| Known {
            meaning: Meaning::Measured(Clock::Kernel),
            core: 0,
            context,
            value: 1e9,
        };
        for (event, clock_of, is_related) in [
            (context("dummy", None), context("task-clock", None), true),
            (context("dummy:u", None), context("task-clock", None), false),
            (context("dummy:u", None), context("task-clock:u", None), true),
            (context("dummy", Some(1)), context("task-clock", None), false),
            (context("dummy", Some(1)), context("task-clock", Some(2)), false),
            (context("dummy", Some(1)), context("task-clock", Some(1)), true),
            (context("dummy", None), context("task-clock", Some(1)), true),
        ] {
            let values = [clock(clock_of)];
            let others = Others { values: &values, elapsed: Duration::from_secs(1) };
            let known = Known { meaning: Meaning::Other, core: 0, context: event, value: 7.0 };
            let expected = is_related.then(|| (7.0, "/sec".to_string()));
            assert_eq!(others.derive(known), expected, "{event:?} {clock_of:?}");
        }
    }

    /// perf names the ratio where the other count is missing, and adds that of stalled cycles.
    #[test]
    fn as_perf() {
        let context = Context::default();
        let known = |meaning, value| Known { meaning, core: 0, context, value };
        let clock = known(Meaning::Measured(Clock::Kernel), 1e9);
        let cycles = known(Meaning::Cycles, 200.0);
        let stalled = known(Meaning::StalledBackEnd, 50.0);
        let instructions = known(Meaning::Instructions, 100.0);
        let cases: &[(Known, &[Known], &[(Option<f64>, &str)])] = &[
            (instructions, &[clock], &[(None, "insn per cycle")]),
            (instructions, &[cycles], &[(Some(0.5), "insn per cycle")]),
            (
                instructions,
                &[cycles, stalled],
                &[(Some(0.5), "insn per cycle"), (Some(0.5), "stalled cycles per insn")],
            ),
            (cycles, &[], &[(None, "GHz")]),
            (cycles, &[clock], &[(Some(2e-7), "GHz")]),
            (stalled, &[cycles], &[(Some(25.0), "backend cycles idle")]),
            (known(Meaning::BranchMisses, 7.0), &[clock], &[(None, "of all branches")]),
            (known(Meaning::Branches, 7.0), &[clock], &[(Some(7.0), "/sec")]),
            (known(Meaning::Branches, 7.0), &[], &[]),
            (clock, &[], &[(Some(1.0), "CPUs utilized")]),
        ];
        for &(event, values, expected) in cases {
            let others = Others { values, elapsed: Duration::from_secs(1) };
            let derived = others.derive_as_perf(event);
            let derived: Vec<_> = derived.iter().map(|one| (one.value, &*one.unit)).collect();
            assert_eq!(derived, expected);
        }
    }
}
