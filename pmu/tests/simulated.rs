//! `pmu stat` on a simulated kernel, which is preloaded into the program: what it shows is
//! what the described program did.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::process::Output;

#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[path = "common/simulated.rs"]
mod simulated;

use machines::Machine;

const SYSFS: &str = "/devices/system/cpu/online\t0-3\n/devices/system/cpu/present\t0-3\n\
    software/type\t1\ncpu/type\t4\ncpu/format/event\tconfig:0-7\n\
    uncore_imc_0/type\t20\nuncore_imc_0/cpumask\t0\nuncore_imc_0/format/event\tconfig:0-7\n\
    uncore_imc_1/type\t21\nuncore_imc_1/cpumask\t2\nuncore_imc_1/format/event\tconfig:0-7";

/// The command is on CPU 0 for 30 ms and on CPU 1 for 90 ms.
const SCENARIO: &str = "cpus 4\npmu 4 core counters=2\npmu 20 uncore counters=2 cpus=0\n\
    pmu 21 uncore counters=2 cpus=2\nprogram cpu=0 us=30000\nprogram cpu=1 us=90000\n\
    rate 4 config=1 user=1000\nrate 4 config=2 user=10\nrate 4 config=3 user=7\n\
    rate 1 config=2 user=2\nrate 20 config=1 user=5\nrate 21 config=1 user=3\n";

fn stat(machine: &Machine, scenario: &str, arguments: &[&str]) -> Output {
    pmu(machine, "none", scenario, &[&["stat"], arguments].concat())
}

fn pmu(machine: &Machine, cpuid: &str, scenario: &str, arguments: &[&str]) -> Output {
    simulated::pmu(machine, cpuid, scenario).args(arguments).output().expect("it runs")
}

/// The lines of `pmu stat -x,`: count, unit, event, nanoseconds, share, and what follows.
fn fields(machine: &Machine, scenario: &str, arguments: &[&str]) -> Vec<Vec<String>> {
    let output = stat(machine, scenario, &[&["-x,"], arguments].concat());
    let err = String::from_utf8(output.stderr).expect("it is text");
    assert!(output.status.success(), "{arguments:?}: {err}");
    err.lines().map(|line| line.split(',').map(String::from).collect()).collect()
}

#[test]
fn the_program_is_counted() {
    let machine = Machine::of(SYSFS);
    // Event, and its count: of all CPUs, or of one.
    let cases: &[(&str, &[&str])] = &[
        ("cpu/event=1/", &["120000000"]),
        ("page-faults", &["240000"]),
        ("task-clock", &["120.00"]),
        ("task-clock/cpu=0/", &["30.00"]),
        ("{task-clock,page-faults/cpu=0/}", &["120.00", "60000"]),
        ("{page-faults,page-faults/cpu=1/}", &["240000", "180000"]),
        ("cpu/event=1/,cpu/event=1,cpu=1/", &["120000000", "90000000"]),
        // Three events on two counters, for a rate that does not change.
        ("cpu/event=1/,cpu/event=2/,cpu/event=3/", &["120000000", "1200000", "840000"]),
        ("{cpu/event=1/,cpu/event=2/},cpu/event=3/", &["120000000", "1200000", "840000"]),
        ("uncore_imc/event=1/", &["960000"]),
        ("duration_time", &["120000000"]),
    ];
    for &(events, expected) in cases {
        let lines = fields(&machine, SCENARIO, &["-e", events, "true"]);
        let counts: Vec<&str> = lines.iter().map(|line| line[0].as_str()).collect();
        assert_eq!(counts, expected, "{events}");
    }
}

