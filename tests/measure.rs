//! Which events are counted for metrics, on machines that are not here, and
//! what real counters make of a formula.

use pmu_events::__private::measure::{RawCount, value};
use pmu_events::event_list::Tool;
use pmu_events::measure::{Operand, Plan, Request};
use pmu_events::resolve::{Clock, ErrorKind, Resolved};
use pmu_events::topdown::Hierarchy;
use pmu_events::{Metric, Model, Scope, System};

#[allow(dead_code)] // Other tests use more of it.
mod machines;
#[allow(dead_code)] // As above.
#[cfg(target_os = "linux")]
#[path = "common/rights.rs"]
mod rights;
mod soc {
    pmu_events::pmu_events!("arch/test");
}
mod x86 {
    pmu_events::pmu_events!(
        "arch/x86",
        models = ["amdzen4", "sapphirerapids", "alderlake", "skylakex"],
        text = none
    );
}
mod powerpc {
    pmu_events::pmu_events!("arch/powerpc", models = ["power9"], text = none);
}

use machines::Machine;

fn later() -> Model {
    soc::model("testlater-1").expect("the tree has it")
}

/// The metrics of a list of names, each a metric's or a group's.
fn asked(model: Model, words: &str) -> Vec<Request> {
    let word = |word: &str| {
        let (name, modifiers) = word.split_once(':').unwrap_or((word, ""));
        let of_group: Vec<Metric> = model.metrics().in_group(name).collect();
        let found: Vec<Metric> = model.metric(name).into_iter().chain(of_group).collect();
        assert!(!found.is_empty(), "{name}");
        let request =
            |metric: &Metric| Request::from(*metric).by_group(name).with_modifiers(modifiers);
        found.iter().map(request).collect::<Vec<_>>()
    };
    words.split(',').flat_map(word).collect()
}

/// What a plan consists of.
#[derive(Debug, PartialEq)]
struct Planned {
    lists: Vec<String>,
    /// Events, and what is wrong.
    missing: Vec<(String, ErrorKind)>,
    unknown: Vec<Tool>,
    names: Vec<String>,
}

/// What is counted for an operand.
fn events<'p>(plan: &'p Plan, operand: &'p Operand) -> impl Iterator<Item = &'p Resolved> {
    let answer = |&id| plan.resolution().answer(id).expect("the plan counts it");
    operand.answers().iter().map(move |id| answer(id).expect("what is missing has none"))
}

/// The number of an operand's event among those of the plan's lists.
fn number(plan: &Plan, operand: &Operand) -> usize {
    events(plan, operand).next().expect("it is counted").event()
}

fn planned(machine: &Machine, model: Model, words: &str) -> Planned {
    let system = machine.system().with_model(model).with_proc(machine.root().join("proc"));
    let plan = Plan::new(asked(model, words), &system, &Scope::ThisThread);
    let missing = plan.missing().iter().map(|one| (one.name().into(), one.error().kind()));
    for planned in plan.metrics() {
        for operand in planned.operands() {
            assert_eq!(operand.answers().is_empty(), operand.missing().is_some(), "{operand:?}");
            for resolved in events(&plan, operand) {
                let name = resolved.name();
                let is_named = operand.event().contains(&format!(",name={name}/"));
                assert!(name == operand.event() || is_named, "{words}: {name} {}", operand.event());
            }
        }
    }
    Planned {
        lists: plan.lists().to_vec(),
        missing: missing.collect(),
        unknown: plan.unknown().to_vec(),
        names: plan.metrics().iter().map(|planned| planned.request().name()).collect(),
    }
}

