//! Our structured fields against the JSON files.
//!
//! jevents drops keys that people need (allowed counters, experimental, …),
//! keeps others only within texts (errata, precise) or shortens them (the final
//! full stop). Those are compared with the files themselves, read here in the
//! plainest way.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use pmu_events::__private::pmu;
use pmu_events::event::{CounterConstraint, Precise};
use pmu_events::metric::CompiledFormula;
use pmu_events::{Event, Model};
use serde_json::{Map, Value, json};

use crate::Arch;
use crate::difference::{self, Difference};
use crate::formulas::{Written, in_our_form};
use crate::tables::models;

type Object = Map<String, Value>;

/// Everything that differs between the macro's tables and the JSON below the
/// architecture's directory.
///
/// # Panics
///
/// When a file cannot be read: the macro and jevents could.
#[must_use]
pub fn check(arch: &Arch, directory: &Path) -> Vec<Difference> {
    let mut found = Vec::new();
    let standards = standards(directory);
    for ((sys, name), model) in models(arch) {
        let below = if sys { format!("{name}/sys") } else { name };
        let mut seen = (0, 0);
        for object in objects(&directory.join(below)) {
            let object = with_standard(object, &standards);
            if string(&object, "EventName").is_some() {
                event(model, &object, &mut found);
                seen.0 += 1;
            }
            if string(&object, "MetricName").is_some() {
                metric(model, &object, &mut found);
                seen.1 += 1;
            }
            counters_of_unit(model, &object, &mut found);
        }
        let ours = json!({ "events": model.event_count(), "metrics": model.metrics().len() });
        let theirs = json!({ "events": seen.0, "metrics": seen.1 });
        difference::fields(model.name(), "objects in its files", &ours, &theirs, &mut found);
    }
    found
}

/// Architecture standard events, by name in lower case.
fn standards(directory: &Path) -> BTreeMap<String, Object> {
    let mut standards = BTreeMap::new();
    for object in objects(directory) {
        for key in ["EventName", "MetricName"] {
            if let Some(name) = string(&object, key) {
                standards.insert(name.to_ascii_lowercase(), object.clone());
            }
        }
    }
    standards
}

/// The full descriptions of architecture standard events for which the brief one is the same:
/// later versions of jevents drop them before models have a say.
pub(crate) fn described_twice(directory: &Path) -> BTreeSet<String> {
    let standards = standards(directory);
    let texts = standards.values().filter_map(|standard| {
        let full = string(standard, "PublicDescription")?;
        (string(standard, "BriefDescription") == Some(full)).then(|| full.to_owned())
    });
    texts.map(|text| text.trim_end_matches('.').to_owned()).collect()
}

/// The objects of the event files of one directory.
fn objects(directory: &Path) -> Vec<Object> {
    let cannot = |path: &Path, error: &dyn std::fmt::Display| -> ! {
        panic!("{} cannot be read: {error}", path.display())
    };
    let entries = fs::read_dir(directory).unwrap_or_else(|error| cannot(directory, &error));
    let mut objects = Vec::new();
    for entry in entries {
        let path = entry.unwrap_or_else(|error| cannot(directory, &error)).path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.ends_with(".json") || name.ends_with("metricgroups.json") {
            continue;
        }
        let bytes = fs::read(&path).unwrap_or_else(|error| cannot(&path, &error));
        let read: Vec<Object> =
            serde_json::from_slice(&bytes).unwrap_or_else(|error| cannot(&path, &error));
        objects.extend(read);
    }
    objects
}

/// A string; empty ones are as good as missing.
fn string<'o>(object: &'o Object, key: &str) -> Option<&'o str> {
    object.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// Trees after Linux 6.12 have numbers where the older ones have texts.
fn text_or_number(object: &Object, key: &str) -> Option<String> {
    match object.get(key)? {
        Value::Number(number) => Some(number.to_string()),
        _ => string(object, key).map(str::to_owned),
    }
}

