//! Readings as sequences of maps, with the keys that `pmu stat --json` has.

use serde_core::Serializer;
use serde_core::ser::{Serialize, SerializeStruct};

use super::{EventReading, Lack, Part, Reading};

/// As a sequence of its events.
///
/// Needs the feature `serde`.
///
/// ```
/// # #[cfg(feature = "serde")] {
/// use pmu_events::System;
///
/// let mut counters = System::new().open("duration_time,no-such-event")?;
/// let (_, reading) = counters.count(|| ())?;
/// let json = serde_json::to_value(&reading).unwrap();
/// assert!(json[0]["counter-value"].as_f64().unwrap() >= 0.0 && json[0]["unit"] == "s");
/// assert!(json[1]["counter-value"].is_null() && json[1]["error"].is_string());
/// # }
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
impl Serialize for Reading {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.events())
    }
}

/// As a map. Those keys that `pmu stat --json` and `perf stat --json-output` have mean the same,
/// with numbers as numbers: `event`, `counter-value` (the value in its unit, or none if it is not
/// complete), `unit`, `event-runtime` (nanoseconds) and `pcnt-running`; `lacks` has `what` could
/// not be counted and `why`. Beside these, `error` is the reason if there is no value, and
/// `parts` are the counts by themselves: `what`, `count`, `enabled` and `running` (nanoseconds).
///
/// Needs the feature `serde`.
impl Serialize for EventReading {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (value, total) = (self.value(), self.outcome().known());
        let mut reading = serializer.serialize_struct("EventReading", 8)?;
        reading.serialize_field("event", &*self.name())?;
        reading.serialize_field("counter-value", &value.as_ref().ok())?;
        reading.serialize_field("unit", self.unit())?;
        reading.serialize_field("event-runtime", &total.map(|total| total.time_running()))?;
        reading.serialize_field("pcnt-running", &total.map(|total| 100.0 * total.share()))?;
        reading.serialize_field("lacks", &Each(&self.lacking()))?;
        let error = value.err();
        match &error {
            Some(error) => reading.serialize_field("error", &Some(format_args!("{error}")))?,
            None => reading.serialize_field("error", &None::<&str>)?,
        }
        reading.serialize_field("parts", &Each(self.parts()))?;
        reading.end()
    }
}

/// What a reading consists of, which has no form of its own.
struct Each<'r, T>(&'r [T]);

impl<'r, T> Serialize for Each<'r, T>
where
    One<'r, T>: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(One))
    }
}

struct One<'r, T>(&'r T);

impl Serialize for One<'_, Lack> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut lack = serializer.serialize_struct("Lack", 2)?;
        lack.serialize_field("what", &format_args!("{}", self.0.target()))?;
        lack.serialize_field("why", &format_args!("{}", self.0.why()))?;
        lack.end()
    }
}

impl Serialize for One<'_, Part> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let count = self.0.count();
        let mut part = serializer.serialize_struct("Part", 4)?;
        part.serialize_field("what", &format_args!("{}", self.0.target()))?;
        part.serialize_field("count", &count.value())?;
        part.serialize_field("enabled", &count.time_enabled())?;
        part.serialize_field("running", &count.time_running())?;
        part.end()
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;
    use std::vec;
    use std::vec::Vec;

    use serde_json::json;

    use super::*;
    use crate::open::{Count, Error, SetEvent, Target};
    use crate::system::System;

    #[test]
    fn a_reading_says_what_it_lacks() {
        let resolution = System::at("/nonexistent").require("page-faults,context-switches");
        let events: Vec<_> = resolution.expect("every Linux has them").into_iter().collect();
        let event = |n: usize| SetEvent::new(events[n].clone());
        let part = Part::new(Target::Cpu(3), Count::new(5, 10, 5));
        let whole = EventReading::with_parts(event(0), vec![part]);
        let mut partial = EventReading::new(event(1));
        let lack = Lack::new(Target::Thread(7), Error::never_scheduled());
        let why = lack.why().to_string();
        partial.set_counts(vec![part], vec![lack]);
        let error = partial.value().expect_err("it is partial").to_string();
        let parts = json!([{ "what": "CPU 3", "count": 5, "enabled": 10, "running": 5 }]);
        let expected = json!([
            {
                "event": "page-faults", "counter-value": 10.0, "unit": "", "event-runtime": 5,
                "pcnt-running": 50.0, "lacks": [], "error": null, "parts": parts,
            },
            {
                "event": "context-switches", "counter-value": null, "unit": "",
                "event-runtime": 5, "pcnt-running": 50.0,
                "lacks": [{ "what": "thread 7", "why": why }], "error": error, "parts": parts,
            },
        ]);
        let reading = Reading::new(vec![whole, partial]);
        assert_eq!(serde_json::to_value(&reading).expect("it is JSON"), expected);
    }
}
