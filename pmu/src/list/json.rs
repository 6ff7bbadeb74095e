//! The keys of models, events, metrics and groups. Descriptions are the tree's
//! own, without perf's notes.

use std::io::{self, Write};

use pmu_events::__private::flags::Flag;
use pmu_events::event::{CountScope, CountUnit, CounterConstraint, Msr, RetirementLatency};
use pmu_events::metric::MetricGroup;
use pmu_events::sysfs::Tracepoint;
use pmu_events::term::Terms;
use pmu_events::{Event, Metric, arch};
use serde_json::{Map, Value, json};

use crate::json::{self, Keys};
use crate::list::machine::{Machine, OfDriver};
use crate::list::place::needed;
use crate::list::search::Found;
use crate::list::text;
use crate::spelling;
use crate::trees::{Table, Trees};

pub(crate) fn models(out: &mut impl Write, trees: &Trees, tables: &[Table]) -> io::Result<()> {
    tables.iter().try_for_each(|table| {
        let keys = vec![
            ("architecture", json!(table.architecture)),
            ("model", json!(table.directory())),
            ("sys", json!(table.sys)),
            ("cpus", json!(trees.cpus_of(table))),
            ("cpuids", json!(table.model.cpuids().collect::<Vec<_>>())),
            ("events", json!(table.model.event_count())),
            ("metrics", json!(table.model.metrics().len())),
            ("source", json!(table.model.source())),
        ];
        json::line(out, "model", keys)
    })
}

pub(crate) fn entries(out: &mut impl Write, found: &[Found]) -> io::Result<()> {
    for Found { table, events, metrics, lacks, .. } in found {
        for &one in events {
            json::line(out, EVENT, event(Some(*table), one))?;
        }
        for &one in metrics {
            json::line(out, "metric", metric(*table, one))?;
        }
        for (name, reason) in lacks {
            let keys = vec![
                ("name", json!(name)),
                ("architecture", json!(table.architecture)),
                ("model", json!(table.directory())),
                ("reason", json!(reason)),
            ];
            json::line(out, "lack", keys)?;
        }
    }
    Ok(())
}

/// They are in no table, so they have neither architecture nor model.
pub(crate) fn machine(out: &mut impl Write, machine: &Machine<'_>) -> io::Result<()> {
    for &one in &machine.generic {
        json::line(out, EVENT, event(None, one))?;
    }
    for one in &machine.of_drivers {
        json::line(out, EVENT, of_driver(one))?;
    }
    for one in &machine.tracepoints {
        json::line(out, EVENT, tracepoint(one))?;
    }
    Ok(())
}

pub(crate) fn metric_groups(
    out: &mut impl Write,
    found: &[(Table, Vec<MetricGroup>)],
) -> io::Result<()> {
    for (table, groups) in found {
        for &one in groups {
            json::line(out, "metricgroup", group(*table, one))?;
        }
    }
    Ok(())
}

const EVENT: &str = "event";

pub(crate) fn event(table: Option<Table>, event: Event) -> Keys {
    let mut keys = vec![
        ("name", json!(event.name())),
        ("architecture", json!(table.map(|table| table.architecture))),
        ("model", json!(table.map(|table| table.directory()))),
        ("topic", json!(event.topic())),
        ("pmu", json!(event.pmu())),
        ("event_string", json!(event.event_string())),
        ("terms", terms(event.terms())),
        ("vendor_event_string", json!(event.vendor_event_string())),
        ("brief", json!(event.description().map(|text| text.to_string()))),
        ("public", json!(event.long_description().map(|text| text.to_string()))),
        ("counters", counters(event.counters())),
        ("sample_after", json!(event.sample_after())),
        ("precise", json!(spelling::precise(event.precise()))),
        ("msr", event.msr().map_or(Value::Null, msr)),
        ("retirement_latency", event.retirement_latency().map_or(Value::Null, latency)),
        ("scale_unit", json!(event.scale_unit())),
        ("count_unit", event.count_unit().map_or(Value::Null, count_unit)),
        ("scope", json!(event.count_scope().map(CountScope::name))),
        // Only drivers have gauges.
        ("snapshot", json!(false)),
        ("successor", json!(event.successor())),
        ("errata", json!(event.errata())),
        ("compat", json!(event.compat())),
        ("perf_differs", event.perf_differs().map_or(Value::Null, json::perf_differs)),
    ];
    keys.extend(Flag::ALL.iter().map(|flag| (flag.name(), json!(flag.is_of(event)))));
    keys
}

