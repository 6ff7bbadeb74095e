//! Side by side with perf: random event strings, patterns of map files and
//! metric expressions, asked of perf itself and of us.
//!
//! `BESIDE_PERF_OF` says which version of perf, `BESIDE_PERF_SEED` and `BESIDE_PERF_COUNT`
//! which questions and how many; `beside-perf --help` has more.

mod event_strings;
mod formulas;
#[allow(dead_code)]
#[path = "../../../machines/mod.rs"]
mod machines;
mod patterns;
mod report;
mod shrink;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use pmu_events::Model;
use pmu_events_kernel_comparison::beside::perf::program_of;
use pmu_events_kernel_comparison::compiled::compiled;
use pmu_events_kernel_comparison::{Arch, NEWEST, attributes};

/// A number of the environment.
fn number(variable: &str, default: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => {
            text.parse().unwrap_or_else(|_| panic!("{variable}: expected a number, found `{text}`"))
        }
        Err(_) => default,
    }
}

pub fn seed() -> u64 {
    number("BESIDE_PERF_SEED", 1)
}

/// How many event strings for each machine; there are as many formulas for each,
/// and as many map files.
pub fn count_of_questions() -> u64 {
    number("BESIDE_PERF_COUNT", 1_000)
}

/// The version of the kernel whose perf is asked.
pub fn version() -> &'static str {
    static VERSION: OnceLock<String> = OnceLock::new();
    let version = || std::env::var("BESIDE_PERF_OF").unwrap_or_else(|_| "6.12".into());
    VERSION.get_or_init(version)
}

pub fn is_newest() -> bool {
    version() == NEWEST
}

/// Where perf has been built.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| program_of(version()))
}

/// The model of a machine's CPU in the tables of perf's tree.
pub fn model(machine: &str) -> Option<Model> {
    if !is_newest() {
        return attributes::model(machine);
    }
    static ARCHS: OnceLock<Vec<Arch>> = OnceLock::new();
    let archs = ARCHS.get_or_init(|| {
        let directory = program().with_file_name("arch");
        let compile = |name| compiled(&directory, name).unwrap_or_else(|report| panic!("{report}"));
        ["x86", "arm64", "powerpc", "test"].map(compile).to_vec()
    });
    attributes::model_among(machine, |name| {
        *archs.iter().find(|arch| arch.name == name).expect("it is one of these")
    })
}

/// Not by `eprintln!`, which the test harness keeps to itself.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
