//! Options of the macro: models, text, metrics and events to keep.

use std::collections::BTreeSet;

use super::*;

mod none {
    pmu_events::pmu_events!("arch/test", models = ["test_soc/cpu"], text = none, unknown = deny);
}
mod brief {
    pmu_events::pmu_events!("arch/test", models = ["TEST_soc/*"], text = brief);
}
mod full {
    pmu_events::pmu_events!("arch/test", text = full, models = ["acme/*", "*later"],);
}
mod without_metrics {
    pmu_events::pmu_events!("arch/test", metrics = false, unknown = deny);
}
mod with_metrics {
    pmu_events::pmu_events!("arch/test", metrics = true, unknown = allow);
}
mod some_events {
    pmu_events::pmu_events!(
        "arch/test",
        events = ["INST_retired.*", "*.LA", "?", "unit.[a-o]*", "widget.ticks"],
        unknown = deny,
    );
}
mod whole {
    pmu_events::pmu_events!("${CARGO_MANIFEST_DIR}/arch/test", arch = "powerpc");
}

fn models(tree: &'static pmu_events::Tree) -> Vec<&'static str> {
    tree.models().map(|model| model.name()).collect()
}

#[test]
fn models_kept() {
    assert_eq!(models(&none::TREE), ["test_soc/cpu"]);
    assert_eq!(models(&brief::TREE), ["test_soc/cpu", "test_soc/later"]);
    assert_eq!(models(&full::TREE), ["acme/widget-9000", "test_soc/later"]);
    assert_eq!(none::model("testcpu").map(Model::name), Some("test_soc/cpu"));
    assert_eq!(none::model("testlater-1").map(Model::name), None);
    // The row that would have won belongs to a model that is not kept.
    assert_eq!(none::model("ACME-W9000").map(Model::name), Some("test_soc/cpu"));
    assert_eq!(full::model("ACME-W9000").map(Model::name), Some("acme/widget-9000"));
    assert_eq!(full::model("ACME-x").map(Model::name), None);
    assert_eq!(
        full::TREE.sys_tables().map(|m| m.name()).collect::<Vec<_>>(),
        ["acme/widget-9000/sys"]
    );
    assert!(none::TREE.size() < brief::TREE.size());
    assert!(brief::TREE.size() < test::TREE.size());
}

#[test]
fn text_kept() {
    let cases = [
        (none::TEST_SOC_CPU, false, false),
        (brief::TEST_SOC_CPU, true, false),
        (test::TEST_SOC_CPU, true, true),
    ];
    for (model, brief, public) in cases {
        let event = model.event("note.all_pebs2").unwrap();
        assert_eq!(event.description().is_some(), brief);
        assert_eq!(event.perf_description().is_some(), brief);
        assert_eq!(event.long_description().is_some(), public);
        assert_eq!(event.perf_long_description().is_some(), public);
        // What is no text stays.
        assert_eq!(event.errata(), Some("TST5"));
        assert_eq!(event.topic(), "notes");
        let metric = model.metric("all_fields").unwrap();
        assert_eq!(metric.description().is_some(), brief);
        assert_eq!(metric.long_description().is_some(), public);
        assert_eq!(metric.expression(), "100 * NOTE.LA / NOTE.NONE");
        assert_eq!(model.event_count(), test::TEST_SOC_CPU.event_count());
    }
    let note = brief::TEST_SOC_CPU.event("note.la").and_then(Event::perf_description).unwrap();
    assert_eq!(note.to_string(), "Brief with an address  Supports address when precise");
}

#[test]
fn metrics_kept() {
    assert_eq!(without_metrics::TEST_SOC_CPU.metrics().count(), 0);
    assert_eq!(without_metrics::TEST_SOC_CPU.metric("plain"), None);
    assert_eq!(without_metrics::TEST_SOC_CPU.event_count(), test::TEST_SOC_CPU.event_count());
    assert_eq!(without_metrics::TEST_SOC_CPU.nearest("plaim"), None);
    assert_eq!(with_metrics::TEST_SOC_CPU.metrics().count(), test::TEST_SOC_CPU.metrics().count());
}

#[test]
fn events_kept() {
    let names = |model: Model| model.events().map(Event::name).collect::<Vec<_>>();
    let kept = [
        "INST_RETIRED.ANY",
        "Inst_Retired.Any_P",
        "NOTE.LA",
        "T",
        "UNIT.COMPAT",
        "UNIT.CORE_TOO",
        "UNIT.NAMED",
        "UNIT.ONLY",
        "Unit.Core_Too",
    ];
    let found = names(some_events::TEST_SOC_CPU);
    assert_eq!(found.iter().copied().collect::<BTreeSet<_>>(), BTreeSet::from(kept));
    // One name is on 22 PMUs, the others stand once.
    assert_eq!(found.len(), kept.len() - 1 + 22);
    assert_eq!(names(some_events::ACME_WIDGET_9000), ["WIDGET.TICKS", "WIDGET.TICKS"]);
    // Metrics are an option of their own.
    assert_eq!(some_events::TEST_SOC_CPU.metrics().count(), test::TEST_SOC_CPU.metrics().count());
}

#[test]
fn path_with_a_variable_and_another_rule() {
    assert_eq!(listing::of_model(whole::TEST_SOC_CPU), listing::of_model(test::TEST_SOC_CPU));
    assert_eq!(whole::model("testcpu-rev1").map(Model::name), Some("test_soc/cpu"));
}
