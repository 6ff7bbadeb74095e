//! Side by side with perf: random event strings, patterns of map files and
//! metric expressions, asked of perf itself and of us.
//!
//! `BESIDE_PERF_SEED` and `BESIDE_PERF_COUNT` say which and how many;
//! `beside-perf --help` has more.

mod event_strings;
mod formulas;
#[allow(dead_code)]
#[path = "../../../machines/mod.rs"]
mod machines;
mod patterns;
mod report;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use pmu_events_kernel_comparison::kernel_root;

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

/// Where perf has been built.
pub fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let build = Command::new(here.join("perf/build"))
            .arg(kernel_root())
            .arg(here.join("../../target/kernel/perf"))
            .output()
            .unwrap_or_else(|error| panic!("perf/build cannot be run: {error}"));
        let errors = String::from_utf8_lossy(&build.stderr);
        assert!(build.status.success(), "perf cannot be built:\n{errors}");
        PathBuf::from(String::from_utf8_lossy(&build.stdout).trim_end())
    })
}

/// Not by `eprintln!`, which the test harness keeps to itself.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
