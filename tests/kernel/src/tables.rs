//! Our tables against jevents'.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use pmu_events::metric::{Aggregation, CompiledFormula, Constraint};
use pmu_events::{Event, Metric, Model};
use serde_json::{Value, json};

use crate::Arch;
use crate::difference::{self, Difference};
use crate::formulas::in_our_form;
use crate::reference::{Key, Tables, Version};

/// Everything that differs between the macro's tables and jevents'.
#[must_use]
pub fn compare(arch: &Arch, theirs: &Tables) -> Vec<Difference> {
    let mut found = Vec::new();
    let version = theirs.version();
    let ours: BTreeMap<Key, Model> = models(arch).collect();
    let keys: BTreeSet<&Key> = ours.keys().chain(theirs.keys()).collect();
    for key in keys {
        let model = &key.1;
        let (Some(table), true) = (ours.get(key), theirs.keys().any(|other| other == key)) else {
            found.push(Difference {
                model: model.clone(),
                name: if key.0 { "sys table" } else { "model" }.to_owned(),
                field: "is there".to_owned(),
                ours: ours.contains_key(key).into(),
                theirs: theirs.keys().any(|other| other == key).into(),
            });
            continue;
        };
        let none = Vec::new();
        let of_event = |one| as_of(version, event(one));
        let ours: Vec<Value> = table.events().map(of_event).collect();
        let events = theirs.events.get(key).unwrap_or(&none);
        entries(model, "name", &ours, events, &mut found);
        order(model, &ours, events, &mut found);
        let of_metric = |one| as_of(version, metric(one));
        let ours: Vec<Value> = once(table.metrics().map(of_metric), version);
        let metrics = theirs.metrics.get(key).unwrap_or(&none);
        let metrics: Vec<Value> =
            metrics.iter().map(|metric| with_our_forms(metric, *table)).collect();
        entries(model, "metric_name", &ours, &metrics, &mut found);
        metric_order(*table, &mut found);
    }
    rows(arch, theirs, &mut found);
    groups(arch, theirs, &mut found);
    found
}

/// All tables of a tree.
pub(crate) fn models(arch: &Arch) -> impl Iterator<Item = (Key, Model)> {
    let models = arch.tree.models().map(|model| ((false, model.name().to_owned()), model));
    let sys_tables = arch.tree.sys_tables().map(|model| {
        let directory = model.name().strip_suffix("/sys").expect("it is named after its directory");
        ((true, directory.to_owned()), model)
    });
    models.chain(sys_tables)
}

/// An event in the words of `jevents_tables.py`.
fn event(event: Event) -> Value {
    json!({
        "pmu": event.pmu(),
        // jevents has names in lower case only.
        "name": event.name().to_lowercase(),
        "event": event.event_string(),
        "desc": event.perf_description().map_or(Value::Null, text),
        "long_desc": event.perf_long_description().map_or(Value::Null, text),
        "topic": event.topic(),
        "compat": event.compat(),
        "scale_unit": event.scale_unit(),
        "per_pkg": event.is_per_package(),
        "deprecated": event.is_deprecated(),
        "retirement_latency": event
            .retirement_latency()
            .map_or([None; 3], |latency| [latency.mean(), latency.min(), latency.max()]),
    })
}

/// An entry as a version of jevents has it.
fn as_of(version: Version, mut entry: Value) -> Value {
    let fields = entry.as_object_mut().expect("entries are made as objects");
    // jevents drops a 0, which perf has where there is nothing.
    if let Some(Value::Array(latencies)) = fields.get_mut("retirement_latency") {
        latencies.iter_mut().filter(|one| *one == "0").for_each(|one| *one = Value::Null);
    }
    match version {
        Version::Of6_12 => {
            fields.remove("retirement_latency");
            fields.remove("shows_events");
        }
        Version::Later if fields["long_desc"] == fields["desc"] => {
            fields.insert("long_desc".into(), Value::Null);
        }
        Version::Later => {}
    }
    entry
}

/// Metrics as a version of jevents keeps them: later ones drop those that come after another
/// of their name.
fn once(metrics: impl Iterator<Item = Value>, version: Version) -> Vec<Value> {
    let mut seen = BTreeSet::new();
    let is_first = |metric: &Value| {
        let (pmu, name) = key(metric, "metric_name");
        seen.insert((pmu.to_owned(), name.to_owned()))
    };
    match version {
        Version::Of6_12 => metrics.collect(),
        Version::Later => metrics.filter(is_first).collect(),
    }
}

/// A metric in the words of `jevents_tables.py`.
fn metric(metric: Metric) -> Value {
    json!({
        "pmu": metric.pmu(),
        "metric_name": metric.name(),
        "metric_group": text(metric.group_string()),
        "metric_expr": printed(metric.expression()),
        "metric_threshold": metric.threshold().map(printed),
        "desc": metric.description().map_or(Value::Null, |brief| text(brief.trimmed())),
        "long_desc": metric.long_description().map_or(Value::Null, |public| text(public.trimmed())),
        "scale_unit": metric.scale_unit(),
        "compat": metric.compat(),
        "metricgroup_no_group": metric.no_group(),
        "default_metricgroup_name": metric.default_group(),
        // Enumerators of tools/perf/pmu-events/pmu-events.h.
        "aggr_mode": metric.aggregation().map(|aggregation| match aggregation {
            Aggregation::PerChip => 1,
            Aggregation::PerCore => 2,
            other => panic!("{other:?} has no number there"),
        }),
        "event_grouping": metric.constraint().map(|constraint| match constraint {
            Constraint::NoGroup => 1,
            Constraint::NoGroupWithNmiWatchdog => 2,
            Constraint::NoGroupWithSmt => 3,
            Constraint::NoThresholdWithNmiWatchdog => 4,
            other => panic!("{other:?} has no number there"),
        }),
        "topic": metric.topic(),
        "shows_events": metric.shows_events(),
    })
}

