//! `examples/portable.rs` for CPUs named by CPUID, and on whatever machine this is.

#![cfg(target_os = "linux")]

use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

#[allow(dead_code)] // Other tests use more of it.
#[path = "common/cargo.rs"]
mod cargo;
#[allow(dead_code)] // Other tests use more of it.
#[path = "machines/mod.rs"]
mod machines;

use machines::Machine;
use pmu_events::arch::x86;

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| cargo::example("portable"));

/// What it prints, or its error.
fn run(arguments: &[&str], variables: &[(&str, &str)]) -> Result<Vec<String>, String> {
    let mut command = Command::new(&*PROGRAM);
    command.args(arguments).env_remove("SYSFS_PATH").env_remove("PERF_CPUID");
    let output = command.envs(variables.iter().copied()).output().expect("the example runs");
    let text = |bytes| String::from_utf8(bytes).expect("it prints text");
    match output.status.success() {
        true => Ok(text(output.stdout).lines().map(String::from).collect()),
        false => Err(text(output.stderr)),
    }
}

/// One line for each of the quantities, whatever the CPU; the others are differences.
fn names(lines: &[String]) -> Vec<&str> {
    let names = lines.iter().filter(|line| !line.starts_with(' '));
    let mut names: Vec<&str> = names.filter_map(|line| Some(line.split_once(": ")?.0)).collect();
    names.retain(|name| !name.ends_with("_per_kilo_instruction"));
    names.sort_unstable();
    names
}

#[test]
fn any_cpu_by_cpuid() {
    let zen4 = run(&["AuthenticAMD-25-61-2"], &[]).unwrap();
    assert!(zen4.contains(&"common.instructions: ex_ret_instr".into()), "{zen4:#?}");
    let misses = zen4.iter().position(|line| line.starts_with("common.llc_misses: ")).unwrap();
    assert!(zen4[misses + 1].starts_with("    Counted are lines that the L1D gets from beyond"));
    let latency = zen4.iter().find(|line| line.starts_with("common.memory_latency: ")).unwrap();
    assert_eq!(
        latency,
        "common.memory_latency: none. The latency is known in cycles only, not in time."
    );
    let all = names(&zen4);
    assert_eq!(all.len(), 32, "{all:#?}");
    // Skylake-SP, Granite Rapids, Zen 1, Neoverse N1 and V2, z16, POWER10.
    for cpuid in [
        "GenuineIntel-6-55-4",
        "GenuineIntel-6-AD-1",
        "AuthenticAMD-23-1-2",
        "0x00000000413fd0c0",
        "0x00000000410fd4f0",
        "IBM,3931,704,A01,3.7,002f",
        "0x00800200",
    ] {
        assert_eq!(names(&run(&[cpuid], &[]).unwrap()), all, "{cpuid}");
    }
    assert!(run(&["NoSuchCpu-1"], &[]).unwrap_err().contains("no tree has this CPU"));
}

/// A machine without a core PMU counts what the kernel counts.
#[test]
fn this_machine() {
    let machine = Machine::empty();
    let sysfs = machine.root().to_str().expect("the scratch directory's name is UTF-8");
    let variables = [("SYSFS_PATH", sysfs), ("PERF_CPUID", "GenuineIntel-6-8F-4")];
    let lines = run(&[], &variables).unwrap();
    let model = x86::SAPPHIRERAPIDS;
    let shown = names(&lines).len();
    assert_eq!(
        shown,
        model.metrics().in_group("common").count() + {
            let lacks = model.lacking();
            lacks.filter(|(name, _)| !name.ends_with("_per_kilo_instruction")).count()
        }
    );
    let ipc = lines.iter().find(|line| line.starts_with("common.ipc: ")).unwrap();
    assert!(ipc.contains("which this machine does not have"), "{ipc}");
}
