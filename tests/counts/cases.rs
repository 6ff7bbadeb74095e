//! What was wrong once.

use pmu_events::Scope;
use pmu_events::open::{Counters, ErrorKind, Options, Outcome, Target};

use crate::laboratory::{BIG, Cores, LITTLE, Laboratory, MEMORY, MILLISECOND, SELF, event};

fn values(counters: &Counters) -> Vec<u64> {
    let reading = counters.read();
    let value = |event: &pmu_events::open::EventReading| match event.outcome() {
        Outcome::Counted(total) => total.value(),
        outcome => panic!("{}: {outcome:?} {:?}", event.name(), event.value()),
    };
    reading.events().iter().map(value).collect()
}

/// The time of a task elsewhere is not multiplexing: 30 ms on CPU 0 of 120 ms.
#[test]
fn tasks_on_some_cpus() {
    let faults = event(1, 2);
    let core = event(BIG, 5);
    let cases: &[(&str, &[&[u32]])] = &[
        ("task-clock/cpu=0/", &[&[0]]),
        ("{task-clock,page-faults/cpu=0/}", &[&[], &[0]]),
        ("page-faults,{page-faults,page-faults/cpu=1/}", &[&[], &[], &[1]]),
        ("cpu/event=5,cpu=0/,cpu/event=5/", &[&[0], &[]]),
        ("{cpu/event=5,cpu=0/,page-faults,cpu/event=5,cpu=1-2/}", &[&[0], &[], &[1, 2]]),
        ("cpu/event=5,cpu=3/", &[&[3]]),
    ];
    for scope in [Scope::ThisThread, Scope::Threads(vec![SELF])] {
        for &(text, of_events) in cases {
            let laboratory = Laboratory::new(Cores::Alike);
            let options = Options::new().with_scope(scope.clone());
            let mut counters = laboratory.system().open_with(text, &options).unwrap();
            counters.enable().unwrap();
            for (cpu, time) in [(0, 30), (1, 60), (2, 30)] {
                laboratory.work(SELF, cpu, time);
            }
            let expected: Vec<u64> = counters
                .events()
                .iter()
                .zip(of_events)
                .map(|(event, &cpus)| {
                    let attr = event.attr().expect("it is open");
                    let times: &[u64] = &[30, 60, 30];
                    match (attr.type_(), attr.words().config()) {
                        (1, 1) => {
                            let on = |(cpu, time): (usize, &u64)| {
                                let is_meant = cpus.is_empty() || cpus.contains(&(cpu as u32));
                                if is_meant { time * MILLISECOND } else { 0 }
                            };
                            times.iter().enumerate().map(on).sum()
                        }
                        (1, 2) => laboratory.truth(faults, 0, Some(SELF), cpus),
                        _ => laboratory.truth(core, 0, Some(SELF), cpus),
                    }
                })
                .collect();
            assert_eq!(values(&counters), expected, "{text} {scope:?}");
        }
    }
}

/// So it is on cores of another kind.
#[test]
fn tasks_on_some_cores() {
    let laboratory = Laboratory::new(Cores::Hybrid);
    let mut counters = laboratory.system().open("cpu_core/event=5/,cpu_atom/event=5/").unwrap();
    counters.enable().unwrap();
    for (cpu, time) in [(0, 10), (2, 50), (1, 20)] {
        laboratory.work(SELF, cpu, time);
    }
    let expected = [
        laboratory.truth(event(BIG, 5), 0, Some(SELF), &[0, 1]),
        laboratory.truth(event(LITTLE, 5), 0, Some(SELF), &[2, 3]),
    ];
    assert_eq!(values(&counters), expected);
}

/// More events than counters, on a CPU where the task is for a third of its time: the
/// estimate goes by its time there.
#[test]
fn multiplexed_on_some_cpus() {
    let laboratory = Laboratory::new(Cores::Alike);
    let text: Vec<String> = (0..6).map(|n| format!("cpu/event={n},cpu=1/")).collect();
    let mut counters = laboratory.system().open(&text.join(",")).unwrap();
    counters.enable().unwrap();
    for cpu in [0, 1, 2] {
        laboratory.work(SELF, cpu, 48);
    }
    for (n, reading) in counters.read().events().iter().enumerate() {
        let truth = laboratory.truth(event(BIG, n as u64), 0, Some(SELF), &[1]);
        let total = reading.outcome().total().expect("each had a turn");
        assert_eq!(total.share(), 0.5, "{n}");
        assert_eq!(total.value(), truth, "{n}");
    }
}

