//! `pmu list` as a user meets it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[path = "common/run.rs"]
mod run;

use machines::Machine;
use run::{Run, finish};

fn command(arguments: &[&str]) -> Command {
    let mut command = run::command();
    command.arg("list").args(arguments);
    command
}

fn run(arguments: &[&str]) -> Run {
    finish(&mut command(arguments))
}

/// A run that must succeed in silence.
#[track_caller]
fn output(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{arguments:?}");
    run.out
}

/// The objects of `--json`, one a line.
#[track_caller]
fn objects(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The names of a listing.
fn names(out: &str) -> Vec<&str> {
    let of_name = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    out.lines().filter(of_name).filter_map(|line| line.split_whitespace().next()).collect()
}

#[test]
fn help_and_version() {
    for option in ["--help", "-h"] {
        let help = output(&[option]);
        assert!(help.contains("Usage: pmu list [OPTIONS] [PATTERN]..."), "{help}");
        for option in ["--cpuid", "--model ", "--models", "--sys", "--details", "--json"] {
            assert!(help.contains(option), "{option} in {help}");
        }
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    }
    for option in ["--version", "-V"] {
        assert!(output(&[option]).starts_with("pmu-list "));
    }
}

#[test]
fn bad_usage() {
    let cases: &[(&[&str], &str)] = &[
        (&["--detials"], "a similar argument exists: '--details'"),
        (&["-x"], "unexpected argument '-x' found"),
        (&["--model"], "a value is required for '--model <NAME>'"),
        (&["--json=yes"], "unexpected value 'yes' for '--json' found"),
        (&["--sys", "--model", "x"], "'--sys' cannot be used with '--model <NAME>'"),
        (&["--models", "--cpuid=x"], "'--models' cannot be used with '--cpuid <ID>'"),
    ];
    for (arguments, message) in cases {
        let run = run(arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}");
        assert!(run.err.contains(message), "{arguments:?}: {}", run.err);
        assert_eq!(run.out, "", "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    for arguments in [&["\u{fffd}"][..], &["--", "\u{fffd}"], &["--model", "\u{fffd}"]] {
        let (&last, others) = arguments.split_last().expect("there is one");
        assert_eq!(last, "\u{fffd}");
        let run = finish(command(others).arg(OsStr::from_bytes(b"\xff")));
        assert_eq!(run.code, Some(2));
        assert!(run.err.starts_with("error: invalid UTF-8 was detected"), "{}", run.err);
    }
}

#[test]
fn events_of_a_cpu() {
    let out = output(&["--cpuid", "GenuineIntel-6-37-8"]);
    assert!(out.starts_with("x86/silvermont: "), "{out}");
    assert!(out.contains("\npipeline:\n"), "{out}");
    assert!(names(&out).contains(&"BR_MISP_RETIRED.ALL_BRANCHES"), "{out}");
    assert_eq!(output(&["--cpuid=GenuineIntel-6-37-8"]), out);
    // The last one counts.
    assert_eq!(output(&["--cpuid=x", "--cpuid=GenuineIntel-6-37-8"]), out);
}

#[test]
fn every_architecture_is_there() {
    let cases = [
        ("GenuineIntel-6-8F-4", "x86/sapphirerapids: "),
        ("AuthenticAMD-25-61-2", "x86/amdzen4: "),
        ("AuthenticAMD-26-11-0", "x86/amdzen5: "),
        ("0x00000000414fd0c1", "arm64/arm/neoverse-n1: "),
        ("0x004e1202", "powerpc/power9: "),
        ("0x00800200", "powerpc/power10: "),
        ("IBM,3931,704,A01,3.7,002f", "s390/cf_z16: "),
        ("0x489-0x8000000000000007-0x20181004", "riscv/sifive/bullet: "),
    ];
    for (cpuid, summary) in cases {
        let run = run(&["--cpuid", cpuid]);
        assert_eq!(run.code, Some(0), "{cpuid}: {}", run.err);
        assert!(run.out.starts_with(summary), "{cpuid}: {}", run.out);
        assert!(names(&run.out).len() > 50, "{cpuid}: {}", run.out);
    }
}

/// A tree of the user's own takes the place of those in the program.
#[test]
fn trees_of_a_directory() {
    let of_soc =
        output(&["--tree", "../arch/test", "--cpuid", "testcpu", "--json", "--deprecated"]);
    assert!(of_soc.contains("\"model\":\"test_soc/cpu\""), "{of_soc}");
    let of_arm = output(&["--tree=../arch/arm64", "--cpuid=0x00000000414fd0c1", "l1d_cache"]);
    assert_eq!(of_arm, output(&["--cpuid=0x00000000414fd0c1", "l1d_cache"]));
    let models = output(&["--tree=../arch", "--models"]);
    assert!(models.lines().count() > output(&["--models"]).lines().count(), "{models}");

    for (tree, message) in [
        ("/nonexistent", "/nonexistent: cannot be read: "),
        (
            "src",
            "src: is not an event tree: neither this directory nor any in it has a mapfile.csv or \
             Arm's telemetry",
        ),
    ] {
        let run = run(&["--tree", tree]);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
        assert!(run.err.starts_with(&format!("pmu list: {message}")), "{}", run.err);
    }
}

#[test]
fn perf_cpuid_overrides_the_host() {
    let run = finish(command(&["l2_lines"]).env("PERF_CPUID", "GenuineIntel-6-8F-4"));
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].starts_with("x86/sapphirerapids: 4 of "), "{}", run.out);
    assert_eq!(
        lines[1..5],
        [
            "from perfmon V1.39 (2026-08-13)",
            "",
            "cache:",
            "  L2_LINES_IN.ALL               event=0x25,period=100003,umask=0x1f",
        ]
    );
    assert!(lines[5].starts_with("      ") && lines[5].len() > 20, "{}", run.out);
    assert_eq!(names(&run.out).len(), 4);
}

