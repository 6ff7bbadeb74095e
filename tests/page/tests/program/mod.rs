//! The command whose pages are opened.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

// The examples that it builds are those of another package.
#[allow(dead_code)]
#[path = "../../../common/cargo.rs"]
mod cargo;

/// The directory of the project.
pub fn project() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).expect("it is there")
}

/// `pmu`, which the first call builds.
pub fn pmu() -> Command {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| cargo::pmu(&project()));
    Command::new(&*PROGRAM)
}