fn printed(formula: CompiledFormula) -> String {
    formula.to_string().to_ascii_lowercase()
}

/// jevents' metric, its formulas in the form in which ours are printed.
fn with_our_forms(metric: &Value, model: Model) -> Value {
    let mut metric = metric.clone();
    for key in ["metric_expr", "metric_threshold"] {
        if let Some(text) = metric[key].as_str() {
            metric[key] = in_our_form(text, model).into();
        }
    }
    metric
}

/// C sees NULL for a text that is there but empty, so the script writes null.
fn text(text: impl Display) -> Value {
    let text = text.to_string();
    if text.is_empty() { Value::Null } else { text.into() }
}

/// PMU and name of an entry. `name` is the key that holds the name.
fn key<'v>(entry: &'v Value, name: &str) -> (&'v str, &'v str) {
    (entry["pmu"].as_str().unwrap_or_default(), entry[name].as_str().unwrap_or_default())
}

/// Compares entries of one PMU and name, whatever their order.
fn entries(model: &str, name: &str, ours: &[Value], theirs: &[Value], found: &mut Vec<Difference>) {
    let (ours, theirs) = (by_key(ours, name), by_key(theirs, name));
    let keys: BTreeSet<_> = ours.keys().chain(theirs.keys()).copied().collect();
    let none = Vec::new();
    for key in keys {
        let shown = format!("{}/{}/", key.0, key.1);
        let (ours, theirs) = (ours.get(&key).unwrap_or(&none), theirs.get(&key).unwrap_or(&none));
        if ours.len() != theirs.len() {
            found.push(Difference {
                model: model.to_owned(),
                name: shown,
                field: "how many".to_owned(),
                ours: ours.len().into(),
                theirs: theirs.len().into(),
            });
            continue;
        }
        for (ours, theirs) in ours.iter().zip(theirs) {
            difference::fields(model, &shown, ours, theirs, found);
        }
    }
}

/// Groups entries by PMU and name. The kernel's trees have some metrics twice;
/// how jevents orders those depends on the order of a directory's files on the
/// disk, so they are put into an order of our own.
fn by_key<'v>(entries: &'v [Value], name: &str) -> BTreeMap<(&'v str, &'v str), Vec<&'v Value>> {
    let mut by_key: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for entry in entries {
        by_key.entry(key(entry, name)).or_default().push(entry);
    }
    for same in by_key.values_mut().filter(|same| same.len() > 1) {
        same.sort_by_cached_key(ToString::to_string);
    }
    by_key
}

/// Events come in jevents' order.
fn order(model: &str, ours: &[Value], theirs: &[Value], found: &mut Vec<Difference>) {
    let differs = |(ours, theirs): &(&Value, &Value)| key(ours, "name") != key(theirs, "name");
    // Where one side has more, that has been said.
    if ours.len() == theirs.len()
        && let Some((ours, theirs)) = ours.iter().zip(theirs).find(differs)
    {
        found.push(Difference {
            model: model.to_owned(),
            name: "events".to_owned(),
            field: "order".to_owned(),
            ours: ours["name"].clone(),
            theirs: theirs["name"].clone(),
        });
    }
}

/// Metrics come in the order of their names, which is ours: a look-up by name
/// wants it, where jevents has the PMU first.
fn metric_order(model: Model, found: &mut Vec<Difference>) {
    let names: Vec<String> =
        model.metrics().map(|metric| metric.name().to_ascii_lowercase()).collect();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] > pair[1]) {
        found.push(Difference {
            model: model.name().to_owned(),
            name: "metrics".to_owned(),
            field: "order".to_owned(),
            ours: json!([pair[0], pair[1]]),
            theirs: json!([pair[1], pair[0]]),
        });
    }
}

/// Each row's model is there, and found by the row's pattern where the pattern
/// is a CPUID itself. `tests/cpuid.rs` has CPUIDs for the others.
fn rows(arch: &Arch, theirs: &Tables, found: &mut Vec<Difference>) {
    for (pattern, model) in &theirs.rows {
        let mut differs = |field: &str, ours: Option<&str>| {
            if ours != Some(model) {
                found.push(Difference {
                    model: model.clone(),
                    name: format!("row {pattern}"),
                    field: field.to_owned(),
                    ours: ours.into(),
                    theirs: model.as_str().into(),
                });
            }
        };
        differs("model of that name", arch.tree.model_named(model).map(|model| model.name()));
        if pattern.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            differs("model of that CPUID", (arch.model)(pattern).map(Model::name));
        }
    }
}

fn groups(arch: &Arch, theirs: &Tables, found: &mut Vec<Difference>) {
    let ours: BTreeSet<&str> = arch.tree.groups().collect();
    let names: BTreeSet<&str> =
        ours.iter().copied().chain(theirs.groups.keys().map(String::as_str)).collect();
    for name in names {
        let description = arch.tree.group_description(name).map(|text| text.to_string());
        let ours = json!({
            "listed": ours.contains(name),
            "description": description,
        });
        let theirs = json!({
            "listed": theirs.groups.contains_key(name),
            "description": theirs.groups.get(name),
        });
        difference::fields("", &format!("group {name}"), &ours, &theirs, found);
    }
}