/// What a machine has in addition to the tables: with `--sysfs`, of any CPU.
#[test]
fn events_of_a_machine() {
    let machine = |name: &str| match name {
        "" => Machine::empty(),
        "sensors" => Machine::of(
            "/class/hwmon/hwmon0/name\tcoretemp\n\
             /class/hwmon/hwmon0/temp1_input\t45000\n\
             /class/hwmon/hwmon0/temp1_label\tCore 0",
        ),
        name => Machine::named(name),
    };
    // Machine, CPU, pattern, what is found.
    let cases: &[(&str, &str, &str, &[&str])] = &[
        ("", "AuthenticAMD-25-61-2", "page-faults", &["faults", "page-faults"]),
        ("", "AuthenticAMD-25-61-2", "duration_time", &["duration_time"]),
        // A machine without the files does not tell them.
        ("", "AuthenticAMD-25-61-2", "num_cpus", &[]),
        ("zen4", "AuthenticAMD-25-61-2", "num_cpus*", &["num_cpus_online"]),
        ("sensors", "AuthenticAMD-25-61-2", "hwmon_coretemp", &["temp1", "temp_core_0"]),
        // Without a core PMU nothing counts them.
        ("", "AuthenticAMD-25-61-2", "L1-dcache-loads", &[]),
        ("", "AuthenticAMD-25-61-2", "cpu-cycles", &[]),
        ("zen4", "AuthenticAMD-25-61-2", "L1-dcache-loads", &["L1-dcache-loads"]),
        (
            "zen4",
            "AuthenticAMD-25-61-2",
            "LLC-*-misses",
            &["LLC-load-misses", "LLC-prefetch-misses", "LLC-store-misses"],
        ),
        // Of a driver, by its name and by the PMU's.
        ("zen4", "AuthenticAMD-25-61-2", "tsc", &["tsc"]),
        (
            "zen4",
            "AuthenticAMD-25-61-2",
            "MSR",
            &["aperf", "cpu_thermal_margin", "mperf", "pperf", "smi", "tsc"],
        ),
        (
            "tracing",
            "AuthenticAMD-25-61-2",
            "sched:",
            &["sched:sched_switch", "sched:sched_wakeup", "sched:sched_waking"],
        ),
        (
            "tracing",
            "AuthenticAMD-25-61-2",
            "sched:sched_wak*",
            &["sched:sched_wakeup", "sched:sched_waking"],
        ),
    ];
    for (name, cpuid, pattern, expected) in cases {
        let machine = machine(name);
        let root = machine.root().to_str().expect("the scratch directory's name is UTF-8");
        let arguments = ["--json", "--cpuid", cpuid, "--sysfs", root, "--", pattern];
        let run = run(&arguments);
        let listed = objects(&run.out);
        let found = listed.iter().filter(|object| object["model"].is_null());
        let found: Vec<&str> =
            found.map(|object| object["name"].as_str().expect("a name")).collect();
        assert_eq!(found, *expected, "{name} {pattern}: {}", run.err);
        assert_eq!(run.code, Some(i32::from(listed.is_empty())), "{name} {pattern}: {}", run.err);
        // Of one kind, all have the same keys.
        let of_table = objects(&output(&["--json", "--model=silvermont", "inst_retired.any"]));
        let keys = |object: &Value| {
            object.as_object().expect("an object").keys().cloned().collect::<Vec<_>>()
        };
        assert!(listed.iter().all(|object| keys(object) == keys(&of_table[0])), "{}", run.out);
    }
}

