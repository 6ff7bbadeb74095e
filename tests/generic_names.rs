//! What a generic name means: by default the kernel's event, as in perf of Linux 6.12, and by
//! choice the events of that name that PMUs have, as in perf of Linux 7.3. `tests/kernel`
//! compares both with perf itself.

#[allow(dead_code)]
mod machines;

use machines::Machine;
use pmu_events::System;
use pmu_events::resolve::ErrorKind;
use pmu_events::system::GenericNames;

/// A CPU whose driver exports `cpu-cycles`, beside an interconnect with a clock of its own.
const CYCLES_ELSEWHERE: &str = "\
cpu/type\t4
cpu/format/event\tconfig:0-7
cpu/format/cmask\tconfig:24-31
cpu/events/cpu-cycles\tevent=0x3c
cpu/events/L1-dcache-loads\tevent=0x43
arm_dsu_0/type\t9
arm_dsu_0/cpumask\t0
arm_dsu_0/format/event\tconfig:0-31
arm_dsu_0/events/cycles\tevent=0x11
";

/// A core PMU whose driver exports an event in upper case, as s390's does.
const UPPER_CASE: &str = "\
cpum_cf/type\t10
cpum_cf/format/event\tconfig:0-63
cpum_cf/events/INSTRUCTIONS\tevent=0x0001
";

/// Two kinds of cores, one of which has `cycles`.
const TWO_KINDS: &str = "\
apple_icestorm_pmu/type\t10
apple_icestorm_pmu/cpus\t0-3
apple_icestorm_pmu/format/event\tconfig:0-7
apple_icestorm_pmu/events/cycles\tevent=0x02
other_pmu/type\t11
other_pmu/cpus\t4-7
other_pmu/format/event\tconfig:0-7
";

type Attributes = [(u32, u64)];

/// Each event: what it opens as the kernel's, and as that of PMUs.
fn compare(machine: &str, cases: &[(&str, &Attributes, &Attributes)]) {
    let machine = Machine::of(machine);
    let system = machine.system();
    assert_eq!(system.generic_names(), GenericNames::Kernel);
    let of_pmus = system.clone().with_generic_names(GenericNames::Pmu);
    for (text, of_kernel, of_pmu) in cases {
        for (system, expected) in [(&system, of_kernel), (&of_pmus, of_pmu)] {
            let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let found: Vec<_> =
                all.events().iter().map(|one| (one.type_(), one.words().config())).collect();
            assert_eq!(found, *expected, "{text}, {:?}", system.generic_names());
        }
    }
}

#[test]
fn an_event_of_sysfs_and_one_of_an_interconnect() {
    compare(
        CYCLES_ELSEWHERE,
        &[
            ("cpu-cycles", &[(0, 0)], &[(4, 0x3c)]),
            ("CPU-Cycles", &[(0, 0)], &[(4, 0x3c)]),
            ("cpu-cycles/period=5/u", &[(0, 0)], &[(4, 0x3c)]),
            ("cycles", &[(0, 0)], &[(0, 0), (9, 0x11)]),
            ("instructions", &[(0, 1)], &[(0, 1)]),
            // Caches are an event of sysfs in both.
            ("L1-dcache-loads", &[(4, 0x43)], &[(4, 0x43)]),
            ("LLC-loads", &[(3, 2)], &[(3, 2)]),
            // With a PMU, it is that PMU's own in both.
            ("cpu/cpu-cycles/", &[(4, 0x3c)], &[(4, 0x3c)]),
            ("cpu/cycles/", &[(0, 0)], &[(0, 0)]),
            ("arm_dsu_0/cycles/", &[(9, 0x11)], &[(9, 0x11)]),
            // Software never has another meaning.
            ("task-clock,cs", &[(1, 1), (1, 3)], &[(1, 1), (1, 3)]),
        ],
    );
}

#[test]
fn letter_case() {
    compare(
        UPPER_CASE,
        &[
            ("instructions", &[(0, 1)], &[(10, 1)]),
            ("INSTRUCTIONS", &[(10, 1)], &[(10, 1)]),
            ("Instructions", &[(0, 1)], &[(10, 1)]),
            ("cycles", &[(0, 0)], &[(0, 0)]),
        ],
    );
}

#[test]
fn several_kinds_of_cores() {
    const ICE: u64 = 10 << 32;
    const OTHER: u64 = 11 << 32;
    compare(
        TWO_KINDS,
        &[
            ("cycles", &[(0, ICE), (0, OTHER)], &[(10, 2), (0, OTHER)]),
            ("branches", &[(0, ICE | 4), (0, OTHER | 4)], &[(0, ICE | 4), (0, OTHER | 4)]),
        ],
    );
}

/// Most virtual machines have no core PMU: the name is the kernel's in both, and the kernel
/// says whether it counts it.
#[test]
fn no_core_pmu() {
    compare("software/type\t1\n", &[("cycles", &[(0, 0)], &[(0, 0)])]);
}

/// `default_core` is each core PMU, whatever its name.
#[test]
fn default_core() {
    compare(
        TWO_KINDS,
        &[
            ("default_core/event=5/", &[(10, 5), (11, 5)], &[(10, 5), (11, 5)]),
            ("default_core/cycles/", &[(10, 2), (0, 11 << 32)], &[(10, 2), (0, 11 << 32)]),
        ],
    );
}

/// perf of Linux 6.12 takes `cycles` for the kernel's even of a PMU that counts no cycles.
#[test]
fn on_a_pmu_outside_the_cores() {
    let machine = Machine::of(CYCLES_ELSEWHERE);
    let (system, text) = (machine.system(), "arm_dsu_0/instructions/");
    assert_eq!(system.require(text).unwrap()[0].type_(), 0);
    let error = system.with_generic_names(GenericNames::Pmu).require(text).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::UnknownTerm), "{error}");
}

/// To perf of Linux 7.3, the kernel's events are also values of `event` on the cores.
#[test]
fn as_a_value() {
    let machine = Machine::of(CYCLES_ELSEWHERE);
    let (system, text) = (machine.system(), "cpu/event=cycles/");
    let error = system.require(text).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::OtherPmu), "{error}");
    let of_pmus = system.with_generic_names(GenericNames::Pmu);
    for (text, expected) in [
        (text, (0, 0)),
        ("cpu/event=Instructions/", (0, 1)),
        ("cpu/event=cpu-cycles/", (4, 0x3c)),
        ("cpu/event=LLC-loads/", (3, 2)),
        ("arm_dsu_0/event=cycles/", (9, 0x11)),
    ] {
        let all = of_pmus.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((all[0].type_(), all[0].words().config()), expected, "{text}");
    }
    for text in ["arm_dsu_0/event=instructions/", "cpu/event=nothing/"] {
        of_pmus.require(text).unwrap_err();
    }
}

/// Terms of a PMU need the PMU's name in both: what a bare name means may change.
#[test]
fn terms_of_a_pmu() {
    let machine = Machine::of(CYCLES_ELSEWHERE);
    for names in [GenericNames::Kernel, GenericNames::Pmu] {
        let system: System = machine.system().with_generic_names(names);
        let error = system.require("cpu-cycles/cmask=1/").unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Syntax), "{error}");
        let all = system.require("cpu/cpu-cycles,cmask=1/").unwrap();
        assert_eq!((all[0].type_(), all[0].words().config()), (4, 0x0100_003c));
    }
}