/// Fills in from the architecture standard event what the object itself leaves
/// empty.
fn with_standard(mut object: Object, standards: &BTreeMap<String, Object>) -> Object {
    let Some(name) = string(&object, "ArchStdEvent") else {
        return object;
    };
    let Some(standard) = standards.get(&name.to_ascii_lowercase()) else {
        panic!("there is no architecture standard event {name}");
    };
    let own_msr = string(&object, "MSRIndex").is_some();
    for (key, value) in standard {
        // A unit is never empty: it stands for the core PMU. And the MSR's
        // value belongs to its index.
        let own = match key.as_str() {
            "Unit" => true,
            "MSRValue" => own_msr,
            key => string(&object, key).is_some(),
        };
        if !own {
            object.insert(key.clone(), value.clone());
        }
    }
    object
}

fn pmu_of(object: &Object) -> String {
    match string(object, "Unit") {
        None => pmu::DEFAULT_CORE.to_owned(),
        // Which PMU a unit means is compared with jevents, event by event.
        Some(unit) => pmu::of_unit(unit)
            .map_or_else(|| format!("uncore_{}", unit.to_ascii_lowercase()), str::to_owned),
    }
}

fn event(model: Model, object: &Object, found: &mut Vec<Difference>) {
    let (pmu, name) = (pmu_of(object), string(object, "EventName").unwrap_or_default());
    let shown = format!("{pmu}/{name}/");
    let ours = model.event_on(&pmu, name);
    // Some names have a fixed event string, and with it a period.
    let fixed_period = ours.and_then(|event| event.terms().last_named("period")?.number());
    let sample_after = match string(object, "SampleAfterValue") {
        Some(text) => Some(number(text)),
        None => fixed_period,
    };
    let ours = ours.map_or_else(|| json!({}), our_event);
    let msr = string(object, "MSRIndex").map(|indices| {
        let mut indices = indices.split(',').map(number);
        json!({
            "index": indices.next(),
            "other": indices.next(),
            "value": string(object, "MSRValue").map(number),
        })
    });
    let theirs = json!({
        "EventName": name,
        "BriefDescription": string(object, "BriefDescription"),
        "PublicDescription": string(object, "PublicDescription"),
        "ScaleUnit": string(object, "ScaleUnit"),
        "Compat": string(object, "Compat"),
        "Errata": string(object, "Errata"),
        "PEBS": string(object, "PEBS").unwrap_or("0"),
        "Data_LA": string(object, "Data_LA") == Some("1"),
        "PerPkg": string(object, "PerPkg") == Some("1"),
        "Deprecated": string(object, "Deprecated") == Some("1"),
        "Experimental": string(object, "Experimental") == Some("1"),
        "Counter": string(object, "Counter").map_or(Value::Null, counters),
        "MSRIndex, MSRValue": msr,
        // Zero is how Intel's files say that sampling makes no sense.
        "SampleAfterValue": sample_after.filter(|&count| count != 0),
        "RetirementLatency": retirement_latency(
            ["Mean", "Min", "Max"].map(|of| text_or_number(object, &format!("RetirementLatency{of}")))
        ),
    });
    difference::fields(model.name(), &shown, &ours, &theirs, found);
}

/// Our side of [`event`].
fn our_event(event: Event) -> Value {
    json!({
        "EventName": event.name(),
        "BriefDescription": event.description().map(|text| text.to_string()),
        "PublicDescription": event.long_description().map(|text| text.to_string()),
        "ScaleUnit": event.scale_unit(),
        "Compat": event.compat(),
        "Errata": event.errata(),
        "PEBS": match event.precise() {
            Precise::No => "0",
            Precise::Possible => "1",
            Precise::Required => "2",
            other => panic!("{other:?} is not in JSON"),
        },
        "Data_LA": event.has_data_address(),
        "PerPkg": event.is_per_package(),
        "Deprecated": event.is_deprecated(),
        "Experimental": event.is_experimental(),
        "Counter": match event.counters() {
            CounterConstraint::Unstated => Value::Null,
            CounterConstraint::General(set) => set.iter().collect(),
            CounterConstraint::Fixed(number) => json!({ "fixed": number }),
            CounterConstraint::FreeRunning => "free-running".into(),
            other => panic!("{other:?} is not in JSON"),
        },
        "MSRIndex, MSRValue": event.msr().map(|msr| {
            json!({ "index": msr.index(), "other": msr.other(), "value": msr.value() })
        }),
        "SampleAfterValue": event.sample_after(),
        "RetirementLatency": event
            .retirement_latency()
            .and_then(|latency| retirement_latency([latency.mean(), latency.min(), latency.max()])),
    })
}

