//! The report for people.

use core::fmt::{self, Formatter};
use std::format;
#[cfg(feature = "metrics")]
use std::string::String;

use super::{Label, Report};
use crate::open::{EventReading, Outcome};

pub(super) fn write(report: &Report, f: &mut Formatter<'_>) -> fmt::Result {
    for label in report.labels() {
        heading(label, f)?;
        for event in label.reading() {
            row(event, label.regions(), f)?;
        }
        #[cfg(feature = "metrics")]
        for value in label.values() {
            let number = match value.value() {
                nan if nan.is_nan() => String::from("unknown"),
                number => format!("{number:.2}"),
            };
            writeln!(f, "  {number:>16} {:<6} {}", value.unit(), value.request().name())?;
        }
    }
    let verb = if report.is_subtracted { "Subtracted" } else { "Included" };
    for (name, own, _) in report.overhead.counts() {
        if own > 0 {
            writeln!(f, "{verb} for each region: {own} of {name}")?;
        }
    }
    Ok(())
}

/// The label with the numbers of its regions.
fn heading(label: &Label, f: &mut Formatter<'_>) -> fmt::Result {
    let s = if label.regions() == 1 { "" } else { "s" };
    write!(f, "{}: {} region{s}", label.name(), label.regions())?;
    for (number, what) in [
        (label.within(), "within these"),
        (label.panicked(), "left by a panic"),
        (label.forked(), "in a child after fork"),
        (label.unclosed(), "not closed"),
    ] {
        if number > 0 {
            write!(f, ", {number} {what}")?;
        }
    }
    writeln!(f)
}

fn row(event: &EventReading, regions: u64, f: &mut Formatter<'_>) -> fmt::Result {
    let (name, unit) = (event.name(), event.unit());
    let value = match event.value() {
        Ok(value) => value,
        Err(why) => return writeln!(f, "  {:>16} {:<6} {name}: {why}", "unknown", ""),
    };
    // Counts are whole; times and energies are not.
    let shown = |value: f64| match unit {
        "" => format!("{value:.0}"),
        _ => format!("{value:.9}"),
    };
    write!(f, "  {:>16} {unit:<6} {name}", shown(value))?;
    if regions > 1 {
        write!(f, ", {} a region", shown(value / regions as f64))?;
    }
    match event.outcome() {
        Outcome::Counted(total) if total.share() < 1.0 => {
            writeln!(f, " (estimated: counted {:.0} % of the time)", 100.0 * total.share())
        }
        _ => writeln!(f),
    }
}