/// A list that was resolved once is opened by any thread, though its files are gone.
#[test]
fn a_list_for_another_thread() {
    let laboratory = Laboratory::new(Cores::Alike);
    laboratory.spawn(7);
    let list = laboratory.system().resolve("{cpu/event=5/,page-faults}").unwrap();
    laboratory.remove("/bus/event_source/devices/cpu/format/event");
    let open = |list: pmu_events::resolve::Resolution| {
        let mut counters = Counters::open(&list, &Options::new()).unwrap();
        counters.enable().unwrap();
        counters
    };
    let (own, simulation) = (open(list.clone()), laboratory.simulation.clone());
    let other = std::thread::spawn(move || {
        let _entered = simulation.enter(7);
        open(list)
    });
    let other = other.join().unwrap();
    laboratory.work(SELF, 0, 10);
    laboratory.work(7, 1, 30);
    for (counters, task) in [(own, SELF), (other, 7)] {
        let truth = |type_, config| laboratory.truth(event(type_, config), 0, Some(task), &[]);
        assert_eq!(values(&counters), [truth(BIG, 5), truth(1, 2)], "{task}");
    }
}

/// Children that have ended, and times.
#[test]
fn resets() {
    let laboratory = Laboratory::new(Cores::Alike);
    let options = Options::new().with_inherit(true);
    let text = "cpu/event=5/,duration_time,user_time";
    let mut counters = laboratory.system().open_with(text, &options).unwrap();
    counters.enable().unwrap();
    laboratory.kernel().fork(SELF, 7);
    laboratory.work(7, 1, 10);
    laboratory.kernel().exit(7);
    laboratory.work(SELF, 0, 20);
    let before = counters.read();
    assert_eq!(values(&counters)[0], laboratory.truth(event(BIG, 5), 0, None, &[]));
    let moment = laboratory.kernel().now();
    counters.reset();
    assert_eq!(values(&counters), [0, 0, 0]);
    let total = counters.read().events()[0].outcome().total().unwrap();
    assert_eq!((total.time_enabled(), total.time_running()), (0, 0));
    laboratory.work(SELF, 0, 30);
    let truth = laboratory.truth(event(BIG, 5), moment, None, &[]);
    assert_eq!(values(&counters), [truth, 30 * MILLISECOND, 30 * MILLISECOND]);
    for event in &counters.read().since(&before) {
        assert_eq!(event.outcome(), Outcome::Failed, "{}", event.name());
        assert_eq!(event.value().unwrap_err().kind(), ErrorKind::Reset, "{}", event.name());
    }
}

/// Which threads are measured is one question for all kinds of events.
#[test]
fn threads_are_checked() {
    let laboratory = Laboratory::new(Cores::Alike);
    laboratory.spawn(7);
    laboratory.spawn(8);
    let system = laboratory.system();
    let open = |text: &str, threads: &[u32]| {
        let options = Options::new().with_scope(Scope::Threads(threads.to_vec()));
        system.open_with(text, &options)
    };
    for text in ["user_time", "task-clock", "cpu/event=5/,system_time", "duration_time"] {
        for (threads, message) in [
            (&[99][..], "there is no thread 99"),
            (&[98, 99], "none of the threads exists any more: 98, 99"),
            (&[], "no thread is named"),
            (&[0], "there is no thread 0; `Scope::ThisThread` is the one that opens the counters"),
            (
                &[7, 0],
                "there is no thread 0; `Scope::ThisThread` is the one that opens the counters",
            ),
        ] {
            let error = open(text, threads).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NoSuchTask, "{text} {threads:?}");
            assert_eq!(error.to_string(), message, "{text} {threads:?}");
        }
        // One that is named twice counts once, and one that has ended does not matter.
        let mut counters = open(text, &[8, 7, 8, 99]).unwrap();
        counters.enable().unwrap();
        laboratory.work(7, 0, 100);
        for reading in &counters.read() {
            let expected = match (&*reading.name(), reading.event().attr()) {
                ("system_time", _) => 0,
                (_, Some(attr)) if attr.type_() == BIG => {
                    let now = laboratory.kernel().now();
                    laboratory.truth(event(BIG, 5), now - 100 * MILLISECOND, Some(7), &[])
                }
                _ => 100 * MILLISECOND,
            };
            assert_eq!(
                reading.outcome().total().map(|total| total.value()),
                Some(expected),
                "{text}"
            );
        }
    }
    // One that ends before it is counted.
    for text in ["user_time", "task-clock"] {
        laboratory.spawn(9);
        let mut counters = open(text, &[9]).unwrap();
        laboratory.exit(9);
        assert_eq!(counters.enable().unwrap_err().to_string(), "there is no thread 9", "{text}");
    }
}