/// Half of a sum is not the sum, in no output.
#[test]
fn sums_that_lack_an_instance() {
    let machine = Machine::of(SYSFS);
    let scenario = format!("{SCENARIO}refuse 21 errno=2\n");
    let event = "uncore_imc/event=1/";
    let lines = fields(&machine, &scenario, &["-e", event, "true"]);
    let [line] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(line[0], "600000");
    assert_eq!(
        (line[4].as_str(), line.last().unwrap().as_str()),
        ("50.00", "lacks PMU `uncore_imc_1`")
    );

    let json = stat(&machine, &scenario, &["-j", "-e", event, "true"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stderr).expect("it is one object");
    assert_eq!(
        (&json["counter-value"], &json["pcnt-running"]),
        (&"600000.000000".into(), &50.0.into())
    );
    let lacks = json["lacks"].as_array().expect("it is a list");
    assert_eq!((lacks.len(), &lacks[0]["what"]), (1, &"PMU `uncore_imc_1`".into()));
    assert!(
        lacks[0]["why"].as_str().is_some_and(|why| why.contains("has this event")),
        "{lacks:?}"
    );

    let text = stat(
        &machine,
        &scenario,
        &["-e", event, "--metric", "reads = uncore_imc@event\\=1@ * 64", "true"],
    );
    let text = String::from_utf8(text.stderr).expect("it is text");
    let line = text.lines().find(|line| line.contains("600000")).expect("the count is shown");
    assert!(line.contains("(50.0%)") && line.contains("(lacks PMU `uncore_imc_1`)"), "{text}");
    assert!(text.contains("nan") && text.contains("reads"), "{text}");
    assert!(text.contains("note: ") && text.contains("has this event"), "{text}");
}

/// Whatever keeps an instance from being counted, the sum says so, merged or not.
#[test]
fn instances_that_are_not_counted() {
    let cases: [(&str, &str, &str); 3] = [
        ("uncore_imc_1/cpumask", "\n", "none of the CPUs that are measured is one of"),
        ("uncore_imc_1/cpumask", "x\n", "uncore_imc_1/cpumask: "),
        ("uncore_imc_1/format/event", "nothing\n", "uncore_imc_1"),
    ];
    for (file, text, why) in cases {
        let machine = Machine::of(SYSFS);
        machine.write(file, text);
        for option in ["-e", "--no-merge -e"] {
            let option: Vec<&str> = option.split(' ').collect();
            let output =
                stat(&machine, SCENARIO, &[&option[..], &["uncore_imc/event=1/", "true"]].concat());
            let err = String::from_utf8(output.stderr).expect("it is text");
            assert!(
                err.contains("note: ") && err.contains(why),
                "{file} {text:?} {option:?}: {err}"
            );
        }
    }
}

/// What all CPUs spent is not what each of them did; the elapsed time is.
#[test]
fn metrics_of_cpus() {
    let machine = Machine::of(SYSFS);
    let cases = [("user_time", false), ("duration_time", true), ("num_cpus", true)];
    for (event, has_value) in cases {
        let formula = format!("m = page\\-faults * 0 + {event}");
        let output = stat(&machine, SCENARIO, &["-a", "-A", "-j", "--metric", &formula, "true"]);
        let err = String::from_utf8(output.stderr).expect("it is text");
        let objects = err.lines().filter_map(|line| serde_json::from_str(line).ok());
        let of_cpus: Vec<serde_json::Value> =
            objects.filter(|object: &serde_json::Value| object["metric-unit"] == "m").collect();
        assert_eq!(of_cpus.len(), 4, "{event}: {err}");
        for object in of_cpus {
            assert_eq!(object["metric-value"] != "nan", has_value, "{event}: {object}");
        }
    }
}

/// Of tasks that do not exist, no event is counted as 0.
#[test]
fn tasks_that_do_not_exist() {
    let machine = Machine::of(SYSFS);
    for event in ["user_time", "duration_time", "task-clock", "cpu/event=1/"] {
        let output = stat(&machine, SCENARIO, &["-t", "99999999", "-e", event]);
        let err = String::from_utf8(output.stderr).expect("it is text");
        let expected = "pmu stat: there is no thread 99999999\n";
        assert_eq!((output.status.code(), err.as_str()), (Some(125), expected), "{event}");
    }
}

/// The intervals of a run make up the whole.
#[test]
fn intervals_make_up_the_whole() {
    let machine = Machine::of(SYSFS);
    // The command lasts far longer than its counts, so that a late interval is still one.
    let arguments = ["-I", "50", "-e", "cpu/event=1/", "sleep", "1"];
    let lines = fields(&machine, SCENARIO, &arguments);
    let counts: Vec<u64> =
        lines.iter().map(|line| line[1].parse().expect("it was counted")).collect();
    assert_eq!(counts.iter().sum::<u64>(), 120_000_000, "{lines:?}");
    assert_eq!(counts[..2], [50_000_000; 2], "{lines:?}");
}

/// What is taken from a group when the watchdog has a counter.
#[test]
fn groups_that_never_run() {
    let machine = Machine::of(SYSFS);
    let scenario = format!("{SCENARIO}taken 4 counters=1\n");
    let lines =
        fields(&machine, &scenario, &["-e", "{cpu/event=1/,cpu/event=2/},cpu/event=3/", "true"]);
    let counts: Vec<&str> = lines.iter().map(|line| line[0].as_str()).collect();
    assert_eq!(counts, ["<not counted>", "<not counted>", "840000"]);
}

/// Each pass of a drill-down says of which kind of core and which level it is.
#[test]
fn passes_on_kinds_of_cores() {
    for cpuid in ["GenuineIntel-6-97-2", "GenuineIntel-6-BD-1"] {
        let machine = Machine::named("alderlake");
        let scenario = "cpus 8\npmu 4 core counters=16 cpus=0-3\npmu 10 core counters=16 cpus=4-7\n\
                        program cpu=0 us=50000\nprogram cpu=5 us=50000\n";
        let arguments = ["topdown", "--json", "--all", "--level", "4", "true"];
        let output = pmu(&machine, cpuid, scenario, &arguments);
        let err = String::from_utf8(output.stderr).expect("it is text");
        assert!(output.status.success(), "{err}");
        let objects: Vec<serde_json::Value> =
            err.lines().map(|line| serde_json::from_str(line).expect("it is an object")).collect();
        let passes = objects[0]["passes"].as_array().expect("it is a list");
        let level_of = |kind: &str, name: &str| {
            let is_it = |node: &&serde_json::Value| node["pmu"] == kind && node["name"] == name;
            objects.iter().find(is_it).and_then(|node| node["level"].as_u64())
        };
        let mut seen = std::collections::BTreeSet::new();
        for pass in passes.iter().filter_map(serde_json::Value::as_str) {
            let pass = pass.strip_suffix(" (multiplexed if need be)").unwrap_or(pass);
            for part in pass.split("; ") {
                let (head, names) = part.split_once(": ").expect("it has a head");
                let Some((kind, level)) = head.split_once(" level ") else {
                    // A threshold names what is no node.
                    let (kind, _) = head.split_once(" for thresholds").expect("it says what for");
                    for name in names.split(", ") {
                        assert_eq!(level_of(kind, name), None, "{cpuid}: {name} in {pass}");
                    }
                    continue;
                };
                let level = level.parse().expect("it is a number");
                for name in names.split(", ") {
                    assert_eq!(level_of(kind, name), Some(level), "{cpuid}: {name} in {pass}");
                }
                seen.insert((kind.to_string(), level));
            }
        }
        for kind in ["cpu_core", "cpu_atom"] {
            for level in 1..=3 {
                assert!(seen.contains(&(kind.to_string(), level)), "{cpuid} {kind}: {passes:?}");
            }
        }
    }
}

/// A formula means each kind of core whose metric it names, as the metric's name does.
#[test]
fn formulas_on_kinds_of_cores() {
    let machine = Machine::named("alderlake");
    let scenario = "cpus 8\npmu 4 core counters=16 cpus=0-3\npmu 10 core counters=16 cpus=4-7\n\
                    program cpu=0 us=50000\nprogram cpu=5 us=50000\n\
                    rate 4 config=0x400 user=6000\nrate 4 config=0x8200 user=1500\n\
                    rate 10 config=0x3c user=1000\nrate 10 config=0x71 user=2000\n";
    let shares = |arguments: &[&str]| -> Vec<String> {
        let arguments = [&["stat", "-j"], arguments, &["true"]].concat();
        let output = pmu(&machine, "GenuineIntel-6-97-2", scenario, &arguments);
        let err = String::from_utf8(output.stderr).expect("it is text");
        let objects = err.lines().filter_map(|line| serde_json::from_str(line).ok());
        let value = |object: serde_json::Value| {
            let is_it = object["metric-unit"].as_str()?.ends_with("share");
            is_it.then(|| object["metric-value"].to_string())
        };
        objects.filter_map(value).collect()
    };
    let definition = "share [100%] = tma_frontend_bound * 1";
    let of_both = shares(&["--metric", definition]);
    assert_eq!(of_both.len(), 2, "{of_both:?}");
    assert!(of_both[0] != of_both[1], "{of_both:?}");
    // Events belong to no kind, and a metric of one kind to that.
    for one in ["share = instructions", "share [100%] = tma_resource_bound * 1"] {
        assert_eq!(shares(&["--metric", one]).len(), 1, "{one}");
    }
}

/// A thread of Granite Rapids at 3.62 GHz that loads eight times a microsecond from its own
/// memory: with the mean of the table, 115.83 cycles, a third of its time.
const GRANITE_RAPIDS: &str = "cpus 8\npmu 4 core counters=60\nprogram cpu=0 us=1000000\n\
    rate 4 config=0x3c user=3620\nrate 4 config=0x1d3 user=8\n\
    rate 4 config=0x40d1 user=50\nrate 4 config=0x8d1 user=100\n\
    rate 4 config=0x21d0 user=2\n";
const OF_GRANITE_RAPIDS: &str = "GenuineIntel-6-AD-1";

fn granite_rapids(arguments: &[&str]) -> (Option<i32>, String) {
    let machine = Machine::named("sapphirerapids");
    let output = pmu(&machine, OF_GRANITE_RAPIDS, GRANITE_RAPIDS, arguments);
    (output.status.code(), String::from_utf8(output.stderr).expect("it is text"))
}

/// What no counter counts is a number of the table, in each output with its mark.
#[test]
fn retirement_latencies() {
    const SHARE: f64 = 100.0 * 8.0 * 115.83 * 1.25 / 3620.0;
    let stat = |arguments: &[&str]| {
        granite_rapids(&[&["stat", "-M", "tma_local_mem"], arguments, &["true"]].concat())
    };
    let (code, text) = stat(&[]);
    assert_eq!(code, Some(0), "{text}");
    let line = text.lines().find(|line| line.contains("tma_local_mem")).expect("it is shown");
    assert!(line.contains(&format!("{SHARE:.3} %  tma_local_mem")), "{text}");
    assert!(line.ends_with("(estimate)"), "{text}");
    assert!(text.contains("the mean of what was measured elsewhere"), "{text}");
    // Four events, each once, and none for the latency.
    let counted = text.lines().filter(|line| line.contains("MEM_") || line.contains("CPU_CLK"));
    assert_eq!(counted.filter(|line| !line.contains("note")).count(), 4, "{text}");
    assert!(!text.contains(":R"), "{text}");

    let (_, json) = stat(&["-j"]);
    let objects = json.lines().map(|line| serde_json::from_str(line).expect("it is an object"));
    let objects: Vec<serde_json::Value> = objects.collect();
    let is_it = |object: &&serde_json::Value| object["metric-unit"] == "%  tma_local_mem";
    let object = objects.iter().find(is_it).expect("it is shown");
    assert_eq!(object["metric-estimate"], true, "{json}");
    assert_eq!(object["metric-value"], format!("{SHARE:.6}"), "{json}");

    let (_, fields) = stat(&["-x,"]);
    let line = fields.lines().find(|line| line.contains("tma_local_mem")).expect("it is shown");
    assert!(line.ends_with(",estimate"), "{fields}");

    // The minimum, the maximum, and what samples have told; the last is no estimate.
    let event = "MEM_LOAD_L3_MISS_RETIRED.LOCAL_DRAM";
    let cases = [
        ("min", 0.0, true),
        ("max", SHARE / 115.83 * 4146.0, true),
        (&format!("max,{event}=60"), SHARE / 115.83 * 60.0, false),
    ];
    for (option, share, is_estimate) in cases {
        let (_, json) = stat(&["-j", "--retire-latency", option]);
        assert!(json.contains(&format!("\"metric-value\" : \"{share:.6}\"")), "{option}: {json}");
        assert_eq!(json.contains("metric-estimate"), is_estimate, "{option}: {json}");
    }
    let (code, message) = stat(&["--retire-latency", "MEM_LOAD_L3_MISS_RETIRED.LOCAL_DRAN=1"]);
    assert_eq!(code, Some(125), "{message}");
    assert!(message.contains(&format!("did you mean `{event}`?")), "{message}");
}

/// The same in a drill-down, whose findings are marked as well.
#[test]
fn retirement_latencies_of_a_drill_down() {
    let arguments = ["topdown", "--json", "--single-run", "--all", "--level", "6"];
    let of = |options: &[&str]| {
        let (code, json) = granite_rapids(&[&arguments, options, &["true"]].concat());
        assert_eq!(code, Some(0), "{json}");
        let objects = json.lines().map(|line| serde_json::from_str(line).expect("it is an object"));
        let node = |object: &serde_json::Value| object["name"] == "tma_lock_latency";
        objects.collect::<Vec<serde_json::Value>>().into_iter().find(node).expect("it is a node")
    };
    let value = |node: &serde_json::Value| node["value"].as_f64().expect("it has a value");
    let node = of(&[]);
    assert!((value(&node) - 100.0 * 2.0 * 63.76 / 3620.0).abs() < 0.01, "{node}");
    assert_eq!(node["estimate"], true, "{node}");
    let node = of(&["--retire-latency", "MEM_INST_RETIRED.LOCK_LOADS=40"]);
    assert!((value(&node) - 100.0 * 2.0 * 40.0 / 3620.0).abs() < 0.01, "{node}");
    assert_eq!(node["estimate"], false, "{node}");
}

/// A formula takes a latency; a counter does not.
#[test]
fn retirement_latencies_in_formulas_and_alone() {
    let event = "MEM_LOAD_L3_MISS_RETIRED.LOCAL_DRAM";
    let formula = format!("cost [100%] = {event} * {event}:R / CPU_CLK_UNHALTED.THREAD");
    let (code, text) = granite_rapids(&["stat", "--metric", &formula, "true"]);
    assert_eq!(code, Some(0), "{text}");
    let share = 100.0 * 8.0 * 115.83 / 3620.0;
    let line = text.lines().find(|line| line.contains("cost")).expect("it is shown");
    assert!(
        line.contains(&format!("{share:.3} %  cost")) && line.ends_with("(estimate)"),
        "{text}"
    );

    let (code, text) = granite_rapids(&["stat", "-e", &format!("{event}:R"), "true"]);
    assert_eq!(code, Some(125), "{text}");
    assert!(text.contains("no counter counts a retirement latency"), "{text}");
}

/// The tables of Lunar Lake state no latency: the metric has no value unless the caller does.
#[test]
fn retirement_latencies_that_no_table_states() {
    let machine = Machine::named("alderlake");
    let scenario = "cpus 8\npmu 4 core counters=8 cpus=0-3\npmu 10 core counters=8 cpus=4-7\n\
                    program cpu=0 us=50000\nrate 4 config=0x3c user=3000\n\
                    rate 4 config=0x10c5 user=3\nrate 4 config=0x50c5 user=3\n";
    let stat = |option: &[&str]| {
        let arguments = [&["stat", "-M", "tma_cond_nt_mispredicts"], option, &["true"]].concat();
        let output = pmu(&machine, "GenuineIntel-6-BD-1", scenario, &arguments);
        (output.status.code(), String::from_utf8(output.stderr).expect("it is text"))
    };
    let (code, text) = stat(&[]);
    assert_eq!(code, Some(125), "{text}");
    let message = "the tables do not state the retirement latency (mean) of \
                   `cpu_core/BR_MISP_RETIRED.COND_NTAKEN_COST/` (for `tma_cond_nt_mispredicts`)";
    assert!(text.contains(message), "{text}");
    assert!(text.lines().any(|line| line.contains("nan %  tma_cond_nt_mispredicts")), "{text}");

    let (code, text) = stat(&["--retire-latency", "BR_MISP_RETIRED.COND_NTAKEN_COST=6"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("0.600 %  tma_cond_nt_mispredicts"), "{text}");
    assert!(!text.contains("estimate"), "{text}");
}

/// A node of a mesh without `bynodeid`: what is counted is not what was asked for.
#[test]
fn a_node_that_is_named_in_vain() {
    let machine = Machine::of(
        "/devices/system/cpu/online\t0-3\n/devices/system/cpu/present\t0-3\nsoftware/type\t1\n\
         cpu/type\t4\ncpu/format/event\tconfig:0-7\n\
         arm_cmn_0/type\t20\narm_cmn_0/cpumask\t0\narm_cmn_0/format/type\tconfig:0-15\n\
         arm_cmn_0/format/eventid\tconfig:16-26\narm_cmn_0/format/bynodeid\tconfig:31\n\
         arm_cmn_0/format/nodeid\tconfig:32-47",
    );
    let scenario = format!("{SCENARIO}rate 20 config=0x10005 user=5\n");
    let note = |node: &str| {
        let event = format!("arm_cmn_0/type=0x5,eventid=0x1{node}/");
        let output = stat(&machine, &scenario, &["-e", &event, "true"]);
        let err = String::from_utf8(output.stderr).expect("it is text");
        assert!(output.status.success(), "{err}");
        let note = err.lines().find(|line| line.starts_with(" note: ")).map(str::to_owned);
        (event, note)
    };
    let (event, found) = note(",nodeid=0x78");
    let expected = format!(
        " note: `{event}`: it counts the whole mesh: without `bynodeid=1`, the driver ignores `nodeid`"
    );
    assert_eq!(found, Some(expected));
    assert_eq!(note(",bynodeid=1,nodeid=0x78").1, None);
}

/// Of three events on two counters, each has one for two thirds of the time.
#[test]
fn counts_that_are_not_scaled() {
    let machine = Machine::of(SYSFS);
    let events = "cpu/event=1/,cpu/event=2/,cpu/event=3/";
    let counts = |options: &[&str]| -> Vec<f64> {
        let lines = fields(&machine, SCENARIO, &[options, &["-e", events, "true"]].concat());
        lines.iter().map(|line| line[0].parse().expect("it was counted")).collect()
    };
    let scaled = counts(&[]);
    assert_eq!(counts(&["--no-scale", "--scale"]), scaled);
    for (count, estimate) in counts(&["--no-scale"]).iter().zip(&scaled) {
        let share = count / estimate;
        assert!((0.5..0.85).contains(&share), "{count} of {estimate}");
    }
    // What always had its counter is what it was.
    let alone = fields(&machine, SCENARIO, &["--no-scale", "-e", "cpu/event=1/", "true"]);
    assert_eq!(alone[0][0], "120000000");
}
