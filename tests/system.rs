//! A machine as one value: each event of a list has its own answer, what is
//! opened is owned, and nothing is read below another root than the given ones.

use std::error::Error as _;

#[cfg(target_os = "linux")]
use pmu_events::event_list::Tool;
use pmu_events::expr::Machine as _;
use pmu_events::measure::Plan;
#[cfg(target_os = "linux")]
use pmu_events::open::{self, Counters, Options};
use pmu_events::resolve::{ErrorKind, Resolution, Resolved};
use pmu_events::{Model, Scope, System};

#[allow(dead_code)]
mod machines;
#[allow(dead_code)]
#[cfg(target_os = "linux")]
#[path = "common/rights.rs"]
mod rights;
mod x86 {
    pmu_events::pmu_events!("arch/x86", models = ["amdzen4", "alderlake"], text = none);
}

use machines::Machine;

const ZEN4: &str = "AuthenticAMD-25-61-2";
const ALDER_LAKE: &str = "GenuineIntel-6-97-2";

/// A virtual machine: without a core PMU.
fn virtual_machine() -> Machine {
    Machine::of("software/type\t1\nmsr/type\t9\nmsr/format/event\tconfig:0-63")
}

/// All answers in order: what opens, as name and PMU; what does not, as name and
/// reason.
fn answers(all: &Resolution) -> Vec<String> {
    all.answers()
        .map(|answer| match answer {
            Ok(one) => match one.pmu() {
                Some(pmu) => format!("{} on {}", one.name(), pmu.name()),
                None => one.name().into(),
            },
            Err(missing) => format!("{}: {:?}", missing.name(), missing.error().kind()),
        })
        .collect()
}

#[test]
fn each_event_has_its_own_answer() {
    let vm = virtual_machine();
    let hybrid = Machine::named("alderlake");
    let cases: &[(&Machine, &str, &str, &[&str])] = &[
        (
            &vm,
            ZEN4,
            "ex_ret_instr,task-clock",
            &["ex_ret_instr: NoCorePmu", "task-clock on software"],
        ),
        (
            &vm,
            ZEN4,
            "task-clock,ex_ret_instr,faults,l1d,r1a8",
            &[
                "task-clock on software",
                "ex_ret_instr: NoCorePmu",
                "faults on software",
                "l1d: NoCorePmu",
                "r1a8",
            ],
        ),
        // A slip is an answer, too.
        (
            &vm,
            ZEN4,
            "ex_ret_intsr,msr/tsk=1/,faults",
            &["ex_ret_intsr: UnknownEvent", "msr/tsk=1/: UnknownTerm", "faults on software"],
        ),
        // The rest of a group is counted; without its leader there is none.
        (
            &vm,
            ZEN4,
            "{faults,ex_ret_instr,cs}",
            &["faults on software", "ex_ret_instr: NoCorePmu", "cs on software"],
        ),
        (
            &vm,
            ZEN4,
            "{ex_ret_instr,faults},cs",
            &["ex_ret_instr: NoCorePmu", "faults: NoCorePmu", "cs on software"],
        ),
        // Each kind of cores has its own events.
        (
            &hybrid,
            ALDER_LAKE,
            "topdown_be_bound.all,cpu_core/topdown_be_bound.all/,cpu_core/event=1/",
            &[
                "topdown_be_bound.all on cpu_atom",
                "cpu_core/topdown_be_bound.all/: OtherPmu",
                "cpu_core/event=1/ on cpu_core",
            ],
        ),
    ];
    for &(machine, cpuid, text, expected) in cases {
        let system = machine.with_model(x86::model(cpuid));
        let all = system.resolve(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(answers(&all), expected, "{text}");
        assert_eq!(all.groups().map(<[_]>::len).sum::<usize>(), all.events().len(), "{text}");
        // The strict form refuses for the first reason.
        let first = all.missing()[0].error();
        assert_eq!(&system.require(text).unwrap_err(), first, "{text}");
        assert!(text.get(first.span()).is_some_and(|part| !part.is_empty()), "{text}");
    }
    // What is no list is refused by both.
    let system = vm.with_model(x86::model(ZEN4));
    for text in ["faults,{cs", "cycles:x", "msr/tsc"] {
        let error = system.resolve(text).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Syntax), "{text}: {error}");
        assert_eq!(system.require(text).unwrap_err(), error, "{text}");
    }
}

