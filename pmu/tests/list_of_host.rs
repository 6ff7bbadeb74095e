//! `pmu list` on the machine on which the test runs. `.ci/hosts` runs it as on many others.

use pmu_events::host;

#[path = "common/run.rs"]
mod run;

use run::{Run, finish};

/// On the machine on which the test runs, or for which `PERF_CPUID` stands.
fn on_host(arguments: &[&str]) -> Run {
    let mut command = run::command();
    command.arg("list").args(arguments);
    if let Some(cpuid) = std::env::var_os(host::OVERRIDE) {
        command.env(host::OVERRIDE, cpuid);
    }
    finish(&mut command)
}

/// The machine's own events are those of its CPUID; without a table, all that
/// is known is shown.
#[track_caller]
fn host_is_its_cpuid_or(arguments: &[&str], otherwise: &str) -> Option<Run> {
    let of_host = on_host(arguments);
    let cpuid = host::cpuid();
    if let Ok(cpuid) = &cpuid {
        // Text that begins with a dash is not an option.
        let mut command = run::command();
        command.arg("list").arg(format!("--cpuid={cpuid}")).args(arguments);
        let of_cpuid = finish(&mut command);
        // Who names a CPU by `PERF_CPUID` is told that it is unknown.
        if !of_cpuid.err.contains("no model is known for CPU")
            || std::env::var_os(host::OVERRIDE).is_some()
        {
            // Of the events that the architecture names, the machine may lack some.
            let is_of_architecture = of_cpuid.err.contains("the events that the architecture");
            let is_same = of_host.out.starts_with(&of_cpuid.out);
            assert!(is_same || is_of_architecture, "{cpuid}: {}", of_host.out);
            // A word also finds the machine's own events.
            assert!(of_host.code <= of_cpuid.code, "{cpuid}: {}", of_host.err);
            return None;
        }
    }
    assert_eq!(of_host.code, Some(0), "{cpuid:?}: {}", of_host.err);
    assert!(of_host.err.contains(otherwise), "{cpuid:?}: {}", of_host.err);
    Some(of_host)
}

#[test]
fn the_host_is_known_or_named() {
    if let Some(run) = host_is_its_cpuid_or(&[], "; these are known") {
        assert!(run.out.contains(" silvermont "), "{}", run.out);
    }
}

/// A word is found on any machine: in its own model, or in all.
#[test]
fn the_host_may_be_unknown_and_a_word_found() {
    if let Some(run) = host_is_its_cpuid_or(&["instructions"], "; searching all") {
        let of_name = |line: &str| line.starts_with("  ") && !line.starts_with("   ");
        assert!(run.out.lines().any(of_name), "{}", run.out);
    }
}
