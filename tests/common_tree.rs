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
            let found: Vec<_> = all.iter().map(|one| (one.type_, one.config)).collect();
            assert_eq!(found, [(kind, [config, 0, 0, 0, 0])], "{text}");
        }
        let clock = system.require("software/cpu-clock/").unwrap();
        assert_eq!((clock[0].unit(), clock[0].scale), ("msec", 1e-6));
        // The machine itself answers, as since Linux 6.13.
        let tool = system.require("num_cpus").unwrap();
        assert_eq!((tool.iter().count(), tool[0].type_), (1, 1));
        assert!(system.require("uncore_imc_0/legacy-cache-config=5/").is_err());
    }
    for (text, kind) in [("L1-dcache-loads", 3), ("cpu/cycles/", 0)] {
        assert_eq!(
            alone.clone().with_model(all::COMMON).require(text).unwrap()[0].type_,
            kind,
            "{text}"
        );
    }
    // The CPU's table goes before.
    let all = behind.require("inst_retired.any_p").unwrap();
    assert_eq!((all[0].type_, all[0].config[0]), (4, 0xc0));
    assert!(cpu.require("software/cs/").is_err());

    let machine = Machine::named("alderlake");
    let behind = machine.with_model(x86::model("GenuineIntel-6-55-4")).with_common(all::COMMON);
    let all = behind.require("l1-dcache-LOADS").unwrap();
    let found: Vec<_> = all.iter().map(|one| (one.type_, one.config[0] >> 32)).collect();
    assert_eq!(found, [(3, 10), (3, 4)]);
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
