//! What the README shows is what happens.

#[allow(dead_code)] // Other tests use more of it.
#[path = "common/cargo.rs"]
mod cargo;
#[cfg(target_os = "linux")]
#[path = "common/rights.rs"]
mod rights;

use std::process::Command;

const OF_THE_REPOSITORY: &str = include_str!("../README.md");
/// On the page of the crate's registry.
const OF_THE_CRATE: &str = include_str!("../pmu-events/README.md");
const BOTH: [&str; 2] = [OF_THE_REPOSITORY, OF_THE_CRATE];

fn assert_shown(readmes: &[&str], text: &str) {
    for readme in readmes {
        assert!(readme.contains(text), "not in a README:\n{text}");
    }
}

#[test]
fn its_examples_are_programs() {
    let first = [include_str!("../examples/counter.rs"), include_str!("../examples/readme.rs")];
    let later = [include_str!("../examples/formula.rs"), include_str!("../examples/metric.rs")];
    for (files, readmes) in [(first, &BOTH[..]), (later, &[OF_THE_CRATE])] {
        for file in files {
            // The file's head says what it is; the README need not.
            let (_, source) = file.split_once("\n\n").expect("the file has a head");
            assert_shown(readmes, &format!("```rust\n{source}```"));
        }
    }
}

/// It is read in some minutes; more belongs to the documentation.
#[test]
fn it_is_short() {
    let lines = OF_THE_REPOSITORY.lines().count();
    assert!(lines < 250, "{lines} lines");
}

/// What an example prints; none where it fails, with what it says then.
fn printed_by(example: &str) -> Result<String, String> {
    let program = cargo::example(example);
    let output = Command::new(program).env_remove("SYSFS_PATH").output().expect("the example runs");
    let text = |bytes| String::from_utf8(bytes).expect("the example prints text");
    match output.status.success() {
        true => Ok(text(output.stdout)),
        false => Err(text(output.stderr)),
    }
}

/// The first counts on whatever machine this is: a number, or that there is no
/// hardware PMU, in the README's words.
#[test]
#[cfg(target_os = "linux")]
fn its_first_example_counts() {
    use rights::{Rights, has_hardware, rights};

    let printed = printed_by("counter");
    if rights() == Rights::Nothing && !rights::has_no_counters() {
        let error = printed.unwrap_err();
        return assert!(error.contains("not permitted"), "{error}");
    }
    let printed = printed.expect("it may count");
    let lines: Vec<&str> = printed.lines().collect();
    let [primes, instructions, clock] = lines[..] else { panic!("{printed}") };
    assert_eq!(primes, "1229 primes took");
    let what = instructions.strip_prefix("instructions:u: ").expect("it names the event");
    if rights::has_no_counters() {
        assert!(what.contains("no perf_event_open") && clock.contains("no perf_event_open"));
        return;
    }
    if has_hardware() {
        // Some ten instructions a division, at least.
        let count: f64 = what.trim().parse().expect("it is a number");
        assert!(count > 1e6, "{printed}");
    } else if std::path::Path::new("/sys/bus/event_source/devices").is_dir() {
        assert_shown(&BOTH, &format!("```text\n{primes}\n{instructions}\n"));
    } else {
        assert!(what.contains("neither this kernel nor a PMU"), "{printed}");
    }
    let words: Vec<&str> = clock.split_whitespace().collect();
    let [name, seconds, "s"] = words[..] else { panic!("{printed}") };
    assert!(["task-clock:", "task-clock:u:"].contains(&name), "{printed}");
    assert!(seconds.parse::<f64>().expect("it is a number") > 0.0, "{printed}");
    // The clock has nanoseconds, and no digits beyond them.
    let decimals = seconds.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    assert!(decimals <= 9, "{printed}");
}

/// The metric has a value with its unit or none, and a refusal is a sentence.
#[test]
fn its_metric_shows_no_struct_and_no_nan() {
    let program = cargo::example("metric");
    // A CPU with a table, and one without.
    for cpuid in ["GenuineIntel-6-8F-4", "Nobody-1-2-3"] {
        let mut command = Command::new(&program);
        let output = command.env_remove("SYSFS_PATH").env("PERF_CPUID", cpuid).output();
        let output = output.expect("the example runs");
        let out = String::from_utf8(output.stdout).expect("the example prints text");
        let err = String::from_utf8(output.stderr).expect("the example prints text");
        if output.status.success() {
            let value = out.lines().find_map(|line| line.strip_prefix("1229 primes, ipc: "));
            let value = value.expect("it names the metric");
            let number = value.strip_suffix(" per_cycle").map(str::parse::<f64>);
            assert!(matches!(number, Some(Ok(_))) || value == "no value", "{out}");
        } else {
            assert!(err.starts_with("Error: ") && !err.contains(" { "), "{err}");
        }
    }
}

#[test]
fn its_output_is_what_the_examples_print() {
    for (example, readmes) in [("readme", &BOTH[..]), ("formula", &[OF_THE_CRATE])] {
        let printed = printed_by(example).expect("it needs no rights");
        assert_shown(readmes, &format!("```text\n{printed}```"));
    }
}
