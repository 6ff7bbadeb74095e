//! Checks of machines whose faults are known: the report says what is true of each.
//!
//! Most are machines that others have met: guests of clouds, and hosts on which an agent holds
//! the counters.

use std::os::unix::fs::symlink;
use std::sync::LazyLock;

use pmu_events::System;
use pmu_events::check::{CheckedEvent, Fact, Report, Verdict};
use simulated_kernel::scenario::{Preloaded, Scenario};
use simulated_kernel::{Entered, Simulation};

use crate::laboratory::SELF;
use crate::machines::Machine;

/// What the loops of a check cause, on a machine that counts truly.
const TRUE: &str = "rate 0 config=0 user=20000\nrate 0 config=1 user=40000\nrate 0 config=2 user=400\n\
    rate 0 config=3 user=200\nrate 0 config=4 user=20000\nrate 0 config=5 user=500\n\
    rate 1 config=2 user=1\nrate 1 config=3 user=1\nrate 1 config=5 user=1\n\
    rate 3 config=0 user=400\nrate 3 config=0x10000 user=400\nrate 3 config=0x100 user=400\n\
    rate 3 config=2 user=400\nrate 3 config=0x10002 user=200\n\
    rate 3 config=3 user=400\nrate 3 config=0x103 user=400\n\
    rate 3 config=5 user=20000\nrate 3 config=0x10005 user=500\n";

/// One kind of core.
const CORES: &str = "/devices/system/cpu/online\t0-3\n/devices/system/cpu/present\t0-3\n\
    software/type\t1\ncpu/type\t4\ncpu/format/event\tconfig:0-7\ncpu/format/umask\tconfig:8-15";

/// The flag that every hypervisor sets.
const GUEST: (&str, &str) =
    ("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor lahf_lm\n");

const ZEN4: &str = "AuthenticAMD-25-61-2";
const SAPPHIRE_RAPIDS: &str = "GenuineIntel-6-8F-8";

struct Patient {
    machine: Machine,
    simulation: Simulation,
    _entered: Entered,
}

impl Patient {
    /// A machine with `cpu` lines before what truly happens; what comes later replaces it.
    fn new(sysfs: &str, hardware: &str, faults: &str) -> Self {
        // Each loop takes 50 microseconds, unless it goes elsewhere.
        let own = if faults.contains("own ") { "" } else { "own us=50\n" };
        let scenario = Scenario::parse(&format!("{hardware}\n{TRUE}{own}{faults}"));
        let preloaded = Preloaded::new(scenario.unwrap());
        let simulation = Simulation::new(preloaded.kernel());
        simulation.set_own(preloaded.own().unwrap());
        let machine = Machine::of(sysfs);
        machine.write("/proc/sys/kernel/perf_event_paranoid", "2\n");
        machine.write("/proc/self/status", "CapEff:\t0000000000000000\nSeccomp:\t0\n");
        simulation.set_sysfs(machine.root());
        let _entered = simulation.enter(SELF);
        Patient { machine, simulation, _entered }
    }

    fn with(self, (path, text): (&str, &str)) -> Self {
        self.machine.write(path, text);
        self
    }

    fn system(&self) -> System {
        self.machine.system().with_proc(self.machine.root().join("proc"))
    }

    fn of_cpu(&self, cpuid: &str) -> System {
        let tree = &pmu_events::arch::x86::TREE;
        self.system().with_tree(tree).with_cpuid(cpuid)
    }
}

fn event<'r>(report: &'r Report, name: &str) -> &'r CheckedEvent {
    let found = report.events().iter().find(|event| event.name() == name);
    found.unwrap_or_else(|| panic!("{name} was checked:\n{report}"))
}

fn verdicts(report: &Report) -> Vec<(&str, Verdict)> {
    report.events().iter().map(|event| (event.name(), event.verdict())).collect()
}

fn findings(report: &Report) -> Vec<&str> {
    report.facts().iter().filter(|fact| fact.is_finding()).map(Fact::subject).collect()
}

fn fact<'r>(report: &'r Report, subject: &str) -> String {
    let found: Option<&'r Fact> = report.facts().iter().find(|fact| fact.subject() == subject);
    found.unwrap_or_else(|| panic!("there is a fact of {subject}:\n{report}")).to_string()
}

