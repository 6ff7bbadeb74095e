//! A report for programs.

use std::io;

use pmu_events::check::{CheckedEvent, Fact, FreeCounters, Ranked, Report};
use serde_json::json;

use crate::json::{Keys, line};
use crate::output::Output;

pub(super) fn write(report: &Report, budget: &[Ranked], out: &mut Output) -> io::Result<()> {
    report.facts().iter().try_for_each(|one| line(out, "fact", fact(one)))?;
    report.counters().iter().try_for_each(|one| line(out, "counters", counters(one)))?;
    report.events().iter().try_for_each(|one| line(out, "event", event(one)))?;
    budget.iter().try_for_each(|one| line(out, "item", item(one)))
}

fn fact(fact: &Fact) -> Keys {
    vec![
        ("subject", json!(fact.subject())),
        ("finding", json!(fact.is_finding())),
        ("text", json!(fact.to_string())),
    ]
}

fn counters(counters: &FreeCounters) -> Keys {
    vec![
        ("pmu", json!(counters.pmu())),
        ("free", json!(counters.free())),
        ("total", json!(counters.total())),
    ]
}

fn event(event: &CheckedEvent) -> Keys {
    let expected = event.expected().map(|range| [*range.start(), *range.end()]);
    vec![
        ("event", json!(event.name())),
        ("verdict", json!(event.verdict().to_string())),
        ("count", json!(event.count())),
        ("expected", json!(expected)),
        ("text", json!(event.to_string())),
    ]
}

fn item(item: &Ranked) -> Keys {
    let fate = match (item.is_counted(), item.is_multiplexed(), item.is_starved()) {
        (true, ..) => Some("counted"),
        (_, true, _) => Some("multiplexed"),
        (.., true) => Some("starved"),
        _ => None,
    };
    vec![("item", json!(item.name())), ("fate", json!(fate)), ("text", json!(item.to_string()))]
}
