//! What cannot be counted, and what we say then.

use std::os::unix::process::CommandExt;
use std::process::Command;

use pmu_events::System;
use pmu_events::open::{Attr, Counter, Error, ErrorKind, Flag, Target};

use crate::machine::Machine;
use crate::report::Report;

/// The argument by which this program runs as a user without privilege.
pub(crate) const UNPRIVILEGED: &str = "unprivileged";

#[cfg(target_arch = "aarch64")]
const EVENT: &str = "inst_retired";
#[cfg(target_arch = "powerpc64")]
const EVENT: &str = "pm_inst_cmpl";
#[cfg(target_arch = "riscv64")]
const EVENT: &str = "instructions";

/// The kernel's word for a generic event without a code is another on each.
#[cfg(target_arch = "aarch64")]
const LACKS: &str = "neither this kernel nor a PMU of this machine has this event";
#[cfg(target_arch = "powerpc64")]
const LACKS: &str = "this CPU's PMU does not count this event";
#[cfg(target_arch = "riscv64")]
const LACKS: &str = "neither this kernel nor a PMU of this machine has this event";

/// Of other CPUs' tables.
#[cfg(target_arch = "aarch64")]
const OTHERS: &[&str] = &["sve_inst_spec"];
#[cfg(target_arch = "powerpc64")]
const OTHERS: &[&str] = &["pm_ict_noslot_cyc", "pm_disp_stall_cyc"];
#[cfg(target_arch = "riscv64")]
const OTHERS: &[&str] = &["jtlb_miss"];

pub(crate) fn check(report: &mut Report, machine: &Machine) {
    let system = machine.system();

    // No counter is left for a group of as many events as no machine has
    // counters.
    let attr = Attr::counting(&system.require(EVENT).expect(EVENT)[0]);
    let member = attr.with(Flag::Disabled, false);
    let leader = Counter::open(&attr, Target::ThisThread, None).expect("it leads");
    let mut members = Vec::new();
    let refused = loop {
        match Counter::open(&member, Target::ThisThread, Some(&leader)) {
            Ok(counter) if members.len() < 40 => members.push(counter),
            Ok(_) => break None,
            Err(error) => break Some(error),
        }
    };
    if cfg!(target_arch = "riscv64") {
        // This kernel checks no group, and never has room for this one.
        leader.enable_group().expect("it can be enabled");
        crate::work::spin(1000);
        let count = leader.read().expect("it can be read");
        let counted =
            if refused.is_none() && count.time_running() == 0 { "nothing" } else { "some" };
        report.equal("a counter too few: counted", "nothing", counted);
    } else {
        let expected = "the group may not fit the PMU";
        says(report, "a counter too few", refused, ErrorKind::Invalid, expected);
    }
    drop((members, leader));

    // Of two that want to be always on the PMU and alone there, one cannot.
    let pinned = attr.with(Flag::Pinned, true).with(Flag::Exclusive, true);
    let [first, second] = [(); 2].map(|()| {
        let counter = Counter::open(&pinned, Target::ThisThread, None).expect("it opens");
        counter.enable().expect("it can be enabled");
        counter
    });
    report.check("pinned, first", "counts", "counts", first.read().is_ok());
    let lost = second.read().err();
    says(report, "pinned, second", lost, ErrorKind::PinnedOut, "did not get the PMU");
    drop((first, second));

    // An event that the kernel has in general, and this machine has not.
    let lacking = Attr::counting(&system.require("ref-cycles").expect("it resolves")[0]);
    let error = Counter::open(&lacking, Target::ThisThread, None).err();
    assert!(error.as_ref().is_none_or(|error| error.is_unsupported()));
    let said = error.map_or("it opened".into(), |error| error.to_string());
    report.says("ref-cycles, which it lacks", LACKS, &said);

    lacking_codes(report, &system);

    // What another CPU's table has.
    let other = OTHERS.iter().find(|name| machine.model.event(name).is_none());
    let other = other.expect("it is not of all");
    let said = system.require(other).err();
    let expected = format!("has an event `{other}`");
    report.says(other, &expected, &said.map_or(String::new(), |error| error.to_string()));

    // A name that no table has.
    let misspelt = format!("{EVENT}x");
    let said = system.require(&misspelt).err();
    report.says(
        &misspelt,
        EVENT,
        &said.map_or(String::new(), |error| error.to_string().to_lowercase()),
    );

    // The same as another user.
    let output = Command::new("/init").arg(UNPRIVILEGED).uid(65534).output();
    let text = String::from_utf8_lossy(&output.expect("it runs").stdout).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let line = |n: usize| lines.get(n).copied().unwrap_or("nothing");
    report.says("a user, user space", "opened", line(0));
    report.says("a user, the kernel", "kernel.perf_event_paranoid is 2", line(1));
    report.says("a user, a whole CPU", "counting whole CPUs needs 0 or less", line(2));
}

