//! Counters that follow CPUs, control groups and processes: their sums are the truth of all that
//! could be counted, and never decrease.

use pmu_events::follow::{Following, Selection};
use pmu_events::open::{ErrorKind, Target};
use simulated_kernel::kernel::Request;

use crate::laboratory::{BIG, Cores, Laboratory, MEMORY, SELF, event};

const FAULTS: (u32, u64) = (1, 2);

/// The sums of a place, event by event.
fn totals(following: &Following, name: Option<&str>) -> Vec<Option<u64>> {
    let place = following.places().find(|place| place.name() == name).expect("it is there");
    let events = following.events(place.selection()).len();
    (0..events).map(|event| Some(place.total(event)?.value())).collect()
}

fn names(following: &Following) -> Vec<&str> {
    following.places().filter_map(|place| place.name()).collect()
}

#[test]
fn cpus_that_come_and_go() {
    let laboratory = Laboratory::new(Cores::Alike);
    let mut following = Following::new(&laboratory.system());
    let list = "page-faults,cpu/event=5/,context-switches,uncore_imc/event=1/";
    let events = laboratory.system().require(list).unwrap();
    assert_eq!(following.follow(events, Selection::cpus()), 0);
    following.update();
    let opened = laboratory.kernel().now();
    // Three events on four CPUs, and one for each memory controller.
    assert_eq!(following.descriptors(), 14);
    let (faults, core) = (event(FAULTS.0, FAULTS.1), event(BIG, 5));
    let mut truth = [0, 0];
    let mut before = vec![Some(0); 5];
    for (is_online, is_told, cpu, is_counted) in [
        (true, true, 1, true),
        (false, true, 0, true),
        (true, true, 1, true),
        // Offline for a while, which nobody notices until the next update.
        (false, false, 0, true),
        (true, false, 1, false),
        (true, true, 1, true),
        (true, true, 3, true),
    ] {
        laboratory.set_online(1, is_online);
        if is_told {
            following.update();
        }
        let start = laboratory.kernel().now();
        laboratory.work(SELF, cpu, 50);
        if is_counted {
            truth[0] += laboratory.truth(faults, start, None, &[]);
            truth[1] += laboratory.truth(core, start, None, &[]);
        }
        following.read();
        let now = totals(&following, None);
        assert_eq!(now[..2], truth.map(Some));
        assert!(before.iter().zip(&now).all(|(before, now)| now >= before), "{before:?} {now:?}");
        before = now;
    }
    // They count all the time, whoever runs.
    let microseconds = (laboratory.kernel().now() - opened) / 1000;
    let memory = MEMORY.map(|type_| {
        let rate = laboratory.kernel().world().rates.of(event(type_, 1), 0).user;
        Some(rate * microseconds)
    });
    assert_eq!(before[3..], memory);
    // What is closed is not read.
    laboratory.set_online(3, false);
    following.update();
    let place = following.places().next().unwrap();
    let is_open = |target: Target| {
        let mut cells = place.cells().iter().filter(|cell| cell.target() == target);
        cells.any(|cell| cell.is_open())
    };
    assert_eq!([0, 1, 2, 3].map(|cpu| is_open(Target::Cpu(cpu))), [true, true, true, false]);
    assert_eq!(following.descriptors(), 11);
    drop(following);
    assert_eq!(laboratory.kernel().open_events(), 0);
}

#[test]
fn control_groups_that_come_and_go() {
    let laboratory = Laboratory::new(Cores::Alike);
    let path = |number: u32| laboratory.group(number).path().to_owned();
    let first = path(1);
    let root = first.parent().unwrap().to_owned();
    let mut following = Following::new(&laboratory.system());
    let events = laboratory.system().require("page-faults,cs,cpu/event=5/").unwrap();
    following.follow(events, Selection::cgroups(&root, |name| name != "3"));
    following.update();
    assert_eq!((names(&following), following.descriptors()), (vec!["1"], 12));
    path(2);
    path(3);
    laboratory.spawn(7);
    laboratory.kernel().set_group(7, 2);
    following.update();
    assert_eq!(names(&following), ["1", "2"]);
    laboratory.work(7, 1, 10);
    laboratory.work(SELF, 0, 10);
    following.read();
    let truth = |kind| Some(laboratory.truth(kind, 0, Some(7), &[]));
    let of_second = [truth(event(FAULTS.0, FAULTS.1)), truth(event(1, 3)), truth(event(BIG, 5))];
    assert_eq!(totals(&following, Some("2")), of_second);
    assert_eq!(totals(&following, Some("1")), [Some(0); 3]);

    // A read may come before it is known to have gone.
    std::fs::remove_dir(&first).unwrap();
    following.read();
    assert_eq!(names(&following), ["1", "2"]);
    following.update();
    assert_eq!((names(&following), following.descriptors()), (vec!["2"], 12));
    assert_eq!(totals(&following, Some("2")), of_second);
    // One after the other, and nothing is left of any.
    for round in 0..100 {
        let path = path(10 + round);
        following.update();
        following.read();
        assert_eq!(following.descriptors(), 24);
        std::fs::remove_dir(path).unwrap();
    }
    following.update();
    assert_eq!(names(&following), ["2"]);
    // A watch on each CPU, and what is open.
    assert_eq!(laboratory.kernel().open_events(), 4 + 12);
}