#[test]
fn groups() {
    let tsc = Machine::of("msr/type\t9\nmsr/events/tsc\tevent=0x00\nmsr/format/event\tconfig:0-63");
    let zen = Machine::named("zen4");
    let zen4 = x86::model("AuthenticAMD-25-61-2").expect("the tree has it");
    let cases: [(&Machine, Model, &str, &[&str]); 7] = [
        // A weak group; time stands outside.
        (&tsc, later(), "ticks_a_nanosecond", &["{msr/tsc/,task-clock}:W"]),
        (&tsc, later(), "clock_rate", &["msr/tsc/", "duration_time"]),
        // It finds its event in the group of another.
        (
            &tsc,
            later(),
            "clock_rate,ticks_a_nanosecond",
            &["{msr/tsc/,task-clock}:W", "duration_time"],
        ),
        // What must not be grouped is for itself.
        (&tsc, later(), "faults_a_second", &["page-faults", "duration_time"]),
        (&tsc, later(), "faults", &["page-faults", "{msr/tsc/,page-faults}:W", "duration_time"]),
        (&zen, zen4, "ipc,cpi", &["{ex_ret_instr,ls_not_halted_cyc}:W"]),
        (&zen, later(), "only_a_number", &["duration_time"]),
    ];
    for (machine, model, metrics, expected) in cases {
        let plan = planned(machine, model, metrics);
        assert_eq!(plan.lists, expected, "{metrics}");
        assert_eq!(plan.missing, [], "{metrics}");
    }
}

/// POWER9 counts an event of the L2 beside one on counter 4, which leads the group.
#[test]
fn companions() {
    let machine = Machine::named("power9");
    let model = powerpc::model("0x004e1202").expect("the tree has it");
    let cases = [
        ("l2_rc_usage", "{cpu/event=0x4608c/,PM_RC_USAGE,PM_RUN_CYC}:W"),
        (
            "l2_st_disp_rate_percent",
            // Beside caches, the kernel does not look for another counter than that of a code.
            "{PM_L2_RCST_DISP_FAIL_OTHER,PM_L2_RCST_DISP,\
             cpu/event=0x500fa,name=PM_RUN_INST_CMPL/}:W",
        ),
        ("l2_co_usage", "{cpu/event=0x4608c/,PM_CO_USAGE,cpu/event=0x600f4,name=PM_RUN_CYC/}:W"),
    ];
    for (metric, list) in cases {
        let plan = planned(&machine, model, metric);
        assert_eq!(plan.missing, [], "{metric}");
        assert_eq!(plan.lists, [list], "{metric}");
    }
}

/// A metric that is too large for one group has the same value, however long each of its groups
/// was counted: each has a common reference.
#[test]
fn combined_from_groups() {
    let machine = Machine::named("sapphirerapids");
    let model = x86::model("GenuineIntel-6-8F-4").expect("the tree has it");
    let system = machine.system().with_model(model);
    let mut split = 0;
    for metric in model.metrics() {
        let request = Request::from(metric).without_threshold();
        let plan = Plan::new([request], &system, &Scope::ThisThread);
        let [planned] = plan.metrics() else { panic!("{}", metric.name()) };
        if planned.parts() < 2 || !plan.missing().is_empty() {
            continue;
        }
        assert_eq!(plan.passes(), planned.parts(), "{}", metric.name());
        // The events of the first group have the first numbers; time is the program's own.
        let first = system.require(&plan.lists()[0]).expect("it resolves").events().len();
        let value = |factor: f64| {
            let read = |operand: &Operand| {
                let number = number(&plan, operand);
                let count = 1e6 + 1e3 * operand.event().len() as f64;
                let is_time = operand.event().ends_with("_time");
                let factor = if number < first || is_time { 1.0 } else { factor };
                RawCount::new(count * factor, None)
            };
            value(planned, plan.machine(), read).value()
        };
        let (once, thrice) = (value(1.0), value(3.0));
        assert!(
            (once - thrice).abs() <= 1e-9 * once.abs() || once.is_nan(),
            "{}: {once}, {thrice}",
            metric.name()
        );
        split += usize::from(!once.is_nan());
    }
    assert!(split > 3, "{split}");
}

