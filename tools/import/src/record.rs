//! One object of an event file, in its smallest form.
//!
//! Omitted fields have no effect: jevents and the macro make the same table
//! without them.

use std::borrow::Cow;

use pmu_events_compiler::hint;
use pmu_events_compiler::tree_json::{self, IGNORED, Key, Kind, fixed_event_string};
use pmu_events_core::__private::name;
use pmu_events_core::event::msr_term;
use pmu_events_core::term::Terms;

use crate::json::Object;
use crate::problem::{Place, Problems};
use crate::sentence::Sentence;

/// Keys that metrics have in common with events.
const OF_METRICS: &[Key] = &[Key::ArchStdEvent, Key::Unit, Key::ScaleUnit, Key::Compat];

/// Keys that distinguish events of a unit in addition to their terms.
const ENCODING: &[Key] = &[
    Key::ArchStdEvent,
    Key::Unit,
    Key::ExtSel,
    Key::Filter,
    Key::MSRIndex,
    Key::MSRValue,
    Key::Compat,
];

/// The keys that select what is counted, with their terms.
pub(crate) fn selecting() -> impl Iterator<Item = (Key, &'static str)> {
    // The sampling period does not change what is counted.
    let keys = Key::ALL.iter().map(|&(_, key)| key).filter(|key| *key != Key::SampleAfterValue);
    keys.filter_map(|key| Some((key, key.term()?)))
}

/// What an event counts, and on which PMU: events of one table that are equal
/// in this count the same. Numbers are compared by value.
pub type Encoding = Vec<(&'static str, Result<u64, String>)>;

fn is_fact(kind: Kind) -> bool {
    !matches!(kind, Kind::Sentence | Kind::Metric | Kind::Own)
}

fn may_be_number(kind: Kind) -> bool {
    matches!(kind, Kind::Count | Kind::Latency)
}

/// What to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// No sentence, and no metric.
    Facts,
    /// Metrics, without their sentences.
    Metrics,
    /// Only what is written in this project.
    All,
}

impl Keep {
    fn keeps(self, key: Key) -> bool {
        match self {
            Keep::All => true,
            Keep::Facts => is_fact(key.kind()),
            Keep::Metrics => key.kind() == Kind::Metric || OF_METRICS.contains(&key),
        }
    }
}

