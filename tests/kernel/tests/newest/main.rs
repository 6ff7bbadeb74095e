//! Linux 7.3: the tables of its jevents, of the project's own `arch/` and of its own tree, and
//! the metrics that its perf shows by default.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use pmu_events_kernel_comparison::NEWEST;
use pmu_events_kernel_comparison::beside::perf::program_of;

mod default_metrics;
mod kernel_tree;
#[allow(dead_code)]
#[path = "../../../machines/mod.rs"]
mod machines;
mod own_tree;

/// Where its perf has been built.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| program_of(NEWEST))
}

/// The architectures that its perf was built from, with the generated cache events.
fn built_from() -> PathBuf {
    program().with_file_name("arch")
}
