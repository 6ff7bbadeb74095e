//! Samples by overflow interrupts, on Arm: where a program with two loops of known length is.
//!
//! A counter that interrupts after each `PERIOD` events takes a sample at every multiple of it, so
//! that no chance is involved: a loop with N events has N / `PERIOD` samples, or one more or less
//! at each end. What the interrupt comes late, it comes late each time.
//!
//! QEMU interrupts in time for the counter of cycles only. The timer for another one is due one
//! event before the overflow, and is not set again (`pmevcntr_op_finish` in
//! `target/arm/helper.c` of 7.2 and later): the overflow is seen when the kernel is next
//! entered. So instructions are sampled beside cycles, whose interrupts enter it; the kernel makes
//! the next period shorter by what the one before was too long, and the number is right.

use pmu_events::System;
use pmu_events::config::Sampling;
use pmu_events::sample::{Body, Options, Sampler};

use crate::counts::expected::{MODIFIER, NAMES};
use crate::machine::Machine;
use crate::programs;
use crate::report::Report;
use crate::work::CYCLES;

/// The argument by which this program goes round both loops.
pub(crate) const LOOPS: &str = "loops";

/// The turns of the first loop, which takes two instructions each, and of the second, three.
const TURNS: [u64; 2] = [4_000_000, 8_000_000];
const PER_TURN: [u64; 2] = [2, 3];
/// No multiple of a turn, and so long that the kernel throttles nothing.
const PERIOD: u64 = 100_003;
/// For how late the interrupt is, at the beginning and the end of a loop.
const SLACK: u64 = 2;

/// Goes round the first loop; returns its address.
#[inline(never)]
fn first(turns: u64) -> u64 {
    let at: u64;
    // SAFETY: it touches registers that it was given.
    unsafe {
        std::arch::asm!(
            "adr {at}, 2f",
            "2:",
            "subs {turns}, {turns}, #1",
            "b.ne 2b",
            at = out(reg) at,
            turns = inout(reg) turns => _,
        );
    }
    at
}

/// The same with a further instruction.
#[inline(never)]
fn second(turns: u64) -> u64 {
    let at: u64;
    // SAFETY: as above.
    unsafe {
        std::arch::asm!(
            "adr {at}, 2f",
            "2:",
            "nop",
            "subs {turns}, {turns}, #1",
            "b.ne 2b",
            at = out(reg) at,
            turns = inout(reg) turns => _,
        );
    }
    at
}

fn both() -> [u64; 2] {
    [first(TURNS[0]), second(TURNS[1])]
}

/// Says where the loops are, to whoever samples this program.
pub(crate) fn loops() {
    let [one, other] = both();
    println!("{one} {other}");
}

/// How many addresses are in each loop, and elsewhere.
fn distribute(addresses: &[u64], loops: [u64; 2]) -> [u64; 3] {
    let mut numbers = [0; 3];
    for address in addresses {
        let is_in = |n: &usize| (loops[*n]..loops[*n] + 4 * PER_TURN[*n]).contains(address);
        numbers[(0..2).find(is_in).unwrap_or(2)] += 1;
    }
    numbers
}

fn compare(report: &mut Report, what: &str, cycles: u64, numbers: [u64; 3], elsewhere: u64) {
    for n in 0..2 {
        let expected = cycles * PER_TURN[n] * TURNS[n] / PERIOD;
        let name = ["first", "second"][n];
        let holds = numbers[n].abs_diff(expected) <= SLACK;
        let row = format!("{what}: in the {name} loop");
        report.check(row, format!("{expected} ± {SLACK}"), numbers[n], holds);
    }
    let holds = numbers[2] <= elsewhere;
    report.check(format!("{what}: elsewhere"), format!("0 to {elsewhere}"), numbers[2], holds);
}

pub(crate) fn check(report: &mut Report, machine: &Machine) {
    let system = machine.system();
    let [instructions, cycles] = NAMES;
    alone(report, &system, instructions);
    library(report, &system, &[cycles]);
    library(report, &system, &[cycles, instructions]);
    command(report, &[cycles]);
    command(report, &[cycles, instructions]);
}

