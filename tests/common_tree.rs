//! The directory `common`, which Linux has since 6.13: events that every
//! machine has. It has no map file; jevents itself knows its one row.

mod common {
    pmu_events::pmu_events!("tests/trees/common", unknown = deny);
}

#[test]
fn its_row_is_known() {
    assert_eq!(common::model("common").map(|model| model.name()), Some("common"));
    assert_eq!(common::model("x"), None);
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
        while let Some((_, rest)) = events.step() {
            events = rest;
            count += 1;
        }
        count
    };
    const FIRST: &str = match common::COMMON.metrics().in_group("default").step() {
        Some((metric, _)) => metric.name(),
        None => "",
    };
    assert_eq!((SOFTWARE, FIRST), (2, "switches_per_second"));
}
