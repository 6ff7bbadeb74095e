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
        assert!(script.contains("_PMU_COMPLETE") && script.contains("pmu"), "{shell}: {script}");
    }
    assert_eq!(pmu(&["completions", "cmd"]).0, Some(2));
}

/// The words that the script of bash offers for the last word of a line.
fn offered(line: &[&str]) -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_pmu"))
        .arg("--")
        .arg("pmu")
        .args(line)
        .env("_PMU_COMPLETE", "bash")
        .env("_CLAP_IFS", "\x0b")
        .env("_CLAP_COMPLETE_INDEX", line.len().to_string())
        .output()
        .expect("pmu runs");
    assert!(output.status.success(), "{line:?}");
    let out = String::from_utf8(output.stdout).expect("the output is UTF-8");
    out.split_terminator('\x0b').map(String::from).collect()
}

#[test]
fn names_are_completed() {
    let spr = "--model=sapphirerapids";
    let cases: &[(&[&str], &[&str])] = &[
        (&["dec"], &["decode"]),
        (&["list", "--model", "silverm"], &["silvermont"]),
        (&["list", "--model", "raptorlake-"], &["raptorlake-p", "raptorlake-s"]),
        (&["list", "--model=arm/neoverse-n3"], &["--model=arm/neoverse-n3"]),
        (&["encode", spr, "longest_lat_cache.m"], &["longest_lat_cache.miss"]),
        (&["encode", spr, "cycles,LONGEST_LAT_CACHE.M"], &["cycles,LONGEST_LAT_CACHE.MISS"]),
        (&["encode", spr, "cpu/longest_lat_cache.m"], &["cpu/longest_lat_cache.miss"]),
        (&["encode", spr, "cha/longest_lat_cache.m"], &[]),
        (&["encode", spr, "uncore_cha/unc_cha_clock"], &["uncore_cha/unc_cha_clockticks"]),
        (&["encode", spr, "branch-mi"], &["branch-misses"]),
        (&["decode", spr, "longest_lat_cache.m"], &["longest_lat_cache.miss"]),
        (&["list", spr, "tma_memory_b"], &["tma_memory_bound", "tma_memory_bound_group"]),
        // Deprecated events are not offered.
        (&["list", spr, "core_power.license_1"], &[]),
        // No tree is compiled at a key.
        (&["list", "--tree", "../arch/test", "--cpuid", "testcpu", "std_"], &[]),
    ];
    for (line, expected) in cases {
        assert_eq!(offered(line), *expected, "{line:?}");
    }
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