/// What an instruction counts of an event.
fn weight(name: &str) -> u64 {
    if name == NAMES[0] { 1 } else { CYCLES }
}

fn list(names: &[&str]) -> String {
    let all: Vec<String> = names.iter().map(|name| format!("{name}{MODIFIER}")).collect();
    all.join(",")
}

/// What is sampled of each event around both loops.
struct Sampled {
    addresses: Vec<Vec<u64>>,
    loops: [u64; 2],
    throttled: u64,
    lost: u64,
    is_of_period: bool,
}

fn sample(system: &System, names: &[&str]) -> Sampled {
    let text = list(names);
    let events = system.require(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let options = Options::new().with_sampling(Sampling::Period(PERIOD));
    let mut sampler =
        Sampler::open(&events, &options).unwrap_or_else(|error| panic!("{text}: {error}"));
    sampler.enable().expect("it can be enabled");
    let loops = both();
    sampler.disable().expect("it can be disabled");
    let mut sampled = Sampled {
        addresses: vec![Vec::new(); names.len()],
        loops,
        throttled: 0,
        lost: sampler.lost().expect("it is read").unwrap_or(0),
        is_of_period: true,
    };
    let number = |event: &str| {
        let is_it = |name: &&str| event.starts_with(*name);
        names.iter().position(is_it).expect("it was asked for")
    };
    let read = sampler.read(|event, record| match record.body() {
        Body::Sample(sample) => {
            sampled.addresses[number(event.name())].extend(sample.ip());
            sampled.is_of_period &= sample.period() == Some(PERIOD);
        }
        Body::Throttle(_) => sampled.throttled += 1,
        _ => {}
    });
    read.expect("the buffer has records");
    sampled
}

/// By itself, an overflow of instructions is seen at the next tick of the kernel, or in time if
/// the emulator does better.
fn alone(report: &mut Report, system: &System, name: &str) {
    let sampled = sample(system, &[name]);
    let number = sampled.addresses[0].len() as u64;
    let all = (PER_TURN[0] * TURNS[0] + PER_TURN[1] * TURNS[1]) / PERIOD;
    let what = format!("samples of {name} alone");
    report.check(
        what,
        format!("1 to {}", all + SLACK),
        number,
        (1..=all + SLACK).contains(&number),
    );
}

fn library(report: &mut Report, system: &System, names: &[&str]) {
    let sampled = sample(system, names);
    let all = names.join(" and ");
    for (name, addresses) in names.iter().zip(&sampled.addresses) {
        let what = format!("samples of {all}: {name}");
        // System calls at both ends.
        let numbers = distribute(addresses, sampled.loops);
        compare(report, &what, weight(name), numbers, 2);
    }
    report.equal(format!("samples of {all}: of one period"), true, sampled.is_of_period);
    report.equal(format!("samples of {all}: lost, throttled"), 0, sampled.lost + sampled.throttled);
}

/// The same by `pmu record`, and read again by `pmu script`.
fn command(report: &mut Report, names: &[&str]) {
    let (events, period) = (list(names), PERIOD.to_string());
    let what = format!("pmu record -e {}", names.join(","));
    let arguments =
        ["record", "-q", "-o", "/recorded", "-e", &events, "-c", &period, "--", "/init", LOOPS];
    let (success, text) = programs::run(&arguments);
    let mut loops = text.split_whitespace().map(|word| word.parse().unwrap_or(0));
    let (Some(one), Some(other), true) = (loops.next(), loops.next(), success) else {
        return report.check(what, "a recording", text, false);
    };
    let (success, text) = programs::run(&["script", "-F", "event,ip", "-i", "/recorded"]);
    if !success {
        return report.check(what, "samples", text, false);
    }
    for name in names {
        let of_event =
            text.lines().filter_map(|line| line.split_once(&format!("{name}{MODIFIER}:")));
        let address = |(_, rest): (&str, &str)| u64::from_str_radix(rest.trim(), 16).ok();
        let addresses: Vec<u64> = of_event.filter_map(address).collect();
        // The program's start and end take some tens of thousands of instructions.
        let numbers = distribute(&addresses, [one, other]);
        compare(report, &format!("{what}: {name}"), weight(name), numbers, 10);
    }
}
