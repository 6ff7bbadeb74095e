//! `pmu doctor` as a user meets it: on simulated machines, some of which count truly, and for
//! machines that can only be described. `tests/counts` has more of the first.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

use serde_json::Value;

#[path = "../../tests/common/deny.rs"]
mod deny;
#[allow(dead_code)] // Other tests use more of it.
#[path = "../../tests/machines/mod.rs"]
mod machines;
#[allow(dead_code)]
#[path = "common/run.rs"]
mod run;
#[path = "common/simulated.rs"]
mod simulated;

use machines::Machine;
use run::{Run, command, finish};

const SYSFS: &str = "/devices/system/cpu/online\t0-3\n/devices/system/cpu/present\t0-3\n\
    software/type\t1\ncpu/type\t4\ncpu/format/event\tconfig:0-7\n\
    /proc/self/status\tCapEff:  0000000000000000\n/proc/sys/kernel/perf_event_paranoid\t2";

/// What the loops cause in 50 microseconds on a machine that counts truly.
const SCENARIO: &str = "cpus 4\npmu 4 core counters=2\nown us=50\n\
    rate 0 config=0 user=20000\nrate 0 config=1 user=40000\nrate 0 config=2 user=400\n\
    rate 1 config=2 user=1\n";

const ZEN4: &str = "AuthenticAMD-25-61-2";

fn doctor(machine: &Machine, cpuid: &str, scenario: &str, arguments: &[&str]) -> Run {
    let mut command = simulated::pmu(machine, cpuid, scenario);
    command.env("PROCFS_PATH", machine.root().join("proc"));
    finish(command.arg("doctor").args(arguments))
}

fn objects(run: &Run) -> Vec<Value> {
    let object =
        |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    run.out.lines().map(object).collect()
}

/// The lines that say what is wrong.
fn wrong(run: &Run) -> Vec<&str> {
    run.out.lines().filter(|line| line.starts_with('!')).collect()
}

#[test]
fn nothing_is_wrong() {
    let machine = Machine::of(SYSFS);
    let arguments = ["instructions:u", "cycles:u,page-faults"];
    let run = doctor(&machine, "none", SCENARIO, &arguments);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
    assert_eq!(wrong(&run), Vec::<&str>::new());
    let expected = "  alive       instructions:u: 2,000,000, where a loop of 1,000,000 steps should \
                    give 1,980,000 to 2,100,000\n";
    assert!(run.out.contains(expected), "{}", run.out);
    assert!(run.out.contains("  PMU `cpu`: 2 counters are free\n"), "{}", run.out);
    assert!(run.out.starts_with("  kernel.perf_event_paranoid is 2: own tasks"), "{}", run.out);
}

/// A guest whose caches count nothing, with a virtual PMU of two counters where the CPU has six.
#[test]
fn a_guest() {
    let machine = Machine::of(SYSFS);
    machine.write("/proc/cpuinfo", "flags\t\t: fpu hypervisor\n");
    machine.write("/class/dmi/id/sys_vendor", "Amazon EC2\n");
    machine.write("/class/dmi/id/product_name", "c7a.large\n");
    let scenario = format!("{SCENARIO}rate 0 config=2 user=0\nrefuse 3 errno=95\n");
    let list = "{cycles:u,instructions:u},page-faults,cache-references:u,\
                {ex_ret_instr,ex_ret_ops,ex_ret_brn}";
    let arguments = ["cache-references:u,LLC-loads:u,instructions:u", "--budget", list];
    let run = doctor(&machine, ZEN4, &scenario, &arguments);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""), "{}", run.out);
    let parts = [
        "2 of 6 counters are free",
        "zero        cache-references:u: 0, where 20,000 loads from 16 MiB should give 2,500 to",
        "refused     LLC-loads:u: ",
        // The kernel never takes it.
        "{ex_ret_instr,ex_ret_ops,ex_ret_brn}: refused: ",
    ];
    let wrong = wrong(&run);
    assert_eq!(wrong.len(), parts.len(), "{}", run.out);
    for (line, part) in wrong.iter().zip(parts) {
        assert!(line.contains(part), "{line}, not {part}");
    }
    assert!(run.out.contains("a virtual machine (Amazon EC2 c7a.large)"), "{}", run.out);
    let budget = "\nBudget:\n  {cycles:u,instructions:u}: counted: all the time\n  page-faults: \
                  counted: all the time\n  cache-references:u: multiplexed: ";
    assert!(run.out.contains(budget), "{}", run.out);

    // The same for programs.
    let run = doctor(&machine, ZEN4, &scenario, &[&arguments[..], &["--json"]].concat());
    let objects = objects(&run);
    assert_eq!(run.code, Some(1));
    let of_kind = |kind: &str| -> Vec<&Value> {
        objects.iter().filter(|object| object["kind"] == kind).collect()
    };
    let verdicts: Vec<&Value> = of_kind("event").iter().map(|event| &event["verdict"]).collect();
    assert_eq!(verdicts, ["zero", "refused", "alive"]);
    let zero = of_kind("event")[0];
    assert_eq!((&zero["count"], &zero["expected"][0]), (&Value::from(0), &Value::from(2500)));
    let [counters] = of_kind("counters")[..] else { panic!("{}", run.out) };
    assert_eq!((&counters["free"], &counters["total"]), (&Value::from(2), &Value::from(6)));
    let fates: Vec<&Value> = of_kind("item").iter().map(|item| &item["fate"]).collect();
    let expected = ["counted", "counted", "multiplexed"].map(Value::from);
    assert_eq!(fates[..3].iter().copied().cloned().collect::<Vec<_>>(), expected);
    assert!(fates[3].is_null());
    let finding = |object: &&&Value| object["finding"] == true;
    let found: Vec<&Value> =
        of_kind("fact").iter().filter(finding).map(|fact| &fact["subject"]).collect();
    assert_eq!(found, ["counters"]);
}

