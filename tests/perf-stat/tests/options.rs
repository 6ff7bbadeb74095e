//! The tables of options, from which `pmu` has its manual, against the source of perf.

use std::env;
use std::fs;
use std::path::Path;

use pmu_events_perf_stat::options::{Defined, of_source};

#[path = "../../../pmu/src/perf_options/record.rs"]
mod record;
#[path = "../../../pmu/src/perf_options/report.rs"]
mod report;
#[path = "../../../pmu/src/perf_options/script.rs"]
mod script;
#[path = "../../../pmu/src/perf_options/shared.rs"]
mod shared;
#[path = "../../../pmu/src/perf_options/stat.rs"]
mod stat;
#[allow(dead_code)] // The verdicts are for the manual.
#[path = "../../../pmu/src/perf_options/table.rs"]
mod table;

use table::PerfOption;

/// Each command, the array of its options, and the table.
const COMMANDS: [(&str, &str, &[PerfOption]); 4] = [
    ("stat", "stat_options", stat::ALL),
    ("record", "__record_options", record::ALL),
    ("report", "options", report::ALL),
    ("script", "options", script::ALL),
];

fn of_tree(variable: &str, command: &str, array: &str) -> Vec<Defined> {
    let tree = env::var_os(variable).unwrap_or_else(|| panic!("{variable} is set by `run`"));
    let file = Path::new(&tree).join(format!("tools/perf/builtin-{command}.c"));
    let source = fs::read_to_string(&file);
    of_source(array, &source.unwrap_or_else(|error| panic!("{}: {error}", file.display())))
}

fn of_table(options: &[PerfOption], is_meant: impl Fn(&PerfOption) -> bool) -> Vec<Defined> {
    let defined = |option: &PerfOption| Defined {
        long: option.long.into(),
        short: option.short,
        takes_value: !option.value.is_empty(),
        is_optional: option.is_optional,
    };
    let mut all: Vec<Defined> =
        options.iter().filter(|option| is_meant(option)).map(defined).collect();
    all.sort();
    all
}

#[test]
fn options_of_perf() {
    for (command, array, options) in COMMANDS {
        let expected = of_tree("PMU_EVENTS_KERNEL", command, array);
        assert_eq!(of_table(options, |option| !option.is_later), expected, "{command}");
    }
}

#[test]
fn options_of_the_newest_perf() {
    for (command, array, options) in COMMANDS {
        let expected = of_tree("PMU_EVENTS_NEWEST", command, array);
        assert_eq!(of_table(options, |_| true), expected, "{command}");
    }
}
