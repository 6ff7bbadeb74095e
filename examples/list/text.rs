//! The output for people.

use std::fmt::Write as _;
use std::io::{self, Write};

use pmu_events::event::{Counters, Msr, Precise};
use pmu_events::text::Text;
use pmu_events::{Event, Metric, name, pmu};

use crate::page::Page;
use crate::search::{Found, first_group};
use crate::spelling;
use crate::trees::Table;

/// Lists models, one a line.
pub(crate) fn models(out: &mut impl Write, tables: &[Table]) -> io::Result<()> {
    let wide = tables.iter().map(|table| table.model.name().len()).max().unwrap_or(0);
    for Table { architecture, model, sys } in tables {
        let (events, metrics) = (model.event_count(), model.metrics().len());
        write!(out, "{architecture:8} {:wide$}  {events:5} events", model.name())?;
        writeln!(out, " {metrics:5} metrics{}", if *sys { "  of system PMUs" } else { "" })?;
    }
    Ok(())
}

/// Lists events by topic and metrics by group.
pub(crate) fn entries(
    page: &mut Page<impl Write>,
    found: &[Found],
    details: bool,
) -> io::Result<()> {
    for (n, found) in found.iter().filter(|found| !found.is_empty()).enumerate() {
        if n > 0 {
            page.blank()?;
        }
        page.heading(&summary(found))?;
        for events in found.events.chunk_by(|a, b| a.topic() == b.topic()) {
            page.blank()?;
            page.heading(&format!("{}:", events[0].topic()))?;
            for &one in events {
                event(page, one, details)?;
            }
        }
        for metrics in found.metrics.chunk_by(|&a, &b| name::eq(first_group(a), first_group(b))) {
            page.blank()?;
            let group = first_group(metrics[0]);
            let space = if group.is_empty() { "" } else { " " };
            page.heading(&format!("metrics{space}{group}:"))?;
            if let Some(description) = found.table.model.tree().group_description(group) {
                page.paragraph(description.trimmed())?;
            }
            for &one in metrics {
                metric(page, one, details)?;
            }
        }
    }
    Ok(())
}

fn summary(found: &Found) -> String {
    let model = found.table.model;
    let of = |shown: usize, all: usize, what: &str| {
        if shown == all { count(all, what) } else { format!("{shown} of {}", count(all, what)) }
    };
    let events = of(found.events.len(), model.event_count(), "event");
    let metrics = of(found.metrics.len(), model.metrics().len(), "metric");
    format!("{}: {events}, {metrics}", found.table)
}

pub(crate) fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn event(page: &mut Page<impl Write>, event: Event, details: bool) -> io::Result<()> {
    let flags =
        [(event.is_deprecated(), " [Deprecated]"), (event.is_experimental(), " [Experimental]")];
    let mut name = event.name().to_string();
    for (_, flag) in flags.iter().filter(|(set, _)| *set) {
        name.push_str(flag);
    }
    if details {
        page.name(&name, "")?;
        descriptions(page, event.brief(), event.public())?;
        return event_facts(page, event);
    }
    page.name(&name, &selector(event))?;
    event.perf_brief().map_or(Ok(()), |brief| page.paragraph(brief))
}

/// The event as perf's `-e` takes it, save that the default core PMU has a
/// name of its own on each machine.
fn selector(event: Event) -> String {
    if event.pmu() == pmu::DEFAULT_CORE {
        event.event_string().into()
    } else {
        format!("{}/{}/", event.pmu(), event.event_string())
    }
}

fn event_facts(page: &mut Page<impl Write>, event: Event) -> io::Result<()> {
    page.fact("PMU", event.pmu())?;
    page.fact("event string", event.event_string())?;
    if let Some(counters) = counters(event.counters()) {
        page.fact("counters", counters)?;
    }
    if let Some(period) = event.sample_after() {
        page.fact("sample after", period)?;
    }
    if event.precise() != Precise::No {
        page.fact("precise", spelling::precise(event.precise()))?;
    }
    if event.has_data_address() {
        page.fact("data address", "when precise")?;
    }
    if let Some(register) = event.msr() {
        page.fact("MSR", msr(register))?;
    }
    if let Some(latency) = event.retirement_latency() {
        let stated = [("mean", latency.mean), ("min", latency.min), ("max", latency.max)];
        for (which, cycles) in stated {
            if let Some(cycles) = cycles {
                page.fact(&format!("latency, {which}"), cycles)?;
            }
        }
    }
    if let Some(scale_unit) = event.scale_unit() {
        page.fact("scale unit", scale_unit)?;
    }
    if event.is_per_package() {
        page.fact("per package", "yes")?;
    }
    if let Some(errata) = event.errata() {
        page.fact("errata", errata)?;
    }
    if let Some(compat) = event.compat() {
        page.fact("compat", compat)?;
    }
    Ok(())
}

/// Many public descriptions begin with the brief one.
fn descriptions(
    page: &mut Page<impl Write>,
    brief: Option<Text>,
    public: Option<Text>,
) -> io::Result<()> {
    let [short, long] = [brief, public].map(|text| text.map(|text| text.to_string()));
    match (short, long) {
        (Some(short), Some(long)) if !long.starts_with(short.trim_end_matches('.')) => {
            page.paragraph(short)?;
            page.paragraph(long)
        }
        (short, long) => long.or(short).map_or(Ok(()), |text| page.paragraph(text)),
    }
}

fn counters(counters: Counters) -> Option<String> {
    match counters {
        Counters::Unstated => None,
        Counters::General(set) => Some(set.to_string()),
        Counters::Fixed(Some(number)) => Some(format!("fixed {number}")),
        Counters::Fixed(None) => Some("fixed".into()),
        Counters::FreeRunning => Some("free running".into()),
    }
}

fn msr(msr: Msr) -> String {
    let mut text = format!("{:#x}", msr.index);
    if let Some(other) = msr.other {
        let _ = write!(text, " or {other:#x}");
    }
    if let Some(value) = msr.value {
        let _ = write!(text, " = {value:#x}");
    }
    text
}

pub(crate) fn metric(page: &mut Page<impl Write>, metric: Metric, details: bool) -> io::Result<()> {
    page.name(metric.name(), "")?;
    if details {
        descriptions(page, metric.brief(), metric.public())?;
        return metric_facts(page, metric);
    }
    metric.brief().map_or(Ok(()), |brief| page.paragraph(brief.trimmed()))
}

fn metric_facts(page: &mut Page<impl Write>, metric: Metric) -> io::Result<()> {
    page.fact("groups", metric.groups().collect::<Vec<_>>().join(", "))?;
    page.fact("expression", metric.expression())?;
    let facts = [
        ("threshold", metric.threshold()),
        ("scale unit", metric.scale_unit()),
        ("compat", metric.compat()),
        ("aggregation", metric.aggregation().map(spelling::aggregation)),
        ("constraint", metric.constraint().map(spelling::constraint)),
        ("not grouped in", metric.no_group()),
        ("default group", metric.default_group()),
        ("shows events", metric.shows_events().then_some("yes")),
    ];
    for (label, value) in facts {
        if let Some(value) = value {
            page.fact(label, value)?;
        }
    }
    Ok(())
}
