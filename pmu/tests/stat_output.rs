//! Where `pmu stat` writes its counts, what shares a line, and in which form, on a simulated
//! machine; and the same under the name `perf`.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[path = "common/simulated.rs"]
mod simulated;

use std::process::Command;

use machines::Machine;

/// Two sockets, the second of which has two dies; a cache for each socket; nodes across them.
const SYSFS: &str = "/devices/system/cpu/online\t0-3\n/devices/system/cpu/present\t0-3\n\
    /devices/system/cpu/cpu0/topology/physical_package_id\t0\n\
    /devices/system/cpu/cpu1/topology/physical_package_id\t0\n\
    /devices/system/cpu/cpu2/topology/physical_package_id\t1\n\
    /devices/system/cpu/cpu3/topology/physical_package_id\t1\n\
    /devices/system/cpu/cpu0/topology/die_id\t0\n/devices/system/cpu/cpu1/topology/die_id\t0\n\
    /devices/system/cpu/cpu2/topology/die_id\t0\n/devices/system/cpu/cpu3/topology/die_id\t1\n\
    /devices/system/cpu/cpu0/topology/cluster_id\t8\n\
    /devices/system/cpu/cpu1/topology/cluster_id\t9\n\
    /devices/system/cpu/cpu2/topology/cluster_id\t8\n\
    /devices/system/cpu/cpu3/topology/cluster_id\t8\n\
    /devices/system/cpu/cpu0/topology/core_id\t0\n/devices/system/cpu/cpu1/topology/core_id\t0\n\
    /devices/system/cpu/cpu2/topology/core_id\t0\n/devices/system/cpu/cpu3/topology/core_id\t5\n\
    /devices/system/cpu/cpu0/cache/index0/level\t1\n\
    /devices/system/cpu/cpu0/cache/index0/shared_cpu_list\t0\n\
    /devices/system/cpu/cpu0/cache/index1/level\t3\n\
    /devices/system/cpu/cpu0/cache/index1/shared_cpu_list\t0-1\n\
    /devices/system/cpu/cpu1/cache/index0/level\t1\n\
    /devices/system/cpu/cpu1/cache/index0/shared_cpu_list\t1\n\
    /devices/system/cpu/cpu1/cache/index1/level\t3\n\
    /devices/system/cpu/cpu1/cache/index1/shared_cpu_list\t0-1\n\
    /devices/system/cpu/cpu2/cache/index0/level\t3\n\
    /devices/system/cpu/cpu2/cache/index0/shared_cpu_list\t2-3\n\
    /devices/system/cpu/cpu3/cache/index0/level\t3\n\
    /devices/system/cpu/cpu3/cache/index0/shared_cpu_list\t2-3\n\
    /devices/system/node/online\t0-1\n/devices/system/node/node0/cpulist\t0,2\n\
    /devices/system/node/node1/cpulist\t1,3\n\
    software/type\t1\ncpu/type\t4\ncpu/format/event\tconfig:0-7";

/// The command is on CPU 0 for 30 ms and on CPU 2 for 90 ms.
const SCENARIO: &str = "cpus 4\npmu 0 core counters=6\npmu 4 core counters=4\n\
    program cpu=0 us=30000\nprogram cpu=2 us=90000\n\
    rate 0 config=0 user=3000\nrate 0 config=1 user=4500\nrate 4 config=1 user=1000\n\
    rate 4 config=2 user=10\nrate 1 config=2 user=2\n";

const EVENT: &str = "cpu/event=1/";

/// What a run that succeeds writes to standard error.
#[track_caller]
fn of(mut command: Command, arguments: &[&str]) -> String {
    let output = command.arg("stat").args(arguments).output().expect("it runs");
    let text = String::from_utf8(output.stderr).expect("it is text");
    assert!(output.status.success(), "{arguments:?}: {text}");
    text
}

#[track_caller]
fn pmu(arguments: &[&str]) -> String {
    of(simulated::pmu(&Machine::of(SYSFS), "none", SCENARIO), arguments)
}

