//! Events opened by name from our tables, and what they count.

use pmu_events::System;
use pmu_events::open::{Attr, Counter, ReadFormat, Target};

use crate::machine::Machine;
use crate::report::Report;
use crate::work;

const TURNS: u64 = 1_000_000;

#[cfg(target_arch = "aarch64")]
pub(crate) mod expected {
    use crate::work::CYCLES;

    /// Instructions, and cycles.
    pub(crate) const NAMES: [&str; 2] = ["inst_retired", "cpu_cycles"];
    pub(super) const GROUP: [&str; 2] = NAMES;
    pub(crate) const MODIFIER: &str = ":u";

    /// What one loop counts, least and most: to the instruction.
    pub(super) fn of(turns: u64) -> [(u64, u64); 2] {
        let exact = 2 * turns + crate::work::AROUND;
        [(exact, exact), (CYCLES * exact, CYCLES * exact)]
    }

    /// Instructions by cycle, and the part of it that it may differ by.
    pub(crate) fn ipc(_turns: u64) -> (f64, f64) {
        (1.0 / CYCLES as f64, 0.0)
    }
}

#[cfg(not(target_arch = "aarch64"))]
pub(crate) mod expected {
    use crate::work::{CYCLES, PER_TURN};

    #[cfg(target_arch = "powerpc64")]
    mod names {
        pub(in crate::counts) const NAMES: [&str; 2] = ["pm_inst_cmpl", "pm_cyc"];
        /// POWER10's `pm_inst_cmpl` is on the counter of its `pm_cyc`.
        pub(in crate::counts) const GROUP: [&str; 2] = ["pm_run_inst_cmpl", "pm_cyc"];
        pub(crate) const MODIFIER: &str = "";
    }
    #[cfg(target_arch = "riscv64")]
    mod names {
        pub(in crate::counts) const NAMES: [&str; 2] = ["instructions", "cycles"];
        pub(in crate::counts) const GROUP: [&str; 2] = NAMES;
        pub(crate) const MODIFIER: &str = ":u";
    }
    pub(crate) use names::*;

    /// The loop, the way through the kernel before and after it (some thousands), and
    /// timer ticks (up to thirty thousand): QEMU counts the kernel, too, whatever is
    /// excluded.
    pub(super) fn of(turns: u64) -> [(u64, u64); 2] {
        let least = PER_TURN * turns;
        let most = least + ROOM + TICKS * least / A_MILLISECOND;
        [(least, most), (CYCLES * least, CYCLES * most)]
    }

    /// Instructions by cycle, and the part of it that it may differ by.
    #[cfg(target_arch = "powerpc64")]
    pub(crate) fn ipc(turns: u64) -> (f64, f64) {
        (1.0 / CYCLES as f64, ROOM as f64 / (PER_TURN * turns) as f64)
    }

    /// The kernel starts and stops one counter after the other at each tick.
    #[cfg(target_arch = "riscv64")]
    pub(crate) fn ipc(_turns: u64) -> (f64, f64) {
        (1.0 / CYCLES as f64, 0.01)
    }

    const ROOM: u64 = 60_000;
    /// RISC-V's kernels may tick each millisecond, in which it executes a million
    /// instructions; Power's tick so seldom that the few are in the room.
    const TICKS: u64 = if cfg!(target_arch = "riscv64") { 20_000 } else { 0 };
    const A_MILLISECOND: u64 = 1_000_000;
}

fn range((least, most): (u64, u64)) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

/// By name to attributes that count.
fn attributes(names: &[&str], system: &System) -> Vec<Attr> {
    attributes_of(names, expected::MODIFIER, system)
}

