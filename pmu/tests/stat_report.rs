//! What `pmu stat` prints of a program on a simulated machine, whole.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[path = "common/simulated.rs"]
mod simulated;

use machines::Machine;

const SYSFS: &str = "/devices/system/cpu/online\t0-3\n/devices/system/cpu/present\t0-3\n\
    /devices/system/cpu/cpu0/topology/physical_package_id\t0\n\
    /devices/system/cpu/cpu1/topology/physical_package_id\t0\n\
    /devices/system/cpu/cpu2/topology/physical_package_id\t1\n\
    /devices/system/cpu/cpu3/topology/physical_package_id\t1\n\
    software/type\t1\ncpu/type\t4\ncpu/format/event\tconfig:0-7\n\
    uncore_imc_0/type\t20\nuncore_imc_0/cpumask\t0,2\nuncore_imc_0/format/event\tconfig:0-7\n\
    uncore_imc_1/type\t21\nuncore_imc_1/cpumask\t0,2\nuncore_imc_1/format/event\tconfig:0-7";

/// The command is on CPU 0 for 30 ms and on CPU 2 for 90 ms.
const SCENARIO: &str = "cpus 4\npmu 0 core counters=6\npmu 4 core counters=2\n\
    pmu 20 uncore counters=2 cpus=0,2\npmu 21 uncore counters=2 cpus=0,2\n\
    program cpu=0 us=30000\nprogram cpu=2 us=90000\n\
    rate 0 config=0 user=3000\nrate 0 config=1 user=4500\nrate 0 config=2 user=20\n\
    rate 0 config=3 user=2\nrate 0 config=4 user=900\nrate 0 config=5 user=45\n\
    rate 4 config=1 user=1000\nrate 4 config=2 user=10\nrate 4 config=3 user=7\n\
    rate 1 config=2 user=2\nrate 20 config=1 user=5\nrate 21 config=1 user=3\n";

/// What a run that succeeds writes to standard error.
#[track_caller]
fn stat(machine: &Machine, arguments: &[&str]) -> String {
    let mut command = simulated::pmu(machine, "none", SCENARIO);
    let output = command.arg("stat").args(arguments).output().expect("it runs");
    let text = String::from_utf8(output.stderr).expect("it is text");
    assert!(output.status.success(), "{arguments:?}: {text}");
    text
}

/// The lines of the counts.
#[track_caller]
fn counts(arguments: &[&str]) -> Vec<String> {
    let text = stat(&Machine::of(SYSFS), arguments);
    // Behind a heading and a blank line, up to the next.
    let lines = text.lines().skip_while(|line| !line.starts_with(" Performance")).skip(2);
    lines.take_while(|line| !line.is_empty()).map(String::from).collect()
}

