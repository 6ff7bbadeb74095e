//! Every field of every event and metric, as text. What a tree does not state is left out.

use std::fmt::Display;

use pmu_events::__private::flags::Flag;
use pmu_events::event::{CounterConstraint, Msr, Precise};
use pmu_events::model::PmuTable;
use pmu_events::{Event, Metric, Model, Tree};

pub(crate) fn of_tree(tree: &'static Tree) -> String {
    let mut text: String = tree.models().chain(tree.sys_tables()).map(of_model).collect();
    for group in tree.groups() {
        let description = tree.group_description(group).map(|text| text.to_string());
        text += &format!("group {group} {:?}\n", description.unwrap_or_default());
    }
    text
}

pub(crate) fn of_model(model: Model) -> String {
    let mut text = String::new();
    for pmu in model.pmus() {
        text += &format!("{} {}\n", model.name(), heading(pmu));
        text.extend(pmu.events().map(of_event));
        text += "\n";
    }
    for (metric, reason) in model.lacking() {
        text += &format!("{} lacks {metric}: {reason}\n", model.name());
    }
    let metrics = model.metrics().len();
    if metrics > 0 {
        text += &format!("{} metrics {metrics}\n", model.name());
        text.extend(model.metrics().map(of_metric));
        text += "\n";
    }
    text
}

fn heading(pmu: PmuTable) -> String {
    let facts = [
        Some(format!("events {}", pmu.events().len())),
        pmu.is_core().then(|| "core".to_owned()),
        stated("general counters", pmu.general_counters()),
        stated("fixed counters", pmu.fixed_counters()),
    ];
    format!("{} {}", pmu.name(), joined(facts))
}

fn of_event(event: Event) -> String {
    let latency = event.retirement_latency();
    let latency = latency.map(|all| {
        let [mean, min, max] = [all.mean(), all.min(), all.max()].map(|one| one.unwrap_or("-"));
        format!("mean {mean}, min {min}, max {max}")
    });
    let facts = [
        Some(event.topic().to_owned()),
        counters(event.counters()),
        stated("MSR", event.msr().map(register)),
        match event.precise() {
            Precise::No => None,
            precise => Some(format!("precise {precise:?}")),
        },
        stated("sample after", event.sample_after()),
        stated("latency", latency),
        stated("scale", event.scale_unit()),
        stated("compat", event.compat()),
        stated("errata", event.errata()),
        stated("count unit", event.count_unit()),
        stated("count scope", event.count_scope().map(|scope| scope.name())),
        stated("successor", event.successor()),
        stated("differs", event.perf_differs()),
    ];
    let flags = Flag::ALL.iter().filter(|flag| flag.is_of(event));
    let flags = flags.map(|flag| Some(flag.label().to_owned()));
    let facts = joined(facts.into_iter().chain(flags));
    let mut text = format!("{} {}\n    {facts}", event.name(), event.event_string());
    let (brief, long) = (event.description(), event.long_description());
    text += &quoted("brief", brief);
    text += &perf_text("perf brief", event.perf_description(), brief);
    text += &quoted("long", long);
    text += &perf_text("perf long", event.perf_long_description(), long);
    text + "\n"
}

fn of_metric(metric: Metric) -> String {
    let list = |names: Vec<&str>| (!names.is_empty()).then(|| format!("{names:?}"));
    let facts = [
        Some(metric.topic().to_owned()),
        stated("groups", list(metric.groups().collect())),
        stated("no group", metric.no_group()),
        stated("default group", metric.default_group()),
        stated("scale", metric.scale_unit()),
        stated("compat", metric.compat()),
        stated("aggregation", metric.aggregation().map(|one| format!("{one:?}"))),
        stated("constraint", metric.constraint().map(|one| format!("{one:?}"))),
        metric.shows_events().then(|| "shows events".to_owned()),
        stated("sample with", list(metric.sample_with().collect())),
        stated("difference", metric.difference()),
    ];
    let head = format!("{}/{}/ = {}", metric.pmu(), metric.name(), metric.expression());
    let threshold = metric.threshold().map(|formula| format!("\n    threshold {formula}"));
    head + &threshold.unwrap_or_default()
        + &format!("\n    {}", joined(facts))
        + &quoted("brief", metric.description())
        + &quoted("long", metric.long_description())
        + "\n"
}

fn counters(constraint: CounterConstraint) -> Option<String> {
    match constraint {
        CounterConstraint::Unstated => None,
        CounterConstraint::General(set) => Some(format!("counters {set}")),
        CounterConstraint::Fixed(Some(number)) => Some(format!("fixed counter {number}")),
        other => Some(format!("counter {other:?}")),
    }
}

fn register(msr: Msr) -> String {
    let other = msr.other().map(|other| format!(",{other:#x}")).unwrap_or_default();
    let value = msr.value().expect("the tree states it");
    format!("{:#x}{other} = {value:#x}", msr.index())
}

fn stated(name: &str, value: Option<impl Display>) -> Option<String> {
    value.map(|value| format!("{name} {value}"))
}

fn joined(facts: impl IntoIterator<Item = Option<String>>) -> String {
    facts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// A line with a text as a literal, so that spaces at its end can be seen.
fn quoted(name: &str, text: Option<impl Display>) -> String {
    let literal = text.map(|text| format!("\n    {name} {:?}", text.to_string()));
    literal.unwrap_or_default()
}

/// A line with perf's text, unless it is just the other without a final stop.
fn perf_text(name: &str, perf: Option<impl Display>, text: Option<impl Display>) -> String {
    let perf = perf.map(|perf| perf.to_string());
    let text = text.map(|text| text.to_string());
    match (perf, text) {
        (Some(perf), Some(text)) if perf == text.strip_suffix('.').unwrap_or(&text) => {
            String::new()
        }
        (None, Some(_)) => format!("\n    {name} is missing"),
        (perf, _) => quoted(name, perf),
    }
}
