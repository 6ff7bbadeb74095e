//! Values of a table by their keys, each with its place, and the keys that nobody asked for.

use std::net::SocketAddr;
use std::time::Duration;

use pmu_events::__private::name::Nearest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::Fault;
use super::located::Located;

/// A table whose keys are taken out one by one. What is left is unknown.
pub(super) struct Table<'t, 'f> {
    entries: Vec<(&'t str, usize, &'t Spanned<DeValue<'t>>)>,
    asked: Vec<&'static str>,
    faults: &'f mut Vec<Fault>,
}

impl<'t, 'f> Table<'t, 'f> {
    pub(super) fn new(table: &'t DeTable<'t>, faults: &'f mut Vec<Fault>) -> Self {
        let entries = table.iter().map(|(key, value)| {
            let key_at = key.span().start;
            (&**key.get_ref(), key_at, value)
        });
        let mut entries: Vec<_> = entries.collect();
        entries.sort_by_key(|&(_, at, _)| at);
        Table { entries, asked: Vec::new(), faults }
    }

    pub(super) fn fault(&mut self, at: usize, message: impl Into<String>) {
        self.faults.push(Fault::new(at, message));
    }

    pub(super) fn faults(&mut self) -> &mut Vec<Fault> {
        self.faults
    }

    /// The value of a key, with the offset of the key.
    pub(super) fn take(&mut self, key: &'static str) -> Option<(usize, &'t Spanned<DeValue<'t>>)> {
        self.asked.push(key);
        let place = self.entries.iter().position(|(name, ..)| *name == key)?;
        let (_, at, value) = self.entries.remove(place);
        Some((at, value))
    }

    /// All that is left, in the order of the text.
    pub(super) fn rest(&mut self) -> Vec<(&'t str, usize, &'t Spanned<DeValue<'t>>)> {
        std::mem::take(&mut self.entries)
    }

    /// Reports the keys that are left.
    pub(super) fn end(mut self, of: &str) {
        for (key, at, _) in self.rest() {
            let near = Nearest::instead_of(key).among(self.asked.iter().copied());
            let hint = match near {
                Some(near) => format!("; did you mean `{near}`?"),
                None => format!("; the keys are {}", self.asked.join(", ")),
            };
            self.fault(at, format!("{of} has no key `{key}`{hint}"));
        }
    }

    pub(super) fn strings(&mut self, key: &'static str) -> Vec<Located<String>> {
        let Some((_, value)) = self.take(key) else { return Vec::new() };
        let items = match value.get_ref() {
            DeValue::Array(items) => items.iter().collect(),
            _ => vec![value],
        };
        let mut strings = Vec::new();
        for item in items {
            let at = item.span().start;
            match item.get_ref() {
                DeValue::String(text) if !text.trim().is_empty() => {
                    strings.push(Located { value: text.to_string(), at });
                }
                DeValue::String(_) => self.fault(at, format!("`{key}` has an empty string")),
                other => self.fault(at, wrong(key, "a string, or an array of strings", other)),
            }
        }
        strings
    }

    pub(super) fn boolean(&mut self, key: &'static str) -> Option<bool> {
        let (_, value) = self.take(key)?;
        match value.get_ref() {
            DeValue::Boolean(value) => Some(*value),
            other => {
                self.fault(value.span().start, wrong(key, "true or false", other));
                None
            }
        }
    }

    /// A number from 1 to `most`.
    pub(super) fn number(&mut self, key: &'static str, most: usize) -> Option<usize> {
        let (_, value) = self.take(key)?;
        let number = match value.get_ref() {
            DeValue::Integer(number) => usize::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        let number = number.filter(|number| (1..=most).contains(number));
        if number.is_none() {
            let expected = format!("a whole number from 1 to {most}");
            self.fault(value.span().start, wrong(key, &expected, value.get_ref()));
        }
        number
    }

    /// A time in seconds, which may have a fraction.
    pub(super) fn seconds(&mut self, key: &'static str) -> Option<Duration> {
        const MOST: f64 = 86_400.0;
        let (_, value) = self.take(key)?;
        let seconds = match value.get_ref() {
            DeValue::Integer(number) => number.as_str().parse().ok(),
            DeValue::Float(number) => number.as_str().parse().ok(),
            _ => None,
        };
        let seconds = seconds.filter(|seconds: &f64| (0.1..=MOST).contains(seconds));
        if seconds.is_none() {
            let expected = "a number of seconds from 0.1 to 86400";
            self.fault(value.span().start, wrong(key, expected, value.get_ref()));
        }
        seconds.map(Duration::from_secs_f64)
    }

    pub(super) fn address(&mut self, key: &'static str) -> Option<Located<SocketAddr>> {
        let (_, value) = self.take(key)?;
        let at = value.span().start;
        let address = match value.get_ref() {
            DeValue::String(text) => text.parse().ok(),
            _ => None,
        };
        if address.is_none() {
            let expected = "an address with a port, such as \"127.0.0.1:9739\" or \"[::]:9739\"";
            self.fault(at, wrong(key, expected, value.get_ref()));
        }
        address.map(|value| Located { value, at })
    }
}

/// The sentence for a value of another kind than a key has.
pub(super) fn wrong(key: &str, expected: &str, found: &DeValue<'_>) -> String {
    let found = match found {
        DeValue::String(text) => format!("the string \"{text}\""),
        DeValue::Integer(number) => format!("{number}"),
        DeValue::Float(number) => format!("{number}"),
        DeValue::Boolean(value) => format!("{value}"),
        DeValue::Datetime(time) => format!("the time {time}"),
        DeValue::Array(_) => "an array".into(),
        DeValue::Table(_) => "a table".into(),
    };
    format!("`{key}` is {found}; expected {expected}")
}
