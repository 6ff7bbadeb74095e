//! The keys of an event string and its attributes, which are those of perf's
//! own structures.

use std::io::{self, Write};

use pmu_events::__private::{AttributeTerm, attribute_terms, evsel_flags};
use pmu_events::Event;
use pmu_events::config::Sampling;
use pmu_events::resolve::{Error, Resolution, Resolved};
use pmu_events::sysfs::Pmu;
use serde_json::{Map, Value, json};

use crate::failure::without_position;
use crate::json;

const KIND: &str = "encoding";

/// The default sampling frequency of `perf record`.
const DEFAULT_FREQUENCY: u64 = 4000;

/// The result of `parse_events` for any event that it refuses.
const EINVAL: i32 = -22;

pub(crate) fn resolved(out: &mut impl Write, event: &str, all: &Resolution) -> io::Result<()> {
    write!(out, "{{\"event\":{},\"ret\":0,\"evsels\":[", json!(event))?;
    let mut leader = 0;
    for group in all.groups() {
        for (n, one) in group.iter().enumerate() {
            let separator = if leader + n == 0 { "" } else { "," };
            let members = if n == 0 { group.len() } else { 0 };
            write!(out, "{separator}{}", attribute(one, leader, members))?;
        }
        leader += group.len();
    }
    writeln!(out, "]}}")
}

pub(crate) fn refused(out: &mut impl Write, event: &str, error: &Error) -> io::Result<()> {
    let errors = json!([[error.span().start, without_position(error)]]);
    let keys = vec![
        ("event", json!(event)),
        ("ret", json!(EINVAL)),
        ("evsels", json!([])),
        ("errors", errors),
    ];
    json::line(out, KIND, keys)
}

fn attribute(one: &Resolved, leader: usize, members: usize) -> Value {
    let mut object = Map::new();
    let mut set = |key: &str, value: Value| {
        object.insert(key.into(), value);
    };
    set("name", json!(one.name()));
    set("pmu", json!(one.pmu().map(|pmu| pmu.name())));
    set("type", json!((one.type_() != Pmu::DYNAMIC).then_some(one.type_())));
    for (word, bits) in one.words().iter() {
        set(word.name(), json!(format!("{bits:#x}")));
    }
    if let Some(breakpoint) = one.breakpoint() {
        set("bp_type", json!(breakpoint.access()));
    }
    set("unit", json!(one.unit()));
    set("scale", number(one.scale()));
    set("precise_ip", json!(one.settings().precise()));
    for (key, is_set) in evsel_flags(one) {
        set(key, json!(u8::from(is_set)));
    }
    let (period, is_frequency) = match one.attributes().sampling() {
        Some(Sampling::Period(period)) => (period, 0),
        Some(Sampling::Frequency(frequency)) => (frequency, 1),
        None => (DEFAULT_FREQUENCY, 1),
    };
    // Those of all other events are up to the sampling tool.
    let has_period = one.breakpoint().is_some() || one.is_tracepoint();
    set("sample_period", json!(if has_period { period } else { 0 }));
    set("config_terms", attribute_terms(one).filter_map(config_term).collect());
    set("record_period", json!(period));
    set("record_freq", json!(is_frequency));
    set("cpus", json!(one.cpus().ok().flatten().map(ToString::to_string)));
    set("leader_idx", json!(leader));
    set("nr_members", json!(members));
    if let Some(differs) = one.table_event().and_then(Event::perf_differs) {
        set("perf_differs", json::perf_differs(differs));
    }
    if one.ignores_node() {
        set("ignores_node", json!(true));
    }
    if let Some(id) = one.attributes().metric_id() {
        set("metric_id", json!(id));
    }
    Value::Object(object)
}

/// The terms that perf keeps (`get_config_terms` in
/// `tools/perf/util/parse-events.c`).
fn config_term(attribute: AttributeTerm<'_>) -> Option<Value> {
    let (term, is_default) = (attribute.term(), attribute.is_default());
    let text = || json!(term.value());
    let (name, value) = match term.name() {
        // These name the event.
        "name" | "metric-id" => return None,
        "no-inherit" => ("inherit", json!(u8::from(term.number() == Some(0)))),
        "no-overwrite" => ("overwrite", json!(u8::from(term.number() == Some(0)))),
        driver if driver.starts_with('@') => ("drv-cfg", json!(driver[1..])),
        name => (name, term.number().map_or_else(text, |number| json!(number))),
    };
    Some(json!({ "weak": u8::from(is_default), name: value }))
}

/// A whole number without a decimal point, as C's `%g` writes it.
fn number(value: f64) -> Value {
    let whole = value as i64;
    if whole as f64 == value { json!(whole) } else { json!(value) }
}
