//! What the README shows is what happens.

#[path = "common/cargo.rs"]
mod cargo;

use std::process::Command;

const README: &str = include_str!("../README.md");

#[test]
fn its_examples_are_programs() {
    let files = [
        include_str!("../examples/readme.rs"),
        include_str!("../examples/counter.rs"),
        include_str!("../examples/formula.rs"),
    ];
    for file in files {
        // The file's head says what it is; the README need not.
        let (_, source) = file.split_once("\n\n").expect("the file has a head");
        assert!(README.contains(&format!("```rust\n{source}```")), "not in the README:\n{source}");
    }
}

/// What an example prints.
fn printed_by(example: &str) -> String {
    let program = cargo::example(example);
    let output = Command::new(program).env_remove("SYSFS_PATH").output().expect("the example runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the example prints text")
}

/// The second counts on whatever machine this is: a number, or that there is no
/// hardware PMU, in the README's words.
#[test]
#[cfg(target_os = "linux")]
fn its_second_example_counts() {
    let printed = printed_by("counter");
    let lines: Vec<&str> = printed.lines().collect();
    let [primes, instructions, clock] = lines[..] else { panic!("{printed}") };
    assert_eq!(primes, "1229 primes took");
    let what = instructions.strip_prefix("instructions:u: ").expect("it names the event");
    if pmu_events::sysfs::Sysfs::new().core_pmus().next().is_some() {
        // Some ten instructions a division, at least.
        let count: f64 = what.trim().parse().expect("it is a number");
        assert!(count > 1e6, "{printed}");
    } else {
        assert!(README.contains(&format!("```text\n{primes}\n{instructions}\n")), "{printed}");
    }
    let words: Vec<&str> = clock.split_whitespace().collect();
    let [name, milliseconds, "msec"] = words[..] else { panic!("{printed}") };
    assert!(["task-clock:", "task-clock:u:"].contains(&name), "{printed}");
    assert!(milliseconds.parse::<f64>().expect("it is a number") > 0.0, "{printed}");
}

#[test]
fn its_output_is_what_the_examples_print() {
    for example in ["readme", "formula"] {
        let printed = printed_by(example);
        assert!(README.contains(&format!("```text\n{printed}```")), "{example} prints:\n{printed}");
    }
}