/// In the output for people: after the table, by driver and by system.
#[test]
fn a_machine_is_listed_behind_its_table() {
    let machine = Machine::named("zen4");
    let root = machine.root().to_str().expect("the scratch directory's name is UTF-8");
    let of =
        |more: &[&str]| run(&[&["--cpuid=AuthenticAMD-25-61-2", "--sysfs", root], more].concat());
    let all = of(&[]);
    let table = output(&["--cpuid=AuthenticAMD-25-61-2"]);
    let machine = all.out.strip_prefix(&table).unwrap_or_else(|| panic!("{}", all.out));
    assert!(machine.starts_with(&format!("\n{root}: ")), "{machine}");
    let at = |text: &str| machine.find(text).unwrap_or_else(|| panic!("{text} in {machine}"));
    assert!(at("\nlegacy hardware:\n") < at("\nsoftware:\n"));
    assert!(
        at("\nsoftware:\n")
            < at("\ndriver of msr:\n  aperf                         msr/event=0x01/\n")
    );
    // What nothing matches has a hint of a machine's events, too; without
    // tracefs, only who asks for a tracepoint hears of it.
    let typing = of(&["page-fualts"]);
    assert!(typing.err.contains("\nDid you mean `page-faults`?\n"), "{}", typing.err);
    assert!(!of(&["page-faults"]).err.contains("tracepoints"));
    let note = "pmu list: note: tracepoints cannot be listed: ";
    assert!(of(&["sched:"]).err.starts_with(note));
    // Without a machine there is but the table.
    let none = run(&["--cpuid=AuthenticAMD-25-61-2", "page-faults"]);
    assert_eq!((none.code, none.out.as_str()), (Some(1), ""));
    for (arguments, message) in [
        (
            &["--model=silvermont", "--sysfs=/sys"][..],
            "'--model <NAME>' cannot be used with '--sysfs <DIR>'",
        ),
        (&["--sysfs", "/nonexistent"], "pmu list: /nonexistent: is not a directory"),
    ] {
        let run = run(arguments);
        assert!(run.err.contains(message), "{}", run.err);
        assert!(run.code > Some(0) && run.out.is_empty(), "{arguments:?}");
    }
}

/// `PERF_CPUID` is as good as `--cpuid`, of whatever architecture.
#[test]
fn any_cpu_stands_for_the_host() {
    let cpuids = [
        "GenuineIntel-6-8F-4",
        // Its model has deprecated events, of which standard error tells.
        "AuthenticAMD-26-68-0",
        "CentaurHauls-7-59-2",
        "0x00000000414fd0c1",
        "0x004e1202",
        "-6-8F-4",
        "-",
        "nobody's",
    ];
    let mut known = 0;
    for cpuid in cpuids {
        for words in [&[][..], &["instructions"], &["--details", "zzz"]] {
            let of_cpuid = run(&[&[&*format!("--cpuid={cpuid}")], words].concat());
            let of_host = finish(command(words).env("PERF_CPUID", cpuid));
            assert_eq!((of_host.code, of_host.out), (of_cpuid.code, of_cpuid.out), "{cpuid}");
            assert_eq!(of_host.err, of_cpuid.err, "{cpuid} {words:?}");
            known += usize::from(of_cpuid.code == Some(0));
        }
    }
    assert!(known >= 4, "{known}");
}

#[test]
fn unknown_cpus() {
    let of_host = finish(command(&[]).env("PERF_CPUID", "AuthenticAMD-99-FF-0"));
    let asked_for = run(&["--cpuid", "AuthenticAMD-99-FF-0"]);
    for run in [of_host, asked_for] {
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
        let first = "pmu list: no model is known for CPU `AuthenticAMD-99-FF-0`\n";
        assert!(run.err.starts_with(first), "{}", run.err);
        assert!(run.err.contains("\n  x86/silvermont\n"), "{}", run.err);
        assert!(!run.err.contains("arm64"), "of another architecture: {}", run.err);
        assert!(!run.err.contains("cmn"), "a sys table belongs to no CPU: {}", run.err);
    }
}

#[test]
fn models_by_name() {
    let cases = [
        ("silvermont", "x86/silvermont: "),
        ("SilverMont", "x86/silvermont: "),
        ("x86/silvermont", "x86/silvermont: "),
        ("arm/neoverse-n1", "arm64/arm/neoverse-n1: "),
        ("Neoverse-N1", "arm64/arm/neoverse-n1: "),
        ("arm/cmn", "arm64/arm/cmn: "),
        // CPUs that share a table.
        ("neoverse-n2", "arm64/arm/neoverse-n2-v2: "),
        ("Neoverse-V2", "arm64/arm/neoverse-n2-v2: "),
        ("airmont", "x86/silvermont: "),
        ("zen5", "x86/amdzen5: "),
        ("power11", "powerpc/power10: "),
        ("z16", "s390/cf_z16: "),
    ];
    for (name, summary) in cases {
        // Deprecated events, which Zen 5 has, are named on the other stream.
        let run = run(&["--model", name]);
        assert_eq!(run.code, Some(0), "{name}: {}", run.err);
        assert!(run.out.starts_with(summary), "{name}: {}", run.out);
    }
}