/// Of two memory controllers, one cannot be counted, whatever the reason.
#[test]
fn sums_that_lack_an_instance() {
    type Spoil = fn(&Laboratory);
    let cases: &[(&str, Spoil, &str)] = &[
        (
            "the kernel refuses it",
            |laboratory| {
                laboratory.kernel().refuse(Box::new(|request| {
                    (request.attr.type_ == MEMORY[1]).then_some(libc::ENOENT)
                }));
            },
            "neither this kernel nor a PMU of this machine has this event",
        ),
        (
            "its mask is empty",
            |laboratory| laboratory.write("uncore_imc_1/cpumask", "\n"),
            "none of the CPUs that are measured is one of `uncore_imc_1`",
        ),
        (
            "it has no such format",
            |laboratory| laboratory.remove("uncore_imc_1/format/event"),
            "unknown term `event` (PMU `uncore_imc_1`)",
        ),
        (
            "its counters are taken",
            |laboratory| {
                for pmu in &mut laboratory.kernel().machine.pmus {
                    pmu.taken = if pmu.type_ == MEMORY[1] { 3 } else { 0 };
                }
            },
            "the event never had a counter: it was not enabled, its task did not run, or other \
             events had all counters",
        ),
    ];
    for &(what, spoil, why) in cases {
        let laboratory = Laboratory::new(Cores::Alike);
        spoil(&laboratory);
        let options = Options::new().with_scope(Scope::AllCpus);
        let mut counters = laboratory.system().open_with("uncore_imc/event=3/", &options).unwrap();
        counters.enable().unwrap();
        laboratory.work(SELF, 0, 5);
        let reading = counters.read();
        let sums = reading.sums();
        let [sum] = &sums[..] else { panic!("{what}: {sums:?}") };
        let truth = {
            let kernel = laboratory.kernel();
            kernel.world().rates.of(event(MEMORY[0], 3), 0).user * 5_000
        };
        assert!(
            matches!(sum.outcome(), Outcome::Partial(total) if total.value() == truth),
            "{what}: {sum:?}"
        );
        let lacking = sum.lacking();
        let [lack] = &lacking[..] else { panic!("{what}: {lacking:?}") };
        assert_eq!(lack.pmu(), Some("uncore_imc_1"), "{what}");
        assert!(lack.why().to_string().contains(why), "{what}: {}", lack.why());
        assert_eq!(sum.value().unwrap_err().kind(), ErrorKind::Partial, "{what}");
    }
}

/// The reason of a sum without a value: a refusal says more than that an instance had no
/// counter.
#[test]
fn sums_of_which_nothing_is_known() {
    let laboratory = Laboratory::new(Cores::Alike);
    for n in [0, 1] {
        laboratory.write(&format!("uncore_imc_{n}/events/data"), "event=3\n");
        laboratory.write(&format!("uncore_imc_{n}/events/data.unit"), "MiB\n");
    }
    for (refused, starved) in [(0, 1), (1, 0)] {
        laboratory.kernel().refuse(Box::new(move |request| {
            (request.attr.type_ == MEMORY[refused]).then_some(libc::ENOENT)
        }));
        for pmu in &mut laboratory.kernel().machine.pmus {
            pmu.taken = if pmu.type_ == MEMORY[starved] { 3 } else { 0 };
        }
        let options = Options::new().with_scope(Scope::AllCpus);
        let mut counters = laboratory.system().open_with("uncore_imc/data/", &options).unwrap();
        counters.enable().unwrap();
        laboratory.work(SELF, 0, 5);
        let reading = counters.read();
        let sums = reading.sums();
        let [sum] = &sums[..] else { panic!("{sums:?}") };
        assert_eq!(sum.value().unwrap_err().kind(), ErrorKind::NoSuchEvent, "{sum:?}");
        // Also that of an instance that is missing.
        assert_eq!(sum.unit(), "MiB", "{sum:?}");
    }
}

