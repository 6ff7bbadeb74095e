//! The table of options, from which `pmu` has its manual, against the source of perf.

use std::env;
use std::fs;
use std::path::Path;

use pmu_events_perf_stat::options::{Defined, of_source};

#[allow(dead_code)] // The verdicts are for the manual.
#[path = "../../../pmu/src/perf_options/table.rs"]
mod table;

fn of_tree(variable: &str) -> Vec<Defined> {
    let tree = env::var_os(variable).unwrap_or_else(|| panic!("{variable} is set by `run`"));
    let file = Path::new(&tree).join("tools/perf/builtin-stat.c");
    let source = fs::read_to_string(&file);
    of_source(&source.unwrap_or_else(|error| panic!("{}: {error}", file.display())))
}

fn of_table(is_meant: impl Fn(&table::PerfOption) -> bool) -> Vec<Defined> {
    let defined = |option: &table::PerfOption| Defined {
        long: option.long.into(),
        short: option.short,
        takes_value: !option.value.is_empty(),
        is_optional: option.is_optional,
    };
    let mut all: Vec<Defined> =
        table::ALL.iter().filter(|option| is_meant(option)).map(defined).collect();
    all.sort();
    all
}

#[test]
fn options_of_perf() {
    assert_eq!(of_table(|option| !option.is_later), of_tree("PMU_EVENTS_KERNEL"));
}

#[test]
fn options_of_the_newest_perf() {
    assert_eq!(of_table(|_| true), of_tree("PMU_EVENTS_NEWEST"));
}
