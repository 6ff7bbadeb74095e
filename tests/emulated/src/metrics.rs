//! Metrics by name: their events in one group, their value from the counts.

use pmu_events::measure::{Plan, Request};
use pmu_events::open::{
    Attr, Count, Counter, Counters, EventReading, Flag, Options, Outcome, ReadFormat, Target,
};
use pmu_events::resolve::ErrorKind;
use pmu_events::{Scope, System};

use crate::counts::expected;
use crate::machine::Machine;
use crate::report::Report;
use crate::work;

/// So many that on Power what the kernel adds is less than a hundredth.
const TURNS: u64 = 10_000_000;

/// The metrics whose value is known and whose events fit one group. POWER10's `ipc`,
/// as its source has it, is of two events of the same counter.
pub(crate) fn ratios(machine: &Machine) -> &'static [&'static str] {
    if machine.model.name() == "power10" { &["cpi"] } else { &["ipc", "cpi"] }
}

/// The metrics that the kernel refuses even one event at a time: POWER9 takes an event
/// of the L2 only in a group that has one on counter 4 (`group_constraint_mask` in
/// `arch/powerpc/perf/power9-pmu.c`).
const REFUSED_ON_POWER9: [&str; 11] = [
    "l2_co_usage",
    "l2_dem_ld_disp_percent",
    "l2_instr_commands_percent",
    "l2_ld_commands_percent",
    "l2_rc_st_disp_fail_rate_percent",
    "l2_rc_usage",
    "l2_sn_usage",
    "l2_st_commands_percent",
    "l2_st_disp_fail_rate_percent",
    "l2_st_disp_rate_percent",
    "l2_st_miss_ratio_percent",
];

pub(crate) fn check(report: &mut Report, machine: &Machine) {
    let system = machine.system();
    for &name in ratios(machine) {
        let metric = machine.model.metric(name).unwrap_or_else(|| panic!("{name} is in the table"));
        let needed: Vec<_> = metric.events().collect();
        let events: Vec<String> =
            needed.iter().map(|id| id.with_parameter(0).to_string()).collect();
        let group = format!("{{{}}}{}", events.join(","), expected::MODIFIER);
        let counts = count(&group, &system);
        assert_eq!(counts.len(), needed.len(), "{group}: a count for each");
        let value = metric.evaluate(|identifier| {
            let place = needed.iter().position(|&one| one == identifier);
            counts[place.expect("it asks for what it needs")].value() as f64
        });
        let (exact, room) = expected::ipc(TURNS);
        let exact = if name == "cpi" { 1.0 / exact } else { exact };
        let holds = (value - exact).abs() <= exact * room
            && counts.iter().all(|count| count.share() == Some(1.0));
        let allowed = if room == 0.0 { String::new() } else { format!(" ± {}%", 100.0 * room) };
        report.check(
            format!("{name} = {}", metric.expression()),
            format!("{exact}{allowed}"),
            format!("{value:.6}").trim_end_matches('0').trim_end_matches('.'),
            holds,
        );
    }
    measured(report, machine, &system);
    whole_table(report, machine, &system);
}

/// The way that a profiler goes: a plan, its counters, its values.
fn measured(report: &mut Report, machine: &Machine, system: &System) {
    let request = |name: &str| {
        let metric = machine.model.metric(name).unwrap_or_else(|| panic!("{name} is in the table"));
        Request::from(metric).with_modifiers(expected::MODIFIER.trim_start_matches(':'))
    };
    let names = ratios(machine);
    let plan = Plan::new(names.iter().map(|name| request(name)), system, &Scope::ThisThread);
    // The second has its events in the first one's group.
    report.equal("measure: lists", 1, plan.lists().len());
    let mut counters = plan.open(&Options::new()).unwrap_or_else(|error| panic!("{error}"));
    counters.enable().expect("they can be enabled");
    work::spin(TURNS);
    counters.disable().expect("they can be disabled");
    let values = plan.values(&counters.read());
    let (ipc, room) = expected::ipc(TURNS);
    for (value, &name) in values.iter().zip(names) {
        let exact = if name == "cpi" { 1.0 / ipc } else { ipc };
        let holds = (value.value() - exact).abs() <= exact * room;
        let allowed = if room == 0.0 { String::new() } else { format!(" ± {}%", 100.0 * room) };
        let value = format!("{:.6}", value.value());
        let shown = value.trim_end_matches('0').trim_end_matches('.');
        report.check(format!("measure: {name}"), format!("{exact}{allowed}"), shown, holds);
    }
}

