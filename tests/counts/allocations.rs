//! Reading into memory that is there allocates nothing.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use pmu_events::Scope;
use pmu_events::follow::{Following, Selection};
use pmu_events::open::{Counters, Options, Outcome, Reading};

use crate::laboratory::{Cores, Laboratory, SELF};

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, which counts for each thread what its programs ask for; what the
/// simulated kernel asks for is not counted.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn note() {
    // A thread that ends may have no storage any more.
    let _ = COUNT.try_with(|count| {
        if !simulated_kernel::is_inside() {
            count.set(count.get() + 1);
        }
    });
}

// SAFETY: everything is the system allocator's.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note();
        // SAFETY: the caller keeps the contract, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note();
        // SAFETY: as above.
        unsafe { System.realloc(at, layout, size) }
    }
}

/// How often something allocates on this thread.
pub(crate) fn allocations(work: impl FnOnce()) -> u64 {
    let before = COUNT.get();
    work();
    COUNT.get() - before
}

/// The number of system calls of a read, which reads the same as a new reading would.
fn check(name: &str, laboratory: &Laboratory, counters: &mut Counters) {
    let (mut before, mut after) = (counters.read(), Reading::default());
    assert!(allocations(|| counters.read_into(&mut after)) > 0, "{name}: the first read");
    for round in 0..3 {
        laboratory.work(SELF, 0, 10);
        let found = allocations(|| {
            counters.read_into(&mut after);
            after.subtract(&before);
        });
        assert_eq!(found, 0, "{name}, round {round}");
        assert_eq!(after, counters.read().since(&before), "{name}, round {round}");
        assert_eq!(allocations(|| counters.read_into(&mut before)), 0, "{name}, round {round}");
        assert_eq!(before, counters.read(), "{name}, round {round}");
        assert!(!before.events().is_empty(), "{name}");
        for event in before.events() {
            assert!(matches!(event.outcome(), Outcome::Counted(_)), "{name}: {event}");
        }
    }
    counters.reset();
    counters.read_into(&mut after);
    assert_eq!(allocations(|| counters.read_into(&mut after)), 0, "{name}, after a reset");
}

/// Of all shapes that a set can have.
#[test]
fn reads_into_what_is_there() {
    let threads = || Scope::Threads(vec![SELF, 7]);
    let cpus = || Scope::Cpus("0-1".parse().unwrap());
    let six = "cpu/event=1/,cpu/event=2/,cpu/event=3/,cpu/event=4/,cpu/event=5/,cpu/event=6/";
    let group = "{cpu/event=1/,cpu/event=2/,page-faults,task-clock}";
    let cases: &[(&str, &str, Cores, Scope)] = &[
        ("one event", "page-faults", Cores::Alike, Scope::ThisThread),
        ("a group", group, Cores::Alike, Scope::ThisThread),
        ("a group and others", "{cs,faults},task-clock", Cores::Alike, Scope::ThisThread),
        ("times", "duration_time,page-faults", Cores::Alike, Scope::ThisThread),
        ("multiplexed", six, Cores::Alike, Scope::ThisThread),
        ("pinned", "cpu/event=1/D", Cores::Alike, Scope::ThisThread),
        ("on some CPUs", "cpu/event=1,cpu=0-1/", Cores::Alike, Scope::ThisThread),
        ("one kind of core", "cpu_core/event=1/", Cores::Hybrid, Scope::ThisThread),
        ("attached", group, Cores::Alike, threads()),
        ("CPUs", group, Cores::Alike, cpus()),
        ("all CPUs", "page-faults", Cores::Alike, Scope::AllCpus),
        ("instances", "uncore_imc/event=1/", Cores::Alike, Scope::AllCpus),
    ];
    for (name, text, cores, scope) in cases {
        let laboratory = Laboratory::new(*cores);
        laboratory.spawn(7);
        let options = Options::new().with_scope(scope.clone());
        let mut counters = laboratory.system().open_with(text, &options).unwrap();
        counters.enable().unwrap();
        // Each of more events than counters has had one.
        laboratory.work(SELF, 0, 30);
        laboratory.work(7, 1, 30);
        check(name, &laboratory, &mut counters);
    }
}

/// In a control group, whose CPUs are watched.
#[test]
fn reads_of_a_control_group() {
    let laboratory = Laboratory::new(Cores::Alike);
    let options = Options::new().with_scope(Scope::AllCpus).with_cgroup(laboratory.group(1));
    let mut counters = laboratory.system().open_with("cpu/event=1/,cs", &options).unwrap();
    counters.enable().unwrap();
    check("a control group", &laboratory, &mut counters);
}

/// A set that follows CPUs: what it has counted is added up in place.
#[test]
fn reads_of_what_is_followed() {
    let laboratory = Laboratory::new(Cores::Alike);
    let events = laboratory.system().require("cs,faults,cpu/event=1/,{cpu/event=2/,cpu/event=3/}");
    let mut following = Following::new(&laboratory.system());
    following.follow(events.unwrap(), Selection::cpus());
    following.update();
    following.read();
    for _ in 0..3 {
        laboratory.work(SELF, 0, 10);
        assert_eq!(allocations(|| following.read()), 0);
    }
    assert!(following.places().all(|place| place.total(4).is_some()));
}

/// A group that is larger than what is read at first.
#[test]
fn reads_of_a_large_group() {
    let laboratory = Laboratory::new(Cores::Alike);
    let text = format!("{{{}}}", ["cs"; 100].join(","));
    let mut counters = laboratory.system().open(&text).unwrap();
    counters.enable().unwrap();
    check("a hundred events", &laboratory, &mut counters);
}

/// Each group takes one system call.
#[test]
fn system_calls() {
    let laboratory = Laboratory::new(Cores::Alike);
    let mut counters = laboratory.system().open("{cs,faults,cpu/event=1/},task-clock").unwrap();
    counters.enable().unwrap();
    let mut reading = counters.read();
    let before = laboratory.kernel().calls();
    counters.read_into(&mut reading);
    assert_eq!(laboratory.kernel().calls() - before, 2);
}

/// A reading of another set is replaced, and those of threads that end are not lost.
#[test]
fn readings_of_other_sets() {
    let laboratory = Laboratory::new(Cores::Alike);
    laboratory.spawn(7);
    let system = laboratory.system();
    let options = Options::new().with_scope(Scope::Threads(vec![7]));
    let mut one = system.open_with("{cs,page-faults}", &options).unwrap();
    let mut two = system.open("page-faults,{task-clock,cpu/event=1/}").unwrap();
    one.enable().unwrap();
    two.enable().unwrap();
    laboratory.work(7, 0, 10);
    laboratory.work(SELF, 0, 10);
    let mut reading = one.read();
    two.read_into(&mut reading);
    assert_eq!(reading, two.read());
    laboratory.exit(7);
    one.read_into(&mut reading);
    assert_eq!(reading, one.read());
    assert!(reading[1].value().unwrap() > 0.0);
    assert_eq!(allocations(|| one.read_into(&mut reading)), 0);
}
