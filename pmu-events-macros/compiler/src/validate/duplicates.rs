//! Names that stand twice.

use crate::assemble::{Item, Table};
use crate::fault::{Faults, Place, quoted};
use crate::fields::Value;
use crate::source::Source;

/// Reports names that stand twice on one PMU: fatal for events, as in jevents; perf
/// keeps the first of two metrics.
pub(super) fn check(table: &Table<'_>, source: &Source, faults: &mut Faults) {
    let same = |a: &Item<'_>, b: &Item<'_>| a.key == b.key && a.entry.pmu == b.entry.pmu;
    for group in table.events.chunk_by(same).filter(|group| group.len() > 1) {
        let place = |item: &Item<'_>| named_at(item, &item.entry.name);
        let (first, others) = first_by_place(group, &place);
        for item in others {
            faults.error(
                place(item),
                format!(
                    "event {} stands twice on PMU {}; first at {}",
                    quoted(item.event_name()),
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
                    quoted(item.metric_name()),
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

fn named_at(item: &Item<'_>, name: &Option<Value<'_>>) -> Place {
    name.as_ref().map_or(item.entry.place, |name| name.place)
}
