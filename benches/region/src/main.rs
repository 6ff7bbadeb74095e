//! Measures one run of everything, and prints `key<TAB>value`. `./compare` runs it several
//! times.

#[path = "../../common/allocations.rs"]
mod allocations;
mod bare;
#[path = "../../common/processor_time.rs"]
mod processor_time;
mod turns;

use perf_event::events::Software;
use perf_event::{Builder, Counter, Group, ReadFormat};
use pmu_events::System;
use pmu_events::open::{Counters, Options, Reading};
use pmu_events::region::Regions;
use pmu_events::resolve::Resolution;

use turns::measure;

#[global_allocator]
static ALLOCATOR: allocations::Counting = allocations::Counting;

const BARE: &str = "bare";
const OURS: &str = "ours";
const DIFFERENCE: &str = "difference";
const LABEL: &str = "label";
const PERF_EVENT: &str = "perf-event2";

/// Four events that every kernel counts, whatever the machine has; by name, by
/// `enum perf_sw_ids`, and as perf-event2 has them.
const EVENTS: &str = "{task-clock,page-faults,context-switches,cpu-migrations}:u";
const CONFIGS: [u64; 4] = [1, 2, 3, 4];
const THEIRS: [Software; 4] = [
    Software::TASK_CLOCK,
    Software::PAGE_FAULTS,
    Software::CONTEXT_SWITCHES,
    Software::CPU_MIGRATIONS,
];

const ROUNDS: usize = 101;

fn main() {
    let rounds = match std::env::args().nth(1).as_deref() {
        None => ROUNDS,
        Some("--quick") => 5,
        Some(_) => {
            eprintln!("usage: pmu-events-region-bench [--quick]");
            std::process::exit(2);
        }
    };
    let resolution = System::new().resolve(EVENTS).expect("these are events");
    region(&resolution, rounds);
    opening(&resolution, rounds);
    threads(&resolution, rounds);
}

fn ours(resolution: &Resolution) -> Counters {
    let counters = Counters::open(resolution, &Options::new()).expect("a thread may count itself");
    assert!(counters.events().iter().all(|event| event.refusal().is_none()));
    counters
}

/// A member leaves its group when it is dropped.
fn theirs() -> (Group, [Counter; 3]) {
    let format =
        ReadFormat::TOTAL_TIME_ENABLED | ReadFormat::TOTAL_TIME_RUNNING | ReadFormat::GROUP;
    let mut leader = Builder::new(THEIRS[0]);
    let mut group = leader.read_format(format).build_group().expect("a thread may count itself");
    let mut member = |n: usize| group.add(&Builder::new(THEIRS[n])).expect("it joins");
    let members = [member(1), member(2), member(3)];
    (group, members)
}

/// Two reads of a group of four, as at the begin and the end of a region.
fn region(resolution: &Resolution, rounds: usize) {
    let files = bare::group(CONFIGS);
    bare::enable(&files[0]);
    let mut by_hand = || {
        let (before, after) = (bare::read(&files[0]), bare::read(&files[0]));
        after[3] - before[3]
    };
    let mut counters = ours(resolution);
    counters.enable().expect("it can be enabled");
    let (mut before, mut after) = (Reading::default(), Reading::default());
    let (mut begin, mut end) = (Reading::default(), Reading::default());
    let time = |reading: &Reading| reading.events()[0].parts()[0].count().value();
    let mut by_sets = || {
        counters.read_into(&mut before);
        counters.read_into(&mut after);
        time(&after) - time(&before)
    };
    let mut with_difference = || {
        counters.read_into(&mut begin);
        counters.read_into(&mut end);
        end.subtract(&begin);
        time(&end)
    };
    let regions = Regions::new(resolution.clone(), Options::new());
    let own = regions.thread().expect("a thread may count itself");
    let mut by_label = || own.count("work", || 1);
    let (mut group, _members) = theirs();
    group.enable().expect("it can be enabled");
    let mut by_perf_event = || {
        let [before, after] = [(); 2].map(|()| group.read().expect("it can be read"));
        let value = |data: &perf_event::GroupData| data.iter().next().map_or(0, |one| one.value());
        value(&after) - value(&before)
    };
    by_sets();
    with_difference();
    by_label();
    measure(
        "region",
        rounds,
        &mut [
            (BARE, &mut by_hand),
            (OURS, &mut by_sets),
            (DIFFERENCE, &mut with_difference),
            (LABEL, &mut by_label),
            (PERF_EVENT, &mut by_perf_event),
        ],
    );
}

/// Opening four events in a group, and closing them.
fn opening(resolution: &Resolution, rounds: usize) {
    let mut by_hand = || bare::group(CONFIGS).len() as u64;
    let mut by_sets = || ours(resolution).events().len() as u64;
    let mut by_perf_event = || theirs().1.len() as u64;
    measure(
        "open",
        rounds,
        &mut [(BARE, &mut by_hand), (OURS, &mut by_sets), (PERF_EVENT, &mut by_perf_event)],
    );
}

/// A resolved list for another thread: cloned, or resolved once more.
fn threads(resolution: &Resolution, rounds: usize) {
    let system = System::new();
    let mut resolved = || system.resolve(EVENTS).map_or(0, |list| list.events().len() as u64);
    let mut cloned = || resolution.clone().events().len() as u64;
    measure("list", rounds, &mut [("resolved", &mut resolved), ("cloned", &mut cloned)]);
}
