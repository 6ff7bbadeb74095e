//! Everything that can be asked of a tree.

use pmu_events::topdown::Hierarchy;
use pmu_events_core::__private::wire::Wire;
use pmu_events_core::Tree;

/// Damaged counts may claim millions of events.
const MOST: usize = 100;

/// More than the test tree has.
const MANY: usize = 1_000;

/// Asks everything of a packed tree, if its bytes have a header.
pub fn visit(strings: &str, tables: &[u8]) {
    if Wire::read(strings, tables).is_none() {
        return;
    }
    let strings: *mut str = Box::into_raw(strings.into());
    let tables: *mut [u8] = Box::into_raw(tables.into());
    // SAFETY: both are valid until they are freed below.
    let (shown, packed) = unsafe { (&*strings, &*tables) };
    let tree: *mut Tree = Box::into_raw(Box::new(Tree::new(shown, packed)));
    // SAFETY: as above.
    visit_tree(unsafe { &*tree });
    // SAFETY: they come from boxes, and all views are gone: a tree is static in
    // programs, but a fuzz target would run out of memory.
    unsafe { drop((Box::from_raw(tree), Box::from_raw(strings), Box::from_raw(tables))) };
}

fn visit_tree(tree: &'static Tree) {
    for model in tree.models().chain(tree.sys_tables()).take(20) {
        let _ = (model.event("inst_retired.any"), model.metric("ipc"));
        // It looks at all of them, as many as the counts claim.
        let metrics = model.metrics().take(MANY).count();
        if model.event_count() + metrics < MANY {
            let _ = model.nearest("l1d.x");
        }
        for pmu in model.pmus().take(MOST) {
            let _ = (pmu.name(), pmu.general_counters(), pmu.events().take(3).count());
            let _ = model.event_on(pmu.name(), "inst_retired.any");
        }
        for event in model.events().take(MOST) {
            let _ = format!("{event:?} {:?} {:?}", event.counters(), event.msr());
            let _ = (event.topic(), event.sample_after(), event.retirement_latency());
            let _ = model.event(event.name());
            let _ = event.encode(pmu_events_core::builtin::INTEL);
            let texts = [event.description(), event.long_description()].into_iter().flatten();
            // A damaged text may lead into others, but it ends.
            let _ = texts.map(|text| text.pieces().take(500).count()).sum::<usize>();
        }
        for metric in model.metrics().take(MOST) {
            let _ = format!("{metric:?} {:?} {:?}", metric.groups().count(), metric.constraint());
            let _ = metric.evaluate(|event| event.as_str().len() as f64);
            let _ = metric.is_crossed(|_| 1.0);
            let operands = metric.events().chain(metric.threshold_events());
            for operand in operands.chain(metric.latencies()) {
                let _ = operand.with_parameter(1).to_string();
            }
            let _ = metric.scale();
        }
        if metrics < MANY {
            // A damaged tree may be a circle, but has an end.
            let _ = Hierarchy::of(model).iter().map(Hierarchy::depth).max();
        }
        for group in model.metric_groups().take(MOST) {
            let _ = (group.name(), group.description(), group.metrics().take(MOST).count());
        }
    }
    for group in tree.groups().take(MOST) {
        let _ = tree.group_description(group);
    }
    let matching = tree.cpuids().matching("testcpu");
    let _ = (matching.first(), matching.contains(1), tree.model("testcpu"));
    let _ = tree.sys_events("sys_cmn_pmu", "43401").take(MOST).count();
    let _ = tree.events().take(MOST).count();
}
