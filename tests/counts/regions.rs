//! Regions of a program: what they add up to, on a kernel whose truth is known.

use std::mem;
use std::panic::{self, AssertUnwindSafe};

use pmu_events::Scope;
use pmu_events::measure::{Formulas, Plan};
use pmu_events::open::{ErrorKind, Options, Outcome};
use pmu_events::region::{Label, Regions, Report};
use simulated_kernel::kernel::Control;

use crate::allocations::allocations;
use crate::laboratory::{BIG, Cores, Laboratory, SELF, event};

const EVENT: &str = "cpu/event=5/";

fn regions(laboratory: &Laboratory, events: &str) -> Regions {
    Regions::open(&laboratory.system(), events).expect("it is a list")
}

/// What an event counted in the regions of a label.
fn value(report: &Report, label: &str) -> f64 {
    report.label(label).expect("it was entered").reading()[0].exact().expect("it was counted")
}

/// The truth since a moment, of one task or of all.
fn truth(laboratory: &Laboratory, task: Option<u32>) -> f64 {
    laboratory.truth(event(BIG, 5), 0, task, &[]) as f64
}

fn numbers(label: &Label) -> [u64; 5] {
    [label.regions(), label.within(), label.panicked(), label.forked(), label.unclosed()]
}

/// Only what happens within a region is counted, with what happens in those within.
#[test]
fn regions_nest() {
    let laboratory = Laboratory::new(Cores::Alike);
    let regions = regions(&laboratory, EVENT);
    let thread = regions.thread().unwrap();
    let mut expected = [0.0; 2];
    for round in 1..4 {
        laboratory.work(SELF, 0, 7);
        let before = truth(&laboratory, Some(SELF));
        let outer = thread.enter("outer");
        laboratory.work(SELF, 0, round);
        let at_inner = truth(&laboratory, Some(SELF));
        thread.count("inner", || laboratory.work(SELF, 1, 10 * round));
        expected[1] += truth(&laboratory, Some(SELF)) - at_inner;
        laboratory.work(SELF, 0, round);
        drop(outer);
        expected[0] += truth(&laboratory, Some(SELF)) - before;
    }
    let report = regions.report();
    assert_eq!([value(&report, "outer"), value(&report, "inner")], expected);
    assert_eq!(report.labels().iter().map(Label::name).collect::<Vec<_>>(), ["outer", "inner"]);
    assert_eq!(report.labels().iter().map(numbers).collect::<Vec<_>>(), [[3, 0, 0, 0, 0]; 2]);
}

/// Guards that do not end in the order in which they began count their own times.
#[test]
fn guards_in_any_order() {
    let laboratory = Laboratory::new(Cores::Alike);
    let regions = regions(&laboratory, EVENT);
    let thread = regions.thread().unwrap();
    let one = thread.enter("one");
    laboratory.work(SELF, 0, 1);
    let two = thread.enter("two");
    let at_two = truth(&laboratory, None);
    laboratory.work(SELF, 0, 1);
    drop(one);
    let of_one = truth(&laboratory, None);
    laboratory.work(SELF, 0, 1);
    drop(two);
    let report = regions.report();
    let expected = [of_one, truth(&laboratory, None) - at_two];
    assert_eq!([value(&report, "one"), value(&report, "two")], expected);
}

/// A function that calls itself is counted once.
#[test]
fn recursion() {
    fn visit(laboratory: &Laboratory, thread: &pmu_events::region::ThreadRegions, depth: u64) {
        let _region = thread.enter("visit");
        laboratory.work(SELF, 0, depth);
        if depth > 1 {
            visit(laboratory, thread, depth - 1);
        }
    }
    let laboratory = Laboratory::new(Cores::Alike);
    let regions = regions(&laboratory, EVENT);
    let thread = regions.thread().unwrap();
    visit(&laboratory, &thread, 4);
    visit(&laboratory, &thread, 2);
    let report = regions.report();
    assert_eq!(value(&report, "visit"), truth(&laboratory, None));
    assert_eq!(numbers(&report.labels()[0]), [2, 4, 0, 0, 0]);
}