/// The kernel opens the events of every metric of the table: in one group, or
/// alone where they are more than the counters or want the same one.
fn whole_table(report: &mut Report, machine: &Machine, system: &System) {
    /// PMUs of Power's hypervisor and of its chip.
    const NOT_EMULATED: [&str; 2] = ["{hv_", "{nest_"];
    let (mut together, mut alone, mut elsewhere) = (0, 0, 0);
    let mut refused = Vec::new();
    // The quantities of one name are made up of what these need.
    let own = machine.model.metrics().filter(|metric| !metric.name().starts_with("common."));
    for metric in own {
        let events: Vec<String> =
            metric.events().map(|id| id.with_parameter(0).to_string()).collect();
        let group = format!("{{{}}}:W", events.join(","));
        let resolved = match system.require(&group) {
            Ok(resolved) => resolved,
            Err(error)
                if error.kind() == ErrorKind::UnknownPmu
                    && NOT_EMULATED.iter().any(|pmu| group.starts_with(pmu)) =>
            {
                elsewhere += 1;
                continue;
            }
            Err(error) => panic!("{}: {group}: {error}", metric.name()),
        };
        match Counters::open(&resolved, &Options::new()) {
            Ok(set) if set.events().iter().any(|event| event.refusal().is_some()) => {
                refused.push(metric.name());
            }
            Ok(set) if set.events().iter().any(|event| event.is_alone()) => alone += 1,
            Ok(_) => together += 1,
            Err(error) => panic!("{}: {error}", metric.name()),
        }
    }
    let expected: &[&str] = match machine.model.name() {
        "power9" => &REFUSED_ON_POWER9,
        _ => &[],
    };
    report.equal("metrics of its table, refused", list(expected), list(&refused));
    if !refused.is_empty() {
        // `measure` adds the companions that POWER9 wants.
        refused.retain(|name| !is_planned(machine, system, name));
        report.equal("of these, refused by `measure`", list(&[]), list(&refused));
    }
    report.check(
        "metrics of its table: in a group, one by one, not emulated",
        "most in a group",
        format!("{together}, {alone}, {elsewhere}"),
        together > alone,
    );
}

/// Whether a plan counts every event of a metric.
fn is_planned(machine: &Machine, system: &System, name: &str) -> bool {
    let metric = machine.model.metric(name).unwrap_or_else(|| panic!("{name} is in the table"));
    let plan = Plan::new([Request::from(metric)], system, &Scope::ThisThread);
    let Ok(mut counters) = plan.open(&Options::new()) else { return false };
    counters.enable().expect("they can be enabled");
    work::spin(TURNS);
    counters.disable().expect("they can be disabled");
    let is_refused = counters.events().iter().any(|event| event.refusal().is_some());
    let reading = counters.read();
    let is_counted = |event: &EventReading| matches!(event.outcome(), Outcome::Counted(_));
    plan.missing().is_empty() && !is_refused && reading.events().iter().all(is_counted)
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "none".into() } else { names.join(" ") }
}

/// What a group counts around the loop.
fn count(group: &str, system: &System) -> Vec<Count> {
    let resolved = system.require(group).unwrap_or_else(|error| panic!("{group}: {error}"));
    let mut counters: Vec<Counter> = Vec::new();
    assert_eq!(resolved.groups().count(), 1, "{group}: one group");
    for (n, event) in resolved.events().iter().enumerate() {
        let attr = Attr::counting(event)
            .with_read_format(ReadFormat::TIMES | ReadFormat::GROUP)
            .with(Flag::Disabled, n == 0);
        let counter = Counter::open(&attr, Target::ThisThread, counters.first());
        counters.push(counter.unwrap_or_else(|error| panic!("{group}: {error}")));
    }
    work::count(&counters[0], TURNS);
    counters[0].read_group().expect("it can be read")
}