/// Beside an event of one CPU, an event that counts nothing tells when its task was there.
#[test]
fn presence_needs_no_right() {
    let laboratory = Laboratory::new(Cores::Alike);
    let asked = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let recorded = asked.clone();
    laboratory.kernel().refuse(Box::new(move |request| {
        recorded.lock().unwrap().push((request.attr.type_, request.attr.config, request.cpu));
        None
    }));
    laboratory.system().open("cpu/event=5,cpu=1/").unwrap();
    // `PERF_COUNT_SW_DUMMY`
    let dummy = (1, 9, Some(1));
    assert_eq!(*asked.lock().unwrap(), [(BIG, 5, Some(1)), dummy]);
}

/// An event that was pinned out has counted an unknown number since.
#[test]
fn pinned_events_that_come_back() {
    let laboratory = Laboratory::new(Cores::Alike);
    let mut counters = laboratory.system().open("cpu/event=5/D").unwrap();
    laboratory.kernel().machine.pmus[0].taken = 7;
    counters.enable().unwrap();
    laboratory.work(SELF, 0, 5);
    let out = counters.read();
    assert_eq!(out.events()[0].outcome(), Outcome::PinnedOut);
    laboratory.kernel().machine.pmus[0].taken = 0;
    counters.enable().unwrap();
    laboratory.work(SELF, 0, 5);
    // It counts again, and what happened between is missing.
    let back = counters.read();
    assert_eq!(back.events()[0].outcome(), Outcome::PinnedOut);
    assert_eq!(back.since(&out).events()[0].outcome(), Outcome::PinnedOut);
    counters.reset();
    let start = laboratory.kernel().now();
    laboratory.work(SELF, 0, 5);
    let total = counters.read().events()[0].outcome().total().map(|total| total.value());
    assert_eq!(total, Some(laboratory.truth(event(BIG, 5), start, Some(SELF), &[0])));
}

/// The file of an event in error ends only while its task is alive.
#[test]
fn pinned_events_whose_tasks_end() {
    let laboratory = Laboratory::new(Cores::Alike);
    for inherits in [false, true] {
        laboratory.spawn(101);
        let options = Options::new().with_scope(Scope::Threads(vec![101])).with_inherit(inherits);
        let mut counters =
            laboratory.system().open_with("cpu/event=5/D,page-faults:D", &options).unwrap();
        laboratory.kernel().machine.pmus[0].taken = 7;
        counters.enable().unwrap();
        laboratory.work(101, 0, 5);
        laboratory.exit(101);
        let reading = counters.read();
        assert_eq!(reading.events()[0].outcome(), Outcome::PinnedOut, "{inherits}");
        assert!(reading.events()[1].outcome().total().is_some(), "{inherits}");
        laboratory.kernel().machine.pmus[0].taken = 0;
    }
}

/// A CPU tells no more than a task does: an event that was in error and is enabled again counts
/// on as if nothing had been lost.
#[test]
fn pinned_events_of_cpus_that_come_back() {
    let laboratory = Laboratory::new(Cores::Alike);
    let group = laboratory.group(1);
    laboratory.kernel().set_group(SELF, 1);
    let everywhere = Options::new().with_scope(Scope::AllCpus);
    let cases = [
        ("cpu/event=5/D", everywhere.clone()),
        ("{cpu/event=5/,cpu/event=6/}:D", everywhere.clone()),
        ("cpu/event=5/D", everywhere.clone().with_cgroup(group)),
        ("uncore_imc_0/event=5/D", everywhere),
    ];
    // Less than that by which the clocks of a CPU and of a program may differ.
    for (milliseconds, (text, options)) in
        [1, 3].into_iter().zip(&cases).chain([3, 3].into_iter().zip(&cases[2..]))
    {
        let mut counters = laboratory.system().open_with(text, options).unwrap();
        let take = |counters| {
            let mut kernel = laboratory.kernel();
            kernel.machine.pmus.iter_mut().for_each(|pmu| pmu.taken = counters);
        };
        take(7);
        counters.enable().unwrap();
        laboratory.work(SELF, 0, milliseconds);
        take(0);
        counters.enable().unwrap();
        laboratory.work(SELF, 0, 50);
        for event in &counters.read() {
            let outcome = event.outcome();
            assert!(outcome.total().is_none(), "{text}: {outcome:?}");
            let lacking = event.lacking();
            let lack = lacking.iter().find(|lack| lack.target() == Target::Cpu(0));
            let kind = lack.map(|lack| lack.why().kind());
            assert_eq!(kind, Some(ErrorKind::PinnedOut), "{text}: {lacking:?}");
        }
        // From now on, all of it is there.
        counters.reset();
        laboratory.work(SELF, 0, 5);
        for event in &counters.read() {
            assert!(event.outcome().total().is_some_and(|total| total.value() > 0), "{text}");
        }
    }
}

