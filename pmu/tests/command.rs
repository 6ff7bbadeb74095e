//! `pmu` itself: help, completions and the man page come from one source.

use std::process::{Command, Output};

fn pmu(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pmu"));
    let Output { status, stdout, stderr } = command.args(arguments).output().expect("pmu runs");
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    (status.code(), text(stdout), text(stderr))
}

/// The commands that the help lists, which is all of them: clap writes the list.
fn commands() -> Vec<String> {
    let (code, help, err) = pmu(&["--help"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let (_, list) = help.split_once("\nCommands:\n").expect("the help has a list");
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names: Vec<String> =
        names.filter(|name| !["", "help"].contains(name)).map(Into::into).collect();
    assert!(names.len() >= 10, "{help}");
    names
}

#[test]
fn help_at_each_level() {
    for command in &commands() {
        let (code, of_command, err) = pmu(&[command, "--help"]);
        assert_eq!((code, err.as_str()), (Some(0), ""));
        assert!(of_command.contains(&format!("Usage: pmu {command}")), "{of_command}");
        // Lines end where the text does, or where the terminal is full.
        let mut narrow = Command::new(env!("CARGO_BIN_EXE_pmu"));
        narrow.args([command, "--help"]).env("COLUMNS", "60");
        let narrow = narrow.output().expect("pmu runs").stdout;
        let narrow = String::from_utf8(narrow).expect("the output is UTF-8");
        let is_short = |line: &str| line.chars().count() <= 60 || line.contains("Usage:");
        assert!(narrow.lines().all(is_short), "{narrow}");
    }
}

#[test]
fn no_command_is_a_usage_error() {
    let (code, out, err) = pmu(&[]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("Usage: pmu <COMMAND>"), "{err}");
    let (code, out, err) = pmu(&["completionz"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("a similar subcommand exists: 'completions'"), "{err}");
}

#[test]
fn completions_for_each_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let (code, script, err) = pmu(&["completions", shell]);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{shell}");
        let names = script.contains("field-separator") && script.contains("metrics");
        assert!(names, "{shell}: {script}");
    }
    assert_eq!(pmu(&["completions", "cmd"]).0, Some(2));
}

#[test]
fn the_readme_has_every_command() {
    for command in commands() {
        assert!(include_str!("../README.md").contains(&format!("`pmu {command}")), "{command}");
    }
}

#[test]
fn the_man_page_has_every_command_and_option() {
    let (code, page, err) = pmu(&["man"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(page.contains(".TH pmu 1"), "{page}");
    for command in commands() {
        assert!(page.contains(&format!(".SH \"PMU {}\"", command.to_uppercase())), "{command}");
    }
    // There are no other pages, and headings are words that readers know.
    for stray in ["(1)\n", "EXTRA", "LITERAL"] {
        assert!(!page.contains(stray), "{stray} in {page}");
    }
    for option in ["interval\\-count", "html", "deprecated", "unknown"] {
        assert!(page.contains(&format!("\\-\\-{option}")), "{option}");
    }
}
