//! What follows from counts, beside them: a ratio to another count, or a metric.

use pmu_events::measure::Value;

use super::measured::{combined, estimate, verdict, what};
use crate::decimals;
use crate::stat::derived::Derived;
use crate::stat::form::Form;
use crate::stat::rows::Row;

/// A value, its unit or name, and what is said of it.
pub(super) struct Remark {
    pub(super) value: f64,
    /// Whether there is only a unit.
    pub(super) is_blank: bool,
    pub(super) unit: String,
    digits: Digits,
    /// The result of the threshold.
    pub(super) verdict: Option<&'static str>,
    pub(super) is_estimate: bool,
    /// From how many groups it is combined, in words.
    pub(super) combined: Option<String>,
    pub(super) groups: usize,
    is_of_formula: bool,
}

/// How perf shows a value (`tools/perf/util/stat-shadow.c`).
#[derive(Clone, Copy)]
enum Digits {
    /// `%8.3f`
    Ratio,
    /// `%7.2f%%`
    Percent,
    /// `%7.2f `
    PerCycle,
    /// `%8.1f`, of a metric with a unit.
    WithUnit,
    /// `%8.2f`, of any other.
    Plain,
}

/// Those of a row, in their order.
pub(super) fn all(row: &Row<'_>, form: &Form) -> Vec<Remark> {
    row.derived
        .iter()
        .map(derived)
        .chain(row.metrics.iter().map(|metric| of_metric(metric, form)))
        .collect()
}

fn derived(derived: &Derived) -> Remark {
    let unit = &*derived.unit;
    Remark {
        value: derived.value.unwrap_or(0.0),
        is_blank: derived.value.is_none(),
        unit: unit.into(),
        digits: match unit {
            "insn per cycle" | "stalled cycles per insn" => Digits::PerCycle,
            _ if unit.starts_with("of all") || unit.ends_with("cycles idle") => Digits::Percent,
            _ => Digits::Ratio,
        },
        verdict: None,
        is_estimate: false,
        combined: None,
        groups: 1,
        is_of_formula: false,
    }
}

fn of_metric(metric: &Value<'_>, form: &Form) -> Remark {
    Remark {
        value: metric.value(),
        is_blank: false,
        unit: what(metric),
        digits: if metric.unit().is_empty() { Digits::Plain } else { Digits::WithUnit },
        verdict: verdict(metric).filter(|_| form.has_thresholds),
        is_estimate: estimate(metric).is_some(),
        combined: combined(metric),
        groups: metric.parts(),
        is_of_formula: true,
    }
}

impl Remark {
    pub(super) fn is_percent(&self) -> bool {
        matches!(self.digits, Digits::Percent)
    }

    /// The value as perf writes it for people, with its padding.
    pub(super) fn padded(&self) -> String {
        let value = self.value;
        if self.is_blank {
            return String::new();
        }
        if value.is_nan() {
            // As C writes it.
            return format!("{:>8}", "nan");
        }
        match self.digits {
            Digits::Ratio => format!("{value:8.3}"),
            Digits::Percent => format!("{value:7.2}%"),
            Digits::PerCycle => format!("{value:7.2} "),
            Digits::WithUnit => format!("{value:8.1}"),
            Digits::Plain => format!("{value:8.2}"),
        }
    }

    /// The value as perf writes it for programs: only the digits.
    pub(super) fn digits(&self) -> String {
        let text = self.padded();
        let text = text.trim_start();
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        text[..end].into()
    }

    /// The value with as many digits as say something. One that is not a number is left out, as
    /// perf does.
    pub(super) fn shown(&self) -> String {
        match (self.value.is_nan(), self.is_of_formula) {
            (true, _) => String::new(),
            (false, true) => decimals::shown(self.value, 6),
            (false, false) => decimals::shown(self.value, 3),
        }
    }

    /// What `--metric-only` shows it as: the unit, with the event whose share it is. Rates and
    /// used CPUs are no metrics (`valid_only_metric` in `tools/perf/util/stat-display.c`).
    pub(super) fn column(&self, event: &str) -> Option<String> {
        match &*self.unit {
            unit if unit.contains("/sec") || unit.contains("CPUs utilized") => None,
            unit if unit.starts_with("of all") => Some(format!("{event} {unit}")),
            unit => Some(unit.into()),
        }
    }
}