fn attributes_of(names: &[&str], modifier: &str, system: &System) -> Vec<Attr> {
    let event = |name| format!("{name}{modifier}");
    let mut attributes = Vec::new();
    for text in names.iter().map(event) {
        let resolved = system.require(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(resolved.events().len(), 1, "{text}: one PMU");
        attributes.push(Attr::counting(&resolved[0]));
    }
    attributes
}

pub(crate) fn check(report: &mut Report, machine: &Machine) {
    let system = machine.system();
    for (n, name) in expected::NAMES.into_iter().enumerate() {
        let attr = attributes(&[name], &system)[0];
        report.equal(
            format!("{name}: config"),
            format!("{:#x}", config(machine, name)),
            format!("{:#x}", attr.words().config()),
        );
        for turns in [TURNS, 3 * TURNS] {
            let counter = Counter::open(&attr, Target::ThisThread, None)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            work::count(&counter, turns);
            let count = counter.read().expect("it can be read");
            let (least, most) = expected::of(turns)[n];
            let holds = least <= count.value()
                && count.value() <= most
                && count.time_enabled() == count.time_running();
            report.check(name, range((least, most)), count.value(), holds);
        }
    }
    group(report, &system);
    #[cfg(target_arch = "riscv64")]
    firmware(report, machine, &system);
}

/// An event of the table that the firmware counts: how often it has set the timer, which
/// the kernel asks it for before a sleep.
#[cfg(target_arch = "riscv64")]
fn firmware(report: &mut Report, machine: &Machine, system: &System) {
    const NAME: &str = "fw_set_timer";
    const SLEEPS: u64 = 10;
    assert!(machine.model.event(NAME).is_some(), "{NAME} is in the table");
    let attr = attributes_of(&[NAME], "", system)[0];
    let counter = Counter::open(&attr, Target::ThisThread, None)
        .unwrap_or_else(|error| panic!("{NAME}: {error}"));
    counter.enable().expect("it can be enabled");
    for _ in 0..SLEEPS {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    counter.disable().expect("it can be disabled");
    let count = counter.read().expect("it can be read").value();
    // A timer that was to ring earlier is not set again.
    report.check(NAME, "1 to 1000", count, (1..=1000).contains(&count));
}

/// By our table: its words, and not an event of the same name in sysfs.
#[cfg(not(target_arch = "riscv64"))]
fn config(machine: &Machine, name: &str) -> u64 {
    let event = machine.model.event(name).unwrap_or_else(|| panic!("{name} is in the table"));
    event.encode(formats(machine)).expect("it has words").words().config()
}

/// Instructions and cycles have no numbers of the CPU's own: the firmware knows the
/// counters of the generic events.
#[cfg(target_arch = "riscv64")]
fn config(machine: &Machine, name: &str) -> u64 {
    assert!(machine.model.event(name).is_none(), "{name} is not in the table");
    name.parse::<pmu_events::event_list::Hardware>().expect("it is generic").config()
}

#[cfg(target_arch = "aarch64")]
fn formats(_machine: &Machine) -> pmu_events::format::Formats<'static> {
    pmu_events::builtin::ARMV8_PMUV3
}

#[cfg(target_arch = "powerpc64")]
fn formats(machine: &Machine) -> pmu_events::format::Formats<'static> {
    machine.generation().formats()
}

/// Both in one group: they count the same stretch, and all the time.
fn group(report: &mut Report, system: &System) {
    let mut attributes = attributes(&expected::GROUP, system);
    for attr in &mut attributes {
        *attr = attr.with_read_format(ReadFormat::TIMES | ReadFormat::GROUP);
    }
    let leader = Counter::open(&attributes[0], Target::ThisThread, None).expect("it leads");
    let member = {
        let attr = attributes[1].with(pmu_events::open::Flag::Disabled, false);
        Counter::open(&attr, Target::ThisThread, Some(&leader)).expect("it joins")
    };
    work::count(&leader, TURNS);
    let counts = leader.read_group().expect("it can be read");
    report.equal("group: events", 2, counts.len());
    for (n, (name, count)) in expected::GROUP.iter().zip(&counts).enumerate() {
        let (least, most) = expected::of(TURNS)[n];
        let holds = least <= count.value()
            && count.value() <= most
            && count.time_running() == counts[0].time_running()
            && count.share() == Some(1.0);
        report.check(format!("group: {name}"), range((least, most)), count.value(), holds);
    }
    drop(member);
}
