//! The report for programs.

use core::fmt::{self, Formatter, Write};
use std::string::ToString;

use super::{Label, Report};
#[cfg(feature = "metrics")]
use crate::measure::Value;
use crate::open::EventReading;

pub(super) struct Json<'r>(pub(super) &'r Report);

impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let report = self.0;
        f.write_str("{\"labels\":")?;
        list(f, report.labels(), label)?;
        f.write_str(",\"overhead\":")?;
        list(f, report.overhead.counts(), |f, (name, own, nested)| {
            write!(f, "{{\"name\":{},\"own\":{own},\"nested\":{nested}}}", Text(name))
        })?;
        write!(f, ",\"is_overhead_subtracted\":{}}}", report.is_subtracted)
    }
}

fn label(f: &mut Formatter<'_>, label: &Label) -> fmt::Result {
    write!(f, "{{\"label\":{},\"regions\":{}", Text(label.name()), label.regions())?;
    for (key, number) in [
        ("within", label.within()),
        ("panicked", label.panicked()),
        ("forked", label.forked()),
        ("unclosed", label.unclosed()),
    ] {
        write!(f, ",\"{key}\":{number}")?;
    }
    f.write_str(",\"events\":")?;
    list(f, label.reading(), event)?;
    f.write_str(",\"metrics\":")?;
    metrics(f, label)?;
    f.write_char('}')
}

fn event(f: &mut Formatter<'_>, event: &EventReading) -> fmt::Result {
    let value = event.value();
    let reason = value.as_ref().err().map(ToString::to_string);
    let share = event.outcome().known().map(|total| total.share());
    write!(f, "{{\"name\":{},\"unit\":{}", Text(&event.name()), Text(event.unit()))?;
    write!(f, ",\"value\":{},\"share\":{}", Number(value.ok()), Number(share))?;
    match &reason {
        Some(reason) => write!(f, ",\"reason\":{}}}", Text(reason)),
        None => f.write_str(",\"reason\":null}"),
    }
}

#[cfg(feature = "metrics")]
fn metrics(f: &mut Formatter<'_>, label: &Label) -> fmt::Result {
    list(f, label.values(), metric)
}

/// No plan is there that would have any.
#[cfg(not(feature = "metrics"))]
fn metrics(f: &mut Formatter<'_>, _: &Label) -> fmt::Result {
    f.write_str("[]")
}

#[cfg(feature = "metrics")]
fn metric(f: &mut Formatter<'_>, value: Value<'_>) -> fmt::Result {
    let (name, unit) = (value.request().name(), value.unit());
    write!(f, "{{\"name\":{},\"unit\":{}", Text(&name), Text(unit))?;
    write!(f, ",\"value\":{}}}", Number(Some(value.value())))
}

fn list<T>(
    f: &mut Formatter<'_>,
    items: impl IntoIterator<Item = T>,
    write: impl Fn(&mut Formatter<'_>, T) -> fmt::Result,
) -> fmt::Result {
    f.write_char('[')?;
    for (number, item) in items.into_iter().enumerate() {
        if number > 0 {
            f.write_char(',')?;
        }
        write(f, item)?;
    }
    f.write_char(']')
}

/// A number that JSON has; null for all others.
struct Number(Option<f64>);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(number) if number.is_finite() => write!(f, "{number}"),
            _ => f.write_str("null"),
        }
    }
}

/// A string of JSON (RFC 8259, section 7).
struct Text<'t>(&'t str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for character in self.0.chars() {
            match character {
                '"' | '\\' => write!(f, "\\{character}")?,
                control if u32::from(control) < 0x20 => {
                    write!(f, "\\u{:04x}", u32::from(control))?;
                }
                other => f.write_char(other)?,
            }
        }
        f.write_char('"')
    }
}
