//! Grafana publishes no schema that a program could check. These are the facts that its
//! documentation states ("Dashboard JSON model"), and what Grafana's own migration relies on.

use std::collections::BTreeSet;

use pmu_events::arch::{self, x86};
use pmu_events::{Metric, Model};
use serde_json::Value;

use super::*;
use crate::export::ready::Ready;
use crate::export::rules::{self, Wanted};

fn made(model: Model, scopes: &[ScopeKind]) -> Vec<(Model, Vec<Group>)> {
    let metrics: Vec<Metric> = Ready::of(model).counted;
    let wanted = |&counted: &ScopeKind| Wanted { counted, metrics: metrics.clone() };
    let wanted: Vec<Wanted> = scopes.iter().map(wanted).collect();
    vec![(model, rules::groups(model, None, &wanted, "1m"))]
}

fn field<'v>(value: &'v Value, key: &str) -> &'v Value {
    value.get(key).unwrap_or_else(|| panic!("no `{key}` in {value}"))
}

fn words(value: &Value, key: &str) -> String {
    field(value, key).as_str().unwrap_or_else(|| panic!("`{key}` is no text in {value}")).into()
}

fn number(value: &Value, key: &str) -> u64 {
    field(value, key).as_u64().unwrap_or_else(|| panic!("`{key}` is no number in {value}"))
}

fn array<'v>(value: &'v Value, key: &str) -> &'v Vec<Value> {
    field(value, key).as_array().unwrap_or_else(|| panic!("`{key}` is no list in {value}"))
}

/// The queries of a dashboard that has all that Grafana asks for.
fn checked(dashboard: &Value) -> Vec<String> {
    let uid = words(dashboard, "uid");
    assert!(!uid.is_empty() && uid.len() <= 40, "{uid}");
    assert!(uid.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'), "{uid}");
    assert!(!words(dashboard, "title").is_empty());
    assert_eq!(number(dashboard, "schemaVersion"), 39);
    let variables = array(field(dashboard, "templating"), "list");
    let names: BTreeSet<String> = variables.iter().map(|one| words(one, "name")).collect();
    assert_eq!(names.len(), variables.len(), "{names:?}");
    assert!(names.contains("datasource"));
    let (mut ids, mut places, mut queries) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for panel in array(dashboard, "panels") {
        assert!(ids.insert(number(panel, "id")), "{panel}");
        let place = field(panel, "gridPos");
        let [x, y, w, h] = ["x", "y", "w", "h"].map(|key| number(place, key));
        assert!(w > 0 && h > 0 && x + w <= 24, "{place}");
        for cell in (x..x + w).flat_map(|x| (y..y + h).map(move |y| (x, y))) {
            assert!(places.insert(cell), "panels overlap at {cell:?}: {panel}");
        }
        let kind = words(panel, "type");
        if kind == "row" {
            assert_eq!((w, h), (24, 1));
            continue;
        }
        assert!(["timeseries", "stat", "bargauge"].contains(&kind.as_str()), "{kind}");
        let targets = array(panel, "targets");
        let references: BTreeSet<String> = targets.iter().map(|one| words(one, "refId")).collect();
        assert_eq!(references.len(), targets.len(), "{panel}");
        assert!(!targets.is_empty(), "{panel}");
        for one in array(field(panel, "fieldConfig"), "overrides") {
            let matcher = field(one, "matcher");
            assert_eq!(words(matcher, "id"), "byFrameRefID");
            assert!(references.contains(&words(matcher, "options")), "{one}");
        }
        for target in targets {
            let query = words(target, "expr");
            assert_ne!(field(target, "instant"), field(target, "range"));
            let used = query.split("\"$").skip(1).filter_map(|rest| rest.split('"').next());
            used.for_each(|name| assert!(names.contains(name), "no variable `{name}`: {query}"));
            assert_eq!(query.matches('(').count(), query.matches(')').count(), "{query}");
            queries.push(query);
        }
    }
    queries
}

/// Of all models: nothing that a rule records for machines lacks a panel.
#[test]
fn every_rule_has_a_panel() {
    for model in arch::TREES.iter().flat_map(|(_, tree)| tree.models()) {
        let all = made(model, &[ScopeKind::Machine]);
        let queries = checked(&dashboard(&all));
        for rule in rules(&all, ScopeKind::Machine) {
            let selector = format!("{}{{", rule.name);
            let is_shown = queries.iter().any(|query| query.contains(&selector));
            assert!(is_shown, "{}: {}", model.name(), rule.name);
        }
    }
}

#[test]
fn scopes_have_rows() {
    let scopes = [ScopeKind::Machine, ScopeKind::Cpu, ScopeKind::Cgroup];
    let dashboard = dashboard(&made(x86::SAPPHIRERAPIDS, &scopes));
    let queries = checked(&dashboard);
    let rows: Vec<String> = array(&dashboard, "panels")
        .iter()
        .filter(|panel| panel["type"] == "row")
        .map(|row| words(row, "title"))
        .collect();
    let expected = ["Fleet", "Machine $instance", "CPUs", "Control groups", "Measurement"];
    assert_eq!(rows, expected);
    let of_cgroups = "topk(20, instance_cgroup:common_ipc:rate1m{job=~\"$job\",instance=~\"$instance\",cgroup=~\"$cgroup\"})";
    assert!(queries.iter().any(|query| query == of_cgroups), "{queries:#?}");
}

/// Thresholds are those of the tables, or those of the level.
#[test]
fn thresholds() {
    let threshold = |model: Model, node: &str| {
        let dashboard = dashboard(&made(model, &[ScopeKind::Machine]));
        let panels = array(&dashboard, "panels");
        let nodes = panels.iter().find(|panel| panel["title"] == "Nodes beside their thresholds");
        let nodes = nodes.expect("it has a tree");
        let name = format!(":{node}_ratio:");
        let is_it = |target: &&Value| words(target, "expr").contains(&name);
        let target = array(nodes, "targets").iter().find(is_it).expect(node);
        let of_target = |one: &&Value| one["matcher"]["options"] == target["refId"];
        let overrides = array(field(nodes, "fieldConfig"), "overrides");
        let steps =
            &overrides.iter().find(of_target).expect(node)["properties"][0]["value"]["steps"];
        steps[1]["value"].as_f64().expect(node)
    };
    assert_eq!(threshold(x86::SAPPHIRERAPIDS, "tma_memory_bound"), 0.2);
    assert_eq!(threshold(x86::SAPPHIRERAPIDS, "tma_frontend_bound"), 0.15);
    assert_eq!(threshold(x86::AMDZEN4, "frontend_bound"), 0.15);
}
