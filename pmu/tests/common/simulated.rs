//! `pmu` on a simulated kernel, which is preloaded into it.

use std::path::PathBuf;
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
    Scenario::parse(scenario).expect("it can be read");
    machine.write("/scenario", scenario);
    let mut command = Command::new(env!("CARGO_BIN_EXE_pmu"));
    command
        .env("LD_PRELOAD", library())
        .env(VARIABLE, machine.path("/scenario"))
        .env("SYSFS_PATH", machine.root())
        .env("PERF_CPUID", cpuid);
    command
}