/// The last value of a repeated term; the event string has both.
fn terms(terms: Terms<'_>) -> Value {
    let value = |number: Option<u64>, text: Option<&str>| number.map_or(json!(text), Value::from);
    let terms = terms.map(|term| (term.name().into(), value(term.number(), term.value())));
    Value::Object(terms.collect::<Map<String, Value>>())
}

fn counters(counters: CounterConstraint) -> Value {
    let (kind, numbers): (_, Vec<u8>) = match counters {
        CounterConstraint::General(set) => ("general", set.iter().collect()),
        CounterConstraint::Fixed(number) => ("fixed", number.into_iter().collect()),
        CounterConstraint::FreeRunning => ("free running", Vec::new()),
        _ => return Value::Null,
    };
    json!({ "kind": kind, "numbers": numbers })
}

fn count_unit(unit: CountUnit) -> Value {
    let (quantity, factor) = (unit.quantity().name().to_ascii_lowercase(), unit.factor());
    json!({ "quantity": quantity, "factor": factor })
}

fn msr(msr: Msr) -> Value {
    json!({ "index": msr.index(), "other": msr.other(), "value": msr.value() })
}

fn latency(latency: RetirementLatency) -> Value {
    json!({ "mean": latency.mean(), "min": latency.min(), "max": latency.max() })
}

/// The keys of an event about which little is known.
fn of_driver(one: &OfDriver<'_>) -> Keys {
    let alias = one.alias;
    let scale_unit = text::scale_unit(alias);
    let known = [
        ("name", json!(alias.name())),
        ("topic", json!(text::topic_of_pmu(one.pmu))),
        ("pmu", json!(one.pmu)),
        ("event_string", json!(alias.terms())),
        ("terms", terms(Terms::new(alias.terms()))),
        ("scale_unit", json!(scale_unit)),
        (Flag::PerPackage.name(), json!(alias.is_per_package())),
        ("snapshot", json!(alias.is_snapshot())),
    ];
    blank(&known)
}

fn tracepoint(one: &Tracepoint) -> Keys {
    let (system, _) = one.name().split_once(':').unwrap_or_default();
    let known = [
        ("name", json!(one.name())),
        ("topic", json!(text::topic_of_system(system))),
        ("pmu", json!("tracepoint")),
    ];
    blank(&known)
}

/// All keys of an event, given the known ones.
fn blank(known: &[(&'static str, Value)]) -> Keys {
    let any = arch::common::COMMON.events().next().map(|any| event(None, any));
    let keys = any.unwrap_or_default().into_iter().map(|(key, value)| {
        let own = known.iter().find(|(own, _)| *own == key).map(|(_, value)| value.clone());
        // Absent flags are known to be absent.
        (key, own.unwrap_or(if value.is_boolean() { Value::Bool(false) } else { Value::Null }))
    });
    keys.collect()
}

fn metric(table: Table, metric: Metric) -> Keys {
    vec![
        ("name", json!(metric.name())),
        ("architecture", json!(table.architecture)),
        ("model", json!(table.directory())),
        ("topic", json!(metric.topic())),
        ("pmu", json!(metric.pmu())),
        ("groups", json!(metric.groups().collect::<Vec<_>>())),
        ("expression", json!(metric.expression().to_string())),
        ("events", json!(needed(metric))),
        ("threshold", json!(metric.threshold().map(|threshold| threshold.to_string()))),
        ("brief", json!(metric.description().map(|text| text.to_string()))),
        ("public", json!(metric.long_description().map(|text| text.to_string()))),
        ("scale_unit", json!(metric.scale_unit())),
        ("compat", json!(metric.compat())),
        ("aggregation", json!(metric.aggregation().map(spelling::aggregation))),
        ("constraint", json!(metric.constraint().map(spelling::constraint))),
        ("no_group", json!(metric.no_group())),
        ("default_group", json!(metric.default_group())),
        ("sample_with", json!(metric.sample_with().collect::<Vec<_>>())),
        ("difference", json!(metric.difference())),
        ("shows_events", json!(metric.shows_events())),
    ]
}

fn group(table: Table, group: MetricGroup) -> Keys {
    vec![
        ("name", json!(group.name())),
        ("architecture", json!(table.architecture)),
        ("model", json!(table.directory())),
        ("description", json!(group.description().map(|text| text.to_string()))),
        ("metrics", json!(group.metrics().map(Metric::name).collect::<Vec<_>>())),
    ]
}
