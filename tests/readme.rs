//! What the README shows is what happens.

#[path = "common/cargo.rs"]
mod cargo;

use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../README.md");

#[test]
fn its_first_example_is_a_program() {
    let file = include_str!("../examples/readme.rs");
    // The file's head says what it is; the README need not.
    let (_, source) = file.split_once("\n\n").expect("the file has a head");
    assert!(README.contains(&format!("```rust\n{source}```")), "the README has another example");
}

#[test]
fn its_output_is_what_the_example_prints() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = cargo::build(workspace, &["--example".as_ref(), "readme".as_ref()]);
    let output = Command::new(program).output().expect("the example runs");
    let printed = String::from_utf8(output.stdout).expect("the example prints text");
    assert!(output.status.success());
    assert!(README.contains(&format!("```text\n{printed}```")), "it prints:\n{printed}");
}