#[test]
fn unknown_models() {
    let cases = [
        ("silvermnot", "\ndid you mean `silvermont`? "),
        ("neoverse-v", "\ndid you mean `arm/neoverse-v1` or `arm/neoverse-v3` or `neoverse-v2`? "),
        ("neoverse-n22", "\ndid you mean `neoverse-n2`? "),
        ("en5", "\ndid you mean `amdzen5`? "),
        ("skylak", "\ndid you mean `skylake` or `skylakex`? "),
        ("x", "\n"),
        ("zzzzzzzzzzzzzzzzzz", "\n"),
    ];
    for (name, hint) in cases {
        let run = run(&["--model", name]);
        assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
        let message =
            format!("pmu list: no model is named `{name}`{hint}`pmu list --models` shows all.\n");
        assert_eq!(run.err, message);
    }
}

#[test]
fn list_of_models() {
    let out = output(&["--models"]);
    let words: Vec<Vec<&str>> = out.lines().map(|line| line.split_whitespace().collect()).collect();
    let silvermont = words.iter().find(|words| words[1] == "silvermont").expect("it is there");
    assert_eq!((silvermont[0], silvermont[3], silvermont[5]), ("x86", "events", "metrics"));

    let models = objects(&output(&["--models", "--json"]));
    assert_eq!(models.len(), words.len());
    for (object, words) in models.iter().zip(&words) {
        assert_eq!(object["kind"], "model");
        assert_eq!(
            (object["architecture"].as_str(), object["model"].as_str()),
            (Some(words[0]), Some(words[1]))
        );
        assert_eq!(object["events"].to_string(), words[2]);
        assert_eq!(object["metrics"].to_string(), words[4]);
        assert_eq!(object["sys"], words.len() > 6);
    }
    let shared = models.iter().find(|object| object["model"] == "arm/neoverse-n2-v2");
    assert_eq!(
        shared.expect("it is there")["cpus"],
        serde_json::json!(["neoverse-n2", "neoverse-v2", "cobalt-100"])
    );

    // A word is found within a name, a pattern is for the whole of it.
    let listed = |patterns: &[&str]| {
        let out = output(&[&["--models"], patterns].concat());
        let name = |line: &str| line.split_whitespace().nth(1).map(String::from);
        out.lines().filter_map(name).collect::<Vec<_>>()
    };
    assert_eq!(
        listed(&["neoverse-v[12]", "ZEN5", "*/neoverse-z"]),
        ["arm/neoverse-n2-v2", "arm/neoverse-v1", "amdzen5"]
    );
    let of_arm = listed(&["arm/*"]);
    assert!(of_arm.contains(&"arm/cmn".into()) && of_arm.contains(&"arm/neoverse-n1".into()));
    assert!(of_arm.iter().all(|name| name.starts_with("arm/")), "{of_arm:?}");
    let nothing = run(&["--models", "zzz"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (Some(1), ""));
}

#[test]
fn patterns() {
    let listed = |patterns: &[&str]| {
        let mut arguments = vec!["--model=silvermont"];
        arguments.extend(patterns);
        let out = output(&arguments);
        names(&out).into_iter().map(String::from).collect::<Vec<_>>()
    };
    // Within a name, in any case.
    assert_eq!(listed(&["misp_retired.ind"]), ["BR_MISP_RETIRED.IND_CALL"]);
    // A shell pattern is for the whole name.
    assert_eq!(listed(&["inst_*.any*"]), ["INST_RETIRED.ANY", "INST_RETIRED.ANY_P"]);
    assert_eq!(listed(&["longest_lat_cache.[m]???"]), ["LONGEST_LAT_CACHE.MISS"]);
    // A raw code, and a name that the kernel has for it.
    for code in ["r412e", "0x412E", "cache-misses"] {
        assert_eq!(listed(&[code]), ["LONGEST_LAT_CACHE.MISS"], "{code}");
    }
    // A word of a topic, and one of a description.
    assert!(listed(&["virtual mem"]).iter().any(|name| name.starts_with("PAGE_WALKS")));
    assert!(listed(&["address calculator"]).contains(&"BACLEARS.ALL".into()));
    // One of several is enough, also after `--`.
    assert_eq!(listed(&["zzzz", "--", "--json", "inst_retired.any_p"]), ["INST_RETIRED.ANY_P"]);
}

#[test]
fn metrics_by_group() {
    let out = output(&["--model=sapphirerapids", "cpi", "dsb_coverage"]);
    let at = |text: &str| out.find(text).unwrap_or_else(|| panic!("{text} in {out}"));
    assert!(at("\nmetrics Frontend:\n") < at("\n  dsb_coverage\n"));
    assert!(at("\n  dsb_coverage\n") < at("\nmetrics Summary:\n"));
    assert!(at("\nmetrics Summary:\n") < at("\n  cpi\n"));
    let details = output(&["--model=sapphirerapids", "cpi", "--details"]);
    assert!(details.contains("CPU_CLK_UNHALTED.THREAD / INST_RETIRED.ANY\n"), "{details}");
}

#[test]
fn metrics_alone() {
    let model = "--model=sapphirerapids";
    let out = output(&["metrics", model]);
    assert!(out.starts_with("x86/sapphirerapids: "), "{out}");
    assert!(!out.contains("event="), "{out}");
    // What it lacks follows.
    let (metrics, lacks) = out.split_once("\nmetrics of other CPUs").expect("it lacks some");
    assert_eq!(names(lacks)[0], "common.backend_stalls");
    let listed = names(metrics);
    assert!(listed.contains(&"cpi"), "{out}");
    assert!(listed.is_sorted_by_key(|name| name.to_ascii_lowercase()), "{listed:?}");
    assert!(out.lines().any(|line| line.starts_with("  cpi ") && line.ends_with("[Summary]")));
    // With search and details, and what it needs.
    let details = output(&["metrics", model, "--details", "cpi"]);
    assert!(details.contains("CPU_CLK_UNHALTED.THREAD / INST_RETIRED.ANY\n"), "{details}");
    assert!(details.contains("CPU_CLK_UNHALTED.THREAD, INST_RETIRED.ANY\n"), "{details}");
    let objects = objects(&output(&["metrics", model, "--json"]));
    let of_kind = |kind: &str| objects.iter().filter(|object| object["kind"] == kind).count();
    assert_eq!([of_kind("metric"), of_kind("lack")], [listed.len(), names(lacks).len()]);
    assert_eq!(objects.len(), listed.len() + names(lacks).len());
    // The word itself can be looked for.
    assert!(!output(&[model, "--", "metrics"]).is_empty());
}

/// perf's words say what is listed, of a machine and of its table.
#[test]
fn kinds() {
    let machine = Machine::named("skylakex");
    let root = machine.root().to_str().expect("its path is UTF-8");
    let on = |arguments: &[&str]| {
        let all = [&["--sysfs", root, "--cpuid", "GenuineIntel-6-55-4", "-j"], arguments].concat();
        objects(&run(&all).out)
    };
    let topics = |arguments: &[&str]| -> BTreeSet<String> {
        let of_event = |one: &Value| match one["kind"].as_str() {
            Some("event") => one["topic"].as_str().map(str::to_owned),
            kind => kind.map(|kind| format!("a {kind}")),
        };
        on(arguments).iter().filter_map(of_event).collect()
    };
    let set = |topics: &[&str]| topics.iter().map(|topic| (*topic).to_owned()).collect();
    let hardware: BTreeSet<String> = set(&["legacy hardware"]);
    for (arguments, expected) in [
        (&["hw"][..], hardware.clone()),
        (&["hardware"], hardware),
        (&["sw"], set(&["software", "tool"])),
        (&["cache"], set(&["legacy cache"])),
        (&["hw", "sw"], set(&["legacy hardware", "software", "tool"])),
        (&["hw", "cycles"], set(&["legacy hardware"])),
        (&["metricgroup"], set(&["a metricgroup"])),
        (&["metric", "ipc", "--no-desc"], set(&["a metric"])),
    ] {
        assert_eq!(topics(arguments), expected, "{arguments:?}");
    }
    let of_pmus = topics(&["pmu"]);
    assert!(of_pmus.contains("frontend") && !of_pmus.contains("software"), "{of_pmus:?}");
    assert!(of_pmus.iter().all(|topic| !topic.starts_with("a ")), "{of_pmus:?}");
    let both = topics(&["metric", "metricgroup"]);
    assert!(both.contains("a metric") && both.contains("a metricgroup"), "{both:?}");
    // Probes are refused, as a word, and not as a pattern.
    let refused = run(&["sdt"]);
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""), "{}", refused.err);
    assert!(refused.err.starts_with("pmu list: static probes (`sdt`) are not listed"));
    // Events of one PMU, by its name, a pattern, or the name without its prefix.
    for (option, expected) in [
        (&["--unit", "uncore_c*"][..], &["uncore_cha"][..]),
        (&["--unit", "uncore_imc"], &["uncore_imc"]),
        (&["--cputype", "imc"], &["uncore_imc"]),
        (&["--cputype", "cpu"], &["default_core"]),
    ] {
        let found = on(&[&["pmu"], option].concat());
        let pmus: BTreeSet<&str> = found.iter().filter_map(|one| one["pmu"].as_str()).collect();
        assert!(expected.iter().all(|pmu| pmus.contains(pmu)), "{option:?}: {pmus:?}");
        let is_core = option.contains(&"cpu");
        let is_its = |pmu: &&str| pmu.starts_with("uncore") != is_core;
        assert!(pmus.iter().all(is_its), "{option:?}: {pmus:?}");
    }
    assert_eq!(run(&["--cputype", "nothing", "--model=skylakex"]).code, Some(1));
    for wrong in [&["--unit", "a", "--cputype", "b"][..], &["--models", "--unit", "a"]] {
        assert_eq!(run(wrong).code, Some(2), "{wrong:?}");
    }
}