/// In the fewest passes, metrics are split that fit one group: their values do not depend on how
/// long each pass takes either.
#[test]
fn fewest_passes() {
    let machine = Machine::named("skylakex");
    let model = x86::model("GenuineIntel-6-55-4").expect("the tree has it");
    let system = machine.system().with_model(model);
    let [tree] = &Hierarchy::of(model)[..] else { panic!("it has one kind of core") };
    let nodes = || tree.nodes().iter().map(|node| Request::from(node.metric()).without_threshold());
    let whole = Plan::new(nodes(), &system, &Scope::ThisThread);
    let plan = Plan::in_fewest_passes(nodes(), &system, &Scope::ThisThread);
    assert!(plan.passes() * 3 < whole.passes() * 2, "{} {}", plan.passes(), whole.passes());
    let lists: Vec<usize> = plan
        .lists()
        .iter()
        .map(|list| system.require(list).expect("it resolves").events().len())
        .collect();
    let list_of = |mut number: usize| {
        let is_it = |length: &usize| match number.checked_sub(*length) {
            Some(rest) => {
                number = rest;
                false
            }
            None => true,
        };
        lists.iter().position(is_it).expect("it is in a list")
    };
    let mut split = 0;
    for planned in plan.metrics() {
        let is_of_core =
            planned.operands().iter().all(|operand| !operand.event().contains("_time"));
        if !is_of_core || planned.operands().iter().any(|operand| operand.answers().is_empty()) {
            continue;
        }
        let value = |factor: fn(usize) -> f64| {
            let read = |operand: &Operand| {
                let count = 1e6 + 1e3 * operand.event().len() as f64;
                RawCount::new(count * factor(list_of(number(&plan, operand))), None)
            };
            value(planned, plan.machine(), read).value()
        };
        let (once, longer) = (value(|_| 1.0), value(|list| 1.0 + list as f64));
        assert!(
            (once - longer).abs() <= 1e-9 * once.abs() || once.is_nan() || longer.is_nan(),
            "{}: {once}, {longer}",
            planned.request().name()
        );
        split += usize::from(planned.parts() > 1 && !once.is_nan());
    }
    assert!(split > 10, "{split}");
}

/// Where the counters are known, they decide what is a group, and not the table's hints for perf.
#[test]
fn asked_for_by_a_group() {
    let sysfs = Machine::named("sapphirerapids");
    let model = x86::model("GenuineIntel-6-8F-4").expect("the tree has it");
    let grouped = |words| {
        let plan = planned(&sysfs, model, words);
        assert_eq!(plan.missing, [], "{words}");
        (plan.names.len(), plan.lists.iter().any(|list| list.starts_with('{')))
    };
    let (count, is_grouped) = grouped("TopdownL1");
    assert!(count >= 4 && is_grouped, "{count}");
    assert_eq!(grouped("tma_retiring"), (1, true));
}

#[test]
fn modifiers_and_parts() {
    let empty = Machine::of("");
    let plan = planned(&empty, later(), "faults_a_second:u,faults_a_second,faults_a_second:u");
    assert_eq!(plan.lists, ["page-faults:u,page-faults", "duration_time"]);
    assert_eq!(plan.names, ["faults_a_second:u", "faults_a_second"]);
    // Without the PMU, the event is missing and all else is counted.
    let plan = planned(&empty, later(), "clock_rate");
    assert_eq!(plan.lists, ["duration_time"]);
    assert_eq!(plan.missing, [("msr/tsc/".into(), ErrorKind::UnknownPmu)]);
}

/// Modifiers follow an event as the event has it.
#[test]
fn modifiers_of_events_of_a_pmu() {
    let tsc = Machine::of("msr/type\t9\nmsr/events/tsc\tevent=0x00\nmsr/format/event\tconfig:0-63");
    let plan = planned(&tsc, later(), "ticks_a_nanosecond:u");
    assert_eq!(plan.lists, ["{msr/tsc/u,task-clock:u}:W"]);
}

/// A metric has its events of a list that is meant for it: those of a group, or those
/// outside.
#[test]
fn numbers_of_events() {
    let tsc = Machine::of("msr/type\t9\nmsr/events/tsc\tevent=0x00\nmsr/format/event\tconfig:0-63");
    let system = tsc.system().with_model(later());
    let requests = asked(later(), "ticks_a_fault,faults_a_second");
    let plan = Plan::new(requests, &system, &Scope::ThisThread);
    assert_eq!(plan.lists(), ["page-faults", "{msr/tsc/,page-faults}:W", "duration_time"]);
    let numbers = |name: &str| -> Vec<(&str, Option<usize>)> {
        let mut metrics = plan.metrics().iter();
        let planned = metrics.find(|planned| planned.request().name() == name).expect(name);
        let operands = planned.operands().iter();
        let number = |operand| Some(number(&plan, operand));
        let mut all: Vec<_> = operands.map(|one| (one.event(), number(one))).collect();
        all.sort_unstable();
        all
    };
    let time = ("duration_time", Some(3));
    let of_group = [time, ("msr/tsc/", Some(1)), ("page-faults", Some(2))];
    assert_eq!(numbers("ticks_a_fault"), of_group);
    assert_eq!(numbers("faults_a_second"), [time, ("page-faults", Some(0))]);
}

