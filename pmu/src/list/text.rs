//! The output for people.

use std::fmt::Write as _;
use std::io;

use pmu_events::__private::name;
use pmu_events::sysfs::{Alias, Tracepoint};
use pmu_events::text::Text;
use pmu_events::topdown::Hierarchy;
use pmu_events::{Event, Metric, pmu};

use crate::core_codes::CoreCodes;
use crate::facts::{self, Fact};
use crate::list::machine::{Machine, OfDriver};
use crate::list::place;
use crate::list::search::{Found, first_group};
use crate::spelling::count;
use crate::terminal::Page;
use crate::trees::Table;

/// Lists models, one per line.
pub(crate) fn models(page: &mut Page<'_>, tables: &[Table]) -> io::Result<()> {
    let wide = tables.iter().map(|table| table.directory().len()).max().unwrap_or(0);
    for table @ Table { architecture, model, sys, .. } in tables {
        let (events, metrics) = (model.event_count(), model.metrics().len());
        let name = format!("{architecture:8} {:wide$}", table.directory());
        let sys = if *sys { "  of system PMUs" } else { "" };
        page.row(&name, &format!("{events:5} events {metrics:5} metrics{sys}"))?;
    }
    Ok(())
}

/// Lists events by topic and metrics by group.
pub(crate) fn entries(page: &mut Page<'_>, found: &[Found], details: bool) -> io::Result<()> {
    for (n, found) in found.iter().filter(|found| !found.is_empty()).enumerate() {
        if n > 0 {
            page.blank()?;
        }
        page.heading(&summary(found))?;
        if let Some(source) = found.table.model.source() {
            page.heading(&format!("from {source}"))?;
        }
        for events in found.events.chunk_by(|a, b| a.topic() == b.topic()) {
            page.blank()?;
            page.heading(&format!("{}:", events[0].topic()))?;
            for &one in events {
                event(page, one, details.then_some(&found.codes))?;
            }
        }
        let has_trees = details && !found.metrics.is_empty();
        let trees = has_trees.then(|| Hierarchy::of(found.table.model));
        for metrics in found.metrics.chunk_by(|&a, &b| name::eq(first_group(a), first_group(b))) {
            page.blank()?;
            let group = first_group(metrics[0]);
            let space = if group.is_empty() { "" } else { " " };
            page.heading(&format!("metrics{space}{group}:"))?;
            if let Some(description) = found.table.model.tree().group_description(group) {
                page.paragraph(description.trimmed())?;
            }
            for &one in metrics {
                metric(page, one, trees.as_deref())?;
            }
        }
        lacks(page, found)?;
    }
    Ok(())
}

/// Lists what the model cannot count, with the reasons.
pub(crate) fn lacks(page: &mut Page<'_>, found: &Found) -> io::Result<()> {
    if found.lacks.is_empty() {
        return Ok(());
    }
    page.blank()?;
    page.heading("metrics of other CPUs that this one cannot have:")?;
    for (name, reason) in &found.lacks {
        page.name(name, "")?;
        page.paragraph(reason)?;
    }
    Ok(())
}

/// Lists what a machine has in addition to the tables.
pub(crate) fn machine(
    page: &mut Page<'_>,
    heading: &str,
    found: &Machine<'_>,
    details: bool,
) -> io::Result<()> {
    page.heading(&format!("{heading}: {}", count(found.len(), "event")))?;
    for events in found.generic.chunk_by(|a, b| a.topic() == b.topic()) {
        page.blank()?;
        page.heading(&format!("{}:", events[0].topic()))?;
        for &one in events {
            event(page, one, details.then_some(&CoreCodes::default()))?;
        }
    }
    for events in found.of_drivers.chunk_by(|a, b| a.pmu == b.pmu) {
        page.blank()?;
        page.heading(&format!("{}:", topic_of_pmu(events[0].pmu)))?;
        for one in events {
            of_driver(page, one, details)?;
        }
    }
    let system = |one: &&Tracepoint| one.name().split_once(':').unwrap_or_default().0.to_string();
    for events in found.tracepoints.chunk_by(|a, b| system(a) == system(b)) {
        page.blank()?;
        page.heading(&format!("{}:", topic_of_system(&system(&events[0]))))?;
        for one in events {
            page.name(one.name(), "")?;
        }
    }
    Ok(())
}

fn of_driver(page: &mut Page<'_>, one: &OfDriver<'_>, details: bool) -> io::Result<()> {
    let OfDriver { pmu, alias } = one;
    if !details {
        return page.name(alias.name(), &format!("{pmu}/{}/", alias.terms()));
    }
    page.name(alias.name(), "")?;
    page.fact("PMU", pmu)?;
    page.fact("event string", alias.terms())?;
    if let Some(scale_unit) = scale_unit(alias) {
        page.fact("scale unit", scale_unit)?;
    }
    for (name, is_set) in
        [("per package", alias.is_per_package()), ("snapshot", alias.is_snapshot())]
    {
        if is_set {
            page.fact(name, "yes")?;
        }
    }
    Ok(())
}

/// As `ScaleUnit` appears in a table.
pub(crate) fn scale_unit(alias: &Alias) -> Option<String> {
    let unit = alias.unit().unwrap_or_default();
    (alias.scale().is_some() || !unit.is_empty())
        .then(|| format!("{:e}{unit}", alias.scale().unwrap_or(1.0)))
}

pub(crate) fn topic_of_pmu(pmu: &str) -> String {
    format!("driver of {pmu}")
}

pub(crate) fn topic_of_system(system: &str) -> String {
    format!("tracepoints of {system}")
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

/// An event, with details if the codes of its model are given.
pub(crate) fn event(
    page: &mut Page<'_>,
    event: Event,
    codes: Option<&CoreCodes>,
) -> io::Result<()> {
    let mut name = event.name().to_string();
    for mark in facts::marks(event) {
        let _ = write!(name, " [{mark}]");
    }
    if let Some(codes) = codes {
        page.name(&name, "")?;
        descriptions(page, event.description(), event.long_description())?;
        return facts(page, &facts::of_event(event, codes));
    }
    page.name(&name, &selector(event))?;
    page.description(facts::summary(event), event.long_description().map(Text::trimmed))
}

/// The event as perf's `-e` takes it, except that the default core PMU has a
/// different name on each machine.
fn selector(event: Event) -> String {
    if event.pmu() == pmu::DEFAULT_CORE {
        event.event_string().into()
    } else {
        format!("{}/{}/", event.pmu(), event.event_string())
    }
}

fn descriptions(page: &mut Page<'_>, brief: Option<Text>, public: Option<Text>) -> io::Result<()> {
    facts::descriptions(brief, public).iter().try_for_each(|text| page.paragraph(text))
}

fn facts(page: &mut Page<'_>, facts: &[Fact]) -> io::Result<()> {
    facts.iter().try_for_each(|(label, value)| page.fact(label, value))
}

/// A metric, with details if the trees of its model are given.
pub(crate) fn metric(
    page: &mut Page<'_>,
    metric: Metric,
    trees: Option<&[Hierarchy]>,
) -> io::Result<()> {
    page.name(metric.name(), "")?;
    if let Some(trees) = trees {
        descriptions(page, metric.description(), metric.long_description())?;
        facts(page, &facts::of_metric(metric))?;
        page.fact("events", place::needed(metric).join(", "))?;
        return facts(page, &place::of(trees, metric));
    }
    let texts = [metric.description(), metric.long_description()];
    let [brief, long] = texts.map(|text| text.map(Text::trimmed));
    page.description(brief, long)
}