/// None, the brief one, or the long one; `-o` writes a file.
#[test]
fn descriptions_and_files() {
    let all = objects(&run(&["--model=sapphirerapids", "-j", "pmu", "retired"]).out);
    let event = all.iter().find(|one| one["public"].is_string()).expect("one has both");
    let name = event["name"].as_str().expect("it has one");
    let listed = |options: &[&str]| output(&[&["--model=sapphirerapids", name], options].concat());
    let words = |key: &str| -> String {
        let text = event[key].as_str().expect("it has one");
        text.split_whitespace().take(5).collect::<Vec<_>>().join(" ")
    };
    let (brief, long) = (words("brief"), words("public"));
    let has = |options: &[&str]| {
        let text = listed(options).split_whitespace().collect::<Vec<_>>().join(" ");
        [&brief, &long].map(|words| text.contains(words.as_str()))
    };
    assert!(has(&[])[0]);
    assert_eq!(has(&["--no-desc"]), [false, false]);
    assert!(has(&["--long-desc"])[1] && has(&["-v"])[1]);
    assert!(has(&["--no-desc", "--desc"])[0]);

    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("listed");
    let path = file.to_str().expect("it is UTF-8");
    for option in ["-o", "--output"] {
        assert_eq!(listed(&[option, path]), "");
        assert_eq!(fs::read_to_string(&file).expect("it was written"), listed(&[]));
    }
    let run = run(&["--models", "-o", "/nonexistent/file"]);
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
    assert!(run.err.contains("/nonexistent/file"), "{}", run.err);
}

