//! `pmu` on a simulated kernel, which is preloaded into it.

use std::path::{Path, PathBuf};
use std::process::Command;

use simulated_kernel::scenario::{Scenario, VARIABLE};

use crate::machines::Machine;

/// The library beside this test, which Cargo builds for it.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("it runs");
    let library = test.with_file_name("libsimulated_kernel.so");
    assert!(library.is_file(), "{} is built with this test", library.display());
    library
}

/// `pmu` with the machine's sysfs, where the scenario is what happens.
pub fn pmu(machine: &Machine, cpuid: &str, scenario: &str) -> Command {
    of_program(Path::new(env!("CARGO_BIN_EXE_pmu")), machine, cpuid, scenario)
}

/// The same under another name, which a link has.
#[allow(dead_code)] // Some tests do without.
pub fn perf(machine: &Machine, cpuid: &str, scenario: &str) -> Command {
    let link = machine.path("/perf");
    let _ = std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_pmu"), &link);
    of_program(&link, machine, cpuid, scenario)
}

fn of_program(program: &Path, machine: &Machine, cpuid: &str, scenario: &str) -> Command {
    Scenario::parse(scenario).expect("it can be read");
    machine.write("/scenario", scenario);
    let mut command = Command::new(program);
    command
        .env("LD_PRELOAD", library())
        .env(VARIABLE, machine.path("/scenario"))
        .env("SYSFS_PATH", machine.root())
        .env("PERF_CPUID", cpuid);
    command
}