#[test]
fn each_line_of_a_report() {
    let cases: &[(&[&str], &[&str])] = &[
        (
            &[
                "-e",
                "cycles,instructions,branches,branch-misses,cache-references,cache-misses",
                "true",
            ],
            &[
                "         360000000      cycles",
                "         540000000      instructions               #    1.500 insn per cycle",
                "         108000000      branches",
                "           5400000      branch-misses              #    5.00% of all branches",
                "           2400000      cache-references",
                "            240000      cache-misses               #   10.00% of all cache refs",
            ],
        ),
        // The lines of an event's CPUs are together, and so are those of a socket.
        (
            &["-a", "-A", "-e", "cpu/event=1/,cpu/event=2/", "true"],
            &[
                "CPU0             30000000      cpu/event=1/",
                "CPU1                    0      cpu/event=1/",
                "CPU2             90000000      cpu/event=1/",
                "CPU3                    0      cpu/event=1/",
                "CPU0               300000      cpu/event=2/",
                "CPU1                    0      cpu/event=2/",
                "CPU2               900000      cpu/event=2/",
                "CPU3                    0      cpu/event=2/",
            ],
        ),
        // A ratio is of the counts of its own socket.
        (
            &["-a", "--per-socket", "-e", "cycles,instructions", "true"],
            &[
                "S0        2           90000000      cycles",
                "S0        2          135000000      instructions               #    1.500 insn per cycle",
                "S1        2          270000000      cycles",
                "S1        2          405000000      instructions               #    1.500 insn per cycle",
            ],
        ),
        // Three events on two counters.
        (
            &["-e", "cpu/event=1/,cpu/event=2/,cpu/event=3/", "true"],
            &[
                "         120000000      cpu/event=1/                                              (66.7%)",
                "           1200000      cpu/event=2/                                              (66.7%)",
                "            840000      cpu/event=3/                                              (66.7%)",
            ],
        ),
        // Parts of the same event are told apart, whether or not they are merged.
        (
            &["--no-merge", "-e", "uncore_imc/event=1/,cycles", "true"],
            &[
                "           1200000      uncore_imc_0/event=1/",
                "            720000      uncore_imc_1/event=1/",
                "         360000000      cycles",
            ],
        ),
        // The first value that follows from a count is beside it, the next is below.
        (
            &["-e", "cycles", "--metric", "a = cycles * 2", "--metric", "b = cycles * 3", "true"],
            &[
                "         360000000      cycles",
                "         360000000      cycles                     # 720000000.000 a",
                "                                                   # 1080000000.000 b",
            ],
        ),
        // Runs that count the same do not deviate.
        (&["-r", "2", "-e", "cycles", "true"], &["         360000000      cycles"]),
        // A formula may ask whether CPUs are counted.
        (
            &["-a", "--metric", "cpus = cycles * #target_cpu", "true"],
            &["         360000000      cycles                     # 360000000.000 cpus"],
        ),
        (
            &["--metric", "cpus = cycles * #target_cpu", "true"],
            &["         360000000      cycles                     #    0.000 cpus"],
        ),
        // What three decimals would show as 0.
        (
            &["-e", "cycles", "--metric", "a = 153 / cycles", "true"],
            &[
                "         360000000      cycles",
                "         360000000      cycles                     # 0.00000043 a",
            ],
        ),
    ];
    for (arguments, expected) in cases {
        assert_eq!(counts(arguments), *expected, "{arguments:?}");
    }
}

/// A note is where the counts are, unless a program reads them or an interval follows.
#[test]
fn where_notes_are() {
    let machine = Machine::of(SYSFS);
    let file = machine.root().join("counts").display().to_string();
    let note = "note: `cpu/event=1/`, `cpu/event=2/`, `cpu/event=3/`: it is not counted in its \
                group, which does not fit the PMU, is counted on other CPUs, or differs in \
                whether children are counted";
    // Whether the note is on standard error, and in the file.
    let cases: &[(&[&str], bool, bool)] = &[
        (&[], true, false),
        (&["-j"], false, false),
        (&["-I", "50"], true, false),
        (&["-I", "50", "-j"], false, false),
        (&["-o", &file], false, true),
        (&["-o", &file, "-j"], true, false),
        (&["-o", &file, "-x,"], true, false),
        (&["-o", &file, "-I", "50"], true, false),
    ];
    for &(options, is_on_stderr, is_in_file) in cases {
        let _ = std::fs::remove_file(&file);
        let group = ["-e", "{cpu/event=1/,cpu/event=2/,cpu/event=3/}:W", "true"];
        let err = stat(&machine, &[options, &group].concat());
        let in_file = std::fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(err.contains(note), is_on_stderr, "{options:?}: {err}");
        assert_eq!(in_file.contains(note), is_in_file, "{options:?}: {in_file}");
    }
}

/// One message names each metric once that needs a latency nobody states.
#[test]
fn metrics_without_a_latency() {
    let latency = "BR_MISP_RETIRED.COND_NTAKEN_COST";
    let (a, b) = (format!("a = cycles * {latency}:R"), format!("b = cycles + {latency}:R"));
    let arguments = ["--metric", &a, "--metric", &b, "--metric", &a.replace("a =", "c ="), "true"];
    // The tables of Lunar Lake state no latency.
    let machine = Machine::named("alderlake");
    let scenario = "cpus 8\npmu 4 core counters=8 cpus=0-3\npmu 10 core counters=8 cpus=4-7\n\
                    program cpu=0 us=50000\nrate 4 config=0x3c user=3000\n";
    let mut command = simulated::pmu(&machine, "GenuineIntel-6-BD-1", scenario);
    let output = command.arg("stat").args(arguments).output().expect("it runs");
    let err = String::from_utf8(output.stderr).expect("it is text");
    assert_eq!(output.status.code(), Some(125), "{err}");
    assert!(err.contains("(for `a`, `b`, `c`)"), "{err}");
}
