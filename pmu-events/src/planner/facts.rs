//! The counters of PMUs for which the trees do not state them.

use super::kind::{Kind, Rules, Smt, Unstated};
use crate::event::{CounterConstraint, CounterSet};
use crate::schedule::Pool;
use crate::{Event, Model, pmu};
use pmu_events_core::__private::glob;
use pmu_events_ebb::power::Generation;

/// Models and PMUs, as shell patterns; what they have. The first line that fits counts.
const FACTS: &[(&str, &str, Fact)] = &[
    // `AMD64_NUM_COUNTERS_CORE` in `arch/x86/include/asm/perf_event.h`, and the same in
    // `CPUID` leaf 8000_0022h of every Zen core so far.
    ("amdzen*", pmu::DEFAULT_CORE, Fact::General(6, Rules::Amd)),
    // `NUM_COUNTERS_L3` and `NUM_COUNTERS_NB` in `arch/x86/events/amd/uncore.c`. Since Zen 4,
    // `CPUID` states the number of the data fabric's, which is never less.
    ("amdzen*", "amd_l3", Fact::General(6, Rules::Plain)),
    ("amdzen*", "amd_df", Fact::General(4, Rules::Plain)),
    // Each channel's, in the processor programming references of Zen 4 and 5.
    ("amdzen*", "amd_umc", Fact::General(4, Rules::Plain)),
    // A64FX PMU Events, “PMCR_EL0”.
    ("fujitsu/a64fx", pmu::DEFAULT_CORE, Fact::Arm(8)),
    (
        "ampere/emag",
        pmu::DEFAULT_CORE,
        Fact::Unstated("no public manual states the number, and the core is older than Arm's BSA"),
    ),
    // Sources differ as to this one; no core of Arm's with this PMU has fewer.
    ("arm/cortex-r52", pmu::DEFAULT_CORE, Fact::Arm(4)),
    // Technical reference manuals, “PMCR_EL0.N”, for Arm's own; the others comply with
    // Arm's Base System Architecture, which demands at least six.
    ("arm/*", pmu::DEFAULT_CORE, Fact::Arm(6)),
    ("ampere/*", pmu::DEFAULT_CORE, Fact::Arm(6)),
    ("cavium/*", pmu::DEFAULT_CORE, Fact::Arm(6)),
    ("fujitsu/*", pmu::DEFAULT_CORE, Fact::Arm(6)),
    ("hisilicon/*", pmu::DEFAULT_CORE, Fact::Arm(6)),
    ("nvidia/*", pmu::DEFAULT_CORE, Fact::Arm(6)),
    // `M1_PMU_NR_COUNTERS` in `drivers/perf/apple_m1_cpu_pmu.c`. The first counts nothing but
    // cycles, the second nothing but instructions.
    ("apple/m[12]", pmu::DEFAULT_CORE, Fact::General(10, Rules::Apple)),
    ("power8", pmu::DEFAULT_CORE, Fact::Power(Generation::Power8)),
    ("power9", pmu::DEFAULT_CORE, Fact::Power(Generation::Power9)),
    ("power10", pmu::DEFAULT_CORE, Fact::Power(Generation::Power10)),
    // `generic-compat-pmu.c` has the constraints of the others, and no event with more than
    // a counter in its code.
    ("compat", pmu::DEFAULT_CORE, Fact::Power(Generation::Power9)),
    // `arch/s390/kernel/perf_cpum_cf.c`, `perf_pai_crypto.c`, `perf_pai_ext.c`: an event is
    // the number of its counter.
    ("cf_*", "cpum_cf", Fact::Each),
    ("cf_*", "pai_*", Fact::Each),
    // Each event of the DDR controllers has a counter of its own; the others have as many as the
    // drivers say of version 1, which is that of this SoC (`*_NR_COUNTERS` in
    // `drivers/perf/hisilicon/hisi_uncore_*_pmu.c`).
    ("hisilicon/hip08", "hisi_sccl,ddrc", Fact::Each),
    ("hisilicon/hip08", "hisi_sccl,l3c", Fact::General(8, Rules::Plain)),
    ("hisilicon/hip08", "hisi_sccl,hha", Fact::General(16, Rules::Plain)),
    // Free-running counters are read, and never programmed.
    ("*", "*_free_running*", Fact::Each),
    ("common", "*", Fact::Unstated("the table is of no CPU")),
    (
        "*",
        pmu::DEFAULT_CORE,
        Fact::Unstated("the firmware assigns the counters, or Linux has no driver for them"),
    ),
    ("*", "*", Fact::Unstated("the tree does not state the number of counters")),
];

