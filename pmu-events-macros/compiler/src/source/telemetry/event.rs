//! Events that the PMU counts.

use super::object::{Fields, Text, hexadecimal};
use crate::entry::keys::Key;
use crate::faults::{Faults, quoted};
use crate::files::Files;
use crate::source::converted::{ConvertedEvent, Value};

const KEYS: [&str; 9] = [
    "code",
    "title",
    "description",
    "accesses",
    "architecture_defined",
    "product_defined",
    "product_defined_attributes",
    "properties",
    "system",
];

/// `CHAIN`, which makes two counters one: the kernel's driver uses it itself
/// (`armv8pmu_is_chained` in `drivers/perf/arm_pmuv3.c`).
const CHAIN: u32 = 0x1e;

/// Event numbers have 16 bits since PMUv3 of Armv8.1 (`PMEVTYPER<n>_EL0.evtCount`).
const MOST: u32 = 0xffff;

/// Converts an event; `None` if it is not counted, or refused, which has been
/// reported.
pub(super) fn convert<'t>(
    name: &Text<'t>,
    event: &Fields<'t>,
    topic: &str,
    files: &'t Files,
    faults: &mut Faults,
) -> Option<ConvertedEvent<'t>> {
    event.only(&KEYS, faults);
    let accesses = event.list("accesses", files, faults);
    // Trace units see some events that no counter does.
    if !accesses.iter().any(|access| access.text == "PMU") {
        return None;
    }
    let is_of_system = event.get("system").is_some_and(|value| value.text == "true");
    if is_of_system && event.get("code").is_none() {
        return None;
    }
    let code = event.string("code", faults)?;
    let what = format!("code of event {}:", quoted(&name.text));
    if hexadecimal(&what, &code, MOST, faults)? == CHAIN {
        return None;
    }
    let mut values = vec![
        (Key::EventName, Value::new(name.text.clone(), name.place)),
        (Key::EventCode, Value::new(code.text, code.place)),
    ];
    for (key, from) in [(Key::BriefDescription, "title"), (Key::PublicDescription, "description")] {
        let text = event.optional(from, faults);
        values.extend(text.map(|text| (key, Value::new(text.text, text.place))));
    }
    Some(ConvertedEvent::plain(name.place, topic.to_owned(), values))
}
