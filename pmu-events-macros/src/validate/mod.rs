//! What can only be said of a whole tree.

mod metrics;
mod patterns;

pub(crate) use patterns::{Automata, automata};

use pmu_events_core::wire::StrRef;

use crate::assemble::{Item, Table, Tree};
use crate::fault::{Faults, Place, quoted};
use crate::fields::Value;
use crate::source::Source;

/// Reports what is wrong with the tables of a tree.
pub(crate) fn check(tree: &Tree<'_>, source: &Source, faults: &mut Faults) {
    for table in &tree.tables {
        duplicates(table, source, faults);
        for item in &table.events {
            if let Some(name) = &item.entry.name {
                length(name, "EventName", faults);
            }
            if item.entry.event.len() > StrRef::MAX_LEN {
                faults.error(item.entry.place, "the event string is longer than 255 bytes");
            }
        }
        metrics::check(table, source, faults);
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
    let twice =
        |pair: &[Item<'_>]| pair[0].key == pair[1].key && pair[0].entry.pmu == pair[1].entry.pmu;
    let first = |item: &Item<'_>| {
        let (path, line, column) = source.locate(item.entry.place);
        format!("first at {path}:{line}:{column}")
    };
    for pair in table.events.windows(2).filter(|pair| twice(pair)) {
        faults.error(
            place_of(&pair[1], &pair[1].entry.name),
            format!(
                "event {} stands twice on PMU {}; {}",
                quoted(&pair[1].key),
                quoted(&pair[1].entry.pmu),
                first(&pair[0])
            ),
        );
    }
    for pair in table.metrics.windows(2).filter(|pair| twice(pair)) {
        faults.warning(
            place_of(&pair[1], &pair[1].entry.metric.name),
            format!("metric {} stands twice; {}", quoted(&pair[1].key), first(&pair[0])),
        );
    }
}

fn place_of(item: &Item<'_>, name: &Option<Value<'_>>) -> Place {
    name.as_ref().map_or(item.entry.place, |name| name.place)
}
