//! The directory `common`, which Linux has since 6.13: events that every
//! machine has. It has no map file; jevents itself knows its one row.

#[allow(dead_code)]
mod machines;
mod all {
    pmu_events::pmu_events!("arch/common");
}
mod x86 {
    pmu_events::pmu_events!("arch/x86", models = ["skylakex"], text = none);
}

use machines::Machine;
use pmu_events::format::Words;
use pmu_events::resolve::{ErrorKind, Resolved};
use pmu_events::{System, Tree};

mod common {
    pmu_events::pmu_events!("tests/trees/common", unknown = deny);
}

#[test]
fn its_row_is_known() {
    assert_eq!(common::model("common").map(|model| model.name()), Some("common"));
    assert_eq!(common::model("x"), None);
}

/// By itself, and behind the table of a CPU: what is counted is what the names
/// alone mean.
#[test]
fn events_resolve() {
    let machine = Machine::named("skylakex");
    let system = machine.system();
    let cpu = x86::model("GenuineIntel-6-55-4");
    let alone = system.clone().with_common(all::COMMON);
    let cpu = system.with_model(cpu.expect("the tree has it"));
    let behind = cpu.clone().with_common(all::COMMON);
    let cases: &[(&str, u32, u64)] = &[
        ("L1-dcache-loads", 3, 0),
        ("l1-dcache-LOAD-misses", 3, 0x10000),
        ("cpu/L1-dcache-load-misses/", 3, 0x10000),
        ("cpu/cycles/", 0, 0),
        ("cpu/stalled-cycles-backend,config=3/", 0, 3),
        ("cpu/config=3,stalled-cycles-backend/", 0, 8),
        ("cpu/legacy-cache-config=5/", 3, 5),
        ("stalled-cycles-FRONTEND", 0, 7),
        // The driver's, as without tables.
        ("cpu/cpu-cycles/", 4, 0x3c),
        ("cpu/cache-misses/", 4, 0x412e),
        ("software/page-faults/", 1, 2),
        ("software/cs/", 1, 3),
        ("CS", 1, 3),
    ];
    for system in [&alone, &behind] {
        for &(text, kind, config) in cases {
            let all = system.require(text).unwrap_or_else(|e| panic!("{text}: {e}"));
            let found: Vec<_> = all.events().iter().map(|one| (one.type_(), one.words())).collect();
            assert_eq!(found, [(kind, Words::new(config))], "{text}");
        }
        let clock = system.require("software/cpu-clock/").unwrap();
        assert_eq!((clock[0].unit(), clock[0].scale()), ("s", 1e-9));
        assert_eq!(clock[0].perf_unit(), (1e-6, "msec"));
        // The machine itself answers, as since Linux 6.13.
        let tool = system.require("num_cpus").unwrap();
        assert_eq!((tool.events().iter().count(), tool[0].type_()), (1, 1));
        assert!(system.require("uncore_imc_0/legacy-cache-config=5/").is_err());
    }
    for (text, kind) in [("L1-dcache-loads", 3), ("cpu/cycles/", 0)] {
        assert_eq!(
            alone.clone().with_model(all::COMMON).require(text).unwrap()[0].type_(),
            kind,
            "{text}"
        );
    }
    // As a value, no name of every CPU's is one of the PMU's.
    for system in [&alone, &behind] {
        assert!(system.require("cpu/event=cycles/").is_err());
        assert!(system.require("cpu/event=ref-cycles/").is_ok());
    }
    // The CPU's table goes before.
    let all = behind.require("inst_retired.any_p").unwrap();
    assert_eq!((all[0].type_(), all[0].words().config()), (4, 0xc0));
    assert!(cpu.require("software/cs/").is_err());

    let machine = Machine::named("alderlake");
    let behind = machine.with_model(x86::model("GenuineIntel-6-55-4")).with_common(all::COMMON);
    let all = behind.require("l1-dcache-LOADS").unwrap();
    let found: Vec<_> =
        all.events().iter().map(|one| (one.type_(), one.words().config() >> 32)).collect();
    assert_eq!(found, [(3, 10), (3, 4)]);
}

/// With and without the table of CPU-independent events.
fn both(system: &System) -> [System; 2] {
    [system.clone(), system.clone().with_common(all::COMMON)]
}

/// PMU, type and config of each event.
fn opened(system: &System, text: &str) -> Vec<(Option<String>, u32, u64)> {
    let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let pmu = |one: &Resolved| one.pmu().map(|pmu| pmu.name().to_owned());
    all.events().iter().map(|one| (pmu(one), one.type_(), one.words().config())).collect()
}

#[test]
fn letter_case_decides_nothing() {
    let cases: &[(&str, &[&str], u32, u64)] = &[
        // The mesh's and the SMMU's drivers have such events, too.
        ("neoverse-n1", &["cycles", "Cycles", "CYCLES"], 0, 0),
        ("neoverse-n1", &["cycles/config1=3/", "Cycles/config1=3/"], 0, 0),
        ("neoverse-n1", &["smmuv3_pmcg_2b402/cycles/", "smmuv3_pmcg_2b402/Cycles/"], 11, 0),
        ("neoverse-n1", &["CPU-cycles:u", "cpu-cycles:u"], 0, 0),
        ("skylakex", &["instructions", "Instructions"], 0, 1),
        ("skylakex", &["cpu/ref-cycles/", "cpu/REF-cycles/"], 4, 0x300),
        ("skylakex", &["cpu/cycles/", "cpu/Cycles/", "cpu/CYCLES/"], 0, 0),
        ("skylakex", &["page-faults", "Page-Faults", "PAGE-FAULTS"], 1, 2),
        ("skylakex", &["duration_time", "Duration_Time"], 1, 9),
        ("skylakex", &["dTLB-stores", "DTLB-stores", "dtlb-STORES"], 3, 0x103),
        ("skylakex", &["cpu/dTLB-stores/", "cpu/DTLB-stores/"], 3, 0x103),
        ("edge", &["cpu/Mixed_Case/", "cpu/mixed_case/", "cpu/MIXED_CASE/"], 4, 0x11),
        ("edge", &["Mixed_Case", "mixed_case"], 4, 0x11),
    ];
    for &(machine, texts, kind, config) in cases {
        for system in both(&Machine::named(machine).system()) {
            let expected = opened(&system, texts[0]);
            let first = expected.iter().map(|(_, kind, config)| (*kind, *config)).next();
            assert_eq!((expected.len(), first), (1, Some((kind, config))), "{}", texts[0]);
            for text in texts {
                assert_eq!(opened(&system, text), expected, "{text} on {machine}");
            }
        }
    }
}