/// A group is inherited as a whole, so that an event that differs from its leader is counted on
/// its own.
#[test]
fn groups_of_which_only_some_count_children() {
    let cases: &[(&str, bool, [bool; 2])] = &[
        ("{cpu/event=5/,cpu/event=6,no-inherit/}", true, [true, false]),
        ("{cpu/event=5,no-inherit/,cpu/event=6/}", true, [false, true]),
        ("{cpu/event=5/,cpu/event=6,inherit/}", false, [false, true]),
        ("{cpu/event=5,inherit/,cpu/event=6/}", false, [true, false]),
        ("{cpu/event=5,inherit/,cpu/event=6/}", true, [true, true]),
        ("{cpu/event=5/,cpu/event=6/}", true, [true, true]),
    ];
    for &(text, inherits, with_children) in cases {
        let laboratory = Laboratory::new(Cores::Alike);
        let options = Options::new().with_inherit(inherits);
        let mut counters = laboratory.system().open_with(text, &options).unwrap();
        counters.enable().unwrap();
        laboratory.work(SELF, 0, 5);
        laboratory.kernel().fork(SELF, 7);
        laboratory.work(7, 0, 5);
        let truth = |n: u64, with_children: bool| {
            laboratory.truth(event(BIG, n), 0, (!with_children).then_some(SELF), &[])
        };
        let expected = [truth(5, with_children[0]), truth(6, with_children[1])];
        assert_eq!(values(&counters), expected, "{text} {inherits}");
        let is_alone = with_children[0] != with_children[1];
        assert_eq!(counters.events()[1].is_alone(), is_alone, "{text} {inherits}");
    }
    // CPUs have no children.
    let laboratory = Laboratory::new(Cores::Alike);
    let options = Options::new().with_scope(Scope::AllCpus).with_inherit(true);
    let counters = laboratory.system().open_with(cases[0].0, &options).unwrap();
    assert!(!counters.events()[1].is_alone());
}

/// Without a CPU there is nothing to count, and no event has counted 0.
#[test]
fn no_cpu_is_named() {
    let laboratory = Laboratory::new(Cores::Alike);
    let options = Options::new().with_scope(Scope::Cpus("".parse().unwrap()));
    for text in ["user_time", "duration_time", "cpu-clock", "cpu/event=5/", "uncore_imc/event=1/"] {
        let error = laboratory.system().open_with(text, &options).unwrap_err();
        let message = error.to_string();
        assert_eq!((error.kind(), &*message), (ErrorKind::NoDevice, "no CPU is named"), "{text}");
    }
}

/// Each package counts the same on all of its CPUs, so that one of them is enough; beside
/// others in a group it is opened everywhere, and the rest is not added up.
#[test]
fn once_a_package() {
    let laboratory = Laboratory::new(Cores::Alike);
    laboratory.write("cpu/events/energy", "event=9\n");
    laboratory.write("cpu/events/energy.per-pkg", "1\n");
    for (cpu, package) in [(0, 0), (1, 0), (2, 1), (3, 1)] {
        let file = format!("/devices/system/cpu/cpu{cpu}/topology/physical_package_id");
        laboratory.write(&file, &format!("{package}\n"));
    }
    // The CPUs on which each event is added up.
    let cases: &[(&str, &[&[u32]])] = &[
        ("cpu/energy/", &[&[0, 2]]),
        ("cpu/energy,cpu=1-2/", &[&[1, 2]]),
        ("cpu/energy,cpu=3/", &[&[3]]),
        ("{cpu/energy/,cpu/event=9/}", &[&[0, 2], &[0, 1, 2, 3]]),
        ("{cpu/event=9/,cpu/energy/}", &[&[0, 1, 2, 3], &[0, 2]]),
        ("{cpu/energy/,cpu/energy/}", &[&[0, 2], &[0, 2]]),
    ];
    for &(text, expected) in cases {
        let options = Options::new().with_scope(Scope::AllCpus);
        let mut counters = laboratory.system().open_with(text, &options).unwrap();
        counters.enable().unwrap();
        let start = laboratory.kernel().now();
        for cpu in 0..4 {
            laboratory.work(SELF, cpu, 10 * u64::from(cpu + 1));
        }
        let reading = counters.read();
        for (event_read, &cpus) in reading.events().iter().zip(expected) {
            let parts: Vec<Target> = event_read.parts().iter().map(|part| part.target()).collect();
            let targets: Vec<Target> = cpus.iter().map(|&cpu| Target::Cpu(cpu)).collect();
            assert_eq!(parts, targets, "{text}");
            let truth = laboratory.truth(event(BIG, 9), start, Some(SELF), cpus);
            let total = event_read.outcome().total().map(|total| total.value());
            assert_eq!(total, Some(truth), "{text}");
        }
    }
}