/// An event, a metric, or the number of a unit's counters.
#[derive(Clone, Debug)]
pub struct Record {
    /// In the order of [`Key::ALL`].
    fields: Vec<(&'static str, String)>,
    /// The sentences that its texts are made of, each with the key of the text.
    carried: Vec<(&'static str, Sentence)>,
    /// Its place in the source.
    pub place: Place,
}

impl Record {
    /// Interprets an object; `None` if nothing of it is kept. Unknown keys are
    /// warnings, because only this tree is ours to fix.
    pub fn read(object: &Object<'_>, keep: Keep, problems: &mut Problems) -> Option<Record> {
        let mut record =
            Record { fields: Vec::new(), carried: Vec::new(), place: object.place.clone() };
        for (key, place, value) in &object.fields {
            let Some(known) = Key::of(key) else {
                if !IGNORED.contains(&&**key) {
                    let hint = hint(key, tree_json::known());
                    problems.warn(place.clone(), format!("unknown key `{key}` is left out{hint}"));
                }
                continue;
            };
            if !keep.keeps(known) {
                continue;
            }
            let text = match value.string() {
                Ok(text) => text.into_owned(),
                // Later trees write numbers without quotes.
                Err(_) if may_be_number(known.kind()) && value.number().is_some() => {
                    value.raw().to_owned()
                }
                Err((place, message)) => {
                    problems.error(place, format!("{key}: {message}"));
                    continue;
                }
            };
            if record.get(known.text()).is_some() {
                problems.error(place.clone(), format!("duplicate key `{key}`"));
                continue;
            }
            record.add(known, &text, || value.place(), problems);
        }
        record.sort();
        let is_metric = |(key, ..): &(Cow<'_, str>, Place, _)| key == "MetricName";
        match keep {
            Keep::Facts => record.only_facts(object.fields.iter().any(is_metric), problems),
            Keep::Metrics => record.only_metric(),
            Keep::All => (!record.fields.is_empty()).then_some(record),
        }
    }

    /// The same of an object whose keys are known.
    pub fn of(
        fields: &[(Key, String)],
        keep: Keep,
        place: Place,
        problems: &mut Problems,
    ) -> Option<Record> {
        let mut record = Record { fields: Vec::new(), carried: Vec::new(), place };
        for (key, text) in fields {
            if keep.keeps(*key) {
                let place = record.place.clone();
                record.add(*key, text, || place, problems);
            }
        }
        record.sort();
        match keep {
            Keep::All => Some(record),
            Keep::Metrics => record.only_metric(),
            Keep::Facts => {
                let is_metric = fields.iter().any(|(key, _)| *key == Key::MetricName);
                record.only_facts(is_metric, problems)
            }
        }
    }

    /// A metric, or a reference that may be to one.
    fn only_metric(self) -> Option<Record> {
        ["MetricName", "ArchStdEvent"].iter().any(|key| self.get(key).is_some()).then_some(self)
    }

    fn add(
        &mut self,
        key: Key,
        text: &str,
        place: impl FnOnce() -> Place,
        problems: &mut Problems,
    ) {
        match smallest(key.kind(), text) {
            Ok(Some(text)) => self.fields.push((key.text(), text)),
            Ok(None) => {}
            Err(expected) => {
                let message = format!("invalid {key:?} `{text}`: expected {expected}");
                problems.error(place(), message);
            }
        }
    }

    /// Drops keys that belong only to a metric.
    fn only_facts(mut self, had_metric: bool, problems: &mut Problems) -> Option<Record> {
        let is_event = self.name().is_some();
        if !is_event && (had_metric || self.get("CountersNumGeneric").is_none()) {
            return None;
        }
        // jevents takes a missing code as 0. Here it is explicit.
        if is_event && !self.has_code() {
            self.set("EventCode", "0".to_owned());
        }
        if let (Some(index), None) = (self.get("MSRIndex"), self.get("MSRValue")) {
            self.without_msr_value(index.to_owned(), problems);
        }
        Some(self)
    }

    /// jevents writes what Python prints for a missing value, and perf refuses
    /// the event. The string stays the same; the register without a value is
    /// not repeated.
    fn without_msr_value(&mut self, index: String, problems: &mut Problems) {
        let name = self.name().unwrap_or_default();
        let message =
            format!("event `{name}` has an MSRIndex without MSRValue: it selects nothing");
        problems.warn(self.place.clone(), message);
        let register = index.split(',').next().and_then(number);
        let term = register.and_then(|register| u32::try_from(register).ok()).map_or("", msr_term);
        if term.is_empty() {
            // The compiler refuses the register.
            return;
        }
        self.fields.retain(|(key, _)| *key != "MSRIndex");
        let filter = self.get("Filter").map(|filter| format!("{filter},"));
        self.set("Filter", format!("{}{term}=None", filter.unwrap_or_default()));
    }

    /// A record without any value.
    #[must_use]
    pub fn new(place: Place) -> Record {
        Record { fields: Vec::new(), carried: Vec::new(), place }
    }

    /// Takes each value that it lacks from another record.
    pub fn inherit(&mut self, other: &Record) {
        for (key, value) in &other.fields {
            if self.get(key).is_none() {
                self.fields.push((key, value.clone()));
            }
        }
        self.sort();
    }

    /// A value.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.fields.iter().find(|(own, _)| *own == key).map(|(_, value)| value.as_str())
    }

    /// Adds a value, or replaces it.
    ///
    /// # Panics
    ///
    /// When the key is unknown.
    pub fn set(&mut self, key: &str, value: String) {
        let key = Key::of(key).expect("the key is known").text();
        self.fields.retain(|(own, _)| *own != key);
        self.fields.push((key, value));
        self.sort();
    }

    /// Removes a value.
    pub fn remove(&mut self, key: &str) {
        self.fields.retain(|(own, _)| *own != key);
        self.drop_carried(key);
    }

    /// Notes that a text has a sentence in it.
    pub fn carry(&mut self, key: &'static str, sentence: &Sentence) {
        self.carried.push((key, sentence.clone()));
    }

    /// Forgets the sentences of a text, which another one replaces.
    pub fn drop_carried(&mut self, key: &str) {
        self.carried.retain(|(own, _)| *own != key);
    }

    /// The sentences that its texts are made of.
    pub fn carried(&self) -> impl Iterator<Item = &Sentence> {
        self.carried.iter().map(|(_, sentence)| sentence)
    }

    fn sort(&mut self) {
        self.fields.sort_by_key(|(key, _)| Key::of(key));
    }

    /// Keys and values, ready to be written.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.fields.iter().map(|(key, value)| (*key, value.as_str()))
    }

    /// The name of an event: its own, or that of the architecture standard
    /// event that it is.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.get("EventName").or_else(|| self.get("ArchStdEvent"))
    }

