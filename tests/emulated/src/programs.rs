//! The command `pmu`, run as a user would run it.

use std::process::Command;

use crate::machine::Machine;
use crate::metrics;
use crate::report::Report;
use crate::work::{self, CYCLES};

/// The argument by which this program runs its loop a given number of times.
pub(crate) const TURNS: &str = "turns";

#[cfg(target_arch = "aarch64")]
const EVENTS: [&str; 2] = ["inst_retired:u", "cpu_cycles:u"];
#[cfg(target_arch = "powerpc64")]
const EVENTS: [&str; 2] = ["pm_inst_cmpl", "pm_cyc"];
#[cfg(target_arch = "riscv64")]
const EVENTS: [&str; 2] = ["instructions:u", "cycles:u"];

pub(crate) fn turns() {
    let turns = std::env::args().nth(2).and_then(|turns| turns.parse().ok());
    work::spin(turns.expect("a number of turns"));
}

pub(crate) fn run(arguments: &[&str]) -> (bool, String) {
    let output = Command::new("/pmu").args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("/pmu: {error}"));
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    (output.status.success(), text)
}

pub(crate) fn check(report: &mut Report, machine: &Machine) {
    stat(report);
    stat_metrics(report, machine);
    topdown(report, machine);
    #[cfg(target_arch = "powerpc64")]
    ebb(report);
}

/// A program that goes round a loop counts, with its start and its end, little
/// more than the loop; and three times the turns, as much more as there are
/// turns.
fn stat(report: &mut Report) {
    /// A program's start and end, and but for Arm the kernel and timer ticks.
    const ROOM: u64 = if cfg!(target_arch = "aarch64") { 50_000 } else { 2_000_000 };
    /// What two runs differ by for other reasons than the turns.
    const SLACK: u64 = match () {
        () if cfg!(target_arch = "aarch64") => 500,
        () if cfg!(target_arch = "powerpc64") => 500_000,
        // Which may tick each millisecond.
        () => 1_000_000,
    };
    const MANY: u64 = 5_000_000;
    let [once, thrice] = [MANY, 3 * MANY].map(|turns| {
        let events = EVENTS.join(",");
        let turns = turns.to_string();
        let (success, text) =
            run(&["stat", "-x", ";", "-e", &events, "--", "/init", TURNS, &turns]);
        let count = |event: &str| {
            let line = text.lines().find(|line| line.split(';').nth(2) == Some(event));
            line.and_then(|line| line.split(';').next()?.parse::<u64>().ok())
        };
        match EVENTS.map(count) {
            [Some(instructions), Some(cycles)] if success => [instructions, cycles],
            _ => panic!("stat: {text}"),
        }
    });
    for (n, event) in EVENTS.iter().enumerate() {
        let takes = if n == 0 { 1 } else { CYCLES };
        let [loops, room, slack] = [MANY * work::PER_TURN, ROOM, SLACK].map(|n| takes * n);
        let (least, most) = (loops, loops + room);
        let expected = format!("{least} to {most}");
        let holds = (least..=most).contains(&once[n]);
        report.check(format!("stat: {event}"), expected, once[n], holds);
        let more = thrice[n].abs_diff(once[n]);
        let holds = more.abs_diff(2 * loops) <= slack;
        let expected = format!("{} ± {slack}", 2 * loops);
        report.check(format!("stat: {event}, more turns"), expected, more, holds);
    }
}