#[test]
fn metric_groups() {
    let model = "--model=sapphirerapids";
    let out = output(&["metricgroups", model]);
    let listed = names(&out);
    assert!(listed.contains(&"Summary"), "{out}");
    let objects = objects(&output(&["metricgroups", model, "--json"]));
    assert_eq!(objects.len(), listed.len());
    let summary = objects.iter().find(|object| object["name"] == "Summary").unwrap();
    assert!(summary["metrics"].as_array().unwrap().iter().any(|metric| metric == "cpi"));
    let out = output(&["metricgroups", model, "--details", "summary"]);
    assert!(out.contains("cpi"), "{out}");
    let run = run(&["metricgroups", model, "zzzz"]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), "pmu list: no metric group matches\n"));
}

#[test]
fn nothing_found() {
    let cases: [(&[&str], &str); 4] = [
        (
            &["inst_retierd.any"],
            "x86/silvermont has nothing that matches `inst_retierd.any`\n\
             Did you mean `INST_RETIRED.ANY`?",
        ),
        (&["zzz*"], "x86/silvermont has nothing that matches `zzz*`"),
        (&["zzzz", "--", "-y"], "x86/silvermont has nothing that matches `zzzz` or `-y`"),
        (&["--json", "zzzz"], "x86/silvermont has nothing that matches `zzzz`"),
    ];
    for (arguments, message) in cases {
        let run = finish(command(&["--model", "silvermont"]).args(arguments));
        assert_eq!(run.code, Some(1), "{arguments:?}");
        assert_eq!(run.err, format!("pmu list: {message}\n"), "{arguments:?}");
        assert_eq!(run.out, "", "{arguments:?}");
    }
}

#[test]
fn deprecated_events_are_left_out() {
    let old = "L1D_PEND_MISS.L2_STALL";
    let model = "--model=sapphirerapids";
    let hidden = run(&[model, "l1d_pend_miss.l2"]);
    assert_eq!(hidden.code, Some(0));
    assert_eq!(names(&hidden.out), ["L1D_PEND_MISS.L2_STALLS"]);
    assert_eq!(hidden.err, "pmu list: 1 deprecated event; `--deprecated` shows them\n");

    let shown = output(&[model, "--deprecated", "l1d_pend_miss.l2"]);
    assert_eq!(names(&shown), [old, "L1D_PEND_MISS.L2_STALLS"]);
    assert!(shown.contains(&format!("\n  {old} [deprecated]  event=")), "{shown}");

    assert!(names(&output(&[model, &old.to_lowercase()])).contains(&old));

    let only = run(&[model, "l1d_pend_miss.l2_stal?"]);
    assert_eq!((only.code, only.out.as_str()), (Some(1), ""));
    assert_eq!(only.err, "pmu list: only deprecated events match; `--deprecated` shows them\n");
}

#[test]
fn details() {
    let out = output(&["--model=silvermont", "--details", "offcore_response.any_rfo.any_response"]);
    let facts = [
        "PMU                 default_core",
        "event string        event=0xb7,period=100007,umask=1,offcore_rsp=0x0000010022",
        "counters            0,1",
        "sample after        100007",
        "MSR                 0x1a6 or 0x1a7 = 0x10022",
    ];
    for fact in facts {
        assert!(out.contains(&format!("\n      {fact}\n")), "{fact} in {out}");
    }
}