/// An event that a driver spells as it is written is that event: s390 has
/// `INSTRUCTIONS` beside the generic `instructions`.
#[test]
fn spelled_as_the_driver_has_it() {
    let machine = Machine::of(
        "cpum_cf/type\t8\ncpum_cf/cpus\t0\ncpum_cf/format/event\tconfig:0-63\n\
         cpum_cf/events/INSTRUCTIONS\tevent=0x1\n\
         cpum_cf/events/One\tevent=2\ncpum_cf/events/one\tevent=3\n",
    );
    for system in both(&machine.system()) {
        for (text, kind, config) in [
            ("INSTRUCTIONS", 8, 1),
            ("instructions", 0, 1),
            ("Instructions", 0, 1),
            ("One", 8, 2),
            ("one", 8, 3),
            ("ONE", 8, 3),
        ] {
            let found: Vec<_> =
                opened(&system, text).into_iter().map(|(_, kind, config)| (kind, config)).collect();
            assert_eq!(found, [(kind, config)], "{text}");
        }
    }
}

/// A code of the kernel is not made of bits, and `config` replaces it.
#[test]
fn terms_of_a_code_of_the_kernel() {
    for system in both(&Machine::named("skylakex").system()) {
        for text in [
            "L1-dcache-loads/umask=1/",
            "l1-dcache-loads/umask=1/",
            "Cycles/umask=1/",
            "cpu/L1-dcache-loads,umask=1/",
            "cpu/umask=1,L1-DCACHE-LOADS/",
            "cpu/cycles,event=0x3c/",
            "cpu/legacy-cache-config=0,umask=1/",
            // Only some of the PMUs have the term.
            "*/event=0x3c,branches/",
        ] {
            let error = system.require(text).map(|all| all[0].words()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::BesideCode, "{text}: {error}");
            assert!(
                error.to_string().contains("not allowed here: the event stands for"),
                "{error}"
            );
            assert!(["umask", "event"].contains(&&text[error.span()]), "{text}: {error}");
        }
        for (text, name, kind, config) in [
            ("L1-dcache-loads/config=1/", "L1-dcache-loads", 3, 1),
            ("L1-DCACHE-LOADS/config=1/", "L1-DCACHE-LOADS", 3, 1),
            ("Cycles/config=7/", "Cycles/config=7/", 0, 7),
            ("dTLB-loads:u", "dTLB-loads", 3, 3),
            ("l1d-loads:u", "l1d-loads", 3, 0),
            ("DTLB-loads:u", "DTLB-loads", 3, 3),
        ] {
            let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(
                (all[0].name(), all[0].type_(), all[0].words().config()),
                (name, kind, config)
            );
        }
    }
}

/// A tree replaces this table, too.
#[test]
fn of_the_tree_or_none() {
    let machine = Machine::named("skylakex");
    let of = |trees: &[&'static Tree]| machine.system().with_trees(trees.iter().copied());
    let with = of(&[&x86::TREE, &common::TREE]);
    assert_eq!(with.common().map(|model| model.event_count()), Some(5));
    assert!(of(&[&x86::TREE]).common().is_none());
    assert!(with.with_tree(&x86::TREE).common().is_none());
    assert!(of(&[&x86::TREE]).require("software/cs/").is_err());
}

#[test]
fn every_unit_and_code() {
    let cases = [
        ("context-switches", "software", "config=3"),
        ("faults", "software", "config=2"),
        ("cpu-cycles", "default_core", "legacy-hardware-config=0"),
        ("L1-DCACHE-LOAD-MISSES", "default_core", "legacy-cache-config=0x10000"),
        ("duration_time", "tool", "config=1"),
    ];
    for (name, pmu, string) in cases {
        let event = common::COMMON.event(name).expect(name);
        assert_eq!((event.pmu(), event.event_string()), (pmu, string), "{name}");
    }
    assert_eq!(common::COMMON.event_count(), cases.len());
}

#[test]
fn metrics_may_show_their_events() {
    let metric = common::COMMON.metric("switches_per_second").expect("it is there");
    assert!(metric.shows_events());
    assert_eq!(metric.scale_unit(), Some("1/sec"));
}

/// Walking by topic and by group works where the compiler runs.
#[test]
fn topics_and_groups_in_const() {
    const SOFTWARE: usize = {
        let (mut events, mut count) = (common::COMMON.events().topic("SOFTWARE"), 0);
        while events.step().is_some() {
            count += 1;
        }
        count
    };
    const FIRST: &str = match common::COMMON.metrics().in_group("default").step() {
        Some(metric) => metric.name(),
        None => "",
    };
    assert_eq!((SOFTWARE, FIRST), (2, "switches_per_second"));
}