/// Each instruction of the whole program takes as many cycles.
fn stat_metrics(report: &mut Report, machine: &Machine) {
    const ROOM: f64 = if cfg!(target_arch = "aarch64") { 0.0 } else { 0.01 };
    const MODIFIER: &str = if cfg!(target_arch = "powerpc64") { "" } else { ":u" };
    // One whose events fit a group.
    let ratio = metrics::ratios(machine)[0];
    let name = format!("{ratio}{MODIFIER}");
    // So many that the program's start and end are little: on Power they have some 200 000
    // cycles without instructions. POWER10's metric shares its name with a group of some
    // forty, and has the counters for a fifteenth of the time.
    let many = if ratio == "cpi" { "300000000" } else { "30000000" };
    let (success, text) = run(&["stat", "-j", "-M", &name, "--", "/init", TURNS, many]);
    let is_its = |line: &&str| line.contains(&format!("{name}\""));
    let value = text.lines().find(is_its).and_then(|line| {
        let (_, behind) = line.split_once("\"metric-value\" : \"")?;
        behind.split('"').next()?.parse::<f64>().ok()
    });
    let Some(value) = value.filter(|_| success) else { panic!("stat -M: {text}") };
    let exact = if ratio == "cpi" { CYCLES as f64 } else { 1.0 / CYCLES as f64 };
    let allowed = if ROOM == 0.0 { String::new() } else { format!(" ± {}%", 100.0 * ROOM) };
    let holds = (value - exact).abs() <= exact * ROOM;
    report.check(format!("stat -M {name}"), format!("{exact}{allowed}"), value, holds);
}

/// The tree of a command, as far as the machine counts: QEMU's Arm cores have cycles,
/// instructions and stalls, which are none, and lack caches, TLBs and branches. Its
/// Power cores have cycles and instructions.
fn topdown(report: &mut Report, machine: &Machine) {
    /// So long that each of the groups of the first level has its turns: Power's trees
    /// do not state the counters.
    const MANY: &str = "100000000";
    let level = if cfg!(target_arch = "aarch64") { "9" } else { "1" };
    let arguments = ["topdown", "--all", "--level", level, "--json", "--", "/init", TURNS, MANY];
    let (success, text) = run(&arguments);
    if ["arm/cortex-a57-a72", "sifive/bullet"].contains(&machine.model.name()) {
        report.says("topdown", "form no top-down tree; nothing was counted", &text);
        return report.equal("topdown, its success", false, success);
    }
    assert!(success, "topdown: {text}");
    let nodes = || text.lines().filter(|line| line.contains("\"kind\":\"node\""));
    let value = |line: &str| {
        let (_, behind) = line.split_once("\"value\":")?;
        behind.split(',').next()?.parse::<f64>().ok()
    };
    let value_of = |name: &str| {
        let name = format!("\"name\":\"{name}\"");
        nodes().find(|line| line.contains(&name)).and_then(value).unwrap_or(f64::NAN)
    };
    if cfg!(target_arch = "powerpc64") {
        let (top, cycles) = match machine.model.name() {
            "power10" => ("CYCLES_PER_INSTRUCTION", CYCLES as f64),
            // Alone with its instructions, `PM_RUN_CYC` is 0x200f4 there, on the second
            // counter, which QEMU does not count.
            "power9" => ("run_cpi", 0.0),
            _ => ("run_cpi", CYCLES as f64),
        };
        let found = value_of(top);
        let holds = (found - cycles).abs() <= 0.01 * cycles;
        report.check(format!("topdown: {top}"), format!("{cycles} ± 1%"), found, holds);
        // It has a timer there.
        return report.equal("topdown: the watchdog holds a counter", false, {
            text.contains("watchdog holds a counter")
        });
    }
    for name in ["frontend_stalled_cycles", "backend_stalled_cycles"] {
        report.equal(format!("topdown: {name}"), 0.0, value_of(name));
    }
    let [some, none] = [true, false]
        .map(|is_counted| nodes().filter(|line| value(line).is_some() == is_counted).count());
    let counted = format!("{some}, {none}");
    report.check("topdown: nodes counted, not", "2, more", counted, some == 2 && none > 2);
    let note = text.lines().find(|line| line.contains("\"kind\":\"note\""));
    let why = "this CPU lacks it, and the kernel counts 0";
    report.says("topdown: why not", why, note.unwrap_or("no note"));
}

#[cfg(target_arch = "powerpc64")]
fn ebb(report: &mut Report) {
    let (success, text) = run(&["ebb"]);
    let said = text.lines().find(|line| line.starts_with("opened")).unwrap_or(&text);
    let closed = success && text.ends_with("closed\n");
    let expected = "opened and enabled: it has the PMU";
    report.check("pmu ebb", expected, said.replace('\n', " "), closed && said == expected);
}
