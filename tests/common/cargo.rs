//! Programs that a test wants to run or look at, built by Cargo.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// Builds a package, and says where the program is: Cargo tells a test of a
/// package's programs, but not of its examples nor of other packages.
///
/// # Panics
///
/// When it does not build.
pub fn build(package: &Path, arguments: &[&OsStr]) -> PathBuf {
    programs(package, arguments).into_iter().next().expect("there is a program")
}

/// Builds `pmu` with the features that all packages of the workspace ask for together, as its
/// tests do: Cargo may have done so already. Without an example, it would leave out those of
/// the dependencies of tests.
///
/// # Panics
///
/// When it does not build.
pub fn pmu(workspace: &Path) -> PathBuf {
    let arguments = ["--workspace", "--bin", "pmu", "--example", "cookbook"].map(OsStr::new);
    let mut all = programs(workspace, &arguments).into_iter();
    all.find(|program| program.file_stem() == Some(OsStr::new("pmu"))).expect("there is `pmu`")
}

fn programs(package: &Path, arguments: &[&OsStr]) -> Vec<PathBuf> {
    let output = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--locked", "--message-format=json"])
        .args(arguments)
        .current_dir(package)
        .stderr(Stdio::inherit())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "cargo build: {}", output.status);
    let messages = String::from_utf8(output.stdout).expect("Cargo's messages are UTF-8");
    let program = |line: &str| {
        let message: Value = serde_json::from_str(line).expect("Cargo's messages are JSON");
        message["executable"].as_str().map(PathBuf::from)
    };
    messages.lines().filter_map(program).collect()
}

/// Builds an example of this package beside the test that runs, with the features that all
/// packages of the workspace ask for together: so Cargo finds what it has built already.
///
/// # Panics
///
/// When it does not build.
pub fn example(name: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in the target");
    let arguments = ["--workspace", "--example", name, "--target-dir"].map(OsStr::new);
    let arguments = [&arguments[..], &[target.as_os_str()]].concat();
    build(Path::new(env!("CARGO_MANIFEST_DIR")), &arguments)
}
