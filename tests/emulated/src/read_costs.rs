//! What a read costs with and without a system call, beside perf-event2.
//!
//! The machine's clock goes two nanoseconds for each instruction, also for those of the kernel,
//! which an event of a program does not count: so a time is a number of instructions.

use std::hint::black_box;
use std::time::Instant;

use perf_event::events::Hardware;
use perf_event::{Builder, Counter, ReadFormat};
use pmu_events::System;
use pmu_events::open::{Options, Reading};

use crate::report::Report;

const NANOSECONDS: u128 = 2;
const READS: u32 = 100;
const GENERIC: [Hardware; 2] = [Hardware::INSTRUCTIONS, Hardware::CPU_CYCLES];

/// Reads of one event and of groups, each of instructions and cycles by turns. User-space reads
/// must be allowed.
pub(crate) fn check(report: &mut Report, system: &System) {
    for (name, text, events) in [
        ("alone", "instructions:u", 1),
        ("two", "{instructions,cycles}:u", 2),
        ("four", "{instructions,cycles,instructions,cycles}:u", 4),
    ] {
        // One after the other: there are not counters for all.
        let by_page = of_counters(system, text, true);
        let by_call = of_counters(system, text, false);
        let by_perf_event = of_perf_event(events);
        let mut row = |method, at_most: &str, cost: u128, holds| {
            let what = format!("read, {name}: all instructions, {method}");
            report.check(what, format!("1 or more{at_most}"), cost, holds);
        };
        row("by perf-event2", "", by_perf_event, true);
        row("by read(2)", ", up to perf-event2's", by_call, by_call <= by_perf_event);
        row("without a call", ", up to a quarter of read(2)'s", by_page, by_page <= by_call / 4);
    }
}

fn of_counters(system: &System, text: &str, in_user_space: bool) -> u128 {
    let options = Options::new().with_user_space_reads(in_user_space);
    let mut counters =
        system.open_with(text, &options).unwrap_or_else(|error| panic!("{text}: {error}"));
    counters.enable().expect("it can be enabled");
    let mut reading = Reading::default();
    least(|| counters.read_into(black_box(&mut reading)))
}

fn of_perf_event(events: usize) -> u128 {
    let times = ReadFormat::TOTAL_TIME_ENABLED | ReadFormat::TOTAL_TIME_RUNNING;
    let mut leader = Builder::new(GENERIC[0]);
    if events == 1 {
        let mut counter = leader.read_format(times).build().expect("it counts");
        counter.enable().expect("it can be enabled");
        return least(|| {
            black_box(counter.read_full().expect("it can be read"));
        });
    }
    let group = leader.read_format(times | ReadFormat::GROUP).build_group();
    let mut group = group.expect("it counts");
    let mut member = |n: usize| group.add(&Builder::new(GENERIC[n % 2])).expect("it counts");
    let members: Vec<Counter> = (1..events).map(&mut member).collect();
    group.enable().expect("it can be enabled");
    let instructions = least(|| {
        black_box(group.read().expect("it can be read"));
    });
    drop(members);
    instructions
}

/// The instructions of a read, on average of some that no timer lengthens.
fn least(mut read: impl FnMut()) -> u128 {
    let mut round = || {
        let start = Instant::now();
        (0..READS).for_each(|_| read());
        start.elapsed().as_nanos()
    };
    let least = (0..10).map(|_| round()).min().unwrap_or(u128::MAX);
    least / NANOSECONDS / u128::from(READS)
}
