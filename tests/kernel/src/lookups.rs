//! What a tree lists is found by its name.

use pmu_events::{Model, pmu};
use serde_json::{Value, json};

use crate::Arch;
use crate::difference::{self, Difference};
use crate::tables::models;

/// Everything that a look-up finds otherwise than a search through the list.
#[must_use]
pub fn check(arch: &Arch) -> Vec<Difference> {
    let mut found = Vec::new();
    for ((sys, _), model) in models(arch) {
        events(model, &mut found);
        metrics(model, &mut found);
        if sys {
            sys_events(arch, model, &mut found);
        }
    }
    found
}

fn events(model: Model, found: &mut Vec<Difference>) {
    let events: Vec<_> = model.events().collect();
    let mut by_name: Vec<_> = events.iter().copied().enumerate().collect();
    by_name.sort_by_cached_key(|(at, event)| (event.name().to_ascii_lowercase(), *at));
    for same in by_name.chunk_by(|(_, a), (_, b)| a.name().eq_ignore_ascii_case(b.name())) {
        // The core PMU's comes first, then the table's order.
        let first = same.iter().find(|(_, event)| pmu::is_core(event.pmu())).unwrap_or(&same[0]).1;
        let all: Vec<_> = same.iter().map(|(_, event)| event.pmu()).collect();
        for (_, event) in same {
            let name = event.name();
            let (lower, upper) = (name.to_ascii_lowercase(), name.to_ascii_uppercase());
            let pmus: Vec<_> = model.events_named(name).map(|event| event.pmu()).collect();
            let ours = json!({
                "event": model.event(name) == Some(first),
                "event, lower case": model.event(&lower) == Some(first),
                "event, upper case": model.event(&upper) == Some(first),
                "event_on": model.event_on(event.pmu(), name) == Some(*event),
                "event_on, lower case": model.event_on(event.pmu(), &lower) == Some(*event),
                "event_on, upper case": model.event_on(event.pmu(), &upper) == Some(*event),
                "event_on no such PMU": model.event_on("no such PMU", name).is_none(),
                "event, a letter more": model.event(&format!("{name}~")).is_none(),
                "events_named": pmus,
            });
            compare(model, &format!("{}/{name}/", event.pmu()), &ours, json!(all), found);
        }
    }
}

fn metrics(model: Model, found: &mut Vec<Difference>) {
    for metric in model.metrics() {
        let name = metric.name();
        let first = model.metrics().find(|other| other.name().eq_ignore_ascii_case(name));
        let ours = json!({
            "metric": model.metric(name) == first,
            "metric, lower case": model.metric(&name.to_ascii_lowercase()) == first,
            "metric, upper case": model.metric(&name.to_ascii_uppercase()) == first,
            "in_group": metric.groups().all(|group| {
                model.metrics().in_group(group).any(|other| other == metric)
            }),
        });
        compare(model, &format!("metric {name}"), &ours, Value::Null, found);
    }
}

/// A system PMU whose identifier is what `Compat` asks for has the event; an
/// event that does not ask for any is on none.
fn sys_events(arch: &Arch, model: Model, found: &mut Vec<Difference>) {
    for event in model.events() {
        let finds = |identifier: &str| {
            arch.tree.sys_events(event.pmu(), identifier).any(|other| other == event)
        };
        let identifier = event.compat().map(an_identifier).unwrap_or_default();
        let ours = json!({
            "sys_events": finds(&identifier) == event.compat().is_some(),
            "sys_events, another identifier": !finds("no such identifier"),
        });
        compare(model, &format!("{}/{}/", event.pmu(), event.name()), &ours, Value::Null, found);
    }
}

/// An identifier that a `Compat` pattern matches, for patterns such as trees
/// have: `0x01`, `(434|436).*`, `v[89]|v1[0-9]`.
fn an_identifier(pattern: &str) -> String {
    let mut identifier = String::new();
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        match c {
            '|' => break,
            '(' | ')' | '*' | '+' | '?' | '\\' => {}
            '[' => {
                identifier.extend(rest.next());
                rest.find(|&c| c == ']');
            }
            c => identifier.push(c),
        }
    }
    identifier
}

/// Expects every answer to be true; lists are held against `list`.
fn compare(model: Model, name: &str, ours: &Value, list: Value, found: &mut Vec<Difference>) {
    let mut theirs = ours.clone();
    for value in theirs.as_object_mut().into_iter().flat_map(|object| object.values_mut()) {
        *value = if value.is_boolean() { true.into() } else { list.clone() };
    }
    difference::fields(model.name(), name, ours, &theirs, found);
}
