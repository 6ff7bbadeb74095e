//! Counters that are read without a system call, on Arm, where they have to be allowed and asked
//! for. What is counted between two reads around a loop is the loop and the way from one read
//! into the other, which is as long each time.

use std::fs;

use pmu_events::System;
use pmu_events::open::{Counters, Options, ReadMethod, Reading};

use crate::counts::expected::{MODIFIER, NAMES};
use crate::machine::Machine;
use crate::read_costs;
use crate::report::Report;
use crate::work::{self, CYCLES, PER_TURN};

const TURNS: u64 = 100_000;

/// Below this many instructions, all in all, for each counter that is read.
const MOST: u64 = 200;

pub(crate) fn check(report: &mut Report, machine: &Machine) {
    let system = machine.system();
    let alone = format!("{}{MODIFIER}", NAMES[0]);
    let group = format!("{{{}}}{MODIFIER}", NAMES.join(","));
    let four = format!("{{{0},{1},{0},{1}}}{MODIFIER}", NAMES[0], NAMES[1]);
    let counters = open(&system, &alone);
    says_method(report, "read, not allowed", &counters, ReadMethod::SystemCall);
    drop(counters);
    allow(true);
    for (name, text, events) in [("alone", &alone, 1), ("two", &group, 2), ("four", &four, 4)] {
        let counters = open(&system, text);
        says_method(report, format!("read, {name}"), &counters, ReadMethod::UserSpace);
        around_loops(report, name, &counters, events);
        drop(counters);
        beside_read(report, name, &system, text);
    }
    read_costs::check(report, &system);
    groups_after_reset(report, &system);
    elsewhere(report, &system, &alone);
    switches(report, &system);
    // What is read until the kernel next switches tasks ends the program: this one sleeps.
    let counters = open(&system, &alone);
    allow(false);
    std::thread::sleep(std::time::Duration::from_millis(2));
    says_method(report, "read, withdrawn", &counters, ReadMethod::SystemCall);
    allow(true);
    std::thread::sleep(std::time::Duration::from_millis(2));
    says_method(report, "read, allowed again", &counters, ReadMethod::UserSpace);
    allow(false);
}

fn allow(is_allowed: bool) {
    let text = if is_allowed { "1" } else { "0" };
    fs::write("/proc/sys/kernel/perf_user_access", text).expect("it can be written");
}

fn open(system: &System, text: &str) -> Counters {
    let options = Options::new().with_user_space_reads(true);
    let mut counters =
        system.open_with(text, &options).unwrap_or_else(|error| panic!("{text}: {error}"));
    counters.enable().expect("it can be enabled");
    counters
}

fn method(reading: &Reading) -> Option<ReadMethod> {
    let mut methods = reading.events().iter().flat_map(|event| event.parts()).map(|p| p.method());
    let first = methods.next()?;
    methods.all(|method| method == first).then_some(first)
}

fn says_method(
    report: &mut Report,
    name: impl std::fmt::Display,
    counters: &Counters,
    expected: ReadMethod,
) {
    let mut reading = Reading::default();
    counters.read_into(&mut reading);
    report.equal(name, format!("{expected:?}"), named(&reading));
}

fn named(reading: &Reading) -> String {
    method(reading).map_or("both".into(), |method| format!("{method:?}"))
}

fn value(reading: &Reading, event: usize) -> u64 {
    reading.events()[event].parts()[0].count().value()
}

/// What each event counts between two reads around a loop.
fn spent(counters: &Counters, turns: u64, events: usize) -> Vec<u64> {
    let (mut before, mut after) = (counters.read(), counters.read());
    let mut least: Vec<u64> = vec![u64::MAX; events];
    // A timer that rings in between may cost a second attempt.
    for _ in 0..5 {
        counters.read_into(&mut before);
        work::spin(turns);
        counters.read_into(&mut after);
        for (event, least) in least.iter_mut().enumerate() {
            *least = (*least).min(value(&after, event) - value(&before, event));
        }
    }
    least
}

/// Loops of known length, to the instruction; and what a read takes.
fn around_loops(report: &mut Report, name: &str, counters: &Counters, events: usize) {
    let [none, once, thrice] = [1, 1 + TURNS, 1 + 3 * TURNS].map(|n| spent(counters, n, events));
    for event in 0..events {
        let each = PER_TURN * if event % 2 == 0 { 1 } else { CYCLES };
        let label = format!("read, {name}: {}", NAMES[event % 2]);
        report.equal(&label, each * TURNS, once[event] - none[event]);
        report.equal(&label, 2 * each * TURNS, thrice[event] - once[event]);
    }
    let instructions = none[0] / events as u64;
    let holds = instructions < MOST;
    report.check(
        format!("read, {name}: instructions per counter"),
        format!("0 to {}", MOST - 1),
        instructions,
        holds,
    );
}