/// Of a machine without faults, nothing is wrong: all generic events are checked.
#[test]
fn a_machine_that_counts_truly() {
    let patient = Patient::new(CORES, "cpus 4\npmu 4 core counters=6", "");
    let report = patient.system().check("").unwrap();
    assert!(report.is_healthy() && report.events().len() > 40, "{report}");
    for event in report.events() {
        let is_silent = event.name() == "dummy";
        let expected = if is_silent { Verdict::Silent } else { Verdict::Alive };
        assert_eq!(event.verdict(), expected, "{event}");
    }
    let instructions = event(&report, "instructions:u");
    assert_eq!(instructions.count(), Some(2_000_000));
    assert!(instructions.expected().unwrap().contains(&2_000_000));
    let [cores] = report.counters() else { panic!("{report}") };
    assert_eq!((cores.pmu(), cores.free(), cores.total()), ("cpu", Some(6), None));
    // Everything is closed, and the thread may run where it could.
    assert_eq!(patient.simulation.kernel().open_events(), 0);
}

/// A guest that resolves `cache-references` and counts 0, where the next event is refused as it
/// should be: the zero looks like a program that needs no cache.
#[test]
fn a_guest_whose_caches_count_nothing() {
    let faults = "rate 0 config=2 user=0\nrate 0 config=3 user=0\nrate 4 config=0x4f2e user=0\n\
                  refuse 3 config=2 errno=95\nrefuse 3 config=0x10002 errno=95\n";
    let patient = Patient::new(CORES, "cpus 4\npmu 4 core counters=9", faults).with(GUEST);
    let system = patient.of_cpu(SAPPHIRE_RAPIDS);
    let report = system.check("").unwrap();
    let references = event(&report, "cache-references:u");
    assert_eq!((references.verdict(), references.count()), (Verdict::Zero, Some(0)), "{report}");
    assert!(*references.expected().unwrap().start() > 1000);
    assert_eq!(event(&report, "LLC-loads:u").verdict(), Verdict::Refused);
    // A last cache of any size may hold what the loop touches: 0 proves nothing.
    assert_eq!(event(&report, "cache-misses:u").verdict(), Verdict::Silent);
    assert_eq!(event(&report, "instructions:u").verdict(), Verdict::Alive);
    assert!(!report.is_healthy());
    assert!(fact(&report, "hypervisor").contains("virtual machine"), "{report}");
    assert!(fact(&report, "pmu").contains("no PMU outside the cores"), "{report}");
    // The table's event of the same meaning is judged alike.
    let report = system.check("LONGEST_LAT_CACHE.REFERENCE").unwrap();
    assert_eq!(verdicts(&report), [("LONGEST_LAT_CACHE.REFERENCE", Verdict::Zero)], "{report}");
}

/// A guest whose counters run and hardly move: its host has none left.
#[test]
fn a_guest_that_counts_next_to_nothing() {
    let faults = "rate 0 config=1 user=8\n";
    let patient = Patient::new(CORES, "cpus 4\npmu 4 core counters=6", faults).with(GUEST);
    let report = patient.system().check("instructions:u,branches:u").unwrap();
    let expected = [("instructions:u", Verdict::Implausible), ("branches:u", Verdict::Alive)];
    assert_eq!(verdicts(&report), expected, "{report}");
    assert_eq!(event(&report, "instructions:u").count(), Some(400));
    assert!(report.to_string().contains("400, where a loop of 1,000,000 steps should give"));
}

/// An agent that pins more events than are good for others.
#[test]
fn counters_that_others_hold() {
    let held = |events: u32| {
        let lines: Vec<String> =
            (0..4).map(|cpu| format!("held 4 cpu={cpu} events={events}\n")).collect();
        Patient::new(CORES, "cpus 4\npmu 4 core counters=6", &lines.concat())
    };
    let patient = held(5).with(("/proc/777/comm", "agent\n"));
    std::fs::create_dir_all(patient.machine.path("/proc/777/fd")).unwrap();
    for file in ["3", "4", "5"] {
        let target = if file == "5" { "/dev/null" } else { "anon_inode:[perf_event]" };
        symlink(target, patient.machine.path(&format!("/proc/777/fd/{file}"))).unwrap();
    }
    let system = patient.of_cpu(ZEN4);
    let report = system.check("instructions:u,cache-references:u").unwrap();
    // Each alone finds the counter that is left, and is as true as ever.
    assert!(verdicts(&report).iter().all(|(_, verdict)| *verdict == Verdict::Alive), "{report}");
    let [cores] = report.counters() else { panic!("{report}") };
    assert_eq!((cores.free(), cores.total()), (Some(1), Some(6)));
    assert_eq!(findings(&report), ["counters"]);
    assert!(fact(&report, "holders").ends_with("777 (agent): 2"), "{report}");

    // Without a free counter, nothing is known of the event: it is not called broken.
    let patient = held(6);
    let report = patient.of_cpu(ZEN4).check("instructions:u").unwrap();
    assert_eq!(verdicts(&report), [("instructions:u", Verdict::Starved)], "{report}");
    assert_eq!(event(&report, "instructions:u").count(), None);
    assert!(fact(&report, "counters").contains("no counter is free"), "{report}");
    assert!(fact(&report, "holders").contains("no process that this user may see"), "{report}");
}

