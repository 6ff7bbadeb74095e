//! Whether the loops of a check count what they are said to, on Arm, where each instruction is
//! counted.

use pmu_events::check::{CheckedEvent, Report as Checked};

use crate::counts::expected::{MODIFIER, NAMES};
use crate::machine::Machine;
use crate::report::Report;

pub(crate) fn check(report: &mut Report, machine: &Machine) {
    let system = machine.system();
    let names = NAMES.map(|name| format!("{name}{MODIFIER}"));
    let generic = ["instructions:u", "cycles:u"];
    let software = ["task-clock", "page-faults", "context-switches"];
    let all: Vec<&str> = names.iter().map(String::as_str).chain(generic).chain(software).collect();
    let checked = system.check(&all.join(",")).expect("it is a list of events");
    for (name, event) in all.iter().zip(checked.events()) {
        let said = format!("doctor: {name}");
        report.check(said, "alive", event.verdict(), event.verdict().to_string() == "alive");
    }
    // The loop, and what starts and stops the counter in this program.
    let instructions = checked.events().first().and_then(CheckedEvent::count).unwrap_or(0);
    let range = [2_000_000, 2_020_000];
    within(report, "doctor: a loop of a million steps", range, instructions);
    healthy(report, &checked);
}

/// All counters are found to be free, and those that the kernel counts in software need none.
fn healthy(report: &mut Report, checked: &Checked) {
    let free = checked.counters().first().and_then(|pmu| pmu.free()).unwrap_or(0);
    within(report, "doctor: free counters", [1, 31], free.into());
    // As many copies as there are counters, and one more.
    let counters = free as usize;
    let list: Vec<String> = (0..=counters).map(|n| format!("r{n:x}:u")).collect();
    let budget = checked.budget(&list.join(",")).expect("it is a list of events");
    let counted = budget.iter().filter(|item| item.is_counted()).count();
    report.equal("doctor: events counted all the time", counters, counted);
}

fn within(report: &mut Report, name: &str, [least, most]: [u64; 2], counted: u64) {
    let holds = (least..=most).contains(&counted);
    report.check(name, format!("{least} to {most}"), counted, holds);
}
