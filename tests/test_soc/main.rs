//! `arch/test`, a made-up SoC, through the real macro: every key and rule of the format
//! against a listing whose lines were checked by hand, and every look-up.

use std::fs;
use std::path::Path;

use pmu_events::{Event, Metric, Model};

mod at_compile_time;
mod listing;
mod lookups;
mod options;

mod test {
    pmu_events::pmu_events!("arch/test", unknown = deny);
}

/// The fields agree with the JSON and with what perf's jevents makes of it.
const RECORDED: &str = include_str!("recorded.txt");

#[test]
fn fields_of_events_and_metrics() {
    let found = listing::of_tree(&test::TREE);
    if found == RECORDED {
        return;
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("test_soc.txt");
    fs::write(&file, &found).unwrap();
    let n = found.lines().zip(RECORDED.lines()).take_while(|(found, line)| found == line).count();
    panic!(
        "line {} of the listing: found {:?}, expected {:?}\n\
         `diff tests/test_soc/recorded.txt {file}` shows all of them. If each is what the JSON \
         says, copy the second file over the first.",
        n + 1,
        found.lines().nth(n),
        RECORDED.lines().nth(n),
        file = file.display(),
    );
}

/// A tree's events are those of its models, in the order of names; a model's are those of its
/// PMUs, in the order of perf's tables.
#[test]
fn order_of_events() {
    let tables = || test::TREE.models().chain(test::TREE.sys_tables());
    for model in tables() {
        let of_pmus = model.pmus().flat_map(|pmu| pmu.events());
        assert!(model.events().eq(of_pmus), "{}", model.name());
        assert_eq!(model.event_count(), model.events().count());
        assert_eq!(model.event_count(), model.events().len());
        assert_eq!(model.metrics().count(), model.metrics().len());
        let key = |event: Event| (event.pmu().replace(',', "_"), event.name().to_ascii_lowercase());
        assert!(model.events().is_sorted_by_key(key), "{}", model.name());
    }
    assert!(test::TREE.events().is_sorted_by_key(|event| event.name().to_ascii_lowercase()));
    // `NOTE.NONE` is the same on two models but for its topic, so it comes twice.
    let sorted = |events: &mut dyn Iterator<Item = Event>| {
        let mut keys: Vec<_> =
            events.map(|e| (e.name().to_ascii_lowercase(), e.pmu(), e.topic())).collect();
        keys.sort_unstable();
        keys
    };
    let of_models = sorted(&mut tables().flat_map(Model::events));
    assert_eq!(sorted(&mut test::TREE.events()), of_models);
}