/// The watchdog's counter is accounted for: the others are all that is expected.
#[test]
fn the_watchdog_holds_a_counter() {
    let patient = Patient::new(CORES, "cpus 4\npmu 4 core counters=6", "taken 4 counters=1\n")
        .with(("/proc/sys/kernel/nmi_watchdog", "1\n"));
    let report = patient.of_cpu(ZEN4).check("instructions:u").unwrap();
    let [cores] = report.counters() else { panic!("{report}") };
    assert_eq!((cores.free(), cores.total()), (Some(5), Some(5)));
    assert!(report.is_healthy(), "{report}");
    assert!(fact(&report, "watchdog").contains("one general counter"), "{report}");
    let report = patient.of_cpu(SAPPHIRE_RAPIDS).describe();
    assert!(fact(&report, "watchdog").contains("the fixed counter of cycles"), "{report}");
}

/// What a kernel, or a sandbox, refuses.
#[test]
fn kernels_that_refuse() {
    let refused = |errno: i32| format!("refuse 0 errno={errno}\nrefuse 3 errno={errno}\n");
    let cases = [
        (libc::EACCES, "CAP_PERFMON"),
        (libc::EPERM, "seccomp"),
        (libc::EOPNOTSUPP, "does not count this event"),
    ];
    for (errno, part) in cases {
        let patient = Patient::new(CORES, "cpus 4\npmu 4 core counters=6", &refused(errno));
        let report = patient.system().check("instructions:u,page-faults").unwrap();
        let refused = event(&report, "instructions:u");
        assert_eq!((refused.verdict(), refused.count()), (Verdict::Refused, None), "{report}");
        assert!(refused.to_string().contains(part), "{refused}");
        assert_eq!(event(&report, "page-faults").verdict(), Verdict::Alive);
        assert_eq!((findings(&report), report.counters()[0].free()), (vec!["counters"], None));
    }
    // A setting that forbids all, and a container.
    let patient = Patient::new(CORES, "cpus 4\npmu 4 core counters=6", "")
        .with(("/proc/sys/kernel/perf_event_paranoid", "4\n"))
        .with(("/proc/self/status", "CapEff:\t0000000000000000\nSeccomp:\t2\n"));
    let report = patient.system().describe();
    assert_eq!(findings(&report), ["rights"]);
    assert!(fact(&report, "seccomp").contains("container"), "{report}");
}

/// A machine without a PMU, as most guests are.
#[test]
fn no_pmu_at_all() {
    let sysfs = "/devices/system/cpu/online\t0\nsoftware/type\t1";
    let patient = Patient::new(sysfs, "cpus 1", "").with(GUEST);
    let report = patient.system().check("").unwrap();
    assert_eq!(findings(&report), ["pmu"]);
    for event in report.events() {
        let is_software = !event.name().ends_with(":u");
        assert_eq!(event.verdict() != Verdict::Refused, is_software, "{event}");
    }
    assert!(report.counters().is_empty());
}

/// Counters that count downwards.
#[test]
fn counters_that_go_backwards() {
    let faults = "backwards 0 config=1\n";
    let patient = Patient::new(CORES, "cpus 4\npmu 4 core counters=6", faults);
    let report = patient.system().check("instructions:u,cycles:u").unwrap();
    let expected = [("instructions:u", Verdict::Implausible), ("cycles:u", Verdict::Alive)];
    assert_eq!(verdicts(&report), expected, "{report}");
    assert!(event(&report, "instructions:u").to_string().contains("went backwards"));
}

const HYBRID: &str = "/devices/system/cpu/online\t0-3\n/devices/system/cpu/present\t0-3\n\
    software/type\t1\ncpu_core/type\t4\ncpu_core/cpus\t0-1\ncpu_core/format/event\tconfig:0-7\n\
    cpu_atom/type\t10\ncpu_atom/cpus\t2-3\ncpu_atom/format/event\tconfig:0-7";
const KINDS: &str = "cpus 4\npmu 4 core counters=8 cpus=0-1\npmu 10 core counters=6 cpus=2-3";
/// Generic events name their PMU in the upper half.
const OF_KINDS: &str =
    "rate 0 config=0x400000001 user=40000\nrate 0 config=0xa00000001 user=40000\n";

