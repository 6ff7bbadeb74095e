//! The names that can stand in a place of a command line.

use std::ffi::OsStr;

use clap_complete::CompletionCandidate;
use pmu_events::__private::event_list::generic_names;
use pmu_events::__private::pmu;
use pmu_events::cpuid;
use pmu_events::text::Text;

use super::line;
use super::list::Unfinished;
use crate::list::args::Kind;

/// Models of all trees, and CPUs with their tables.
pub(crate) fn models(current: &OsStr) -> Vec<CompletionCandidate> {
    let Some((typed, trees)) = current.to_str().zip(line::trees()) else { return Vec::new() };
    let tables = trees.all().filter(|table| !table.sys);
    let names = tables.flat_map(|table| match typed.contains('/') {
        true => vec![table.to_string(), table.directory().to_owned()],
        false => vec![table.last_part().to_owned()],
    });
    let mut names: Vec<String> =
        names.chain(cpuid::names().map(|(name, _)| name.to_owned())).collect();
    names.retain(|name| name.starts_with(typed));
    names.sort();
    names.dedup();
    names.into_iter().map(CompletionCandidate::new).collect()
}

/// A list of events, as `-e` takes it.
pub(crate) fn events(current: &OsStr) -> Vec<CompletionCandidate> {
    of_list(current, |list| {
        let is_of_pmu = |unit: &str| match list.pmu {
            Some(own) if pmu::is_core(own) => pmu::is_core(unit),
            Some(own) => pmu::matches(unit, own) || pmu::base_name(own) == unit,
            None => true,
        };
        let tables = line::tables();
        let events = tables.iter().flat_map(|table| table.events());
        let events = events.filter(|event| !event.is_deprecated() && is_of_pmu(event.pmu()));
        let of_tables = events.map(|event| (event.name(), event.description()));
        let generic = generic_names().filter(|_| list.pmu.is_none()).map(|name| (name, None));
        of_tables.chain(generic).collect()
    })
}

/// A list of metrics and groups, as `-M` takes it.
pub(crate) fn metrics(current: &OsStr) -> Vec<CompletionCandidate> {
    of_list(current, |_| metrics_and_groups())
}

/// What `pmu list` searches for: any of these names.
pub(crate) fn list_words(current: &OsStr) -> Vec<CompletionCandidate> {
    of_list(current, |_| {
        let tables = line::tables();
        let events = tables.iter().flat_map(|table| table.events());
        let events = events.filter(|event| !event.is_deprecated());
        let events = events.map(|event| (event.name(), event.description()));
        let words = Kind::words().map(|word| (word, None));
        events.chain(metrics_and_groups()).chain(words).collect()
    })
}

fn metrics_and_groups() -> Vec<(&'static str, Option<Text>)> {
    let models: Vec<_> = line::tables().iter().map(|table| table.model).collect();
    let metrics = models.iter().flat_map(|model| model.metrics());
    let metrics = metrics.map(|metric| (metric.name(), metric.description()));
    let groups = models.iter().flat_map(|model| model.metric_groups());
    metrics.chain(groups.map(|group| (group.name(), group.description()))).collect()
}

/// The list with each name that begins as what is typed, in the order of the names.
fn of_list(
    current: &OsStr,
    names: impl FnOnce(&Unfinished<'_>) -> Vec<(&'static str, Option<Text>)>,
) -> Vec<CompletionCandidate> {
    let Some(list) = current.to_str().and_then(Unfinished::of) else { return Vec::new() };
    let written = |(name, text): (&str, Option<Text>)| Some((list.with(name)?, text));
    let mut found: Vec<(String, Option<Text>)> =
        names(&list).into_iter().filter_map(written).collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found.dedup_by(|a, b| a.0.eq_ignore_ascii_case(&b.0));
    let candidate = |(value, text): (String, Option<Text>)| {
        let help = text.map(|text| text.trimmed().to_string().into());
        CompletionCandidate::new(value).help(help)
    };
    found.into_iter().map(candidate).collect()
}