/// What only a threshold needs is counted where it is wanted and the machine has the counters.
#[test]
fn events_of_thresholds() {
    let machine = Machine::named("sapphirerapids");
    let model = x86::model("GenuineIntel-6-8F-4").expect("the tree has it");
    let metric = model.metric("tma_divider").expect("it is one of its metrics");
    let events = |request: Request, machine: &Machine| {
        let system = machine.system().with_model(model).with_proc(machine.root().join("proc"));
        let plan = Plan::new([request], &system, &Scope::ThisThread);
        let operands = plan.metrics()[0].operands().iter();
        operands.map(|operand| operand.event().to_owned()).collect::<Vec<_>>()
    };
    let all = events(metric.into(), &machine);
    let of_value = events(Request::from(metric).without_threshold(), &machine);
    assert!(of_value.len() < all.len(), "{of_value:?} of {all:?}");
    assert_eq!(all[..of_value.len()], of_value);
}

/// What is missing is told with a name like it.
#[test]
fn names_like_those_of_missing_events() {
    let machine =
        Machine::of("msr/type\t9\nmsr/events/tscs\tevent=0x00\nmsr/format/event\tconfig:0-63");
    let system = machine.system().with_model(later());
    let plan = Plan::new(asked(later(), "clock_rate"), &system, &Scope::ThisThread);
    let [missing] = plan.missing() else { panic!("{:?}", plan.missing()) };
    assert_eq!(missing.error().suggestion(), Some("tscs"), "{missing:?}");
}

/// Instances of an event add up in all respects.
#[test]
fn sums_of_counts() {
    let one = RawCount::new(3.0, None);
    let other = RawCount::new(5.0, Some(Clock::Kernel)).with_aggregated(4.0);
    let sum = one + other;
    assert_eq!(sum.in_formula_of_tree().value(), 8.0);
    // Once an instance has a clock, so has the sum.
    assert_eq!(sum.in_formula_of_user().value(), 8e-9);
    assert_eq!((sum.sources(), sum.aggregated()), (2.0, 5.0));
}

#[test]
fn what_the_machine_does_not_say() {
    let without = Machine::of("");
    let with = Machine::of("cpu/type\t4\ncpu/caps/slots\t6");
    for (machine, metrics, unknown) in [
        (&without, "faults_a_slot", &[Tool::Slots][..]),
        (&without, "faults_a_slot,faults_a_slot:u,faults_a_second", &[Tool::Slots]),
        (&without, "faults", &[Tool::NumCpusOnline]),
        (&with, "faults_a_slot", &[]),
    ] {
        assert_eq!(planned(machine, later(), metrics).unknown, unknown, "{metrics}");
    }
}

/// Once for each chip or core of a chip, as the hypervisor says.
#[test]
fn parameters() {
    let metric = powerpc::POWER9.metrics().find(|metric| metric.has_parameter());
    let metric = metric.expect("one of its metrics has a parameter");
    let machine = Machine::of("");
    let names = |machine: &Machine| -> Vec<String> {
        Request::each(metric, &machine.system()).map(|request| request.name()).collect()
    };
    assert_eq!(names(&machine), [format!("{}_0", metric.name())]);
    for file in ["sockets", "coresperchip"] {
        let path = machine.root().join("devices/hv_24x7/interface");
        std::fs::create_dir_all(&path).expect("a scratch directory");
        std::fs::write(path.join(file), "2\n").expect("it can be written");
    }
    let two: Vec<String> = (0..2).map(|n| format!("{}_{n}", metric.name())).collect();
    assert_eq!(names(&machine), two);
}

