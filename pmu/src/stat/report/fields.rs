//! Lines of fields, as in `perf stat -x` (`perf-stat(1)`, CSV FORMAT): time, CPU (or another
//! unit, and the number of counts in it), count, unit, event, control group,
//! deviation, time with a counter, its share, and the values derived from the count.
//! Time, CPU, control group and deviation are present only if they mean something.
//!
//! Under its own name, the program adds fields at the end: the result of a threshold, if there
//! are metrics; what a value lacks; that a metric is an estimate, or combined from counts of
//! several groups.

use std::io::{self, Write};

use super::measured::lacks;
use super::remark::{self, Remark};
use super::when::When;
use crate::output::one_line;
use crate::stat::aggregation::Level;
use crate::stat::form::Form;
use crate::stat::rows::{Row, Value};

pub(super) fn rows(
    out: &mut dyn Write,
    form: &Form,
    rows: &[Row<'_>],
    when: When,
    separator: &str,
) -> io::Result<()> {
    let has_metrics = rows.iter().any(|row| !row.metrics.is_empty());
    for row in rows {
        let start = start(row, form, when);
        let mut fields = start.clone();
        fields.push(match row.value {
            Value::Number(number, true) => format!("{number:.2}"),
            Value::Number(number, false) => format!("{number:.0}"),
            other => other.word().unwrap_or_default().into(),
        });
        fields.push(row.unit.into());
        fields.push(row.name.into());
        fields.extend(row.cgroup.as_deref().map(String::from));
        fields.extend(row.noise.map(|noise| format!("{noise:.2}%")));
        fields.push(format!("{:.0}", row.running));
        fields.push(format!("{:.2}", row.share));
        let mut write = |mut fields: Vec<String>, remark: Option<&Remark>| {
            fields.push(remark.map(|one| value(one, form)).unwrap_or_default());
            let unit = remark.filter(|one| !one.is_blank).map(|one| one.unit.clone());
            fields.push(unit.unwrap_or_default());
            if !form.is_perf() {
                fields.extend(further(row, remark, has_metrics));
            }
            let fields: Vec<_> = fields.iter().map(|field| one_line(field)).collect();
            writeln!(out, "{}", fields.join(separator))
        };
        // perf leaves no place for the deviation.
        let noise = usize::from(row.noise.is_some() && form.is_perf());
        let empty = vec![String::new(); fields.len() - start.len() - noise];
        let remarks = remark::all(row, form);
        let mut remarks = remarks.iter();
        write(fields, remarks.next())?;
        // As in perf, they belong to the event before them, whose line alone has the word for a
        // summary.
        let start = self::start(row, form, when.without_word());
        for further in remarks {
            write([&start[..], &empty[..]].concat(), Some(further))?;
        }
    }
    Ok(())
}

/// The fields before the count.
pub(super) fn start(row: &Row<'_>, form: &Form, when: When) -> Vec<String> {
    let mut fields = Vec::new();
    match when {
        When::Interval(when) => {
            fields.push(format!("{}.{:09}", when.as_secs(), when.subsec_nanos()))
        }
        When::Summary if form.has_summary_word => fields.push("summary".into()),
        When::Summary | When::End => {}
    }
    match (form.level, row.place) {
        (Level::Cpu | Level::Thread | Level::Everything, unit) => {
            fields.extend(unit.map(|_| row.label.clone()));
        }
        _ => {
            fields.push(row.label.clone());
            fields.push(row.parts.to_string());
        }
    }
    fields
}

fn value(remark: &Remark, form: &Form) -> String {
    if form.is_perf() { remark.digits() } else { remark.shown() }
}

/// What perf does not say.
fn further(row: &Row<'_>, remark: Option<&Remark>, has_metrics: bool) -> Vec<String> {
    let mut fields = Vec::new();
    if has_metrics {
        fields.push(remark.and_then(|one| one.verdict).unwrap_or_default().into());
    }
    fields.extend(lacks(row, " and "));
    fields.extend(remark.filter(|one| one.is_estimate).map(|_| "estimate".into()));
    fields.extend(remark.and_then(|one| one.combined.clone()));
    fields
}