    /// The sort key: the name, then the unit, then records without a name.
    #[must_use]
    pub fn key(&self) -> (bool, String, &str) {
        let name = self.name().or_else(|| self.get("MetricName"));
        let unit = self.get("Unit").filter(|_| name.is_some());
        (name.is_none(), name.unwrap_or_default().to_ascii_lowercase(), unit.unwrap_or_default())
    }

    /// Whether an event has a code.
    #[must_use]
    pub fn has_code(&self) -> bool {
        let is_code = |key: Key| key.kind() == Kind::Code && key.term().is_some();
        let keys = Key::ALL.iter().map(|&(_, key)| key);
        let mut codes = keys.filter(|&key| key == Key::ArchStdEvent || is_code(key));
        codes.any(|key| self.get(key.text()).is_some())
    }

    /// Whether terms select this event; see `overlay/README.md`.
    #[must_use]
    pub fn is_selected_by(&self, terms: &[(String, u64)]) -> bool {
        const FREE: &[&str] = &["ch_mask", "fc_mask"];
        let own: Vec<(&str, u64)> = selecting()
            .filter_map(|(key, term)| {
                Some((term, number(self.get(key.text())?.split(',').next()?)?))
            })
            .collect();
        let has = |term: &str, value: u64| own.contains(&(term, value));
        let all_said = own.iter().all(|&(term, value)| {
            FREE.contains(&term) || terms.iter().any(|(said, v)| said == term && *v == value)
        });
        all_said && terms.iter().all(|(term, value)| has(term, *value))
    }

    /// What the event counts.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        let keys = ENCODING.iter().copied().chain(selecting().map(|(key, _)| key));
        // Names with a string of their own keep nothing else but the PMU.
        let fixed = self.name().and_then(fixed_event_string).map(Terms::new);
        // If there are several numbers, jevents takes the first.
        let value = |text: &str| match text.split(',').next().and_then(number) {
            Some(number) => Ok(number),
            None => Err(text.to_owned()),
        };
        let of_key = |key: Key| match (&fixed, key) {
            (Some(terms), key) if !matches!(key, Key::Unit | Key::Compat) => {
                Some(Ok(terms.last_named(key.term()?)?.number()?))
            }
            _ => Some(value(self.get(key.text())?)),
        };
        let zero = |(_, value): &(&str, Result<u64, String>)| *value != Ok(0);
        keys.filter_map(|key| Some((key.text(), of_key(key)?))).filter(zero).collect()
    }

    /// Terms that [`is_selected_by`](Record::is_selected_by) knows.
    pub fn selectors() -> impl Iterator<Item = &'static str> {
        selecting().map(|(_, term)| term)
    }

    /// Whether both are events of the same name, ignoring letter case.
    #[must_use]
    pub fn is_named(&self, wanted: &str) -> bool {
        self.name().is_some_and(|own| name::eq(own, wanted))
    }
}

