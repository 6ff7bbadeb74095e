//! What a list has a line or an object for, as perf takes it apart.

use std::fmt::Write as _;

use pmu_events::term::Terms;

/// An event, or the form of one.
#[derive(Clone, Debug, Default)]
pub(super) struct Entry {
    pub(super) topic: Option<String>,
    /// The unit of a table's event, or the PMU that names it.
    pub(super) pmu: Option<String>,
    pub(super) name: String,
    pub(super) alias: Option<String>,
    pub(super) scale_unit: Option<String>,
    pub(super) is_deprecated: bool,
    pub(super) kind: &'static str,
    pub(super) brief: Option<String>,
    pub(super) long: Option<String>,
    pub(super) encoding: Option<String>,
}

impl Entry {
    /// An event of which only the kind is known.
    pub(super) fn of_kind(kind: &'static str, name: impl Into<String>) -> Self {
        Entry { name: name.into(), kind, ..Entry::default() }
    }
}

/// A metric, once for each of its groups.
#[derive(Clone, Debug, Default)]
pub(super) struct MetricEntry {
    pub(super) group: String,
    /// What the tree says of the group.
    pub(super) about_group: Option<String>,
    pub(super) name: String,
    pub(super) brief: Option<String>,
    pub(super) long: Option<String>,
    pub(super) expression: Option<String>,
    pub(super) threshold: Option<String>,
    pub(super) scale_unit: Option<String>,
}

/// Terms with their numbers in hexadecimal (`parse_events_terms__to_strbuf` in
/// `tools/perf/util/parse-events.c`).
pub(super) fn encoding(pmu: &str, terms: &str) -> String {
    let mut text = format!("{pmu}/");
    for (n, term) in Terms::new(terms).enumerate() {
        let comma = if n == 0 { "" } else { "," };
        let name = term.name();
        let _ = match (term.value(), term.number()) {
            (None, _) => write!(text, "{comma}{name}"),
            // C's `%#x` has no prefix for 0.
            (Some(_), Some(0)) => write!(text, "{comma}{name}=0"),
            (Some(_), Some(number)) => write!(text, "{comma}{name}={number:#x}"),
            (Some(value), None) => write!(text, "{comma}{name}={value}"),
        };
    }
    text.push('/');
    text
}

/// A factor and a unit, unless they say nothing. The factor is what C prints for `%G`.
pub(super) fn scale_unit(factor: f64, unit: &str) -> Option<String> {
    (factor != 1.0 || !unit.is_empty()).then(|| format!("{}{unit}", general(factor)))
}

/// Six significant digits, with an exponent where they do not reach the point.
fn general(value: f64) -> String {
    const DIGITS: i32 = 6;
    let rounded = format!("{value:.*e}", DIGITS as usize - 1);
    let Some((digits, exponent)) = rounded.split_once('e') else {
        return format!("{value}").to_uppercase();
    };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..DIGITS).contains(&exponent) {
        let decimals = usize::try_from(DIGITS - 1 - exponent).unwrap_or_default();
        return without_zeros(&format!("{value:.decimals$}")).into();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}E{sign}{:02}", without_zeros(digits), exponent.abs())
}

fn without_zeros(digits: &str) -> &str {
    match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As C's `printf("%G", value)` prints them.
    #[test]
    fn factors() {
        for (value, expected) in [
            (64.0, "64"),
            (1.0, "1"),
            (0.0, "0"),
            (1e6, "1E+06"),
            (999_999.0, "999999"),
            (999_999.5, "1E+06"),
            (1e-4, "0.0001"),
            (1e-5, "1E-05"),
            (2.328_306_436_538_696_3e-10, "2.32831E-10"),
            (6.103_515_625e-5, "6.10352E-05"),
            (4.00e-9, "4E-09"),
            (1.5, "1.5"),
            (123_456_789.0, "1.23457E+08"),
            (f64::INFINITY, "INF"),
            (f64::NAN, "NAN"),
        ] {
            assert_eq!(general(value), expected);
        }
        assert_eq!(scale_unit(1.0, ""), None);
        assert_eq!(scale_unit(1.0, "Bytes").as_deref(), Some("1Bytes"));
    }

    #[test]
    fn terms() {
        for (terms, expected) in [
            ("event=0x3c", "cpu/event=0x3c/"),
            ("event=0x00,umask=0x01", "cpu/event=0,umask=0x1/"),
            ("event=60,edge,period=200003", "cpu/event=0x3c,edge,period=0x30d43/"),
            ("domain=?,core=1", "cpu/domain=?,core=0x1/"),
            ("", "cpu//"),
        ] {
            assert_eq!(encoding("cpu", terms), expected);
        }
    }
}