/// What there is no room for is named in the order of the ranks, and opened once there is room.
#[test]
fn a_limit() {
    let laboratory = Laboratory::new(Cores::Alike);
    let first = laboratory.group(1).path().to_owned();
    let root = first.parent().unwrap().to_owned();
    laboratory.group(2);
    laboratory.group(3);
    let mut following = Following::new(&laboratory.system()).with_limit(10);
    let faults = || laboratory.system().require("page-faults").unwrap();
    following.follow(faults(), Selection::cpus());
    following.follow(faults(), Selection::cgroups(&root, |_| true));
    let left_out = |following: &Following| -> Vec<String> {
        following.left_out().iter().map(ToString::to_string).collect()
    };
    following.update();
    let over = |name: &str| format!("`{name}`: over the limit of 10 counters (4 counters)");
    assert_eq!(following.descriptors(), 8);
    assert_eq!(left_out(&following), [over("2"), over("3")]);
    assert_eq!(totals(&following, Some("2")), [None]);
    std::fs::remove_dir(&first).unwrap();
    following.update();
    assert_eq!(left_out(&following), [over("3")]);
    assert_eq!(following.descriptors(), 8);
}

/// More events than counters take turns; the sums are estimates that never decrease.
#[test]
fn events_that_take_turns() {
    let laboratory = Laboratory::new(Cores::Alike);
    let list = "cpu/event=1/,cpu/event=2/,cpu/event=3/,cpu/event=4/,cpu/event=5/,cpu/event=6/";
    let mut following = Following::new(&laboratory.system());
    following.follow(laboratory.system().require(list).unwrap(), Selection::cpus());
    following.update();
    let mut before = vec![Some(0); 6];
    for _ in 0..20 {
        laboratory.work(SELF, 0, 30);
        following.read();
        let now = totals(&following, None);
        assert!(before.iter().zip(&now).all(|(before, now)| now >= before), "{before:?} {now:?}");
        before = now;
    }
    let place = following.places().next().unwrap();
    for (n, config) in (1..=6).enumerate() {
        let (estimate, truth) =
            (before[n].unwrap() as f64, laboratory.truth(event(BIG, config), 0, None, &[]) as f64);
        assert!((estimate - truth).abs() <= truth * 0.1, "{config}: {estimate} {truth}");
        let count = place.total(n).unwrap();
        assert!(count.share().unwrap() < 0.9, "{count:?}");
    }
}

/// What the machine lacks is refused once and for all; the others of its group count.
#[test]
fn events_that_are_refused() {
    let laboratory = Laboratory::new(Cores::Alike);
    let is_refused = |request: &Request<'_>| (request.attr.type_, request.attr.config) == (1, 3);
    laboratory
        .kernel()
        .refuse(Box::new(move |request| is_refused(request).then_some(libc::ENOENT)));
    let mut following = Following::new(&laboratory.system());
    let events = laboratory.system().resolve("cs,page-faults,no-such-event").unwrap();
    following.follow(events, Selection::cpus());
    for _ in 0..2 {
        following.update();
        laboratory.work(SELF, 0, 10);
        following.read();
        let truth = laboratory.truth(event(FAULTS.0, FAULTS.1), 0, None, &[]);
        assert_eq!(totals(&following, None), [None, Some(truth), None]);
        let why = |event: &pmu_events::open::SetEvent| event.refusal().map(|why| why.kind());
        let kinds: Vec<_> = following.events(0).iter().map(why).collect();
        let expected = [Some(ErrorKind::NoSuchEvent), None, Some(ErrorKind::Unresolved)];
        assert_eq!(kinds, expected);
    }
}

#[test]
fn processes_that_come_and_go() {
    let laboratory = Laboratory::new(Cores::Alike);
    laboratory.spawn(7);
    let mut following = Following::new(&laboratory.system());
    let events = laboratory.system().require("page-faults").unwrap();
    // All tasks of the laboratory have this name.
    following.follow(events, Selection::processes(|name| name == "a"));
    let faults = |task| laboratory.truth(event(FAULTS.0, FAULTS.1), 0, Some(task), &[]);
    describe(&laboratory, 7);
    describe(&laboratory, SELF);
    following.update();
    assert_eq!(names(&following), ["a"]);
    laboratory.work(7, 1, 10);
    following.read();
    assert_eq!(totals(&following, Some("a")), [Some(faults(7) + faults(SELF))]);
    laboratory.exit(7);
    following.update();
    laboratory.spawn(8);
    describe(&laboratory, 8);
    following.update();
    laboratory.work(8, 1, 10);
    following.read();
    let all = [7, 8, SELF].map(faults).iter().sum();
    assert_eq!(totals(&following, Some("a")), [Some(all)]);
    assert_eq!(following.descriptors(), 2);
}

/// The file of a process with as many fields as are read of it.
fn describe(laboratory: &Laboratory, task: u32) {
    let stat = format!("{task} (a) R 1 1 1 0 -1 64 0 0 0 0 0 0 0 0 20 0 1 0 {task}");
    laboratory.write(&format!("/proc/{task}/stat"), &stat);
}