/// Where there are two kinds of cores, a metric has the counts of its own.
#[test]
fn kinds_of_cores() {
    let machine = Machine::named("alderlake");
    let model = x86::model("GenuineIntel-6-97-2").expect("the tree has it");
    let system = machine.system().with_model(model);
    let mut seen = 0;
    for metric in model.metrics().filter(|metric| ["cpu_core", "cpu_atom"].contains(&metric.pmu()))
    {
        let plan = Plan::new([metric], &system, &Scope::ThisThread);
        for operand in plan.metrics()[0].operands() {
            for resolved in events(&plan, operand) {
                let pmu = resolved.pmu().filter(|pmu| pmu.is_core());
                seen += usize::from(pmu.is_some());
                assert!(pmu.is_none_or(|pmu| pmu.is_of_unit(metric.pmu())), "{metric:?}");
            }
        }
    }
    assert!(seen > 20, "{seen}");
}

/// From readings: what is not counted has no value, whatever the formula does
/// with it.
#[test]
fn values_of_readings() {
    let machine = Machine::of("");
    let system = machine.system().with_model(later());
    let plan = Plan::new(later().metric("faults_a_second"), &system, &Scope::ThisThread);
    let [planned] = plan.metrics() else { panic!("one was asked for") };
    let read = |faults: f64, seconds: f64| {
        let value = value(planned, plan.machine(), |operand| match operand.identifier() {
            "page-faults" if faults.is_nan() => RawCount::NOT_COUNTED,
            "page-faults" => RawCount::new(faults, None),
            _ => RawCount::new(1e9 * seconds, Some(Clock::Program)),
        });
        (value.value(), value.is_crossed())
    };
    assert_eq!(read(30.0, 2.0), (15.0, Some(true)));
    assert_eq!(read(0.0, 2.0), (0.0, Some(false)));
    let (value, is_crossed) = read(f64::NAN, 2.0);
    assert!(value.is_nan() && is_crossed.is_none());
}

#[cfg(target_os = "linux")]
#[test]
fn values_of_counters() {
    use pmu_events::open::{self, Counters, Options};
    use rights::{Rights, rights};
    use std::hint::black_box;

    let system = System::new().with_model(later());
    let words = "only_a_number,faults_a_second,faults_a_second:u";
    let plan = Plan::new(asked(later(), words), &system, &Scope::ThisThread);
    let opened = plan.open(&Options::new());
    if rights() == Rights::Nothing && !rights::has_no_counters() {
        return assert_eq!(opened.unwrap_err().kind(), open::ErrorKind::NotPermitted);
    }
    let mut counters = opened.expect("software events can be opened");
    let start = std::time::Instant::now();
    counters.enable().expect("they can be enabled");
    // New pages, until one has been a fault: an optimizer that knows what is done
    // with them may touch none while they are counted, and an allocator may have
    // some that were touched before.
    let faults = |counters: &Counters| counters.read().events()[0].outcome().total();
    let mut pages = Vec::new();
    while faults(&counters).is_none_or(|faults| faults.value() == 0) && pages.len() < 64 {
        pages.push(black_box(vec![1u8; black_box(1 << 20)]));
    }
    counters.disable().expect("they can be disabled");
    let most = start.elapsed().as_secs_f64();
    let reading = counters.read();
    let values = plan.values(&reading);
    let names: Vec<String> = values.iter().map(|value| value.request().name()).collect();
    assert_eq!(names, ["only_a_number", "faults_a_second", "faults_a_second:u"]);
    assert_eq!((values[0].value(), values[0].is_crossed()), (42.0, None));
    if rights::has_no_counters() {
        return assert!(values[1].value().is_nan() && values[1].is_crossed().is_none());
    }
    // Pages may be large; time is in seconds.
    let faults = reading.events()[0].outcome().total().expect("it was counted").value();
    assert!(faults > 0, "of {} MiB", pages.len());
    assert!(
        values[1].value() >= faults as f64 / most,
        "{} in {most} s, {faults}",
        values[1].value()
    );
    assert_eq!(values[1].is_crossed(), Some(true));
}