/// A public description that begins with the brief one is shown without it.
#[test]
fn descriptions_are_not_repeated() {
    // As in the sources' tables, these longer texts begin with or equal the brief ones.
    let tree = ["--tree=../arch/test", "--cpuid=testcpu", "--details"];
    let out = output(&[&tree[..], &["std_cycles", "text.same"]].concat());
    assert_eq!(out.matches("Ticks of the core's clock").count(), 1, "{out}");
    assert!(out.contains("while it runs. They stop with the clock.\n"), "{out}");
    assert_eq!(out.matches("Brief and public are one.").count(), 1, "{out}");
}

#[test]
fn other_pmus_are_shown() {
    let out = output(&["--model=sapphirerapids", "--", "unc_cha_clockticks"]);
    assert!(out.contains("  UNC_CHA_CLOCKTICKS            uncore_cha/event="), "{out}");
}

#[test]
fn system_pmus() {
    let out = output(&["--sys", "hnf_cache_miss"]);
    assert!(out.starts_with("arm64/arm/cmn: 1 of "), "{out}");
    assert!(out.contains("  hnf_cache_miss                arm_cmn/eventid=1,type=5/\n"), "{out}");
}

#[test]
fn json() {
    let entries = objects(&output(&["--json", "--deprecated", "--model", "sapphirerapids"]));

    let named = |name: &str| {
        let found = entries.iter().find(|entry| entry["name"] == name);
        found.unwrap_or_else(|| panic!("{name} is there"))
    };
    let event = named("L1D_PEND_MISS.FB_FULL_PERIODS");
    let expected = [
        ("kind", "\"event\""),
        ("architecture", "\"x86\""),
        ("model", "\"sapphirerapids\""),
        ("topic", "\"cache\""),
        ("pmu", "\"default_core\""),
        ("event_string", "\"event=0x48,cmask=1,edge=1,period=1000003,umask=2\""),
        ("terms", r#"{"cmask":1,"edge":1,"event":72,"period":1000003,"umask":2}"#),
        ("counters", r#"{"kind":"general","numbers":[0,1,2,3]}"#),
        ("sample_after", "1000003"),
        ("precise", "\"no\""),
        ("data_address", "false"),
        ("msr", "null"),
        ("retirement_latency", "null"),
        ("scale_unit", "null"),
        ("count_unit", r#"{"factor":1.0,"quantity":"occurrences"}"#),
        ("scope", "null"),
        ("per_package", "false"),
        ("snapshot", "false"),
        ("deprecated", "false"),
        ("successor", "null"),
        ("experimental", "false"),
        ("errata", "null"),
        ("compat", "null"),
        ("taken_alone", "false"),
        ("perf_differs", "null"),
    ];
    for (key, value) in expected {
        assert_eq!(event[key].to_string(), value, "{key}");
    }
    for text in ["brief", "public"] {
        assert!(event[text].as_str().is_some_and(|text| text.ends_with('.')), "{event}");
    }
    assert_eq!(named("L1D_PEND_MISS.L2_STALL")["deprecated"], true);
    for (name, counters) in [
        ("INST_RETIRED.ANY", r#"{"kind":"fixed","numbers":[0]}"#),
        ("UNC_IIO_BANDWIDTH_IN.PART0_FREERUN", r#"{"kind":"free running","numbers":[]}"#),
    ] {
        assert_eq!(named(name)["counters"].to_string(), counters, "{name}");
    }

    let metric = named("cpi");
    assert_eq!(metric["kind"], "metric");
    assert_eq!(metric["groups"][0], "Summary");
    assert_eq!(metric["expression"], "CPU_CLK_UNHALTED.THREAD / INST_RETIRED.ANY");
    assert_eq!(metric["scale_unit"], "1per_instr");

    // Of one kind, all have the same keys.
    for kind in ["event", "metric"] {
        let mut keys = entries
            .iter()
            .filter(|entry| entry["kind"] == kind)
            .map(|entry| entry.as_object().expect("an object").keys().collect::<Vec<_>>());
        let first = keys.next().expect("there is one");
        assert!(keys.all(|keys| keys == first), "{kind}");
    }
}

#[test]
fn lines_are_as_wide_as_the_terminal() {
    let prose = |columns: &str| {
        let mut command = command(&["--model=silvermont", "cache"]);
        let run = finish(command.env("COLUMNS", columns));
        // An event string that is too long for a line is not broken.
        let prose = |line: &&str| line.starts_with("      ") && !line.contains("event=");
        let prose = run.out.lines().filter(prose);
        prose.map(|line| line.chars().count()).max().expect("there is a description")
    };
    assert!(prose("60") <= 60);
    assert!((70..=80).contains(&prose("no number")));
    assert!(prose("200") > 80);
    assert!(prose("0") <= 40);
}

#[test]
fn no_colours_where_nobody_sees_them() {
    for arguments in [&["--model=silvermont"][..], &["--models"], &["--help"]] {
        assert!(!output(arguments).contains('\x1b'), "{arguments:?}");
    }
}

/// `list | head`: the reader goes away while there is more to write than a
/// pipe holds.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let arguments = ["--json", "--deprecated", "--model=sapphirerapids"];
    assert!(output(&arguments).len() > 1 << 17, "more than a pipe holds");
    for arguments in [&arguments[..], &["--model=sapphirerapids"]] {
        let mut child: Child = command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("list runs");
        drop(child.stdout.take());
        let Output { status, stderr, .. } = child.wait_with_output().expect("it ends");
        assert_eq!(status.code(), Some(0));
        if arguments.len() > 1 {
            assert_eq!(String::from_utf8_lossy(&stderr), "");
        }
    }
}

/// Another error of the output is one.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let run = finish(command(&["--model=silvermont"]).stdout(full));
    assert_eq!(run.code, Some(1));
    assert!(run.err.starts_with("pmu list: cannot write to standard output: "), "{}", run.err);
}

/// Where metrics are in the top-down tree, and what to sample.
#[test]
fn the_place_of_a_metric() {
    let tree = ["--tree", "../tests/trees/topdown", "--details", "--cpuid"];
    let cases: [(&str, &str, &[&str]); 4] = [
        (
            "slots",
            "top_memory",
            &[
                "top-down level      2 of 3",
                "part of             top_back",
                "siblings            top_core",
                "parts               top_cache, top_dram",
                "sample              WAIT_MEMORY",
            ],
        ),
        ("slots", "top_core", &["sample              DIVIDES"]),
        ("stalls", "l1i_mpki", &["explains            frontend_stalled_cycles"]),
        ("slots", "elsewhere", &["events              RETIRED, CYCLES"]),
    ];
    for (model, metric, facts) in cases {
        // Among metrics, and among events and metrics.
        for words in [&["metrics", metric][..], &[metric]] {
            let shown = output(&[&tree[..], &[model], words].concat());
            for fact in facts {
                assert!(shown.contains(fact), "{metric}: {shown}");
            }
            assert_eq!(shown.contains("top-down level"), metric != "elsewhere", "{shown}");
        }
    }
}

/// A node that sources call by two names has one place.
#[test]
fn the_place_of_another_name() {
    let shown = output(&["--details", "--model", "sapphirerapids", "metrics", "tma_dram_bound"]);
    for fact in ["same as             tma_l3_miss_bound", "part of             tma_memory_bound"] {
        assert!(shown.contains(fact), "{shown}");
    }
}

/// What to know of an event follows its description, and is not taken for its end.
#[test]
fn remarks_follow_the_description() {
    let tree = concat!(env!("CARGO_MANIFEST_DIR"), "/../arch/test");
    let cases = [
        ("NOTE.NONE", "Brief and nothing else"),
        ("NOTE.LA", "Brief with an address (has a data address when precise)"),
        ("NOTE.ERRATA", "Brief with an error (errata TST12, TST13)"),
        ("NOTE.PEBS1", "Brief that may be precise (can be precise)"),
        ("NOTE.PEBS2", "Brief that must be precise (must be precise)"),
        (
            "NOTE.ALL_PEBS2",
            "Brief with all, surely precise (must be precise; has a data address when precise; \
             errata TST5)",
        ),
        ("NOTE.SAID_IN_BRIEF", "Brief that says so itself. (Precise Event) (errata TST6)"),
    ];
    for (event, expected) in cases {
        let mut list = command(&["--tree", tree, "--model", "test_soc/cpu", event]);
        let out = finish(list.env("COLUMNS", "200")).out;
        let shown = out.lines().skip_while(|line| !line.starts_with(&format!("  {event} ")));
        assert_eq!(shown.map(str::trim).nth(1), Some(expected), "{event}: {out}");
    }
}

/// A quantity that has one name on every CPU: what differs, and what a CPU cannot count.
#[test]
fn quantities_of_one_name() {
    let of_zen4 = |patterns: &[&str]| output(&[&["--model", "amdzen4"], patterns].concat());
    let unwrapped = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let details = of_zen4(&["--details", "common.llc_misses"]);
    assert!(details.contains("common.llc_misses\n"), "{details}");
    assert!(details.contains("difference"), "{details}");
    assert!(unwrapped(&details).contains("beyond the L3 of the core"), "{details}");
    let same = of_zen4(&["--details", "common.ipc"]);
    assert!(same.contains("common.ipc\n") && !same.contains("difference"), "{same}");
    // What it lacks is found by name, and in the list of its metrics.
    const REASON: &str = "The latency is known in cycles only, not in time.";
    for words in [&["common.memory_latency"][..], &["common.*"], &["metrics"]] {
        let listing = of_zen4(words);
        assert!(listing.contains("metrics of other CPUs that this one cannot have:"), "{listing}");
        assert!(unwrapped(&listing).contains(REASON), "{listing}");
    }
    let objects = objects(&of_zen4(&["--json", "common.memory_latency"]));
    let [lack] = &objects[..] else { panic!("{objects:#?}") };
    let text = |key: &str| lack[key].as_str();
    assert_eq!((text("kind"), text("name")), (Some("lack"), Some("common.memory_latency")));
    assert_eq!((text("model"), text("reason")), (Some("amdzen4"), Some(REASON)));
}