fn retirement_latency(latency: [Option<impl Into<Value>>; 3]) -> Option<Value> {
    let latency = latency.map(|number| number.map_or(Value::Null, Into::into));
    latency.iter().any(|number| !number.is_null()).then(|| json!(latency))
}

/// `0,1,2`, `Fixed counter 1`, `FIXED`, `FREERUN`.
fn counters(text: &str) -> Value {
    let text = text.trim().to_ascii_lowercase();
    if text.starts_with("free") {
        return "free-running".into();
    }
    match text.strip_prefix("fixed") {
        Some("") => json!({ "fixed": null }),
        Some(counter) => json!({ "fixed": number(counter.trim_start_matches(" counter")) }),
        // Linux 6.1 has `0,`.
        None => text.split(',').filter(|part| !part.is_empty()).map(number).collect(),
    }
}

fn number(text: &str) -> u64 {
    let text = text.trim().to_ascii_lowercase();
    let number = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

/// Names of metrics are not distinct, so one of the same name must be the same.
fn metric(model: Model, object: &Object, found: &mut Vec<Difference>) {
    let name = string(object, "MetricName").unwrap_or_default();
    let form = |key| string(object, key).map(|text| in_our_form(text, model));
    let theirs = json!({
        "MetricName": name,
        "MetricExpr": form("MetricExpr"),
        "MetricThreshold": form("MetricThreshold"),
        "BriefDescription": string(object, "BriefDescription"),
        "PublicDescription": string(object, "PublicDescription"),
        "DefaultShowEvents": string(object, "DefaultShowEvents") == Some("1"),
    });
    let pmu = pmu_of(object);
    let ours: Vec<Value> = model
        .metrics()
        .filter(|metric| metric.name() == name && metric.pmu() == pmu)
        .map(|metric| {
            json!({
                "MetricName": metric.name(),
                "MetricExpr": printed(metric.expression()),
                "MetricThreshold": metric.threshold().map(printed),
                "BriefDescription": metric.description().map(|text| text.to_string()),
                "PublicDescription": metric.long_description().map(|text| text.to_string()),
                "DefaultShowEvents": metric.shows_events(),
            })
        })
        .collect();
    if !ours.contains(&theirs) {
        let ours = ours.first().cloned().unwrap_or_else(|| json!({}));
        difference::fields(model.name(), &format!("metric {pmu}/{name}"), &ours, &theirs, found);
    }
}

fn printed(formula: CompiledFormula) -> String {
    formula.to_string().to_ascii_lowercase()
}

/// Calls with every metric of the files: its model, PMU, name and formulas.
pub(crate) fn each_metric(
    arch: &Arch,
    directory: &Path,
    mut call: impl FnMut(Model, String, String, Written),
) {
    let standards = standards(directory);
    for ((sys, name), model) in models(arch) {
        let below = if sys { format!("{name}/sys") } else { name };
        for object in objects(&directory.join(below)) {
            let object = with_standard(object, &standards);
            let text = |key| string(&object, key).map(str::to_owned);
            if let (Some(name), Some(expression)) = (text("MetricName"), text("MetricExpr")) {
                let threshold = text("MetricThreshold");
                call(model, pmu_of(&object), name, Written { expression, threshold });
            }
        }
    }
}

/// `counter.json`: how many counters a unit has.
fn counters_of_unit(model: Model, object: &Object, found: &mut Vec<Difference>) {
    let stated = |key| {
        object.get(key).map(|value| match value {
            Value::String(text) => number(text),
            value => number(&value.to_string()),
        })
    };
    let (general, fixed) = (stated("CountersNumGeneric"), stated("CountersNumFixed"));
    if general.is_none() && fixed.is_none() {
        return;
    }
    // These files spell out the unit that events leave empty.
    let pmu = match pmu_of(object).as_str() {
        "uncore_core" => pmu::DEFAULT_CORE.to_owned(),
        pmu => pmu.to_owned(),
    };
    // A unit without events is no PMU of the model.
    if let Some(ours) = model.pmus().find(|ours| ours.name() == pmu) {
        let ours = json!({ "general": ours.general_counters(), "fixed": ours.fixed_counters() });
        let theirs = json!({ "general": general, "fixed": fixed });
        difference::fields(model.name(), &format!("counters of {pmu}"), &ours, &theirs, found);
    }
}