/// The smallest form of a value; `None` if it has no effect.
///
/// # Errors
///
/// Says what is expected instead.
fn smallest(kind: Kind, text: &str) -> Result<Option<String>, String> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Ok(None);
    }
    let smallest = match kind {
        Kind::Text | Kind::Metric | Kind::Own | Kind::Sentence | Kind::Latency => text.to_owned(),
        Kind::Code => {
            let numbers: Option<Vec<String>> =
                trimmed.split(',').map(|part| Some(hexadecimal(number(part.trim())?))).collect();
            numbers.ok_or("a number or a list of numbers")?.join(",")
        }
        Kind::Field => match (trimmed.strip_prefix("0x"), number(trimmed)) {
            (_, None) => return Err("a number".to_owned()),
            (_, Some(0)) => return Ok(None),
            (Some(_), Some(number)) => hexadecimal(number),
            (None, Some(number)) => number.to_string(),
        },
        Kind::Flag | Kind::Precision => {
            let words = if kind == Kind::Flag { &["0", "1"][..] } else { &["0", "1", "2"] };
            match words.iter().position(|word| *word == trimmed) {
                None => return Err(format!("`{}`", words.join("`, `"))),
                Some(0) => return Ok(None),
                Some(_) => trimmed.to_owned(),
            }
        }
        Kind::Counter => counters(trimmed).ok_or("a set of counters")?,
        Kind::Count => match trimmed.parse::<u8>() {
            Ok(number) => number.to_string(),
            Err(_) => return Err("a number of counters".to_owned()),
        },
        Kind::Errata => {
            let parts = trimmed.trim_start_matches("Errata ").split(',').map(str::trim);
            parts.collect::<Vec<_>>().join(", ")
        }
    };
    Ok(Some(smallest))
}

/// A number as trees write it: decimal, or with `0x`.
pub(crate) fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// As jevents prints it: below ten both notations are the same.
fn hexadecimal(number: u64) -> String {
    if number < 10 { number.to_string() } else { format!("{number:#x}") }
}