#[derive(Clone, Copy)]
enum Fact {
    General(u8, Rules),
    /// General counters beside the one for cycles.
    Arm(u8),
    Power(Generation),
    Each,
    Unstated(&'static str),
}

pub(super) fn of(model: Model, pmu: &str) -> Result<Kind, Unstated> {
    let fits = |(models, pmus, _): &&(&str, &str, Fact)| {
        glob::matches(models, model.name()) && glob::matches(pmus, pmu)
    };
    Ok(match FACTS.iter().find(fits).map(|(.., fact)| *fact) {
        Some(Fact::General(count, rules)) => Kind::Pool(Pool::first(count, 0), rules),
        Some(Fact::Arm(count)) => {
            // Numbered like Intel's counter of cycles.
            let fixed = Pool::new(Pool::first(count, 0).general(), CounterSet::from_bits(0b10));
            Kind::Pool(fixed, Rules::Arm)
        }
        Some(Fact::Power(generation)) => Kind::Power(generation),
        Some(Fact::Each) => Kind::Each,
        Some(Fact::Unstated(reason)) => return Err(Unstated::because(reason)),
        None => return Err(Unstated::because("the tree does not state the number of counters")),
    })
}

/// Arm's cores with several threads: cycles take a general counter of them, because the one
/// for cycles counts on while another thread of the core runs (`avoid_pmccntr` in
/// `drivers/perf/arm_pmu.c`; kernels before it count them as any other core's).
const ARM_WITH_SMT: [&str; 2] = ["arm/cortex-a65-e1", "cavium/thunderx2"];

/// Whether the counter for cycles of an Arm core is of use.
pub(super) fn has_cycle_counter(model: Model, smt: Smt) -> bool {
    smt == Smt::Absent || !ARM_WITH_SMT.contains(&model.name())
}

/// Apple's counters that the kernel programs; those before them are fixed (`ANY_BUT_0_1`).
const APPLE_PROGRAMMED: u64 = 0x3fc;

/// Codes without a name that not all of these count (`m1_pmu_event_affinity` in
/// `drivers/perf/apple_m1_cpu_pmu.c`).
const APPLE_UNNAMED: [(u64, u64); 6] =
    [(0x9f, 0x80), (0xf5, 0x54), (0xf6, 0x54), (0xf7, 0x54), (0xf8, 0xfc), (0xfd, 0x54)];

/// The kernel's generic events on Apple's cores (`m1_pmu_perf_map` in the same file).
const APPLE_GENERIC: [(&str, u64); 6] = [
    ("cycles", 0x02),
    ("cpu-cycles", 0x02),
    ("instructions", 0x8c),
    ("branches", 0x8d),
    ("branch-instructions", 0x8d),
    ("branch-misses", 0xcb),
];

/// The code of a generic event on Apple's cores.
pub(super) fn apple_generic(name: &str) -> Option<u64> {
    APPLE_GENERIC.iter().find(|(own, _)| *own == name).map(|&(_, code)| code)
}

/// The code of an event of a table, if its terms state one.
pub(super) fn code_of(event: Event) -> Option<u64> {
    number(event, "event")
}

fn number(event: Event, term: &str) -> Option<u64> {
    event.terms().find(|one| one.name() == term)?.number()
}

/// The counters of a code on Apple's cores: those of the table's event with it.
pub(super) fn apple_counters(model: Model, code: Option<u64>) -> CounterSet {
    let is_it = |event: &Event| code.is_some() && code_of(*event) == code;
    let in_table = || match model.events().find(is_it)?.counters() {
        CounterConstraint::General(set) => Some(set),
        _ => None,
    };
    let unnamed = || {
        let found = APPLE_UNNAMED.iter().find(|(own, _)| Some(*own) == code);
        CounterSet::from_bits(found.map_or(APPLE_PROGRAMMED, |&(_, counters)| counters))
    };
    in_table().unwrap_or_else(unnamed)
}

/// Codes of POWER on a counter of their own, which the kernel takes in place of another code
/// if need be (`*event_alternatives` in `arch/powerpc/perf/power*-pmu.c`).
const ON_OWN_COUNTER: [(Generation, u64, u64); 4] = [
    (Generation::Power8, 0x200f4, 0x600f4),
    (Generation::Power8, 0x400fa, 0x500fa),
    (Generation::Power9, 0x200f4, 0x600f4),
    (Generation::Power9, 0x400fa, 0x500fa),
];

/// The same event's code on a counter of its own; otherwise the code itself.
pub(super) fn on_own_counter(generation: Generation, code: u64) -> u64 {
    let is_it = |&&(of, from, _): &&(Generation, u64, u64)| of == generation && from == code;
    ON_OWN_COUNTER.iter().find(is_it).map_or(code, |&(.., to)| to)
}

/// Cores whose threads share eight counters by halves.
const HALVED: [&str; 12] = [
    "sandybridge",
    "jaketown",
    "ivybridge",
    "ivytown",
    "haswell",
    "haswellx",
    "broadwell",
    "broadwellde",
    "broadwellx",
    "skylake",
    "skylakex",
    "cascadelakex",
];

/// The number of general counters of a thread, where the tree has the number with SMT.
pub(super) fn general_without_smt(model: Model, general: u8, is_core: bool, smt: Smt) -> u8 {
    let is_whole = is_core && smt == Smt::Absent && general == 4 && HALVED.contains(&model.name());
    if is_whole { 8 } else { general }
}

/// Whether an event that the tree restricts to the first four counters, which are all with
/// SMT, may use the upper four as well. Without SMT, Intel's driver restricts only some codes
/// (`intel_snb_event_constraints` to `intel_skl_event_constraints`, and the events of PEBS).
pub(super) fn may_use_upper(code: u8) -> bool {
    !matches!(code, 0x48 | 0x60 | 0xa3 | 0xb6 | 0xbb | 0xb7 | 0xc0 | 0xc6 | 0xcd | 0xd0..=0xd4)
}

/// Events that Intel's drivers restrict to other general counters than the tables say
/// (`intel_*_event_constraints` in `arch/x86/events/intel/core.c`, `*_uncore_*_constraints` in
/// `uncore_snbep.c`). The script `tests/evidence/counters` finds them.
struct Restricted {
    /// Model and PMU, as shell patterns.
    model: &'static str,
    pmu: &'static str,
    code: u64,
    /// `None` for any.
    umask: Option<u64>,
    counters: u64,
}

const fn restricted_to(
    counters: u64,
    model: &'static str,
    pmu: &'static str,
    code: u64,
    umask: Option<u64>,
) -> Restricted {
    Restricted { model, pmu, code, umask, counters }
}

const RESTRICTED: [Restricted; 10] = [
    // `L1D_PEND_MISS.FB_FULL`: the tables restrict only `L1D_PEND_MISS.PENDING`.
    restricted_to(0b100, "sandybridge", pmu::DEFAULT_CORE, 0x48, None),
    restricted_to(0b100, "jaketown", pmu::DEFAULT_CORE, 0x48, None),
    // `INST_RETIRED.TOTAL_CYCLES_PS` has the code of `INST_RETIRED.PREC_DIST`.
    restricted_to(0b10, "skylake*", pmu::DEFAULT_CORE, 0xc0, Some(1)),
    restricted_to(0b10, "cascadelakex", pmu::DEFAULT_CORE, 0xc0, Some(1)),
    // Offcore responses of Lion Cove.
    restricted_to(0xf, "arrowlake", "cpu_core", 0x2a, Some(1)),
    restricted_to(0xf, "lunarlake", "cpu_core", 0x2a, Some(1)),
    // `UNC_C_FAST_ASSERTED`, `UNC_R3_CLOCKTICKS` and `UNC_P_POWER_STATE_OCCUPANCY.*`.
    restricted_to(0b1, "haswellx", "uncore_cbox", 0x9, None),
    restricted_to(0b11, "haswellx", "uncore_r3qpi", 0x1, None),
    restricted_to(0b1110, "broadwellx", "uncore_pcu", 0x80, None),
    restricted_to(0b1110, "broadwellde", "uncore_pcu", 0x80, None),
];

/// The general counters to which the kernel restricts an event.
pub(super) fn restricted(model: Model, event: Event) -> Option<u64> {
    let is_it = |one: &&Restricted| {
        glob::matches(one.model, model.name())
            && one.pmu == event.pmu()
            && Some(one.code) == code_of(event)
            && one.umask.is_none_or(|umask| Some(umask) == number(event, "umask"))
    };
    RESTRICTED.iter().find(is_it).map(|one| one.counters)
}
