//! A machine as one value: each event of a list has its own answer, what is
//! opened is owned, and nothing is read below another root than the given ones.

use pmu_events::expr::{Literal, Machine as _};
use pmu_events::measure::Plan;
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
        assert_eq!(all.groups().map(<[_]>::len).sum::<usize>(), all.len(), "{text}");
        // The strict form refuses for the first reason.
        let first = all.missing()[0].error();
        assert_eq!(&system.require(text).unwrap_err(), first, "{text}");
        assert!(text.get(first.span()).is_some_and(|part| !part.is_empty()), "{text}");
    }
    // What is no list is refused by both.
    let system = vm.with_model(x86::model(ZEN4));
    for text in ["faults,{cs", "cycles:x", "msr/tsc"] {
        let error = system.resolve(text).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Syntax(_)), "{text}: {error}");
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
    let formulas = system.machine(&Scope::Cpus("900-901".parse().expect("a list")));
    let known = [
        (Literal::NumCpus, 905.0),
        (Literal::NumCpusOnline, 4.0),
        (Literal::NumCores, 2.0),
        (Literal::SmtOn, 1.0),
        (Literal::CoreWide, 1.0),
        (Literal::TargetCpu, 1.0),
    ];
    for (literal, expected) in known {
        assert_eq!(formulas.literal(literal), expected, "{}", literal.name());
    }
    // What the running machine may know, this one does not.
    assert!(formulas.literal(Literal::NumDies).is_nan());
    assert!(formulas.literal(Literal::SystemTscFreq).is_nan());
    assert!(system.has_nmi_watchdog());
    assert_eq!(system.threads_of(77).expect("it is there"), [77, 79]);
    assert!(system.threads_of(std::process::id()).is_err());
}

/// A tree of one's own, and a CPU that is not here.
#[test]
fn tables_of_a_tree() {
    let name = |system: &System| system.model().map(|model: Model| model.name());
    let machine = virtual_machine();
    let system = machine.system().with_tree(&x86::TREE);
    assert_eq!(name(&system.clone().with_cpuid(ZEN4)), Ok("amdzen4"));
    let unknown = name(&system.with_cpuid("GenuineIntel-6-1-1")).unwrap_err();
    assert_eq!(unknown.to_string(), "no model is known for CPU `GenuineIntel-6-1-1`");
    let zen4 = System::builtin(ZEN4, x86::AMDZEN4);
    assert_eq!((name(&zen4), zen4.cpuid()), (Ok("amdzen4"), Ok(ZEN4)));
    assert_eq!(zen4.require("ex_ret_instr").expect("it has it")[0].config[0], 0xc0);
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
        let why = counters.read().events[1].value().unwrap_err().to_string();
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
        let options = Options::new().scope(Scope::AllCpus);
        let mut counters = system.open_with("user_time,system_time", &options).unwrap();
        let seconds = |counters: &Counters| {
            let events = counters.read().events;
            [0, 1].map(|n| events[n].outcome().total().map(|total| total.value / 1_000_000_000))
        };
        assert_eq!(seconds(&counters), [None; 2]);
        counters.enable().unwrap();
        write(13, 6);
        assert_eq!(seconds(&counters), [Some(3), Some(1)]);
        // It stays on.
        counters.reset().unwrap();
        write(15, 6);
        assert_eq!(seconds(&counters), [Some(2), Some(0)]);
        counters.disable().unwrap();
        write(20, 20);
        assert_eq!(seconds(&counters), [Some(2), Some(0)]);
        counters.reset().unwrap();
        assert_eq!(counters.read().events[0].outcome(), Outcome::NotCounted);
        // What was missed is forgotten with the rest.
        counters.enable().unwrap();
        machine.write("/proc/stat", "nothing\n");
        counters.disable().unwrap();
        assert_eq!(counters.read().events[0].outcome(), Outcome::Failed);
        counters.reset().unwrap();
        assert_eq!(counters.read().events[0].outcome(), Outcome::NotCounted);
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
        let value = |reading: &pmu_events::open::Reading| reading.events[0].value().ok();
        if rights::has_no_counters() {
            return assert_eq!(value(&reading), None);
        }
        let spent = value(&reading).expect("it was counted");
        assert!(spent > 0.0, "{reading:?}");
        profiler.counters.reset().unwrap();
        assert_eq!(value(&profiler.counters.read()), Some(0.0));
        profiler.counters.enable().unwrap();
        spin();
        assert!(value(&profiler.counters.read()) > Some(0.0));
    }
}
