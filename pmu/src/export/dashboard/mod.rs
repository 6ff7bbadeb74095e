//! `pmu export --dashboard`: a dashboard of Grafana for what the rules record.
//!
//! It goes from the fleet to a machine and to control groups: each panel of the fleet links to the
//! machine, and each row after that shows what is selected. Only what a rule records has a panel.

mod json;
mod panel;
#[cfg(test)]
mod tests;
mod tree;

use std::io::{self, Write};

use pmu_events::Model;
use serde_json::Value;

use super::config::ScopeKind;
use super::names;
use super::rules::{Group, Rule};
use json::{list, object, text};
use panel::{Kind, Panel, Query};

/// The version of the dashboard's JSON: that of Grafana 10, which later ones migrate.
const SCHEMA: u32 = 39;

/// What is selected, as labels of the queries.
const FLEET: &str = "{job=~\"$job\"}";
const MACHINE: &str = "{job=~\"$job\",instance=~\"$instance\"}";
const CGROUPS: &str = "{job=~\"$job\",instance=~\"$instance\",cgroup=~\"$cgroup\"}";

/// How many lines a panel of a fleet or of control groups has at most.
const MOST: usize = 20;

/// Writes the dashboard of some models.
pub(crate) fn write(all: &[(Model, Vec<Group>)], out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &dashboard(all))?;
    writeln!(out)
}

fn dashboard(all: &[(Model, Vec<Group>)]) -> Value {
    let names: Vec<&str> = all.iter().map(|(model, _)| model.name()).collect();
    let uid = format!("pmu-{}", names.join("-").replace(|c: char| !c.is_ascii_alphanumeric(), "-"));
    // Grafana's longest.
    let uid: String = uid.chars().take(40).collect();
    let mut panels = panel::Rows::default();
    fleet(all, &uid, &mut panels);
    machine(all, &mut panels);
    parts(all, &mut panels);
    measurement(&mut panels);
    let cgroups = rules(all, ScopeKind::Cgroup).next().map(|rule| rule.name.clone());
    object([
        ("uid", text(&uid)),
        ("title", Value::from(format!("pmu: {}", names.join(", ")))),
        ("description", text("Made by pmu export --dashboard from the metrics of the model.")),
        ("tags", list([text("pmu")])),
        ("schemaVersion", SCHEMA.into()),
        ("version", 1.into()),
        ("editable", true.into()),
        ("graphTooltip", 1.into()),
        ("timezone", text("")),
        ("refresh", text("1m")),
        ("time", object([("from", text("now-1h")), ("to", text("now"))])),
        ("annotations", object([("list", list([]))])),
        ("templating", object([("list", variables(cgroups.as_deref()))])),
        ("panels", panels.json()),
    ])
}

/// The rules of one level.
fn rules(all: &[(Model, Vec<Group>)], level: ScopeKind) -> impl Iterator<Item = &Rule> {
    let groups = all.iter().flat_map(|(_, groups)| groups);
    groups.filter(move |group| group.level == level).flat_map(|group| &group.rules)
}

/// The rules of one level that record the same, one for each name.
fn distinct(all: &[(Model, Vec<Group>)], level: ScopeKind) -> Vec<&Rule> {
    let mut distinct: Vec<&Rule> = Vec::new();
    for rule in rules(all, level) {
        if distinct.iter().all(|other| other.name != rule.name) {
            distinct.push(rule);
        }
    }
    distinct
}

fn variables(cgroups: Option<&str>) -> Value {
    let info = format!("{}_info", names::MACHINE);
    let mut all = vec![
        object([
            ("name", text("datasource")),
            ("label", text("Data source")),
            ("type", text("datasource")),
            ("query", text("prometheus")),
        ]),
        variable("job", "Job", &format!("label_values({info}, job)")),
        variable("instance", "Machine", &format!("label_values({info}{FLEET}, instance)")),
    ];
    if let Some(name) = cgroups {
        let query = format!("label_values({name}{MACHINE}, {})", names::CGROUP);
        all.push(variable("cgroup", "Control group", &query));
    }
    Value::Array(all)
}

/// A choice of values of a label, all of them at first.
fn variable(name: &str, label: &str, query: &str) -> Value {
    object([
        ("name", text(name)),
        ("label", text(label)),
        ("type", text("query")),
        ("datasource", panel::datasource()),
        ("definition", text(query)),
        ("query", object([("query", text(query)), ("refId", text(name))])),
        // On each change of the time range.
        ("refresh", 2.into()),
        ("sort", 1.into()),
        ("multi", true.into()),
        ("includeAll", true.into()),
        ("allValue", text(".*")),
        ("current", object([("text", list([text("All")])), ("value", list([text("$__all")]))])),
    ])
}

