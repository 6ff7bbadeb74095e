//! Duplicate names.

use crate::assemble::tree::{Item, Table};
use crate::entry::fields::Value;
use crate::faults::{Faults, Message, Place, quoted};

/// Reports duplicate names on one PMU: fatal for events, as in jevents; perf
/// keeps the first of two metrics.
pub(super) fn check(table: &Table<'_>, faults: &mut Faults) {
    let same = |a: &Item<'_>, b: &Item<'_>| a.key == b.key && a.entry.pmu == b.entry.pmu;
    for group in table.events.chunk_by(same).filter(|group| group.len() > 1) {
        let place = |item: &Item<'_>| named_at(item, &item.entry.name);
        let (first, others) = first_by_place(group, &place);
        for item in others {
            let (name, pmu) = (quoted(item.event_name()), quoted(&item.entry.pmu));
            let message = format!("duplicate event {name} on PMU {pmu}; first at ");
            faults.error(place(item), Message::from(message).place(place(first)));
        }
    }
    for group in table.metrics.chunk_by(same).filter(|group| group.len() > 1) {
        let place = |item: &Item<'_>| named_at(item, &item.entry.metric.name);
        let (first, others) = first_by_place(group, &place);
        for item in others {
            let name = quoted(item.metric_name());
            let message = format!("duplicate metric {name}; look-ups find the one at ");
            faults.warning(place(item), Message::from(message).place(place(first)));
        }
    }
}

/// The item that comes first in the files, and the others.
fn first_by_place<'i, 't>(
    group: &'i [Item<'t>],
    place: &dyn Fn(&Item<'t>) -> Place,
) -> (&'i Item<'t>, Vec<&'i Item<'t>>) {
    let mut items: Vec<&Item<'t>> = group.iter().collect();
    items.sort_by_key(|item| place(item));
    (items.remove(0), items)
}

/// Where an item has its name; one that is inherited is in a file of standard events.
fn named_at(item: &Item<'_>, name: &Option<Value<'_>>) -> Place {
    let entry = &item.entry;
    let own = name.as_ref().map(|name| name.place).filter(|place| place.file == entry.place.file);
    own.or(entry.reference).unwrap_or(entry.place)
}