/// Each thread counts itself; the report has the sum, also of threads that have ended.
#[test]
fn threads_add_up() {
    let laboratory = Laboratory::new(Cores::Alike);
    let regions = regions(&laboratory, EVENT);
    let own = regions.thread().unwrap();
    let outer = own.enter("work");
    for task in 7..10 {
        laboratory.spawn(task);
        let (simulation, regions) = (laboratory.simulation.clone(), regions.clone());
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                let _entered = simulation.enter(task);
                let thread = regions.thread().unwrap();
                thread.count("work", || laboratory.work(task, 1, 5));
                laboratory.work(task, 1, 3);
            });
            thread.join().expect("it ends");
        });
    }
    laboratory.work(SELF, 0, 2);
    drop(outer);
    let report = regions.report();
    let of_tasks = (7..10).map(|task| truth(&laboratory, Some(task)) / 8.0 * 5.0).sum::<f64>();
    assert_eq!(value(&report, "work"), truth(&laboratory, Some(SELF)) + of_tasks);
    assert_eq!(numbers(&report.labels()[0]), [4, 0, 0, 0, 0]);
}

/// Of more events than counters, the sum is an estimate, and `exact` refuses it.
#[test]
fn multiplexed() {
    let laboratory = Laboratory::new(Cores::Alike);
    let events: Vec<String> = (0..6).map(|n| format!("cpu/event={n}/")).collect();
    let regions = regions(&laboratory, &events.join(","));
    let thread = regions.thread().unwrap();
    for _ in 0..4 {
        thread.count("work", || laboratory.work(SELF, 0, 24));
    }
    let report = regions.report();
    for (n, reading) in report.labels()[0].reading().events().iter().enumerate() {
        let Outcome::Counted(total) = reading.outcome() else { panic!("{reading}") };
        assert_eq!((n, total.share()), (n, 0.5));
        assert_eq!(reading.exact().unwrap_err().kind(), ErrorKind::Multiplexed);
    }
    let text = report.to_string();
    assert_eq!(text.matches("(estimated: counted 50 % of the time)").count(), 6, "{text}");
}

/// An event that has no counter within the regions has a reason and no number.
#[test]
fn never_scheduled() {
    let laboratory = Laboratory::new(Cores::Alike);
    let regions = regions(&laboratory, "{cpu/event=1/,cpu/event=2/,cpu/event=3/}:D,cpu/event=4/");
    let thread = regions.thread().unwrap();
    thread.count("work", || laboratory.work(SELF, 0, 24));
    let report = regions.report();
    let reading = &report.labels()[0].reading()[3];
    assert_eq!(reading.outcome(), Outcome::NotCounted);
    assert_eq!(reading.value().unwrap_err().kind(), ErrorKind::NeverScheduled);
    assert_eq!(reading.exact().unwrap_err().kind(), ErrorKind::NeverScheduled);
    let text = report.to_string();
    assert!(text.contains("unknown        cpu/event=4/: the event never had a counter"), "{text}");
}

/// A counter that goes backwards in a region, here because somebody resets it, makes the sum
/// incomplete. It says so, and keeps what the other regions and events counted.
#[test]
fn backwards() {
    let laboratory = Laboratory::new(Cores::Alike);
    let regions = regions(&laboratory, &format!("{{{EVENT},cpu/event=6/}}"));
    let thread = regions.thread().unwrap();
    thread.count("work", || laboratory.work(SELF, 0, 5));
    let first = truth(&laboratory, None);
    thread.count("work", || {
        let mut kernel = laboratory.kernel();
        let leader = (0..100).find(|&id| kernel.read(id, 100).is_ok()).expect("it is open");
        kernel.control(leader, Control::Reset, false).unwrap();
    });
    thread.count("work", || laboratory.work(SELF, 0, 3));
    let report = regions.report();
    let work = report.label("work").unwrap();
    let [reset, other] = work.reading().events() else { panic!("these are two events") };
    let Outcome::Partial(total) = reset.outcome() else { panic!("{reset}") };
    assert_eq!(total.value(), truth(&laboratory, None) as u64);
    assert!(first > 0.0 && total.value() as f64 > first, "{first}");
    assert_eq!(reset.lacks()[0].why().kind(), ErrorKind::Unreadable);
    let truth = laboratory.truth(event(BIG, 6), 0, Some(SELF), &[]);
    assert_eq!(other.exact().unwrap(), truth as f64);
    assert_eq!(numbers(work), [3, 0, 0, 0, 0]);
}