#[track_caller]
fn perf(arguments: &[&str]) -> String {
    of(simulated::perf(&Machine::of(SYSFS), "none", SCENARIO), arguments)
}

/// Each unit with the number of its CPUs and the count.
#[test]
fn levels() {
    let cases: &[(&str, &[&str])] = &[
        ("--per-node", &["N0,2,120000000", "N1,2,0"]),
        ("--per-socket", &["S0,2,30000000", "S1,2,90000000"]),
        ("--per-die", &["S0-D0,2,30000000", "S1-D0,1,90000000", "S1-D1,1,0"]),
        (
            "--per-cluster",
            &["S0-D0-CLS8,1,30000000", "S0-D0-CLS9,1,0", "S1-D0-CLS8,1,90000000", "S1-D1-CLS8,1,0"],
        ),
        (
            "--per-cache",
            &["S0-D0-L3-ID0,2,30000000", "S1-D0-L3-ID2,1,90000000", "S1-D1-L3-ID2,1,0"],
        ),
        (
            "--per-cache=l1",
            &[
                "S0-D0-L1-ID0,1,30000000",
                "S0-D0-L1-ID1,1,0",
                "S1-D0-L1-ID-1,1,90000000",
                "S1-D1-L1-ID-1,1,0",
            ],
        ),
        (
            "--per-core",
            // Clusters tell cores of the same number apart.
            &["S0-D0-C0,1,30000000", "S0-D0-C0,1,0", "S1-D0-C0,1,90000000", "S1-D1-C5,1,0"],
        ),
        ("-A", &["CPU0,30000000", "CPU1,0", "CPU2,90000000", "CPU3,0"]),
        ("--no-merge", &["CPU0,30000000", "CPU1,0", "CPU2,90000000", "CPU3,0"]),
    ];
    for (level, expected) in cases {
        for program in [pmu, perf] {
            let text = program(&["-a", level, "-x,", "-e", EVENT, "true"]);
            let lines: Vec<&str> =
                text.lines().map(|line| line.split(",,").next().unwrap_or(line)).collect();
            assert_eq!(lines, *expected, "{level}");
        }
    }
}

/// perf's columns, to the blank.
#[test]
fn text_of_perf() {
    for (arguments, expected) in [
        (
            &["-e", "cycles,instructions", "true"][..],
            "         360000000      cycles                                                                \n         \
             540000000      instructions                     #    1.50  insn per cycle            \n",
        ),
        (
            &["-B", "-e", "cycles", "true"],
            "       360,000,000      cycles                                                                \n",
        ),
        (
            &["-a", "--per-die", "-e", EVENT, "true"],
            "S0-D0           2           30000000      cpu/event=1/                                                          \n\
             S1-D0           1           90000000      cpu/event=1/                                                          \n\
             S1-D1           1                  0      cpu/event=1/                                                          \n",
        ),
        (
            &["-a", "--per-cache", "-e", EVENT, "true"],
            "S0-D0-L3-ID0              2           30000000      cpu/event=1/                                                          \n\
             S1-D0-L3-ID2              1           90000000      cpu/event=1/                                                          \n\
             S1-D1-L3-ID2              1                  0      cpu/event=1/                                                          \n",
        ),
    ] {
        let text = perf(arguments);
        let counts = text.split(":\n\n").nth(1).expect("it has a heading");
        let counts = counts.split("\n\n").next().expect("it has counts");
        assert_eq!(format!("{counts}\n"), expected, "{arguments:?}");
    }
}

