//! Events by their former names: deprecated ones of the tables that have them by the present
//! name.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use pmu_events_core::__private::flags::Flag;
use pmu_events_core::__private::glob;

use super::tree::{Item, Table};
use crate::entry::fields::Value;
use crate::entry::{Entry, Metric};
use crate::faults::{Faults, Message, quoted};
use crate::mapfile::former::{Former, Now, Of};
use crate::options::Options;

/// The topic of events that have no present name.
const TOPIC: &str = "former";

/// Adds the events that have a former name, under that name, to tables that lack it.
pub(crate) fn add<'t>(
    tables: &mut [Table<'t>],
    former: &'t [Former],
    options: &Options,
    faults: &mut Faults,
) {
    for row in former {
        let Of::Event { models, now } = &row.of else { continue };
        let mut state = State::NoModel;
        let is_about = |table: &&mut Table<'t>| glob::matches(models, &table.directory.name);
        for table in tables.iter_mut().filter(is_about) {
            let added = if table.is_whole { to_table(table, row, now) } else { State::Added };
            state = state.max(added);
        }
        // The options keep only some of the models.
        if !options.models.is_empty() {
            continue;
        }
        match state {
            State::Added => {}
            State::NoModel => {
                faults.error(row.place, format!("{} matches no model", quoted(models)));
            }
            State::NoEvent => {
                let none = format!("no model that matches {} has an event ", quoted(models));
                let message = match now {
                    Now::Dropped { pmu, .. } => format!("{none}on PMU {}", quoted(pmu)).into(),
                    Now::Name(name) => {
                        let tables = tables
                            .iter()
                            .filter(|table| glob::matches(models, &table.directory.name));
                        let names: BTreeSet<String> = tables
                            .flat_map(|table| &table.events)
                            .map(|item| item.event_name().to_owned())
                            .collect();
                        Message::from(format!("{none}{}", quoted(name)))
                            .suggest(name, &Arc::new(names.into_iter().collect()))
                    }
                };
                faults.error(row.now_place, message);
            }
            State::StillThere => {
                let message = "is still an event of each of these models";
                faults.error(row.place, format!("{} {message}", quoted(&row.name)));
            }
        }
    }
}

/// What became of a row, from the least.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    NoModel,
    NoEvent,
    StillThere,
    Added,
}

/// Adds one former name to a table.
fn to_table<'t>(table: &mut Table<'t>, row: &'t Former, now: &'t Now) -> State {
    let key = row.name.to_ascii_lowercase();
    let has = |pmu: &str| table.events.iter().any(|item| item.key == key && item.entry.pmu == pmu);
    let named = |entry: Entry<'t>, topic: &'t str| Item {
        key: key.clone(),
        topic,
        entry: Box::new(Entry {
            place: row.place,
            name: Some(Value { text: Cow::Borrowed(&row.name), place: row.place }),
            flags: entry.flags.with(Flag::Deprecated, true),
            metric: Metric::default(),
            ..entry
        }),
        successor: None,
    };
    let (added, all): (Vec<Item<'t>>, usize) = match now {
        Now::Name(name) => {
            let present = name.to_ascii_lowercase();
            let with_name = table.events.iter().filter(|item| item.key == present);
            let new = with_name.clone().filter(|item| !has(&item.entry.pmu));
            (new.map(|item| named((*item.entry).clone(), item.topic)).collect(), with_name.count())
        }
        Now::Dropped { pmu, event } => {
            let entry = Entry {
                pmu: Cow::Borrowed(pmu),
                event: event.clone(),
                has_code: true,
                is_whole: true,
                ..Entry::default()
            };
            // The table of a model, or that of its system PMUs.
            let of_pmu = table.events.iter().filter(|item| item.entry.pmu == *pmu).count();
            let new = (of_pmu > 0 && !has(pmu)).then(|| named(entry, TOPIC));
            (new.into_iter().collect(), of_pmu)
        }
    };
    let state = match (added.is_empty(), all) {
        (false, _) => State::Added,
        (true, 0) => State::NoEvent,
        (true, _) => State::StillThere,
    };
    table.events.extend(added);
    state
}

#[cfg(test)]
mod tests;