/// Each kind of core is visited, and judged for itself.
#[test]
fn kinds_of_cores() {
    let faults = format!("{OF_KINDS}rate 0 config=0xa00000001 user=10\n");
    let patient = Patient::new(HYBRID, KINDS, &faults);
    let report = patient.system().check("instructions:u").unwrap();
    let expected = [
        ("cpu_atom/instructions/u", Verdict::Implausible),
        ("cpu_core/instructions/u", Verdict::Alive),
    ];
    assert_eq!(verdicts(&report), expected, "{report}");
    let free: Vec<_> = report.counters().iter().map(|pmu| (pmu.pmu(), pmu.free())).collect();
    assert_eq!(free, [("cpu_atom", Some(6)), ("cpu_core", Some(8))]);
    assert!(fact(&report, "cores").contains("`cpu_atom` (CPUs 2-3)"), "{report}");
    assert!(fact(&report, "user-reads").contains("another kind of core"), "{report}");
    assert_eq!(allowed_cpus(), 4, "the thread may run where it could before");
}

/// How many CPUs this thread may run on, as the simulated kernel says.
fn allowed_cpus() -> i32 {
    // SAFETY: the call writes a set of this size, for which zeros are values.
    unsafe {
        let mut cpus: libc::cpu_set_t = std::mem::zeroed();
        assert_eq!(libc::sched_getaffinity(0, size_of_val(&cpus), &mut cpus), 0);
        libc::CPU_COUNT(&cpus)
    }
}

/// A loop that leaves the cores of its kind is repeated, and judged only if it stays.
#[test]
fn loops_that_migrate() {
    // In the first loop, two fifths of the time on the other kind, wherever the thread should be.
    let once = format!("{OF_KINDS}own us=30\nown cpu=2 us=20\nown work=1 us=50\n");
    let patient = Patient::new(HYBRID, KINDS, &once);
    let report = patient.system().check("cpu_core/instructions/u").unwrap();
    assert!(report.is_healthy(), "{report}");

    let always = format!("{OF_KINDS}own us=30\nown cpu=2 us=20\n");
    let patient = Patient::new(HYBRID, KINDS, &always);
    let report = patient.system().check("instructions:u").unwrap();
    let core = event(&report, "cpu_core/instructions/u");
    assert_eq!(core.verdict(), Verdict::Starved, "{report}");
    assert!(core.to_string().contains("for 60 % of the loop"), "{core}");
    assert_eq!(event(&report, "cpu_atom/instructions/u").verdict(), Verdict::Alive, "{report}");
}

/// What becomes of the items of a list, in words.
fn fates(report: &Report, list: &str) -> Vec<&'static str> {
    let fate = |item: &pmu_events::check::Ranked| match (
        item.is_counted(),
        item.is_multiplexed(),
        item.is_starved(),
    ) {
        (true, false, false) => "counted",
        (false, true, false) => "multiplexed",
        (false, false, true) => "starved",
        _ => "neither",
    };
    report.budget(list).unwrap().iter().map(fate).collect()
}

/// A virtual PMU with two counters, without and with tables.
#[test]
fn a_budget_of_two_counters() {
    let patient = Patient::new(CORES, "cpus 4\npmu 4 core counters=2", "").with(GUEST);
    let list =
        "{cycles:u,instructions:u},page-faults,branches:u,{cycles:u,branches:u,branch-misses:u}";
    let system = patient.system();
    let report = system.check("instructions:u").unwrap();
    assert_eq!(report.counters()[0].free(), Some(2), "{report}");
    // The kernel, too, refuses the last group: it never fits.
    assert_eq!(fates(&report, list), ["counted", "counted", "multiplexed", "neither"]);
    let list = "branches:u,cycles:u,branches:u,no_such_event,instructions:u";
    let expected = ["counted", "counted", "counted", "neither", "multiplexed"];
    assert_eq!(fates(&report, list), expected);
    assert!(report.budget("cycles,{").is_err());
}

