//! The requirements of an event's values.

use pmu_events_core::__private::wire::StrRef;

use super::values;
use crate::assemble::tree::Item;
use crate::faults::{Faults, quoted};

/// Reports values that are too long, and names that cannot be used.
pub(super) fn check(item: &Item<'_>, faults: &mut Faults) {
    let entry = &item.entry;
    if let Some(name) = &entry.name {
        values::length(name, "EventName", faults);
        // They end a name in an event list or an event string.
        if let Some(odd) = name.text.chars().find(|c| ",/=".contains(*c)) {
            let message = format!("perf cannot be asked for event {}", quoted(&name.text));
            faults.warning(name.place, format!("{message}: its name contains `{odd}`"));
        }
    }
    if entry.event.len() > StrRef::MAX_LEN {
        faults.error(entry.place, "the event string is longer than 255 bytes");
    }
    values::shared(entry, faults);
    let notes = entry.notes.brief.len().max(entry.notes.public.len());
    if let Some(errata) = &entry.texts.errata
        && errata.text.len() <= StrRef::MAX_LEN
        && notes > StrRef::MAX_LEN
    {
        let message = "Errata makes what is added to the description longer than 255 bytes";
        faults.error(errata.place, format!("{message}: {}", quoted(&errata.text)));
    }
}
