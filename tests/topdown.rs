//! Where the slots went, in the formulas of `arch/`: counts of a known
//! situation give its shares, whoever else uses the core and whatever the
//! core's counters get wrong.

use pmu_events::event_list::Tool;
use pmu_events::expr::{Identifier, Machine};
use pmu_events::{Metric, Model};

mod x86 {
    pmu_events::pmu_events!(
        "arch/x86",
        models =
            ["sandybridge", "haswellx", "skylake", "cascadelakex", "icelake", "sapphirerapids"],
        text = none
    );
}

mod arm64 {
    pmu_events::pmu_events!(
        "arch/arm64",
        models = ["arm/neoverse-n2-v2", "arm/neoverse-v1", "ampere/ampereone"],
        text = none
    );
}

/// What formulas ask of a machine.
#[derive(Clone, Copy, Default)]
struct Situation {
    smt: bool,
    core_wide: bool,
    slots: f64,
    /// Arm's MIDR as formulas have it: those that match.
    cpuids: &'static [&'static str],
}

impl Machine for Situation {
    fn literal(&self, literal: Tool) -> f64 {
        match literal {
            Tool::SmtOn => f64::from(u8::from(self.smt)),
            Tool::CoreWide => f64::from(u8::from(self.core_wide)),
            Tool::Slots => self.slots,
            _ => f64::NAN,
        }
    }

    fn cpuid_matches(&self, cpuid: Identifier<'_>) -> Option<bool> {
        Some(self.cpuids.iter().any(|known| cpuid.as_str() == *known))
    }
}

fn metric(model: Model, name: &str) -> Metric {
    model.metric(name).unwrap_or_else(|| panic!("{}: {name}", model.name()))
}

/// The value of a formula, not scaled.
fn value(model: Model, name: &str, at: &Situation, counts: &[(&str, f64)]) -> f64 {
    metric(model, name).unscaled_on(at, |event| {
        let found = counts.iter().find(|(known, _)| event.as_str() == *known);
        found.map_or(f64::NAN, |&(_, count)| count)
    })
}

fn assert_near(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-9, "{what}: {found}, not {expected}");
}

/// A thread that runs for 1000 cycles has the slots of its core, or half of
/// them while its sibling runs, too.
#[test]
fn slots_of_a_thread() {
    let (whole, half) = (4000.0, 2000.0);
    for (what, smt, core_wide, thread, any, alone, slots) in [
        ("without siblings, whole core", false, true, 1000.0, 1000.0, 100.0, whole),
        ("without siblings, one task", false, false, 1000.0, 1000.0, 100.0, whole),
        // Both threads count the cycles in which either runs.
        ("both busy, whole core", true, true, 2000.0, 2000.0, 0.0, whole),
        ("sibling idle, whole core", true, true, 1000.0, 2000.0, 100.0, whole),
        ("sibling idle, one task", true, false, 1000.0, 1000.0, 100.0, whole),
        ("sibling busy, one task", true, false, 1000.0, 1000.0, 0.0, half),
    ] {
        let at = Situation { smt, core_wide, ..Situation::default() };
        let counts = [
            ("CPU_CLK_UNHALTED.THREAD", thread),
            ("CPU_CLK_UNHALTED.THREAD_ANY", any),
            ("CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE", alone),
            ("CPU_CLK_UNHALTED.REF_XCLK", 100.0),
            ("IDQ_UOPS_NOT_DELIVERED.CORE", 0.2 * slots),
            ("UOPS_ISSUED.ANY", 0.5 * slots),
            ("UOPS_RETIRED.RETIRE_SLOTS", 0.4 * slots),
            ("INT_MISC.RECOVERY_CYCLES", 0.05 * slots / 4.0),
            ("INT_MISC.RECOVERY_CYCLES_ANY", 0.1 * slots / 4.0),
        ];
        for model in [x86::SANDYBRIDGE, x86::HASWELLX, x86::SKYLAKE, x86::CASCADELAKEX] {
            let what = format!("{}, {what}", model.name());
            let found = |name| value(model, name, &at, &counts);
            assert_near(found("tma_info_thread_slots"), slots, &what);
            assert_near(found("tma_frontend_bound"), 0.2, &what);
            assert_near(found("tma_retiring"), 0.4, &what);
            assert_near(found("tma_bad_speculation"), 0.15, &what);
            assert_near(found("tma_backend_bound"), 0.25, &what);
        }
    }
}

