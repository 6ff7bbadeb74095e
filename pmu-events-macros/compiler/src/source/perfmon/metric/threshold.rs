//! Thresholds.

use std::collections::HashMap;

use super::expression::{self, Expression, Form};
use super::fields::{Metric, Threshold};
use super::operator::Operator;
use super::within;
use crate::faults::Place;

/// A threshold over the metrics' names in the kernel's tree; `None` if there is
/// none. `Err` says where it is wrong.
pub(super) fn written(
    threshold: &Threshold<'_>,
    by_legacy_name: &HashMap<&str, &Metric<'_>>,
) -> Result<Option<String>, (Place, String)> {
    if threshold.formula.text.trim().is_empty() {
        return Ok(None);
    }
    if threshold.metrics.is_empty() {
        return of_names(threshold, by_legacy_name).map(Some);
    }
    let at = |(at, message)| (within(&threshold.formula, at), message);
    let parsed = expression::parse(&threshold.formula.text).map_err(at)?;
    let find = |alias: &str| {
        let known = threshold.metrics.iter().find(|known| known.alias == alias)?;
        by_legacy_name.get(&*known.name).copied()
    };
    let scaled = scaled(parsed, &|alias| find(alias).is_some_and(Metric::is_fraction));
    let resolved = scaled.resolve(&mut |alias, at, _| match find(alias) {
        Some(metric) => Ok((metric.tree_name(), Form::Atom)),
        None => {
            let named = threshold.metrics.iter().find(|known| known.alias == alias);
            let name = named.map_or(alias, |known| &known.name);
            Err((at, format!("the threshold names `{name}`, which is not a metric of this file")))
        }
    });
    let mut text = String::new();
    resolved.map_err(at)?.write(&mut text);
    Ok(Some(text))
}

/// A threshold over legacy names, as files without aliases have it. Its numbers are
/// fractions already.
fn of_names(
    threshold: &Threshold<'_>,
    by_legacy_name: &HashMap<&str, &Metric<'_>>,
) -> Result<String, (Place, String)> {
    const START: &str = "metric_";
    let formula = &*threshold.formula.text;
    let (mut text, mut rest) = (String::new(), formula);
    while let Some(start) = rest.find(START) {
        let name = &rest[start..];
        let is_end = |c: char| c.is_whitespace() || "<>=&|".contains(c);
        let name = &name[..name.find(is_end).unwrap_or(name.len())];
        let Some(metric) = by_legacy_name.get(name) else {
            let message =
                format!("the threshold names `{name}`, which is not a metric of this file");
            let offset = formula.len() - rest.len() + start;
            return Err((within(&threshold.formula, offset), message));
        };
        text += &rest[..start];
        text += &metric.tree_name();
        rest = &rest[start + name.len()..];
    }
    text += rest;
    let start = within(&threshold.formula, 0);
    let parsed = expression::parse(&text).map_err(|(_, message)| (start, message))?;
    let mut written = String::new();
    parsed.write(&mut written);
    Ok(written)
}

/// Numbers that fractions are compared with are percentages.
fn scaled<'t>(expression: Expression<'t>, is_fraction: &dyn Fn(&str) -> bool) -> Expression<'t> {
    let Expression::Binary(operator, sides) = expression else {
        return expression;
    };
    let [left, right] = *sides;
    let is_comparison = matches!(operator, Operator::Less | Operator::Greater);
    let right = match (&left, right.number()) {
        (Expression::Name(alias, _, _), Some(number)) if is_comparison && is_fraction(alias) => {
            Expression::Text((number / 100.0).to_string(), Form::Atom)
        }
        _ => scaled(right, is_fraction),
    };
    Expression::Binary(operator, Box::new([scaled(left, is_fraction), right]))
}