/// Without arguments, all generic events are checked, each once.
#[test]
fn all_generic_events() {
    let machine = Machine::of(SYSFS);
    let run = doctor(&machine, "none", SCENARIO, &["--json"]);
    let objects = objects(&run);
    let events = objects.iter().filter(|object| object["kind"] == "event");
    let names: Vec<&str> = events.filter_map(|event| event["event"].as_str()).collect();
    for name in ["instructions:u", "L1-dcache-load-misses:u", "page-faults", "context-switches"] {
        let number = names.iter().filter(|one| **one == name).count();
        assert_eq!(number, 1, "{name}: {names:?}");
    }
}

/// A machine that is not at hand is described, and nothing is opened: its budget follows from
/// the tables.
#[test]
fn a_machine_that_is_not_at_hand() {
    let seven = "ex_ret_instr,ex_ret_ops,ex_ret_brn,ex_ret_brn_misp,ls_not_halted_cyc,\
                 ls_dispatch.ld_dispatch,ex_div_count";
    let machine = Machine::of(SYSFS);
    let proc = machine.root().join("proc");
    for arguments in [["--cpuid", ZEN4], ["--model", "amdzen4"]] {
        let mut command = command();
        command.arg("doctor").args(arguments).args(["--json", "--budget", seven]);
        let run = finish(command.env("PROCFS_PATH", &proc));
        assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
        let objects = objects(&run);
        let fates: Vec<&Value> = objects
            .iter()
            .filter(|object| object["kind"] == "item")
            .map(|item| &item["fate"])
            .collect();
        assert_eq!(fates.len(), 7);
        assert!(fates[..6].iter().all(|fate| **fate == "counted"), "{}", run.out);
        assert_eq!(*fates[6], "multiplexed");
        assert!(objects.iter().all(|object| object["kind"] != "event"), "{}", run.out);
    }
    let mut command = command();
    command.args(["doctor", "cycles", "--sysfs"]).arg(machine.root());
    let run = finish(command.env("PROCFS_PATH", &proc));
    assert_eq!((run.code, run.out.contains("alive")), (Some(0), false), "{}{}", run.out, run.err);
}

/// The shares of slots have no counter of their own: they are read beside the slots.
#[test]
fn metrics_of_slots_have_room() {
    let mut command = command();
    let list = "tma_retiring,tma_memory_bound,common.ipc,common.llc_misses_per_kilo_instruction";
    command.args(["doctor", "--model", "sapphirerapids", "--json", "--budget", list]);
    let run = finish(&mut command);
    let objects = objects(&run);
    let items: Vec<&Value> = objects.iter().filter(|object| object["kind"] == "item").collect();
    assert_eq!(items.len(), 4, "{}{}", run.out, run.err);
    assert!(items.iter().all(|item| item["fate"] == "counted"), "{}", run.out);
}

/// A list that cannot be parsed is a usage error; an event that nobody has is a finding.
#[test]
fn lists_that_are_wrong() {
    let machine = Machine::of(SYSFS);
    let run = doctor(&machine, "none", SCENARIO, &["cycles:uu"]);
    let message = "pmu doctor: byte 8: duplicate modifier `u`\n  cycles:uu\n          ^\n";
    assert_eq!((run.code, run.err.as_str(), run.out.as_str()), (Some(2), message, ""));
    let run = doctor(&machine, "none", SCENARIO, &["cycles:u", "--budget", "cycles,{"]);
    assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{}", run.err);
    let run = doctor(&machine, "none", SCENARIO, &["cycels"]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    assert!(wrong(&run)[0].contains("did you mean `cycles`?"), "{}", run.out);
}

/// A filter that forbids the system call is found out once, and refuses all events in one line.
#[test]
fn a_sandbox() {
    let says = "a sandbox, such as a container's seccomp profile, forbids perf_event_open";
    let denied = |errno: i32, arguments: &[&str]| {
        let mut command = command();
        command.arg("doctor").args(arguments);
        deny::deny(&mut command, errno);
        finish(&mut command)
    };
    for (arguments, names) in [
        (&[][..], "cpu-clock, task-clock, page-faults, context-switches"),
        (&["task-clock,page-faults:u"], "refused     task-clock, page-faults:u: not permitted: "),
    ] {
        let run = denied(libc::EPERM, arguments);
        assert_eq!((run.code, run.err.as_str()), (Some(1), ""), "{}", run.out);
        let told: Vec<&str> = wrong(&run).into_iter().filter(|line| line.contains(says)).collect();
        let [fact, events] = told[..] else { panic!("{}", run.out) };
        assert!(fact.starts_with("! a sandbox") && fact.contains("CAP_PERFMON"), "{fact}");
        assert!(events.contains(names), "{events}");
        assert_eq!(run.out.matches("seccomp").count(), 2, "{}", run.out);
    }
    let objects = objects(&denied(libc::EPERM, &["--json", "page-faults"]));
    let found: Vec<&Value> = objects.iter().filter(|one| one["subject"] == "seccomp").collect();
    assert!(matches!(found[..], [one] if one["finding"] == true), "{objects:?}");
    // A kernel without the system call is no sandbox.
    let run = denied(libc::ENOSYS, &["page-faults"]);
    assert!(!wrong(&run).iter().any(|line| line.contains("forbids")), "{}", run.out);
}