/// Nobody is asked whether they meant what they wrote, in whatever case.
#[test]
fn no_suggestion_is_what_was_written() {
    let machines = [virtual_machine(), Machine::named("alderlake")];
    for machine in &machines {
        for cpuid in [ZEN4, ALDER_LAKE] {
            let model = x86::model(cpuid).expect("the tree has it");
            let system = machine.with_model(Some(model));
            for event in model.events().step_by(7) {
                for name in [event.name().to_string(), event.name().to_uppercase()] {
                    for text in [name.clone(), format!("{name}/cmask=1/"), format!("msr/{name}/")] {
                        let all = system.resolve(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
                        for missing in all.missing() {
                            let suggestion = missing.error().suggestion().unwrap_or_default();
                            let is_same = suggestion.eq_ignore_ascii_case(&name);
                            assert!(!is_same, "{text}: {}", missing.error());
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn results_can_be_kept_and_sent() {
    fn is_owned<T: Send + 'static>() {}
    is_owned::<System>();
    is_owned::<Resolution>();
    is_owned::<Resolved>();
    is_owned::<Plan>();
    #[cfg(target_os = "linux")]
    {
        is_owned::<pmu_events::open::Counters>();
        is_owned::<pmu_events::open::Reading>();
    }
    // It outlives its text and its system.
    let all = {
        let text = String::from("cycles/name=mine/,faults");
        System::at("/nonexistent").without_tables().resolve(&text).expect("it resolves")
    };
    assert_eq!(all[0].name(), "mine");
}

/// CPUs, packages and times are those of the given roots.
#[test]
fn nothing_is_read_elsewhere() {
    let machine = Machine::of(
        "/devices/system/cpu/online\t900-903\n\
         /devices/system/cpu/present\t900-904\n\
         /devices/system/cpu/cpu900/topology/core_cpus_list\t900-901\n\
         /devices/system/cpu/cpu901/topology/core_cpus_list\t900-901\n\
         /devices/system/cpu/cpu902/topology/core_cpus_list\t902-903\n\
         /devices/system/cpu/cpu903/topology/core_cpus_list\t902-903\n\
         /proc/77/task/77/comm\tone\n\
         /proc/77/task/79/comm\ttwo\n\
         /proc/sys/kernel/nmi_watchdog\t1",
    );
    let system = machine.system().with_proc(machine.root().join("proc"));
    let system = system.with_cpuid("GenuineIntel-6-8F-8");
    let formulas = system.machine(&Scope::Cpus("900-901".parse().expect("a list")));
    let known = [
        (Tool::NumCpus, 905.0),
        (Tool::NumCpusOnline, 4.0),
        (Tool::NumCores, 2.0),
        (Tool::SmtOn, 1.0),
        (Tool::CoreWide, 1.0),
        (Tool::TargetCpu, 1.0),
    ];
    for (literal, expected) in known {
        assert_eq!(formulas.literal(literal), expected, "{literal:?}");
    }
    // What the running machine may know, this one does not.
    assert!(formulas.literal(Tool::NumDies).is_nan());
    assert!(formulas.literal(Tool::SystemTscFreq).is_nan());
    for (cpuid, holds_a_counter) in
        [("GenuineIntel-6-8F-8", true), ("0x00000000410fd0c0", true), ("0x004e1202", false)]
    {
        // POWER's is a timer.
        let found = system.clone().with_cpuid(cpuid).has_nmi_watchdog();
        assert_eq!(found, holds_a_counter, "{cpuid}");
    }
    assert_eq!(system.threads_of(77).expect("it is there"), [77, 79]);
    let gone = system.threads_of(std::process::id()).unwrap_err();
    assert!(gone.is_gone() && gone.source().is_some(), "{gone}");
    // What is there and no process is something else.
    machine.write("/proc/78/task", "nothing to list\n");
    let odd = system.threads_of(78).unwrap_err();
    assert!(!odd.is_gone() && odd.source().is_some(), "{odd}");
    assert_eq!(odd.to_string(), "the threads of process 78 cannot be listed");
}

/// The rate of the time-stamp counter is that of the machine that procfs describes.
#[test]
fn rates_of_another_machine() {
    let of = |cpuinfo: &str| {
        let machine = Machine::empty();
        machine.write("/proc/cpuinfo", cpuinfo);
        let system = machine.system().with_proc(machine.root().join("proc"));
        system.machine(&Scope::ThisThread).literal(Tool::SystemTscFreq)
    };
    let model = "model name\t: Intel(R) Xeon(R) CPU @ 3.30GHz\n";
    assert_eq!(of(&format!("vendor_id\t: GenuineIntel\n{model}")), 3.3e9);
    assert!(of(&format!("vendor_id\t: AuthenticAMD\n{model}")).is_nan());
    assert!(of(model).is_nan());
}

/// A tree of one's own, and a CPU that is not here.
#[test]
fn tables_of_a_tree() {
    let name = |system: &System| system.model().map(|model: Model| model.name());
    let machine = virtual_machine();
    let system = machine.system().with_tree(&x86::TREE);
    assert_eq!(name(&system.clone().with_cpuid(ZEN4)), Ok("amdzen4"));
    let unknown = system.with_cpuid("GenuineIntel-6-1-1");
    assert!(unknown.cpuid().is_ok() && unknown.model().is_err());
    // What was found out before a change does not outlast it.
    assert_eq!(name(&unknown.clone().with_cpuid(ZEN4)), Ok("amdzen4"));
    let again = machine.system().with_tree(&x86::TREE).with_cpuid(ZEN4);
    assert_eq!(name(&again), Ok("amdzen4"));
    assert!(again.without_tables().model().is_err());
    let unknown = name(&unknown).unwrap_err();
    assert_eq!(unknown.to_string(), "no model is known for CPU `GenuineIntel-6-1-1`");
    let zen4 = System::builtin(ZEN4, x86::AMDZEN4);
    assert_eq!((name(&zen4), zen4.cpuid()), (Ok("amdzen4"), Ok(ZEN4)));
    assert_eq!(zen4.require("ex_ret_instr").expect("it has it")[0].words().config(), 0xc0);
}

#[cfg(target_os = "linux")]
mod counted {
    use super::*;
    use pmu_events::open::{Counters, ErrorKind, Options, Outcome};
    use rights::{Rights, rights};

    /// What no counter counts needs no right, and what is missing says why.
    #[test]
    fn a_reading_has_all_events() {
        let system = virtual_machine().with_model(x86::model(ZEN4));
        let mut counters = system.open("duration_time,ex_ret_instr,user_time,l1d,typo").unwrap();
        counters.enable().unwrap();
        counters.disable().unwrap();
        let found: Vec<(String, Option<ErrorKind>)> = counters
            .read()
            .into_iter()
            .map(|event| (event.name().into(), event.value().err().map(|why| why.kind())))
            .collect();
        let no_pmu = Some(ErrorKind::NoHardwarePmu);
        let expected = [
            ("duration_time", None),
            ("ex_ret_instr", no_pmu),
            ("user_time", None),
            ("l1d", no_pmu),
            ("typo", Some(ErrorKind::Unresolved)),
        ];
        assert_eq!(found, expected.map(|(name, why)| (name.to_string(), why)));
        let why = counters.read().events()[1].value().unwrap_err().to_string();
        assert_eq!(why, "event `ex_ret_instr` is of a core PMU, which this machine does not have");
    }

    /// The times of CPUs, from the given `/proc`; and back to 0.
    #[test]
    fn times_of_another_proc() {
        let machine = virtual_machine();
        // SAFETY: it asks for a number.
        let a_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) } as u64;
        let write = |user: u64, system: u64| {
            let (user, system) = (user * a_second, system * a_second);
            machine.write("/proc/stat", format!("cpu  {user} 0 {system} 9 9 0 0 0\n"));
        };
        let system = machine.system().with_proc(machine.root().join("proc"));
        write(10, 5);
        let options = Options::new().with_scope(Scope::AllCpus);
        let mut counters = system.open_with("user_time,system_time", &options).unwrap();
        let seconds = |counters: &Counters| {
            let reading = counters.read();
            let events = reading.events();
            [0, 1].map(|n| events[n].outcome().total().map(|total| total.value() / 1_000_000_000))
        };
        assert_eq!(seconds(&counters), [None; 2]);
        counters.enable().unwrap();
        write(13, 6);
        assert_eq!(seconds(&counters), [Some(3), Some(1)]);
        // It stays on.
        counters.reset();
        write(15, 6);
        assert_eq!(seconds(&counters), [Some(2), Some(0)]);
        counters.disable().unwrap();
        write(20, 20);
        assert_eq!(seconds(&counters), [Some(2), Some(0)]);
        counters.reset();
        assert_eq!(seconds(&counters), [Some(0); 2]);
        // What was missed is forgotten with the rest.
        counters.enable().unwrap();
        machine.write("/proc/stat", "nothing\n");
        counters.disable().unwrap();
        assert_eq!(counters.read().events()[0].outcome(), Outcome::Failed);
        counters.reset();
        assert_eq!(seconds(&counters), [Some(0); 2]);
    }

    /// A program's own struct, which outlives all that it was made of.
    struct Profiler {
        counters: Counters,
    }

    #[test]
    fn counters_live_in_a_struct() {
        let opened = System::at("/nonexistent").without_tables().open("{task-clock,faults}:u");
        if rights() == Rights::Nothing && !rights::has_no_counters() {
            return assert_eq!(opened.unwrap_err().kind(), ErrorKind::NotPermitted);
        }
        let mut profiler = Profiler { counters: opened.expect("they can be opened") };
        profiler.counters.enable().unwrap();
        let spin = || (0..2_000_000_u64).fold(1, |sum, n| std::hint::black_box(sum ^ n));
        spin();
        profiler.counters.disable().unwrap();
        // Any thread reads what this one has spent.
        let read = move || {
            let reading = profiler.counters.read();
            (profiler, reading)
        };
        let (mut profiler, reading) = std::thread::spawn(read).join().unwrap();
        let value = |reading: &pmu_events::open::Reading| reading.events()[0].value().ok();
        if rights::has_no_counters() {
            return assert_eq!(value(&reading), None);
        }
        let spent = value(&reading).expect("it was counted");
        assert!(spent > 0.0, "{reading:?}");
        profiler.counters.reset();
        assert_eq!(value(&profiler.counters.read()), Some(0.0));
        profiler.counters.enable().unwrap();
        spin();
        assert!(value(&profiler.counters.read()) > Some(0.0));
    }
}

/// A machine of two packages and ten CPUs, of which 8 and 9 are offline.
fn servers() -> Machine {
    let mut text = String::from(
        "/devices/system/cpu/present\t0-9\n/devices/system/cpu/online\t0-7\n\
         /devices/system/cpu/smt/active\t1\n/firmware/acpi/tables/NFIT\tx\nsoftware/type\t1\n\
         cpu/type\t4\ncpu/caps/slots\t0x8\ncpu/format/event\tconfig:0-7",
    );
    for cpu in 0..8 {
        let [core, package] = [cpu / 2 * 2, cpu / 4 * 4];
        for (file, first, last) in [
            ("core_cpus_list", core, core + 1),
            ("die_cpus_list", core, core + 1),
            ("package_cpus_list", package, package + 3),
        ] {
            let path = format!("/devices/system/cpu/cpu{cpu}/topology/{file}");
            text.push_str(&format!("\n{path}\t{first}-{last}"));
        }
    }
    Machine::of(&text)
}

/// The core, die and package of a CPU come from the machine's own sysfs, each when it is
/// asked for.
#[test]
fn places_of_cpus() {
    let machine = Machine::of(
        "/devices/system/cpu/cpu0/topology/physical_package_id\t3\n\
         /devices/system/cpu/cpu0/topology/die_id\t1\n\
         /devices/system/cpu/cpu0/topology/core_id\t5\n\
         /devices/system/cpu/cpu1/topology/physical_package_id\t-1\n\
         /devices/system/cpu/cpu1/topology/core_id\t0x1\n\
         /devices/system/cpu/cpu2/topology/die_id\t\n\
         /devices/system/cpu/cpu2/topology/core_id\t99999999999",
    );
    type Answer<T> = Result<T, &'static str>;
    // The number of the CPU; package, die and core.
    type Case = (u32, Answer<i32>, Answer<Option<i32>>, Answer<i32>);
    let cases: &[Case] = &[
        (0, Ok(3), Ok(Some(1)), Ok(5)),
        (1, Ok(-1), Ok(None), Err("core_id: invalid number `0x1`")),
        (
            2,
            Err("physical_package_id: does not exist"),
            Err("die_id: invalid number ``"),
            Err("core_id: invalid number `99999999999`"),
        ),
        (9, Err("physical_package_id: does not exist"), Ok(None), Err("core_id: does not exist")),
    ];
    let system = machine.system();
    for &(number, package, die, core) in cases {
        let cpu = system.cpu(number);
        let directory = machine.root().join(format!("devices/system/cpu/cpu{number}/topology"));
        let why = |problem: &dyn std::fmt::Display| {
            problem.to_string().replacen(&format!("{}/", directory.display()), "", 1)
        };
        assert_eq!(cpu.number(), number);
        assert_eq!(cpu.package().map_err(|error| why(&error)), package.map_err(String::from));
        assert_eq!(cpu.die().map_err(|error| why(&error)), die.map_err(String::from));
        assert_eq!(cpu.core().map_err(|error| why(&error)), core.map_err(String::from));
    }
}

/// Values of the machine are events, by the names that perf has since Linux 6.13.
#[test]
#[cfg(target_os = "linux")]
fn tool_events() {
    let machine = servers();
    let system = machine.system().with_proc(machine.root());
    let tasks = Options::new();
    let cpus = Options::new().with_scope(Scope::Cpus("0-2".parse().unwrap()));
    let all_cpus = Options::new().with_scope(Scope::AllCpus);
    let cases: &[(&str, &Options, Option<f64>)] = &[
        ("num_cpus", &tasks, Some(10.0)),
        ("NUM_CPUS", &tasks, Some(10.0)),
        ("num_cpus:u", &tasks, Some(10.0)),
        ("tool/num_cpus/", &tasks, Some(10.0)),
        ("tool/Num_Cpus,name=cpus/k", &all_cpus, Some(10.0)),
        ("num_cpus/name=cpus/", &tasks, Some(10.0)),
        ("num_cpus_online", &tasks, Some(8.0)),
        ("num_cores", &tasks, Some(4.0)),
        ("num_dies", &tasks, Some(4.0)),
        ("num_packages", &tasks, Some(2.0)),
        ("has_pmem", &tasks, Some(1.0)),
        ("smt_on", &tasks, Some(1.0)),
        ("slots", &tasks, Some(8.0)),
        ("core_wide", &tasks, Some(0.0)),
        ("core_wide", &cpus, Some(0.0)),
        ("core_wide", &all_cpus, Some(1.0)),
        ("target_cpu", &tasks, Some(0.0)),
        ("target_cpu", &cpus, Some(1.0)),
        // Without `cpuinfo`, nobody knows.
        ("system_tsc_freq", &tasks, None),
    ];
    for &(text, options, expected) in cases {
        let counters = system.open_with(text, options).unwrap();
        let reading = counters.read();
        assert_eq!(reading.events().len(), 1, "{text}");
        let event = &reading.events()[0];
        assert_eq!(event.value().ok(), expected, "{text}");
        let is_named = text.contains("name=");
        assert_eq!(event.name(), if is_named { "cpus" } else { text });
        // The second of two readings is not a difference.
        assert_eq!(event.since(event).value().ok(), expected, "{text}");
        if expected.is_none() {
            let why = "this machine does not tell the value of `system_tsc_freq`";
            assert_eq!(event.value().unwrap_err().to_string(), why);
        }
    }
    let time = system.require("tool/duration_time/").unwrap();
    assert_eq!((time[0].tool(), time[0].unit()), (Some(Tool::DurationTime), "s"));
    assert_eq!(time[0].perf_unit(), (1.0, "ns"));
    let all = system.require("tool/num_cpus,metric-id=m/").unwrap();
    assert_eq!(all[0].attributes().metric_id(), Some("m"));

    let faults: &[(&str, &str, &str)] = &[
        ("tool//", "tool//", "PMU `tool` needs an event, such as `tool/num_cpus/`"),
        ("tool/name=x/", "tool/name=x/", "PMU `tool` needs an event, such as `tool/num_cpus/`"),
        (
            "tool/num_cups/",
            "num_cups",
            "PMU `tool` has no event `num_cups`; did you mean `num_cpus`?",
        ),
        (
            "tool/num_cpus,num_dies/",
            "num_dies",
            "two events between one pair of slashes: a counter has one",
        ),
        (
            "tool/num_cpus,config=3/",
            "config=3",
            "term `config` is not allowed on a tool event: it is not counted by a PMU",
        ),
        (
            "tool/num_cpus,cpu=0/",
            "cpu=0",
            "term `cpu` is not allowed on a tool event: it is not counted by a PMU",
        ),
        (
            "num_cpus/umask=1/",
            "umask=1",
            "term `umask` is not allowed on a tool event: it is not counted by a PMU",
        ),
        ("num_cpu", "num_cpu", "no PMU has an event `num_cpu`; did you mean `num_cpus`?"),
    ];
    for &(text, wrong, why) in faults {
        let error = system.require(text).unwrap_err();
        assert_eq!(error.to_string(), why, "{text}");
        assert_eq!(&text[error.span()], wrong, "{text}");
    }
    // A PMU's own event of the name goes first, and so does a PMU named `tool`.
    machine.write("cpu/events/slots", "event=0x9\n");
    machine.write("tool/type", "40\n");
    machine.write("tool/format/num_cpus", "config:0\n");
    let all = machine.system().require("slots,tool/num_cpus/").unwrap();
    assert_eq!((all[0].tool(), all[0].words().config()), (None, 9));
    assert_eq!((all[1].tool(), all[1].type_()), (None, 40));
}

/// What a file does not tell is an error of the event, and no other number.
#[test]
#[cfg(target_os = "linux")]
fn odd_files_of_tool_events() {
    let cpu = "/devices/system/cpu";
    let cases: &[(&str, &str, &str)] = &[
        ("present", "0-x", "num_cpus"),
        ("present", "", "num_cpus"),
        ("online", "all", "num_cpus_online"),
        ("cpu3/topology/core_cpus_list", "?", "num_cores"),
        ("cpu3/topology/die_cpus_list", "", "num_dies"),
        ("cpu3/topology/package_cpus_list", "-1", "num_packages"),
    ];
    for &(file, text, event) in cases {
        let machine = servers();
        machine.write(&format!("{cpu}/{file}"), text);
        let system = machine.system().with_proc(machine.root());
        let reading = system.open(&format!("{event},has_pmem")).unwrap().read();
        let values: Vec<_> = reading.events().iter().map(|event| event.value().ok()).collect();
        assert_eq!(values, [None, Some(1.0)], "{file} {text:?}");
        let error = reading.events()[0].value().unwrap_err();
        let why = format!("this machine does not tell the value of `{event}`");
        assert_eq!(error.to_string(), why);
    }
}

/// Sensors of three devices, of which two have the same name.
fn sensors() -> Machine {
    Machine::of(
        "software/type\t1\ncpu/type\t4\ncpu/format/event\tconfig:0-7\n\
         /class/hwmon/hwmon0/name\tcoretemp\n\
         /class/hwmon/hwmon0/temp1_input\t45000\n\
         /class/hwmon/hwmon0/temp1_label\tPackage id 0\n\
         /class/hwmon/hwmon0/temp1_max\t100000\n\
         /class/hwmon/hwmon0/temp2_input\t43500\n\
         /class/hwmon/hwmon0/temp2_label\tCore 0\n\
         /class/hwmon/hwmon0/temp3_label\tno value\n\
         /class/hwmon/hwmon0/fan1_max\t7\n\
         /class/hwmon/hwmon0/input\t1\n\
         /class/hwmon/hwmon0/heat1_input\t1\n\
         /class/hwmon/hwmon0/temp_input\t1\n\
         /class/hwmon/hwmon3/name\tpower meter/X\n\
         /class/hwmon/hwmon3/power1_input\t12500000\n\
         /class/hwmon/hwmon3/energy2_input\t3000000\n\
         /class/hwmon/hwmon3/in0_input\t1100\n\
         /class/hwmon/hwmon3/curr1_input\t2500\n\
         /class/hwmon/hwmon3/fan1_input\t1200\n\
         /class/hwmon/hwmon3/humidity1_input\t40000\n\
         /class/hwmon/hwmon3/intrusion0_input\t0\n\
         /class/hwmon/hwmon3/temp1_input\t20000\n\
         /class/hwmon/hwmon11/name\tcoretemp\n\
         /class/hwmon/hwmon11/temp1_input\t50000\n\
         /class/hwmon/other/name\tx",
    )
}

/// Devices of `class/hwmon` are PMUs, and their sensors are events that are read.
#[test]
#[cfg(target_os = "linux")]
fn events_of_sensors() {
    let machine = sensors();
    let system = machine.system();
    // Name of the PMU, type, config, value and unit of each instance.
    type Sensor<'a> = (&'a str, u32, u64, f64, &'a str);
    let package = ("hwmon_coretemp", 0xffff_0000, 0xa_0001, 45.0, "'C");
    let cases: &[(&str, &[Sensor<'_>])] = &[
        ("hwmon_coretemp/temp1/", &[package]),
        ("hwmon0/temp1/", &[package]),
        ("hwmon0/TEMP1/", &[package]),
        ("hwmon0/temp_package_id_0,name=t/", &[package]),
        ("temp_package_id_0:u", &[package]),
        ("temp_core_0", &[("hwmon_coretemp", 0xffff_0000, 0xa_0002, 43.5, "'C")]),
        ("hwmon11/temp1/", &[("hwmon_coretemp", 0xffff_000b, 0xa_0001, 50.0, "'C")]),
        (
            "hwmon_power_meter_x/power1/",
            &[("hwmon_power_meter_x", 0xffff_0003, 0x8_0001, 12.5, "W")],
        ),
        ("energy2", &[("hwmon_power_meter_x", 0xffff_0003, 0x3_0002, 3.0, "J")]),
        ("in0", &[("hwmon_power_meter_x", 0xffff_0003, 0x6_0000, 1.1, "V")]),
        ("curr1", &[("hwmon_power_meter_x", 0xffff_0003, 0x2_0001, 2.5, "A")]),
        ("fan1", &[("hwmon_power_meter_x", 0xffff_0003, 0x4_0001, 1200.0, "rpm")]),
        ("humidity1", &[("hwmon_power_meter_x", 0xffff_0003, 0x5_0001, 40.0, "%")]),
        ("intrusion0", &[("hwmon_power_meter_x", 0xffff_0003, 0x7_0000, 0.0, "")]),
        (
            "temp1",
            &[
                package,
                ("hwmon_coretemp", 0xffff_000b, 0xa_0001, 50.0, "'C"),
                ("hwmon_power_meter_x", 0xffff_0003, 0xa_0001, 20.0, "'C"),
            ],
        ),
    ];
    for &(text, expected) in cases {
        let all = system.require(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let reading = Counters::open(&all, &Options::new()).unwrap().read();
        let found: Vec<Sensor<'_>> = all
            .events()
            .iter()
            .zip(reading.events())
            .map(|(one, read)| {
                assert!(one.is_without_counter() && one.is_snapshot(), "{text}");
                assert_eq!(read.since(read).value().ok(), read.value().ok(), "{text}");
                let value = (read.value().unwrap() * 1e3).round() / 1e3;
                (one.pmu().unwrap().name(), one.type_(), one.words().config(), value, one.unit())
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    }
    // Each read is a new one; other events are counted as before.
    let counters = system.open("{hwmon0/temp1/,num_cpus},temp_core_0").unwrap();
    machine.write("/class/hwmon/hwmon0/temp1_input", "46000\n");
    assert_eq!(counters.read().events()[0].value().unwrap().round(), 46.0);
    let device = system.sysfs().pmu("hwmon0").unwrap();
    assert!(device.has_sensors() && !system.sysfs().pmu("cpu").unwrap().has_sensors());
    let names: Vec<&str> = device.event_names().collect();
    assert_eq!(names, ["temp1", "temp2", "temp_core_0", "temp_package_id_0"]);
    assert!(system.sysfs().problems().is_empty());

    for (text, why) in [
        ("temp3", "no PMU has an event `temp3`; did you mean `temp1`?"),
        ("hwmon0/temp9/", "unknown term `temp9` (PMU `hwmon_coretemp`); did you mean `temp1`?"),
        ("hwmon0/temp1,temp2/", "two events between one pair of slashes: a counter has one"),
        ("hwmon0/temp1,umask=1/", "unknown term `umask` (PMU `hwmon_coretemp`)"),
        ("hwmon_coretemp/config=1/", "PMU `hwmon_coretemp` has no sensor with config 0x1"),
        ("hwmon0/config=0xa0003/", "PMU `hwmon_coretemp` has no sensor with config 0xa0003"),
        ("hwmon7/temp1/", "there is neither a PMU nor an event `hwmon7`"),
    ] {
        let error = system.require(text).unwrap_err();
        assert_eq!(error.to_string(), why, "{text}");
    }
}

/// Values that are none are errors of the event, and odd devices hide no other.
#[test]
#[cfg(target_os = "linux")]
fn odd_sensors() {
    let value = "/class/hwmon/hwmon0/temp1_input";
    for (text, what) in [
        ("hot", "is not a number: `hot`"),
        ("", "is not a number: ``"),
        ("1.5", "is not a number: `1.5`"),
        ("-9223372036854775809", "is not a number: `-9223372036854775809`"),
        ("9223372036854775808", "is not a number: `9223372036854775808`"),
    ] {
        let machine = sensors();
        machine.write(value, text);
        let reading = machine.system().open("hwmon0/temp1/,temp_core_0").unwrap().read();
        let error = reading.events()[0].value().unwrap_err();
        assert_eq!(error.kind(), open::ErrorKind::Unreadable, "{error}");
        let path = machine.root().join("class/hwmon/hwmon0/temp1_input");
        assert!(error.to_string().contains(&format!("{}: {what}", path.display())), "{error}");
        assert_eq!(reading.events()[1].value().unwrap().round(), 44.0);
    }
    let machine = sensors();
    let system = machine.system();
    // Frost, alone and in a sum of several devices.
    let counters = system.open("hwmon0/temp1/,temp1").unwrap();
    for (text, alone, sum) in [("-5000", -5.0, 65.0), ("-80000", -80.0, -10.0), ("0", 0.0, 70.0)] {
        machine.write(value, text);
        let reading = counters.read();
        let all = open::Sum::of(&reading.events()[1..]).value().unwrap();
        assert_eq!(reading.events()[0].value().unwrap().round(), alone, "{text}");
        assert_eq!(all.round(), sum, "{text}");
    }
    let counters = system.open("hwmon0/temp1/").unwrap();
    std::fs::remove_file(machine.path(value)).unwrap();
    let reading = counters.read();
    assert_eq!(reading.events()[0].value().unwrap_err().kind(), open::ErrorKind::Unreadable);

    let machine = sensors();
    machine.write("/class/hwmon/hwmon0/temp1_label", b"\xff");
    machine.write("/class/hwmon/hwmon3/name", "\n");
    machine.write("/class/hwmon/hwmon11/name", b"\xff");
    machine.write("/class/hwmon/hwmon5/temp1_input", "1");
    machine.write("/class/hwmon/hwmon6", "a file");
    let system = machine.system();
    let names: Vec<&str> = system.sysfs().pmus().iter().map(|pmu| pmu.name()).collect();
    assert_eq!(names, ["cpu", "hwmon_coretemp", "software"]);
    assert!(
        system.require("hwmon0/temp1/").is_ok() && system.require("temp_package_id_0").is_err()
    );
    let problems = system.sysfs().problems();
    assert_eq!(problems.len(), 4, "{problems:?}");
}

/// A directory in place of `/proc` whose processes have files of graphics drivers: each
/// file with its process, its target and the lines of `fdinfo`.
#[cfg(target_os = "linux")]
fn clients(machine: &Machine, files: &[(u32, u32, &str, &str)]) {
    for &(process, fd, target, lines) in files {
        machine.write(&format!("/proc/{process}/fdinfo/{fd}"), lines);
        let link = machine.path(&format!("/proc/{process}/fd/{fd}"));
        std::fs::create_dir_all(link.parent().unwrap()).unwrap();
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(target, link).unwrap();
    }
}

#[cfg(target_os = "linux")]
const RENDER: &str = "/dev/dri/renderD128";

/// Two clients of one driver, one of which two processes share, and one of another.
#[cfg(target_os = "linux")]
fn graphics() -> Machine {
    let machine = Machine::of("software/type\t1");
    let first = "pos:\t0\ndrm-driver:\ti915\ndrm-pdev:\t0000:00:02.0\ndrm-client-id:\t7\n\
                 drm-engine-render:\t1000 ns\ndrm-engine-capacity-video:\t2\n\
                 drm-total-system0:\t3 MiB\ndrm-resident-system0:\t12 KiB\ndrm-shared-system0:\t0\n\
                 drm-other: 9\ndrm-engine-: 5\n";
    let second = "drm-driver: i915\ndrm-pdev: 0000:00:02.0\ndrm-client-id: 8\n\
                  drm-engine-render: 500 ns\ndrm-engine-copy: 4 ns\ndrm-total-system0: 1024 KiB\n";
    let third = "drm-driver: panfrost\ndrm-client-id: 7\ndrm-cycles-fragment: 77\n\
                 drm-total-cycles-gt: 99\ndrm-maxfreq-fragment: 800 MHz\n";
    clients(
        &machine,
        &[
            (40, 3, RENDER, first),
            // A duplicate, and one that another process inherited.
            (40, 4, RENDER, first),
            (41, 9, "/dev/dri/card0", first),
            (41, 10, RENDER, second),
            (42, 5, "/dev/dri/renderD129", third),
            (42, 6, "/dev/null", "drm-driver: fake\ndrm-engine-x: 5 ns\n"),
            (42, 7, RENDER, "pos: 0\nflags: 02\n"),
        ],
    );
    machine.write("/proc/self/fdinfo/1", "drm-driver: self\n");
    machine.write("/proc/43/status", "no files\n");
    machine
}

/// Drivers that processes use are PMUs, whose events are the sums over their clients.
#[test]
#[cfg(target_os = "linux")]
fn events_of_graphics() {
    let machine = graphics();
    let system = machine.system().with_proc(machine.root().join("proc"));
    let names: Vec<_> = system.drm_pmus().iter().map(|pmu| (pmu.name(), pmu.type_())).collect();
    assert_eq!(names, [("drm_i915", Some(0xfffe_0000)), ("drm_panfrost", Some(0xfffe_0001))]);
    let names: Vec<&str> = system.drm_pmus()[0].event_names().collect();
    assert_eq!(
        names,
        [
            "drm-engine-capacity-video",
            "drm-engine-copy",
            "drm-engine-render",
            "drm-resident-system0",
            "drm-shared-system0",
            "drm-total-system0",
        ]
    );
    let these = |threads: &[u32]| Options::new().with_scope(Scope::Threads(threads.to_vec()));
    let all = Options::new().with_scope(Scope::AllCpus);
    // What is in use now, and its unit.
    let cases: &[(&str, &Options, f64, &str)] = &[
        ("drm_i915/drm-total-system0/", &these(&[40]), 3145728.0, "bytes"),
        ("drm_i915/drm-total-system0/", &these(&[41]), 4194304.0, "bytes"),
        ("drm-total-system0", &these(&[40, 41]), 4194304.0, "bytes"),
        ("drm-total-system0", &all, 4194304.0, "bytes"),
        ("drm-resident-system0", &all, 12288.0, "bytes"),
        ("drm-shared-system0:u", &all, 0.0, "bytes"),
        ("drm-engine-capacity-video/name=c/", &these(&[40]), 2.0, "capacity"),
        ("drm_*/drm-maxfreq-fragment/", &all, 8e8, "Hz"),
        // No client of that driver: nothing is in use.
        ("drm-maxfreq-fragment", &these(&[40]), 0.0, "Hz"),
    ];
    for &(text, options, expected, unit) in cases {
        let counters = system.open_with(text, options).unwrap();
        let reading = counters.read();
        assert_eq!((reading.events().len(), reading.events()[0].unit()), (1, unit), "{text}");
        assert_eq!(reading.events()[0].value().ok(), Some(expected), "{text} {options:?}");
        let resolved = counters.events()[0].resolved().unwrap();
        assert!(
            resolved.is_without_counter()
                && resolved.is_snapshot()
                && resolved.pmu().unwrap().has_clients()
        );
    }
    // What grows is counted from the start.
    let mut counters = system
        .open_with("drm-engine-render,drm-cycles-fragment,drm-total-cycles-gt", &all)
        .unwrap();
    assert_eq!(counters.read().events()[0].outcome(), open::Outcome::NotCounted);
    counters.enable().unwrap();
    let render = |id: u32, time: u32| {
        format!(
            "drm-driver: i915\ndrm-pdev: 0000:00:02.0\ndrm-client-id: {id}\ndrm-engine-render: {time} ns\n"
        )
    };
    let value = |counters: &Counters| counters.read().events()[0].value().unwrap();
    assert_eq!(value(&counters), 0.0);
    clients(&machine, &[(41, 10, RENDER, &render(8, 600)), (44, 3, RENDER, &render(9, 30))]);
    assert_eq!(value(&counters), 130.0);
    counters.disable().unwrap();
    clients(&machine, &[(41, 10, RENDER, &render(8, 900))]);
    assert_eq!(value(&counters), 130.0);
    counters.enable().unwrap();
    clients(&machine, &[(41, 10, RENDER, &render(8, 907))]);
    assert_eq!(value(&counters), 137.0);
    counters.reset();
    assert_eq!(value(&counters), 0.0);
    // What it used until it ended is not known.
    std::fs::remove_file(machine.path("/proc/44/fd/3")).unwrap();
    let error = counters.read().events()[0].value().unwrap_err();
    assert!(error.to_string().contains("a client has ended"), "{error}");
    assert_eq!(counters.read().events()[2].value().ok(), Some(0.0));
}

/// A value that cannot be read is an error of its event.
#[test]
#[cfg(target_os = "linux")]
fn odd_graphics() {
    let all = Options::new().with_scope(Scope::AllCpus);
    for value in
        ["x", "", "-1 KiB", "5 GB", "5 ns", "1 KiB more", "18446744073709551615 KiB", "1.5 KiB"]
    {
        let machine = graphics();
        let lines = format!("drm-driver: i915\ndrm-client-id: 5\ndrm-total-system0: {value}\n");
        clients(&machine, &[(45, 3, RENDER, &lines)]);
        let system = machine.system().with_proc(machine.root().join("proc"));
        let reading =
            system.open_with("drm-total-system0,drm-resident-system0", &all).unwrap().read();
        let error = reading.events()[0].value().unwrap_err();
        assert_eq!(error.kind(), open::ErrorKind::Unreadable, "{value}");
        assert!(error.to_string().contains("which is no bytes"), "{error}");
        assert_eq!(reading.events()[1].value().ok(), Some(12288.0), "{value}");
    }
    let machine = graphics();
    let system = machine.system().with_proc(machine.root().join("proc"));
    let of = |process| Options::new().with_scope(Scope::Threads(vec![process]));
    let without_files = system.open_with("drm-total-system0", &of(43)).unwrap().read();
    let why = without_files.events()[0].value().unwrap_err();
    assert_eq!(why.kind(), open::ErrorKind::Unreadable);
    let gone = system.open_with("drm-total-system0", &of(99)).unwrap_err();
    assert_eq!(gone.kind(), open::ErrorKind::NoSuchTask);
    for (text, why) in [
        ("drm_i915/drm-engine-z/", "unknown term `drm-engine-z` (PMU `drm_i915`)"),
        ("drm_xe/drm-engine-render/", "there is neither a PMU nor an event `drm_xe`"),
        ("drm-engine-z", "no PMU has an event `drm-engine-z`"),
    ] {
        let error = system.require(text).unwrap_err();
        assert_eq!(error.message(), why);
    }
    // Without processes there are no drivers.
    let nobody = machine.system().with_proc("/nonexistent");
    assert!(nobody.drm_pmus().is_empty() && nobody.require("drm-engine-render").is_err());
}
