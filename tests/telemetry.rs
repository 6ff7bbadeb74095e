//! Made-up specifications in the form of Arm's telemetry, compiled by the macro: which
//! revision has which, and the tree that the decision tree becomes.

use pmu_events::topdown::Hierarchy;

mod made_up {
    pmu_events::pmu_events!("pmu-events-macros/compiler/tests/made-up-telemetry", unknown = deny);
}

/// The earliest specification covers the revisions before its own, the latest those
/// after it.
#[test]
fn revisions() {
    let cases = [
        ("0x00000000410fd770", Some("arm/granite-g1")),
        ("0x00000000410fd772", Some("arm/granite-g1")),
        ("0x00000000411fd770", Some("arm/granite-g1-r1p0")),
        ("0x00000000413fd775", Some("arm/granite-g1-r1p0")),
        ("0x00000000410fd780", None),
        ("0x000000004e0fd780", Some("slate")),
    ];
    for (cpuid, expected) in cases {
        assert_eq!(made_up::model(cpuid).map(|model| model.name()), expected, "{cpuid}");
    }
    let expected = "Arm telemetry r0p1 (01 Feb 03:04:05 2026)";
    assert_eq!(made_up::ARM_GRANITE_G1.source(), Some(expected));
}

#[test]
fn metrics_below_a_node_are_parts_and_groups_are_indicators() {
    let all = Hierarchy::of(made_up::ARM_GRANITE_G1);
    let nodes = all[0].nodes().iter().map(|node| {
        let above = node.parent().map_or("", |parent| all[0].nodes()[parent].metric().name());
        (node.metric().name(), above, node.is_indicator())
    });
    let expected = [
        ("back_blade_bound", "back_bound", false),
        ("back_bound", "", false),
        ("dust_per_facet", "back_blade_bound", true),
        ("front_bound", "", false),
        ("l1d_cache_miss_ratio", "back_blade_bound", true),
    ];
    assert!(nodes.clone().eq(expected), "{:?}", nodes.collect::<Vec<_>>());
}