/// Ice Lake's counters of slots take the five slots of each pipeline clear from
/// the back end; Sapphire Rapids' do not.
#[test]
fn clears_of_the_pipeline() {
    let counts = [
        ("TOPDOWN.SLOTS", 5000.0),
        ("slots", 5000.0),
        ("topdown-retiring", 2000.0),
        ("topdown-bad-spec", 500.0),
        ("topdown-fe-bound", 1500.0),
        ("topdown-be-bound", 1000.0),
        ("INT_MISC.UOP_DROPPING", 100.0),
        ("INT_MISC.CLEARS_COUNT", 50.0),
    ];
    for (model, backend, lost) in [(x86::ICELAKE, 0.25, 0.07), (x86::SAPPHIRERAPIDS, 0.2, 0.12)] {
        let found = |name| value(model, name, &Situation::default(), &counts);
        assert_near(found("tma_retiring"), 0.4, model.name());
        assert_near(found("tma_frontend_bound"), 0.28, model.name());
        assert_near(found("tma_backend_bound"), backend, model.name());
        assert_near(found("tma_bad_speculation"), lost, model.name());
    }
}

/// Before r0p3, Neoverse N2 counts a slot too many in each cycle; the slots
/// that a misprediction costs are bad speculation.
#[test]
fn slots_of_neoverse() {
    let n2 = Situation { slots: 5.0, cpuids: &["0x410fd490"], ..Situation::default() };
    let n2_r0p3 = Situation { cpuids: &["0x410fd490", "0x410fd493"], ..n2 };
    let v2 = Situation { cpuids: &[], ..n2 };
    for (model, at, surplus, [front, back]) in [
        (arm64::ARM_NEOVERSE_N2_V2, n2, 1000.0, [1.0, 3.0]),
        (arm64::ARM_NEOVERSE_N2_V2, n2_r0p3, 0.0, [1.0, 3.0]),
        (arm64::ARM_NEOVERSE_N2_V2, v2, 0.0, [1.0, 3.0]),
        (arm64::ARM_NEOVERSE_V1, v2, 0.0, [4.0, 0.0]),
    ] {
        let counts = [
            ("CPU_CYCLES", 1000.0),
            ("STALL_SLOT", 2000.0 + surplus),
            ("STALL_SLOT_FRONTEND", 1200.0 + surplus),
            ("STALL_SLOT_BACKEND", 800.0),
            ("OP_SPEC", 3000.0),
            ("OP_RETIRED", 2400.0),
            ("BR_MIS_PRED", 20.0),
        ];
        let found = |name| value(model, name, &at, &counts);
        let lost = 20.0 / 1000.0;
        assert_near(found("frontend_bound_slots"), 0.24 - front * lost, model.name());
        assert_near(found("backend_bound_slots"), 0.16 - back * lost, model.name());
        assert_near(found("bad_speculation_slots"), 0.12 + 4.0 * lost, model.name());
        assert_near(found("retiring_slots"), 0.48, model.name());
    }
}

/// AmpereOne's counts of front-end stalls are too high (AC03_CPU_29): what is
/// left by the others is the front end's.
#[test]
fn front_end_of_ampereone() {
    let at = Situation { slots: 4.0, ..Situation::default() };
    for surplus in [0.0, 100.0] {
        let counts = [
            ("CPU_CYCLES", 1000.0),
            ("STALL_SLOT_FRONTEND", 1200.0 + 4.0 * surplus),
            ("STALL_FRONTEND", 300.0 + surplus),
            ("STALL_SLOT_BACKEND", 800.0),
            ("OP_SPEC", 2000.0),
            ("OP_RETIRED", 1600.0),
        ];
        let found = |name| value(arm64::AMPERE_AMPEREONE, name, &at, &counts);
        assert_near(found("retiring_slots"), 0.4, "retiring");
        assert_near(found("bad_speculation_slots"), 0.1, "bad speculation");
        assert_near(found("backend_bound_slots"), 0.2, "back end");
        assert_near(found("frontend_bound_slots"), 0.3, "front end");
        assert_near(found("frontend_stalled_cycles"), 0.3, "front end, cycles");
    }
}