/// Where the tables state counters and constraints, these decide, less what others hold.
#[test]
fn budgets_by_tables() {
    let patient = Patient::new(CORES, "cpus 4\npmu 4 core counters=6", "");
    let system = patient.of_cpu(ZEN4);
    let seven = "ex_ret_instr,ex_ret_ops,ex_ret_brn,ex_ret_brn_misp,ls_not_halted_cyc,\
                 ls_dispatch.ld_dispatch,ex_div_count";
    let expected = [["counted"; 6].as_slice(), &["multiplexed"]].concat();
    // The same whether it is measured or only described.
    assert_eq!(fates(&system.check("instructions:u").unwrap(), seven), expected);
    assert_eq!(fates(&system.describe(), seven), expected);
    assert_eq!(fates(&system.describe(), &format!("{{{seven}}}")), ["starved"]);
    // A metric is counted in parts, if need be.
    let metric = "branch_misprediction_ratio";
    assert_eq!(fates(&system.describe(), metric), ["counted"]);
    let behind = format!("{seven},{metric}");
    assert_eq!(fates(&system.describe(), &behind).last(), Some(&"counted"), "its events are");
    let behind = format!("{},{metric}", seven.replace("ex_ret_brn_misp", "ex_div_busy"));
    assert_eq!(fates(&system.describe(), &behind).last(), Some(&"multiplexed"));

    let held = "held 4 cpu=0 events=4\n";
    let patient = Patient::new(CORES, "cpus 4\npmu 4 core counters=6", held);
    let report = patient.of_cpu(ZEN4).check("instructions:u").unwrap();
    let list = "ex_ret_instr,ex_ret_ops,ex_ret_brn,{ex_ret_instr,ex_ret_ops,ex_ret_brn}";
    // The kernel takes the group, and never counts it.
    assert_eq!(fates(&report, list), ["counted", "counted", "multiplexed", "starved"]);
}

/// PMUs outside the cores have counters of their own, which are as finite.
#[test]
fn budgets_of_each_pmu() {
    let sysfs = format!(
        "{CORES}\nuncore_imc_0/type\t20\nuncore_imc_0/cpumask\t0\nuncore_imc_0/format/event\tconfig:0-7\n\
         uncore_imc_1/type\t21\nuncore_imc_1/cpumask\t2\nuncore_imc_1/format/event\tconfig:0-7"
    );
    let hardware = "cpus 4\npmu 4 core counters=1\npmu 20 uncore counters=3 cpus=0\n\
                    pmu 21 uncore counters=3 cpus=2";
    let list =
        "cycles:u,instructions:u,uncore_imc/event=1/,uncore_imc/event=2/,uncore_imc/event=3/";
    let full = ["counted", "multiplexed", "counted", "counted", "counted"];
    for (held, last) in [("", "counted"), ("held 20 cpu=0 events=1\n", "multiplexed")] {
        let patient = Patient::new(&sysfs, hardware, held);
        let report = patient.system().check("cycles:u").unwrap();
        let expected = [&full[..4], &[last]].concat();
        assert_eq!(fates(&report, list), expected, "{held}{:?}", report.budget(list));
    }
}

/// The facts that need no counter.
#[test]
fn facts_of_machines() {
    static CASES: LazyLock<Vec<(&str, &str, &str, &str)>> = LazyLock::new(|| {
        vec![
            ("cpu/rdpmc", "1", "user-reads", "by rdpmc"),
            ("cpu/rdpmc", "0", "user-reads", "cannot be read"),
            ("/proc/sys/kernel/perf_user_access", "0", "user-reads", "perf_user_access is 0"),
            ("/proc/sys/kernel/perf_user_access", "1", "user-reads", "can be read"),
            ("/hypervisor/type", "xen", "hypervisor", "(xen)"),
            ("/module/kvm_intel/parameters/enable_mediated_pmu", "Y", "guests", "mediated"),
            ("/proc/sys/kernel/perf_event_paranoid", "-1", "rights", "everything"),
        ]
    });
    for (path, text, subject, part) in CASES.iter() {
        let machine = Machine::of(CORES);
        machine.write(path, format!("{text}\n"));
        let system = machine.system().with_proc(machine.root().join("proc"));
        let report = system.describe();
        assert!(fact(&report, subject).contains(part), "{path} {text}:\n{report}");
        assert!(report.events().is_empty() && report.counters().is_empty());
    }
    let machine = Machine::of(CORES);
    machine.write("/module/kvm_amd/parameters/enable_mediated_pmu", "N\n");
    let report = machine.system().with_proc(machine.root().join("proc")).describe();
    assert!(report.facts().iter().all(|fact| !["guests", "hypervisor"].contains(&fact.subject())));
}

/// Groups are taken apart, and their modifiers stay; wrong lists have their position.
#[test]
fn lists() {
    let patient = Patient::new(CORES, "cpus 4\npmu 4 core counters=6", "");
    let report = patient.system().check("{cycles,cpu/event=5/}:u,instructions:k,nothing").unwrap();
    let names: Vec<&str> = report.events().iter().map(CheckedEvent::name).collect();
    assert_eq!(names, ["cycles:u", "cpu/event=5/u", "instructions:k", "nothing"]);
    let error = patient.system().check("cycles,cycles:uu").unwrap_err();
    assert_eq!(error.span(), Some(15..16));
}
