//! What can only be said of a whole tree.

mod metrics;
mod naming;
mod patterns;

pub(crate) use naming::static_name;
pub(crate) use patterns::{Automata, automata};

use std::borrow::Cow;

use pmu_events_core::wire::StrRef;

use crate::assemble::{Item, Table, Tree};
use crate::entry::Entry;
use crate::fault::{Faults, Place, quoted};
use crate::fields::Value;
use crate::parallel;
use crate::source::Source;

/// Reports what is wrong with the tables of a tree.
pub(crate) fn check(tree: &Tree<'_>, source: &Source, faults: &mut Faults) {
    // Tables do not depend on each other, and there is much to look at.
    let parts = parallel::map(tree.tables.len(), |number| {
        let (table, mut faults) = (&tree.tables[number], Faults::default());
        duplicates(table, source, &mut faults);
        table.events.iter().for_each(|item| event(item, &mut faults));
        table.metrics.iter().for_each(|item| metrics::check(item, &mut faults));
        faults
    });
    parts.into_iter().for_each(|part| faults.append(part));
    for group in &tree.groups {
        length(&group.name, "the name of a metric group", faults);
    }
    naming::check(tree, source, faults);
}

fn event(item: &Item<'_>, faults: &mut Faults) {
    let entry = &item.entry;
    if let Some(name) = &entry.name {
        length(name, "EventName", faults);
        // JSON has control characters only as escapes, whose text is owned.
        if matches!(name.text, Cow::Owned(_)) && name.text.contains(|c: char| c.is_control()) {
            let message = format!("{} has a control character in it", quoted(&name.text));
            faults.warning(name.place, message);
        }
    }
    if entry.event.len() > StrRef::MAX_LEN {
        faults.error(entry.place, "the event string is longer than 255 bytes");
    }
    shared_lengths(entry, faults);
    let [mean, min, max] = &entry.latency;
    for (value, key) in [
        (&entry.errata, "Errata"),
        (mean, "RetirementLatencyMean"),
        (min, "RetirementLatencyMin"),
        (max, "RetirementLatencyMax"),
    ] {
        value.iter().for_each(|value| length(value, key, faults));
    }
}

/// What events and metrics both have.
fn shared_lengths(entry: &Entry<'_>, faults: &mut Faults) {
    for (value, key) in [(&entry.scale_unit, "ScaleUnit"), (&entry.compat, "Compat")] {
        value.iter().for_each(|value| length(value, key, faults));
    }
    if let Some(scale) = &entry.scale_unit
        && !scale.text.trim_start().starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
    {
        let message = format!("ScaleUnit {} begins with no number", quoted(&scale.text));
        faults.warning(scale.place, message);
    }
}

fn length(value: &Value<'_>, key: &str, faults: &mut Faults) {
    if value.text.len() > StrRef::MAX_LEN {
        faults
            .error(value.place, format!("{key} is longer than 255 bytes: {}", quoted(&value.text)));
    }
}

/// Names that stand twice on one PMU: fatal for events, as in jevents; perf
/// keeps the first of two metrics.
fn duplicates(table: &Table<'_>, source: &Source, faults: &mut Faults) {
    let same = |a: &Item<'_>, b: &Item<'_>| a.key == b.key && a.entry.pmu == b.entry.pmu;
    for group in table.events.chunk_by(same).filter(|group| group.len() > 1) {
        let place = |item: &Item<'_>| named_at(item, &item.entry.name);
        let (first, others) = first_by_place(group, &place);
        for item in others {
            faults.error(
                place(item),
                format!(
                    "event {} stands twice on PMU {}; first at {}",
                    quoted(written(item, &item.entry.name)),
                    quoted(&item.entry.pmu),
                    source.shown(place(first)),
                ),
            );
        }
    }
    for group in table.metrics.chunk_by(same).filter(|group| group.len() > 1) {
        let place = |item: &Item<'_>| named_at(item, &item.entry.metric.name);
        let (first, others) = first_by_place(group, &place);
        for item in others {
            faults.warning(
                place(item),
                format!(
                    "metric {} stands twice; look-ups find the one at {}",
                    quoted(written(item, &item.entry.metric.name)),
                    source.shown(place(first)),
                ),
            );
        }
    }
}

/// The item that stands first in the files, and the others.
fn first_by_place<'i, 't>(
    group: &'i [Item<'t>],
    place: &dyn Fn(&Item<'t>) -> Place,
) -> (&'i Item<'t>, Vec<&'i Item<'t>>) {
    let mut items: Vec<&Item<'t>> = group.iter().collect();
    items.sort_by_key(|item| place(item));
    (items.remove(0), items)
}

fn written<'i>(item: &'i Item<'_>, name: &'i Option<Value<'_>>) -> &'i str {
    name.as_ref().map_or(&item.key, |name| &name.text)
}

fn named_at(item: &Item<'_>, name: &Option<Value<'_>>) -> Place {
    name.as_ref().map_or(item.entry.place, |name| name.place)
}
