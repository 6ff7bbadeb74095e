//! The fields of a metric.

use std::borrow::Cow;

use crate::faults::{Faults, Place, hint, quoted};
use crate::files::Files;
use crate::files::json::{self, Object, Raw};
use crate::source::perfmon::value::Value;

/// Keys that a metric may have.
const KEYS: [&str; 17] = [
    "MetricName",
    "LegacyName",
    "Level",
    "BriefDescription",
    "UnitOfMeasure",
    "Events",
    "Constants",
    "Formula",
    "BaseFormula",
    "Category",
    "CountDomain",
    "Threshold",
    "ResolutionLevels",
    "MetricGroup",
    "LocateWith",
    "ParentCategory",
    "Header",
];

/// A metric as it appears in the file.
pub(super) struct Metric<'s> {
    pub(super) name: Value<'s>,
    pub(super) legacy_name: Cow<'s, str>,
    pub(super) level: u8,
    pub(super) description: Value<'s>,
    pub(super) unit: Cow<'s, str>,
    pub(super) formula: Value<'s>,
    pub(super) base: Option<Value<'s>>,
    pub(super) category: Cow<'s, str>,
    pub(super) groups: Cow<'s, str>,
    pub(super) locate_with: Cow<'s, str>,
    pub(super) parent: Cow<'s, str>,
    pub(super) events: Vec<Alias<'s>>,
    pub(super) constants: Vec<Alias<'s>>,
    pub(super) threshold: Option<Threshold<'s>>,
}

/// The meaning of an alias of a formula.
pub(super) struct Alias<'s> {
    pub(super) alias: Cow<'s, str>,
    pub(super) name: Cow<'s, str>,
}

/// When a value is worth attention.
pub(super) struct Threshold<'s> {
    pub(super) formula: Value<'s>,
    /// Aliases, and the legacy names of metrics.
    pub(super) metrics: Vec<Alias<'s>>,
    pub(super) issues: Cow<'s, str>,
}

impl Metric<'_> {
    /// Whether it is one of the top-down method.
    pub(super) fn is_tma(&self) -> bool {
        self.category.contains("TMA")
    }

    /// The events to sample; `#NA` stands for none.
    pub(super) fn sample_with(&self) -> impl Iterator<Item = &str> {
        let events = self.locate_with.split([';', ',']).map(str::trim);
        events.filter(|event| !event.is_empty() && *event != "#NA")
    }

    /// What it has in common with other metrics: `issueBM`.
    pub(super) fn issues(&self) -> Vec<&str> {
        let written = self.threshold.as_ref().map_or("", |threshold| &threshold.issues);
        let issues = written.split(',').map(|issue| issue.trim().trim_start_matches(['$', '~']));
        issues.filter(|issue| !issue.is_empty()).collect()
    }
}

/// Reads an object; `None` where it lacks something, which is reported.
pub(super) fn read<'s>(
    files: &'s Files,
    object: &Object<'s>,
    faults: &mut Faults,
) -> Option<Metric<'s>> {
    for (key, _) in &object.fields {
        let text = key.string().unwrap_or_default();
        if !KEYS.contains(&&*text) {
            let hint = hint(&text, KEYS);
            faults.warning(key.place, format!("unknown key {}{hint}", quoted(&text)));
        }
    }
    let mut fields = Fields { files, place: object.place, fields: &object.fields, faults };
    let name = fields.required("MetricName");
    let formula = fields.required("Formula");
    // Clearwater Forest has empty ones.
    let description = match fields.string("BriefDescription") {
        Some(empty) if empty.text.is_empty() => Some(empty),
        _ => fields.required("BriefDescription"),
    };
    let events = fields.aliases("Events", "Name");
    let constants = fields.aliases("Constants", "Name");
    let threshold = fields.threshold();
    let level = fields.level();
    Some(Metric {
        legacy_name: fields.optional("LegacyName"),
        unit: fields.optional("UnitOfMeasure"),
        category: fields.optional("Category"),
        groups: fields.optional("MetricGroup"),
        locate_with: fields.optional("LocateWith"),
        parent: fields.optional("ParentCategory"),
        base: fields.string("BaseFormula"),
        name: name?,
        formula: formula?,
        description: description?,
        level: level?,
        events: events?,
        constants: constants?,
        threshold: threshold?,
    })
}

struct Fields<'o, 's> {
    files: &'s Files,
    place: Place,
    fields: &'o [(Raw<'s>, Raw<'s>)],
    faults: &'o mut Faults,
}

impl<'s> Fields<'_, 's> {
    fn raw(&self, key: &str) -> Option<Raw<'s>> {
        let mut fields = self.fields.iter();
        fields.find(|(known, _)| known.string().as_deref() == Some(key)).map(|(_, value)| *value)
    }

    fn string(&mut self, key: &str) -> Option<Value<'s>> {
        let raw = self.raw(key)?;
        match raw.string() {
            Some(text) => Some(Value::new(text, raw.place)),
            None => {
                self.faults.error(raw.place, format!("{key} {}", raw.why_no_string()));
                None
            }
        }
    }

    fn optional(&mut self, key: &str) -> Cow<'s, str> {
        self.string(key).map_or(Cow::Borrowed(""), |value| value.text)
    }

    fn required(&mut self, key: &str) -> Option<Value<'s>> {
        if self.raw(key).is_none() {
            self.faults.error(self.place, format!("missing {key}: expected a string"));
        }
        let value = self.string(key)?;
        if value.text.is_empty() {
            self.faults.error(value.place, format!("{key} is empty: expected a string"));
            return None;
        }
        Some(value)
    }

    fn level(&mut self) -> Option<u8> {
        let Some(raw) = self.raw("Level") else {
            return Some(0);
        };
        let level = raw.number().and_then(|number| number.parse().ok());
        if level.is_none() {
            let message = "invalid Level: expected a number such as `1`";
            self.faults.error(raw.place, message);
        }
        level
    }

    /// A list of `{"<name>": …, "Alias": …}`.
    fn aliases(&mut self, key: &str, name: &str) -> Option<Vec<Alias<'s>>> {
        let Some(raw) = self.raw(key) else {
            return Some(Vec::new());
        };
        let mut aliases = Vec::new();
        for object in json::array_of(self.files, &raw, self.faults)? {
            let fields = &object.fields;
            let mut of =
                Fields { files: self.files, place: object.place, fields, faults: self.faults };
            let (alias, name) = (of.required("Alias"), of.required(name));
            aliases.push(Alias { alias: alias?.text, name: name?.text });
        }
        Some(aliases)
    }

    #[allow(clippy::option_option)] // Refused, missing, there.
    fn threshold(&mut self) -> Option<Option<Threshold<'s>>> {
        let Some(raw) = self.raw("Threshold") else {
            return Some(None);
        };
        let fields = json::object_of(self.files, &raw, self.faults)?;
        let (files, place) = (self.files, raw.place);
        let mut of = Fields { files, place, fields: &fields, faults: self.faults };
        let metrics = of.aliases("ThresholdMetrics", "Value")?;
        let issues = of.optional("ThresholdIssues");
        let formula = of.string("Formula");
        Some(formula.map(|formula| Threshold { formula, metrics, issues }))
    }
}