/// Metrics have a line of their own, with their names above.
#[test]
fn metrics_only() {
    let metrics =
        ["--metric-only", "-e", "cycles,instructions", "--metric", "a = cycles / 7", "true"];
    let with = |options: &[&'static str]| [options, &metrics].concat();
    let text = pmu(&with(&[]));
    let lines: Vec<&str> = text.lines().skip(3).take(2).collect();
    let expected = [
        "       insn per cycle                    a ",
        "               1.50           51428571.43 ",
    ];
    assert_eq!(lines, expected, "{text}");
    assert_eq!(pmu(&with(&["-x,"])), "insn per cycle,a,\n1.500,51428571.428571,\n");
    // perf has a column for a ratio whose other count is missing.
    let of_perf = "GHz,insn per cycle,GHz,a,\n,1.50,,51428571.43,\n";
    assert_eq!(perf(&with(&["-x,"])), of_perf);
    assert_eq!(perf(&with(&["-j"])), "{\"insn per cycle\" : \"1.50\", \"a\" : \"51428571.43\"}\n");
    let of_sockets = pmu(&with(&["-a", "--per-socket", "-x;"]));
    assert_eq!(
        of_sockets,
        "socket;cpus;insn per cycle;a;\nS0;2;1.500;12857142.857143;\nS1;2;1.500;38571428.571429;\n"
    );
    assert_eq!(
        perf(&["--metric-only", "-j", "-e", EVENT, "true"]),
        "{\"metric-value\" : \"none\"}\n"
    );
}

/// Where another count is missing, perf names the ratio in JSON, and its 0.
#[test]
fn ratios_without_the_other_count() {
    let unit = |events: &str| -> Vec<String> {
        let text = perf(&["-j", "-e", events, "true"]);
        let unit = |line: &str| line.split("\"metric-value\" : ").nth(1).map(String::from);
        text.lines().filter_map(unit).collect()
    };
    let of_clock = "\"3.000000\", \"metric-unit\" : \"GHz\"}";
    for (events, expected) in [
        ("instructions", &["\"0.000000\", \"metric-unit\" : \"insn per cycle\"}"][..]),
        ("cycles", &["\"0.000000\", \"metric-unit\" : \"GHz\"}"]),
        ("branches", &["\"0.000000\", \"metric-unit\" : \"(null)\"}"]),
        ("cycles,cpu-clock", &[of_clock, "\"1.000000\", \"metric-unit\" : \"CPUs utilized\"}"]),
    ] {
        assert_eq!(unit(events), expected, "{events}");
    }
}

/// perf's fields and keys, and nothing of its own: it has no notes.
#[test]
fn nothing_but_what_perf_writes() {
    let weak = "{cpu/event=1/,cpu/event=2/,cpu/event=3/,cpu/event=4/,cpu/event=5/}:W";
    for form in ["-x,", "-j", "-A"] {
        let text = perf(&[form, "-a", "-e", weak, "true"]);
        assert!(!text.contains("note") && !text.contains("lacks"), "{text}");
        assert!(pmu(&["-a", "-e", weak, "true"]).contains("note: "), "{form}");
    }
    assert_eq!(
        perf(&["-x,", "-e", EVENT, "true"]).split(',').skip(1).collect::<Vec<_>>().join(","),
        ",cpu/event=1/,120000000,100.00,,\n"
    );
}

/// Files begin with the time, and keep what they have if that is asked for.
#[test]
fn files() {
    let machine = Machine::of(SYSFS);
    let path = machine.root().join("counts");
    let file = path.to_str().expect("the scratch directory's name is UTF-8");
    for form in [&["-x,"][..], &[], &["-j"]] {
        for (has_contents, options) in
            [(false, &["-o", file][..]), (true, &["--append", "-o", file])]
        {
            std::fs::write(&path, "before\n").expect("it can be written");
            let arguments = [form, options, &["-e", EVENT, "true"]].concat();
            let err = of(simulated::pmu(&machine, "none", SCENARIO), &arguments);
            assert_eq!(err, "", "{arguments:?}");
            let text = std::fs::read_to_string(&path).expect("it has been written");
            let text = match text.strip_prefix("before\n") {
                Some(rest) if has_contents => rest,
                _ => &text,
            };
            let has_time = text.starts_with("# started on ") && text.contains("\n\n");
            assert_eq!(has_time, form != ["-j"], "{arguments:?}: {text}");
            assert!(text.contains("120000000"), "{arguments:?}: {text}");
        }
    }
    let _ = std::fs::remove_file("-");
    let text = pmu(&["-o", "-", "-x,", "-e", EVENT, "true"]);
    assert!(text.starts_with("120000000,") && !std::path::Path::new("-").exists(), "{text}");
}

/// A shell's redirection is where the counts go; the descriptor stays open for the next.
#[test]
fn descriptors() {
    let machine = Machine::of(SYSFS);
    let script = "exec 7>\"$1\"; count=\"$0 stat -x, -e cpu/event=1/ --log-fd 7\"; \
                  $count true && $count --append true && echo end >&7";
    let file = machine.root().join("counts");
    let pmu = simulated::pmu(&machine, "none", SCENARIO);
    let mut command = Command::new("sh");
    command.args(["-c", script]).arg(pmu.get_program()).arg(&file);
    for (name, value) in pmu.get_envs() {
        command.env(name, value.expect("it is set"));
    }
    let output = command.output().expect("sh is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&file).expect("it has been written");
    let lines: Vec<&str> =
        text.lines().map(|line| line.split(',').next().unwrap_or(line)).collect();
    assert_eq!(lines, ["120000000", "120000000", "end"], "{text}");
}

/// What is counted of nothing, and shown to nobody.
#[test]
fn null_and_quiet() {
    let text = pmu(&["--null", "true"]);
    assert!(text.contains("seconds time elapsed") && !text.contains("cycles"), "{text}");
    assert_eq!(pmu(&["--quiet", "-e", EVENT, "true"]), "");
    assert_eq!(perf(&["-j", "-n", "true"]), "");
}

/// Each run has a line, and the mean follows.
#[test]
fn table_of_runs() {
    for program in [pmu, perf] {
        let text = program(&["-r", "3", "--table", "-e", EVENT, "true"]);
        let lines: Vec<&str> = text.lines().collect();
        let heading = |heading: &str| lines.iter().position(|line| line.trim() == heading);
        let first = heading("# Table of individual measurements:").expect("it has one") + 1;
        let last = heading("# Final result:").expect("it has one") - 1;
        assert_eq!(last - first, 3, "{text}");
        assert!(lines[first..last].iter().all(|line| line.ends_with('#')), "{text}");
    }
}

/// No locale changes a number.
#[test]
fn locales() {
    let machine = Machine::of(SYSFS);
    let run = |locale: &str| {
        let mut command = simulated::pmu(&machine, "none", SCENARIO);
        command.env("LC_ALL", locale).env("LANG", locale);
        let arguments = ["-x;", "-e", "cycles,instructions,task-clock", "true"];
        let text = of(command, &arguments);
        let fields = |line: &str| line.split(';').take(3).collect::<Vec<_>>().join(";");
        text.lines().map(fields).collect::<Vec<_>>()
    };
    let plain = run("C");
    for locale in ["de_DE.UTF-8", "fr_FR", "en_US.UTF-8"] {
        assert_eq!(run(locale), plain, "{locale}");
    }
}

/// Kinds of cores have a line each, or one together.
#[test]
fn kinds_of_cores() {
    let machine = Machine::named("alderlake");
    let scenario = "cpus 8\npmu 4 core counters=16 cpus=0-3\npmu 10 core counters=16 cpus=4-7\n\
                    program cpu=0 us=50000\nprogram cpu=5 us=50000\n\
                    rate 4 config=0x3c user=3000\nrate 10 config=0x3c user=1000\n";
    let counts = |options: &[&str]| -> Vec<String> {
        let event = ["-x,", "-e", "cpu_clk_unhalted.thread,cpu_clk_unhalted.core", "true"];
        let command = simulated::pmu(&machine, "GenuineIntel-6-97-2", scenario);
        let text = of(command, &[options, &event].concat());
        text.lines().map(|line| line.split(',').next().unwrap_or(line).to_owned()).collect()
    };
    // The efficient cores come first; only they have the second name.
    assert_eq!(counts(&[]), ["50000000", "150000000", "50000000"]);
    assert_eq!(counts(&["--hybrid-merge"]), ["200000000", "50000000"]);
}
