//! One object a line, with the keys of `perf stat -j`: numbers that perf
//! writes as texts are texts.

use std::io::{self, Write};
use std::time::Duration;

use serde_json::json;

use crate::linux::rows::{Row, Value};

pub(super) fn rows(
    out: &mut dyn Write,
    rows: &[Row<'_>],
    when: Option<Duration>,
) -> io::Result<()> {
    for row in rows {
        write!(out, "{{")?;
        if let Some(when) = when {
            write!(out, "\"interval\" : {:.9}, ", when.as_secs_f64())?;
        }
        if let Some(cpu) = row.cpu {
            write!(out, "\"cpu\" : \"{cpu}\", ")?;
        }
        let value = match row.value {
            Value::Number(number, _) => format!("{number:.6}"),
            other => other.word().unwrap_or_default().into(),
        };
        write!(out, "\"counter-value\" : \"{value}\", \"unit\" : {}, ", json!(row.unit))?;
        write!(out, "\"event\" : {}, ", json!(row.name))?;
        if let Some(noise) = row.noise {
            write!(out, "\"variance\" : {noise:.2}, ")?;
        }
        write!(out, "\"event-runtime\" : {:.0}, ", row.running)?;
        write!(out, "\"pcnt-running\" : {:.2}, ", row.share)?;
        let (value, unit) = row.derived.as_ref().map_or((0.0, ""), |(value, unit)| (*value, unit));
        write!(out, "\"metric-value\" : \"{value:.6}\", \"metric-unit\" : {}", json!(unit))?;
        writeln!(out, "}}")?;
    }
    Ok(())
}