fn counters(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    if lower == "fixed" {
        return Some("Fixed".to_owned());
    }
    if let Some(number) = lower.strip_prefix("fixed counter ") {
        return Some(format!("Fixed counter {}", number.trim().parse::<u8>().ok()?));
    }
    if lower.starts_with("free") {
        return Some("FREERUN".to_owned());
    }
    let numbers: Option<Vec<String>> =
        text.split(',').map(|part| Some(part.trim().parse::<u8>().ok()?.to_string())).collect();
    Some(numbers?.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::File;

    fn read(text: &str, keep: Keep) -> (Option<String>, Vec<String>) {
        let file = File::new("x.json", text);
        let object = file.value().object().unwrap();
        let mut problems = Problems::default();
        let record = Record::read(&object, keep, &mut problems);
        let shown = record.map(|record| crate::render::record(&record));
        let all = problems.errors.iter().chain(&problems.warnings);
        (shown, all.map(ToString::to_string).collect())
    }

    #[test]
    fn facts_in_their_smallest_form() {
        let cases = [
            (
                r#"{"UMask": "0x04", "EventCode": "0X2E", "EventName": "A.b", "BriefDescription": "x"}"#,
                r#"{"EventName":"A.b","EventCode":"0x2e","UMask":"4"}"#,
            ),
            (
                r#"{"EventName": "A", "EventCode": "0xB7, 0xBB", "MSRIndex": "0x1A6, 0x1a7", "MSRValue": "0x001"}"#,
                r#"{"EventName":"A","EventCode":"0xb7,0xbb","MSRIndex":"0x1a6,0x1a7","MSRValue":"0x001"}"#,
            ),
            (
                r#"{"EventName": "A", "PerPkg": "0", "PEBS": "0", "Invert": "0", "UMask": "0x00", "Data_LA": "1"}"#,
                r#"{"EventName":"A","EventCode":"0","Data_LA":"1"}"#,
            ),
            (
                r#"{"EventName": "A", "EventCode": "12", "CounterMask": "010", "Counter": "0, 1", "SampleAfterValue": "007"}"#,
                r#"{"EventName":"A","EventCode":"0xc","CounterMask":"10","Counter":"0,1","SampleAfterValue":"7"}"#,
            ),
            (
                r#"{"ArchStdEvent": "STALL", "Errata": "Errata AC03_CPU_29", "PublicDescription": "x"}"#,
                r#"{"ArchStdEvent":"STALL","Errata":"AC03_CPU_29"}"#,
            ),
            (
                r#"{"CountersNumGeneric": 8, "Unit": "core", "CountersNumFixed": "04"}"#,
                r#"{"Unit":"core","CountersNumFixed":"4","CountersNumGeneric":"8"}"#,
            ),
            (
                r#"{"EventName": "A", "EventCode": "1", "MetricName": "m", "MetricExpr": "A / B"}"#,
                r#"{"EventName":"A","EventCode":"1"}"#,
            ),
            (
                r#"{"EventName": "A", "Counter": "FIXED"}"#,
                r#"{"EventName":"A","EventCode":"0","Counter":"Fixed"}"#,
            ),
        ];
        for (text, expected) in cases {
            let (record, problems) = read(text, Keep::Facts);
            assert_eq!(
                (record.as_deref(), problems.as_slice()),
                (Some(expected), &[][..]),
                "{text}"
            );
            assert_eq!(read(expected, Keep::Facts).0.as_deref(), Some(expected), "once more");
        }
    }

    #[test]
    fn what_is_not_taken_over() {
        for text in [
            r#"{"MetricName": "m", "MetricExpr": "A", "ScaleUnit": "100%", "BriefDescription": "x"}"#,
            r#"{"BriefDescription": "x"}"#,
            "{}",
        ] {
            assert_eq!(read(text, Keep::Facts), (None, Vec::new()), "{text}");
        }
    }

    #[test]
    fn slips_of_the_source() {
        let cases = [
            (
                r#"{"EventName": "A", "PublicDescrition": "x"}"#,
                "x.json:1:20: unknown key `PublicDescrition` is left out; did you mean `PublicDescription`?",
            ),
            (
                r#"{"EventName": "A", "EventCode": "xyz"}"#,
                "x.json:1:33: invalid EventCode `xyz`: expected a number or a list of numbers",
            ),
            (
                r#"{"EventName": "A", "UMask": 1}"#,
                "x.json:1:29: UMask: expected a string, found `1`",
            ),
            (
                r#"{"EventName": "A", "PEBS": "3"}"#,
                "x.json:1:28: invalid PEBS `3`: expected `0`, `1`, `2`",
            ),
            (r#"{"EventName": "A", "EventName": "B"}"#, "x.json:1:20: duplicate key `EventName`"),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text, Keep::Facts).1, [expected], "{text}");
        }
    }

    #[test]
    fn pins() {
        let record = |text: &str| {
            let file = File::new("x.json", text);
            let object = file.value().object().unwrap();
            Record::read(&object, Keep::Facts, &mut Problems::default()).unwrap()
        };
        let event = record(
            r#"{"EventName": "A", "EventCode": "0xb7,0xbb", "UMask": "1", "SampleAfterValue": "5", "FCMask": "7"}"#,
        );
        let terms = |terms: &[(&str, u64)]| {
            terms.iter().map(|&(term, value)| (term.to_owned(), value)).collect::<Vec<_>>()
        };
        for (pin, expected) in [
            (&[("event", 0xb7), ("umask", 1)][..], true),
            (&[("event", 0xb7), ("umask", 1), ("fc_mask", 7)], true),
            (&[("event", 0xb7), ("umask", 1), ("fc_mask", 4)], false),
            (&[("event", 0xb7)], false),
            (&[("event", 0xb7), ("umask", 1), ("cmask", 1)], false),
        ] {
            assert_eq!(event.is_selected_by(&terms(pin)), expected, "{pin:?}");
        }
    }
}