/// What the system call `read` sees of the same loops.
fn beside_read(report: &mut Report, name: &str, system: &System, text: &str) {
    let differences = |counters: Counters| {
        let events = counters.events().len();
        let [none, once, thrice] =
            [1, 1 + TURNS, 1 + 3 * TURNS].map(|turns| spent(&counters, turns, events));
        let spent = once.iter().zip(&none).chain(thrice.iter().zip(&none));
        spent.map(|(more, less)| (more - less).to_string()).collect::<Vec<_>>().join(" ")
    };
    // One after the other: there are not counters for both.
    let mut by_kernel = system.open(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    by_kernel.enable().expect("it can be enabled");
    let expected = differences(by_kernel);
    let counted = differences(open(system, text));
    report.equal(format!("read, {name}: as read(2)"), expected, counted);
}

/// Groups of which each is smaller than the one before, read as what they have counted since a
/// reset: the memory of a larger group must not pass for counts of the next.
fn groups_after_reset(report: &mut Report, system: &System) {
    let [one, other] = NAMES;
    let text =
        format!("{{{one},{other},{one}}}{MODIFIER},{{{other},{one}}}{MODIFIER},{other}{MODIFIER}");
    let mut counters = open(system, &text);
    counters.reset();
    says_method(report, "read, after a reset", &counters, ReadMethod::UserSpace);
    let [none, once] = [1, 1 + TURNS].map(|turns| spent(&counters, turns, 6));
    for (event, (once, none)) in once.iter().zip(&none).enumerate() {
        let expected = if event % 2 == 0 { PER_TURN } else { PER_TURN * CYCLES } * TURNS;
        report.equal(format!("read, after a reset: event {event}"), expected, once - none);
    }
}

/// Another thread and a child process have other counters, or none.
fn elsewhere(report: &mut Report, system: &System, text: &str) {
    let counters = open(system, text);
    let mut reading = counters.read();
    std::thread::scope(|scope| {
        scope.spawn(|| counters.read_into(&mut reading)).join().expect("it reads");
    });
    report.equal("read, by another thread", "SystemCall", &*named(&reading));
    // SAFETY: this program has one thread.
    let child = unsafe { libc::fork() };
    if child == 0 {
        counters.read_into(&mut reading);
        drop(counters);
        std::process::exit(i32::from(method(&reading) == Some(ReadMethod::SystemCall)));
    }
    let mut status = 0;
    // SAFETY: the child is ours, and the status a number.
    unsafe { libc::waitpid(child, &raw mut status, 0) };
    report.equal("read, by a child process", 1, libc::WEXITSTATUS(status));
    counters.read_into(&mut reading);
    report.equal("read, after that", "UserSpace", &*named(&reading));
}

/// More events than counters: each is read as it has a counter or not, and no count goes back.
fn switches(report: &mut Report, system: &System) {
    const EVENTS: usize = 9;
    let text = vec![format!("{}{MODIFIER}", NAMES[0]); EVENTS].join(",");
    let counters = open(system, &text);
    let mut last = counters.read();
    let mut reading = counters.read();
    let (mut in_user_space, mut by_kernel, mut backwards) = (0, 0, 0);
    for _ in 0..200 {
        work::spin(TURNS);
        counters.read_into(&mut reading);
        for (now, before) in reading.events().iter().zip(last.events()) {
            let ([now], [before]) = (now.parts(), before.parts()) else { panic!("it has one") };
            match now.method() {
                ReadMethod::UserSpace => in_user_space += 1,
                _ => by_kernel += 1,
            }
            let [now, before] = [now.count(), before.count()];
            backwards += u64::from(now.value() < before.value());
            backwards += u64::from(now.time_enabled() < before.time_enabled());
            backwards += u64::from(now.time_running() < before.time_running());
            backwards += u64::from(now.time_running() > now.time_enabled());
        }
        std::mem::swap(&mut last, &mut reading);
    }
    report.check(
        "read, multiplexed: without a call",
        "1 or more",
        in_user_space,
        in_user_space > 0,
    );
    report.check("read, multiplexed: by read(2)", "1 or more", by_kernel, by_kernel > 0);
    report.equal("read, multiplexed: backwards", 0, backwards);
}