#[test]
fn control_groups() {
    let laboratory = Laboratory::new(Cores::Alike);
    let (one, other) = (laboratory.group(1), laboratory.group(2));
    laboratory.spawn(7);
    laboratory.kernel().set_group(7, 1);
    let system = laboratory.system();
    let scope = || Options::new().with_scope(Scope::AllCpus);
    let text = "page-faults,cpu/event=5/";
    let mut in_one = system.open_with(text, &scope().with_cgroup(one.clone())).unwrap();
    let mut in_other = system.open_with(text, &scope().with_cgroup(other.clone())).unwrap();
    let mut each = system.resolve("page-faults").unwrap().in_cgroup(&one);
    each.append(system.resolve("cpu/event=5/").unwrap());
    let mut in_each = Counters::open(&each, &scope()).unwrap();
    for counters in [&mut in_one, &mut in_other, &mut in_each] {
        counters.enable().unwrap();
    }
    laboratory.work(SELF, 0, 20);
    laboratory.work(7, 1, 10);
    let truth = |kind, task| laboratory.truth(kind, 0, task, &[]);
    let (faults, core) = (event(1, 2), event(BIG, 5));
    assert_eq!(values(&in_one), [truth(faults, Some(7)), truth(core, Some(7))]);
    // Nothing of it ran: it has counted 0.
    assert_eq!(values(&in_other), [0, 0]);
    assert_eq!(values(&in_each), [truth(faults, Some(7)), truth(core, None)]);

    let groups: Vec<_> = in_each.events().iter().map(|event| event.cgroup()).collect();
    assert_eq!(groups, [Some(&one), None]);
    // An event's own control group goes before that of the options.
    let faults = system.resolve("page-faults").unwrap().in_cgroup(&one);
    let own = Counters::open(&faults, &scope().with_cgroup(other.clone())).unwrap();
    assert_eq!(own.events()[0].cgroup(), Some(&one));

    let needs_cpus = "a control group can be counted only on whole CPUs";
    for (events, options) in [
        (faults, Options::new()),
        (system.resolve("page-faults").unwrap(), Options::new().with_cgroup(one.clone())),
        (system.resolve("no_such_event").unwrap().in_cgroup(&one), Options::new()),
    ] {
        let refused = Counters::open(&events, &options).map(drop).unwrap_err();
        assert_eq!(refused.to_string(), needs_cpus);
    }
    let mut spent = system.resolve("user_time").unwrap().in_cgroup(&one);
    spent.append(system.resolve("duration_time").unwrap().in_cgroup(&other));
    let spent = Counters::open(&spent, &scope()).unwrap();
    assert_eq!(
        spent.events()[0].refusal().unwrap().to_string(),
        "it cannot be measured in a control group"
    );
    assert!(spent.events()[1].refusal().is_none());
}

/// Counters go with their CPU, and stay away when it comes back.
#[test]
fn cpus_that_go_offline() {
    let laboratory = Laboratory::new(Cores::Alike);
    let options = Options::new().with_scope(Scope::AllCpus);
    let mut counters = laboratory.system().open_with("page-faults", &options).unwrap();
    counters.enable().unwrap();
    for is_online in [true, false, true] {
        laboratory.set_online(1, is_online);
        laboratory.work(SELF, 0, 50);
    }
    laboratory.work(SELF, 1, 50);
    let reading = counters.read();
    let truth = laboratory.truth(event(1, 2), 0, Some(SELF), &[0]);
    let outcome = reading.events()[0].outcome();
    assert!(matches!(outcome, Outcome::Partial(total) if total.value() == truth), "{outcome:?}");
    assert_eq!(
        reading.events()[0].value().unwrap_err().to_string(),
        "counted only in part, without CPU 1: CPU 1 was offline for some time, after which the \
         kernel does not count on it"
    );
}