fn fleet(all: &[(Model, Vec<Group>)], uid: &str, panels: &mut panel::Rows) {
    panels.row("Fleet");
    let machines = format!("count by (model) ({}_info{FLEET})", names::MACHINE);
    panels.add(Panel::new("Machines", Kind::Stat).with(Query::new(machines, "{{model}}")));
    let of_machine = distinct(all, ScopeKind::Machine);
    let find = |name: &str| of_machine.iter().find(|rule| rule.metric.name() == name);
    if let Some(rule) = find("common.ipc") {
        let lowest = format!("bottomk({MOST}, {}{FLEET})", rule.name);
        let panel = Panel::new("Machines with the fewest instructions per cycle", Kind::Bars);
        let panel = panel.with(Query::now(lowest, "{{instance}} {{pmu}}"));
        panels.add(panel.linked_to_machine(uid));
    }
    if let Some(rule) = find("common.cpus_used") {
        let highest = format!("topk({MOST}, {}{FLEET})", rule.name);
        let panel = Panel::new("Machines that use the most CPUs", Kind::Bars);
        let panel = panel.with(Query::now(highest, "{{instance}}"));
        panels.add(panel.linked_to_machine(uid));
    }
    let slots = tree::SLOTS.into_iter().filter_map(find);
    let mut panel = Panel::new("Slots, mean of all machines", Kind::Stack).with_unit("percentunit");
    for rule in slots {
        let mean = format!("avg by (pmu) ({}{FLEET})", rule.name);
        panel = panel.with(Query::new(mean, &tree::legend(rule)));
    }
    panels.add(panel);
}

/// The panels of machines: the tree, and each other metric.
fn machine(all: &[(Model, Vec<Group>)], panels: &mut panel::Rows) {
    panels.row("Machine $instance");
    let mut left = distinct(all, ScopeKind::Machine);
    for (model, _) in all {
        tree::panels(*model, &mut left, panels);
    }
    let is_rate = |rule: &&Rule| rule.metric.name().ends_with("_per_kilo_instruction");
    let (rates, rest): (Vec<&Rule>, Vec<&Rule>) = left.into_iter().partition(is_rate);
    let mut panel = Panel::new("Events in 1000 instructions", Kind::Lines);
    for rule in rates {
        let legend = rule.metric.name().trim_start_matches("common.");
        let legend = legend.trim_end_matches("_per_kilo_instruction").replace('_', " ");
        let query = format!("{}{MACHINE}", rule.name);
        panel = panel.with(Query::new(query, &format!("{legend} {{{{instance}}}} {{{{pmu}}}}")));
    }
    panels.add(panel);
    for rule in rest {
        let panel = Panel::of(rule, Kind::Lines);
        let query = format!("{}{MACHINE}", rule.name);
        panels.add(panel.with(Query::new(query, "{{instance}} {{pmu}}")));
    }
}

/// The panels of the parts of machines.
fn parts(all: &[(Model, Vec<Group>)], panels: &mut panel::Rows) {
    let levels = [
        (ScopeKind::Socket, "Sockets", MACHINE, "{{instance}} {{socket}} {{pmu}}"),
        (ScopeKind::Core, "Cores", MACHINE, "{{instance}} {{socket}} {{die}} {{core}} {{pmu}}"),
        (ScopeKind::Cpu, "CPUs", MACHINE, "{{instance}} {{cpu}} {{pmu}}"),
        (ScopeKind::Cgroup, "Control groups", CGROUPS, "{{instance}} {{cgroup}} {{pod}} {{pmu}}"),
        (ScopeKind::Process, "Processes", MACHINE, "{{instance}} {{process}} {{pmu}}"),
    ];
    for (level, title, selected, legend) in levels {
        let rules = distinct(all, level);
        if !rules.is_empty() {
            panels.row(title);
        }
        for rule in rules {
            let query = format!("topk({MOST}, {}{selected})", rule.name);
            panels.add(Panel::of(rule, Kind::Lines).with(Query::new(query, legend)));
        }
    }
}

/// Whether the numbers can be relied on.
fn measurement(panels: &mut panel::Rows) {
    panels.row("Measurement");
    let running = format!("min by (instance) ({}{MACHINE})", names::RUNNING_RATIO);
    let panel = Panel::new("Least time for which a group of events had its counters", Kind::Lines);
    panels.add(panel.with_unit("percentunit").with(Query::new(running, "{{instance}}")));
    let info = format!("{}_info", names::NOT_COUNTED);
    let lost =
        format!("count by (instance) ({info}{MACHINE}) or 0 * {}_info{MACHINE}", names::MACHINE);
    let panel = Panel::new("Events that are not counted", Kind::Lines);
    panels.add(panel.with(Query::new(lost, "{{instance}}")));
}
