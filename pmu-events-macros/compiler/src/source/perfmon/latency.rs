//! Retire latencies: cycles from an event to its sample, measured by Intel.

use std::collections::HashMap;

use super::value::Value;
use crate::faults::{Faults, Place, quoted};
use crate::files::Files;
use crate::files::json::{self, Raw};

/// Mean, fewest and most of one event.
pub(super) struct Latency<'s> {
    pub(super) values: [Value<'s>; 3],
    /// Where its event is named.
    pub(super) place: Place,
}

const KEYS: [&str; 3] = ["MEAN", "MIN", "MAX"];

/// The latencies of a file, by event; `None` if it cannot be read.
pub(super) fn read<'s>(
    files: &'s Files,
    file: u32,
    faults: &mut Faults,
) -> Option<HashMap<String, Latency<'s>>> {
    let read = &files[file];
    if !read.is_whole {
        return None;
    }
    let fields = json::object(files, file, faults);
    let Some((_, data)) = fields.iter().find(|(key, _)| is(key, "Data")) else {
        let expected = "expected `Data`, an object of events and their latencies";
        faults.error(Place::new(file, 0), format!("missing `Data`: {expected}"));
        return None;
    };
    let mut latencies = HashMap::new();
    for (name, of) in json::object_of(files, data, faults)? {
        let Some(text) = name.string() else {
            continue;
        };
        let Some(found) = json::object_of(files, &of, faults) else {
            continue;
        };
        let value = |wanted| found.iter().find(|(key, _)| is(key, wanted)).map(|(_, value)| *value);
        let values = KEYS.map(value);
        for (value, key) in values.iter().zip(KEYS) {
            if value.and_then(|value| value.number()).is_none() {
                let place = value.map_or(of.place, |value| value.place);
                let message = format!("event {}: expected {key}, a number", quoted(&text));
                faults.error(place, message);
            }
        }
        if let [Some(mean), Some(min), Some(max)] = values {
            let values = [mean, min, max].map(|raw| Value {
                text: raw.text.into(),
                place: raw.place,
                is_number: true,
            });
            let latency = Latency { values, place: name.place };
            if let Some(known) = latencies.insert(text.to_string(), latency) {
                let message = format!("duplicate event {}; first at ", quoted(&text));
                let message = crate::faults::Message::from(message).place(known.place);
                faults.error(name.place, message);
            }
        }
    }
    Some(latencies)
}

fn is(key: &Raw<'_>, text: &str) -> bool {
    key.string().as_deref() == Some(text)
}
