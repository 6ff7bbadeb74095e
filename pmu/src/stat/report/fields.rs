//! Lines of fields, as in `perf stat -x` (`perf-stat(1)`, CSV FORMAT): time, CPU (or core
//! or socket, and the number of counts in it), count, unit, event, control group,
//! deviation, time with a counter, its share, and the values derived from the count.
//! Time, CPU, control group and deviation are present only if they mean something; the
//! result of a threshold is present if there are metrics. The last field of a value that lacks
//! a count, and of no other, says what it lacks; those of a metric that is an estimate, or that is
//! combined from counts of several groups, say so.

use std::io::{self, Write};
use std::time::Duration;

use pmu_events::measure;

use super::measured::{combined, estimate, lacks, verdict, what};
use crate::decimals;
use crate::output::one_line;
use crate::stat::aggregation::Level;
use crate::stat::rows::{Row, Value};

pub(super) fn rows(
    out: &mut dyn Write,
    level: Level,
    rows: &[Row<'_>],
    when: Option<Duration>,
    separator: &str,
) -> io::Result<()> {
    let has_metrics = rows.iter().any(|row| !row.metrics.is_empty());
    for row in rows {
        let mut fields = Vec::new();
        fields.extend(when.map(|when| format!("{:16.9}", when.as_secs_f64())));
        match (level, row.place) {
            (Level::Core | Level::Socket, unit) => {
                fields.push(unit.map(|unit| unit.to_string()).unwrap_or_default());
                fields.push(row.parts.to_string());
            }
            (_, unit) => fields.extend(unit.map(|unit| unit.to_string())),
        }
        let start = fields.clone();
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
        let derived = row.derived.iter().map(|(value, what)| {
            ([decimals::shown(*value, 3), what.clone(), String::new()], Vec::new())
        });
        let mut all = derived.chain(row.metrics.iter().map(metric));
        let mut write = |mut fields: Vec<String>, (remark, mark): Remark| {
            fields.extend(remark.into_iter().take(if has_metrics { 3 } else { 2 }));
            fields.extend(lacks(row, " and "));
            fields.extend(mark);
            let fields: Vec<_> = fields.iter().map(|field| one_line(field)).collect();
            writeln!(out, "{}", fields.join(separator))
        };
        let empty = vec![String::new(); fields.len() - start.len()];
        write(fields, all.next().unwrap_or_default())?;
        // As in perf, they belong to the event before them.
        for further in all {
            write([&start[..], &empty[..]].concat(), further)?;
        }
    }
    Ok(())
}

/// The fields of a derived value, and its marks.
type Remark = ([String; 3], Vec<String>);

/// perf omits a value that is not a number.
fn metric(metric: &measure::Value<'_>) -> Remark {
    let value =
        if metric.value().is_nan() { String::new() } else { decimals::shown(metric.value(), 6) };
    let marks = estimate(metric).map(String::from).into_iter().chain(combined(metric)).collect();
    ([value, what(metric), verdict(metric).unwrap_or_default().into()], marks)
}