/// A panic ends a region before its work is done.
#[test]
fn panics() {
    struct Late<'l, 't>(&'l Laboratory, &'t pmu_events::region::ThreadRegions);
    impl Drop for Late<'_, '_> {
        fn drop(&mut self) {
            self.1.count("cleanup", || self.0.work(SELF, 0, 2));
        }
    }
    let laboratory = Laboratory::new(Cores::Alike);
    let regions = regions(&laboratory, EVENT);
    let thread = regions.thread().unwrap();
    let broken = panic::catch_unwind(AssertUnwindSafe(|| {
        let _late = Late(&laboratory, &thread);
        thread.count("work", || {
            laboratory.work(SELF, 0, 5);
            panic::resume_unwind(Box::new("broken"));
        });
    }));
    assert!(broken.is_err());
    let before = truth(&laboratory, None);
    thread.count("work", || laboratory.work(SELF, 0, 1));
    let report = regions.report();
    assert_eq!(value(&report, "work"), truth(&laboratory, None) - before);
    assert_eq!(numbers(report.label("work").unwrap()), [1, 0, 1, 0, 0]);
    // What begins and ends while a panic unwinds is whole.
    assert_eq!(numbers(report.label("cleanup").unwrap()), [1, 0, 0, 0, 0]);
    let headings = ["work: 1 region, 1 left by a panic", "cleanup: 1 region"];
    let text = report.to_string();
    assert!(headings.iter().all(|heading| text.lines().any(|line| line == *heading)), "{text}");
}

/// A guard that is never dropped.
#[test]
fn labels_without_end() {
    let laboratory = Laboratory::new(Cores::Alike);
    let regions = regions(&laboratory, EVENT);
    let thread = regions.thread().unwrap();
    mem::forget(thread.enter("work"));
    laboratory.work(SELF, 0, 1);
    let report = regions.report();
    assert_eq!(numbers(&report.labels()[0]), [0, 0, 0, 0, 1]);
    assert!(report.labels()[0].reading().events().is_empty());
    assert_eq!(report.to_string().lines().next(), Some("work: 0 regions, 1 not closed"));
    drop(thread);
    assert_eq!(numbers(&regions.report().labels()[0]), [0, 0, 0, 0, 1]);
}

/// After the first regions of each label and depth, nothing is allocated.
#[test]
fn regions_allocate_nothing() {
    let laboratory = Laboratory::new(Cores::Alike);
    let regions = regions(&laboratory, "{cpu/event=1/,cpu/event=2/,page-faults,task-clock}");
    let thread = regions.thread().unwrap();
    let both = || {
        let _outer = thread.enter("outer");
        thread.count("inner", || ());
    };
    assert!(allocations(both) > 0, "the first");
    assert_eq!(allocations(|| (0..100).for_each(|_| both())), 0);
}

/// In one call for the group at each end.
#[test]
fn calls() {
    let laboratory = Laboratory::new(Cores::Alike);
    let regions = regions(&laboratory, "{cpu/event=1/,cpu/event=2/,cpu/event=3/,page-faults}");
    let thread = regions.thread().unwrap();
    let before = laboratory.kernel().calls();
    thread.count("work", || ());
    assert_eq!(laboratory.kernel().calls() - before, 2);
}

/// A list is resolved once: other threads open what it has.
#[test]
fn threads_resolve_nothing() {
    let laboratory = Laboratory::new(Cores::Alike);
    let resolution = laboratory.system().resolve(EVENT).unwrap();
    let regions = Regions::new(resolution, Options::new());
    // Without the files, nothing could be resolved.
    laboratory.remove("/bus/event_source/devices/cpu/format/event");
    let thread = regions.thread().unwrap();
    thread.count("work", || laboratory.work(SELF, 0, 1));
    assert_eq!(value(&regions.report(), "work"), truth(&laboratory, None));
}

/// With a plan, each label has the values of the metrics.
#[test]
fn metrics() {
    let laboratory = Laboratory::new(Cores::Alike);
    let system = laboratory.system();
    let formulas: Formulas =
        "twice = 2 * cpu@event\\=5@\nrate = page\\-faults / (cs - cs)".parse().unwrap();
    let plan = Plan::new(formulas.bind(&system).unwrap(), &system, &Scope::ThisThread);
    let regions = Regions::of_plan(plan, Options::new());
    let thread = regions.thread().unwrap();
    thread.count("work", || laboratory.work(SELF, 0, 50));
    let report = regions.report();
    let values: Vec<f64> = report.labels()[0].values().iter().map(|one| one.value()).collect();
    assert_eq!(values[0], 2.0 * truth(&laboratory, None));
    assert!(values[1].is_nan(), "{values:?}");
    assert!(report.to_string().contains("unknown        rate"), "{report}");
    assert!(report.to_json().contains(r#"{"name":"rate","unit":"","value":null}"#), "{report}");
}