/// A name of the machine's table that its PMU has not: the kernel says so by
/// leaving it out of sysfs (`armv8pmu_event_attr_is_visible` in
/// `drivers/perf/arm_pmuv3.c`), and opens it all the same. It counts nothing.
#[cfg(target_arch = "aarch64")]
fn lacking_codes(report: &mut Report, system: &System) {
    const LACKING: &str = "inst_spec";
    let pmu = system.sysfs().core_pmus().next().expect("it has one");
    let has = |name| if pmu.event(name).is_some() { "there" } else { "not there" };
    report.equal(format!("{EVENT} in sysfs"), "there", has(EVENT));
    report.equal(format!("{LACKING} in sysfs"), "not there", has(LACKING));
    let resolved = system.require(LACKING).expect("the table has it");
    let counter = Counter::open(&Attr::counting(&resolved[0]), Target::ThisThread, None);
    let counter = counter.unwrap_or_else(|error| panic!("{LACKING}: {error}"));
    crate::work::count(&counter, 1000);
    let count = counter.read().expect("it can be read");
    report.equal(format!("{LACKING}, which it lacks"), 0, count.value());
}

/// A code on a counter that no PMU of the family has.
#[cfg(target_arch = "powerpc64")]
fn lacking_codes(report: &mut Report, system: &System) {
    const LACKING: &str = "cpu/pmc=7,pmcxsel=0xf0/";
    let attr = Attr::counting(&system.require(LACKING).expect(LACKING)[0]);
    let refused = Counter::open(&attr, Target::ThisThread, None).err();
    says(report, LACKING, refused, ErrorKind::Invalid, "bits that the PMU does not know");
}

/// An event of the machine's table of which the firmware does not know a counter: the
/// kernel opens it, and never counts it.
#[cfg(target_arch = "riscv64")]
fn lacking_codes(report: &mut Report, system: &System) {
    const LACKING: &str = "itlb_miss";
    let attr = Attr::counting(&system.require(LACKING).expect(LACKING)[0]);
    let counter = Counter::open(&attr, Target::ThisThread, None);
    let counter = counter.unwrap_or_else(|error| panic!("{LACKING}: {error}"));
    crate::work::count(&counter, 1000);
    let running = counter.read().expect("it can be read").time_running();
    report.equal(format!("{LACKING}, which it lacks: time running"), 0, running);
}

fn says(report: &mut Report, event: &str, error: Option<Error>, kind: ErrorKind, expected: &str) {
    let said = match &error {
        None => String::from("it opened"),
        Some(error) if error.kind() == kind => error.to_string(),
        Some(error) => format!("{:?}", error.kind()),
    };
    report.says(event, expected, &said);
}

/// What a user without privilege is told: a line for each attempt.
pub(crate) fn unprivileged() {
    let system = System::new().without_tables();
    let cases = [
        ("instructions:u", Target::ThisThread),
        ("instructions", Target::ThisThread),
        ("instructions:u", Target::Cpu(0)),
    ];
    for (event, target) in cases {
        let attr = Attr::counting(&system.require(event).expect(event)[0]);
        match Counter::open(&attr, target, None) {
            Ok(_) => println!("opened"),
            Err(error) => println!("{error}"),
        }
    }
}
