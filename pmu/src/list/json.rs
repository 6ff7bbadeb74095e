//! The output for programs: one array, one object a line. Every object of a
//! kind has the same keys; what is not known is `null`. Descriptions are the
//! tree's own, without perf's notes.

use std::io::{self, Write};

use pmu_events::event::{Counters, Msr, RetirementLatency};
use pmu_events::metric::Group;
use pmu_events::{Event, Metric};
use serde_json::{Map, Value, json};

use crate::list::metrics::needed;
use crate::list::search::Found;
use crate::spelling;
use crate::trees::Table;

pub(crate) fn models(out: &mut impl Write, tables: &[Table]) -> io::Result<()> {
    let objects = tables.iter().map(|table| {
        vec![
            ("architecture", json!(table.architecture)),
            ("model", json!(table.directory())),
            ("sys", json!(table.sys)),
            ("events", json!(table.model.event_count())),
            ("metrics", json!(table.model.metrics().len())),
        ]
    });
    array(out, objects)
}

pub(crate) fn entries(out: &mut impl Write, found: &[Found]) -> io::Result<()> {
    let objects = found.iter().flat_map(|found| {
        let events = found.events.iter().map(|&one| event(Some(found.table), one));
        events.chain(found.metrics.iter().map(|&one| metric(found.table, one)))
    });
    array(out, objects)
}

pub(crate) fn metric_groups(out: &mut impl Write, found: &[(Table, Vec<Group>)]) -> io::Result<()> {
    let objects =
        found.iter().flat_map(|(table, groups)| groups.iter().map(|&one| group(*table, one)));
    array(out, objects)
}

/// Keys stay in the order in which people want to read them, which a
/// `serde_json` object would not keep.
pub(crate) type Object = Vec<(&'static str, Value)>;

pub(crate) fn array(out: &mut impl Write, objects: impl Iterator<Item = Object>) -> io::Result<()> {
    write!(out, "[")?;
    let mut behind_object = "\n";
    for object in objects {
        write!(out, "{behind_object}")?;
        let mut before_key = '{';
        for (key, value) in object {
            write!(out, "{before_key}\"{key}\":{value}")?;
            before_key = ',';
        }
        write!(out, "}}")?;
        behind_object = ",\n";
    }
    writeln!(out, "\n]")
}

pub(crate) fn event(table: Option<Table>, event: Event) -> Object {
    vec![
        ("kind", json!("event")),
        ("name", json!(event.name())),
        ("architecture", json!(table.map(|table| table.architecture))),
        ("model", json!(table.map(|table| table.directory()))),
        ("topic", json!(event.topic())),
        ("pmu", json!(event.pmu())),
        ("event_string", json!(event.event_string())),
        ("terms", terms(event)),
        ("brief", json!(event.brief().map(|text| text.to_string()))),
        ("public", json!(event.public().map(|text| text.to_string()))),
        ("counters", counters(event.counters())),
        ("sample_after", json!(event.sample_after())),
        ("precise", json!(spelling::precise(event.precise()))),
        ("data_address", json!(event.has_data_address())),
        ("msr", event.msr().map_or(Value::Null, msr)),
        ("retirement_latency", event.retirement_latency().map_or(Value::Null, latency)),
        ("scale_unit", json!(event.scale_unit())),
        ("per_package", json!(event.is_per_package())),
        ("deprecated", json!(event.is_deprecated())),
        ("experimental", json!(event.is_experimental())),
        ("errata", json!(event.errata())),
        ("compat", json!(event.compat())),
    ]
}

/// Of a term that stands twice, the last; the event string has both.
fn terms(event: Event) -> Value {
    let value = |number: Option<u64>, text: Option<&str>| number.map_or(json!(text), Value::from);
    let terms = event.terms().map(|term| (term.name.into(), value(term.number(), term.value)));
    Value::Object(terms.collect::<Map<String, Value>>())
}

fn counters(counters: Counters) -> Value {
    let (kind, numbers): (_, Vec<u8>) = match counters {
        Counters::Unstated => return Value::Null,
        Counters::General(set) => ("general", set.iter().collect()),
        Counters::Fixed(number) => ("fixed", number.into_iter().collect()),
        Counters::FreeRunning => ("free running", Vec::new()),
    };
    json!({ "kind": kind, "numbers": numbers })
}

fn msr(msr: Msr) -> Value {
    json!({ "index": msr.index, "other": msr.other, "value": msr.value })
}

fn latency(latency: RetirementLatency) -> Value {
    json!({ "mean": latency.mean, "min": latency.min, "max": latency.max })
}

fn metric(table: Table, metric: Metric) -> Object {
    vec![
        ("kind", json!("metric")),
        ("name", json!(metric.name())),
        ("architecture", json!(table.architecture)),
        ("model", json!(table.directory())),
        ("topic", json!(metric.topic())),
        ("pmu", json!(metric.pmu())),
        ("groups", json!(metric.groups().collect::<Vec<_>>())),
        ("expression", json!(metric.expression())),
        ("events", json!(needed(metric))),
        ("threshold", json!(metric.threshold())),
        ("brief", json!(metric.brief().map(|text| text.to_string()))),
        ("public", json!(metric.public().map(|text| text.to_string()))),
        ("scale_unit", json!(metric.scale_unit())),
        ("compat", json!(metric.compat())),
        ("aggregation", json!(metric.aggregation().map(spelling::aggregation))),
        ("constraint", json!(metric.constraint().map(spelling::constraint))),
        ("no_group", json!(metric.no_group())),
        ("default_group", json!(metric.default_group())),
        ("shows_events", json!(metric.shows_events())),
    ]
}

fn group(table: Table, group: Group) -> Object {
    vec![
        ("kind", json!("metricgroup")),
        ("name", json!(group.name())),
        ("architecture", json!(table.architecture)),
        ("model", json!(table.directory())),
        ("description", json!(group.description().map(|text| text.to_string()))),
        ("metrics", json!(group.metrics().map(Metric::name).collect::<Vec<_>>())),
    ]
}
