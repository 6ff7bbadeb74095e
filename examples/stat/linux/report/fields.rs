//! Lines of fields, as `perf stat -x` has them (`perf-stat(1)`, CSV FORMAT):
//! time, CPU, count, unit, event, deviation, time with a counter, its share, and
//! what follows from the count. Time, CPU and deviation are there where they
//! mean something.

use std::io::{self, Write};
use std::time::Duration;

use crate::linux::rows::{Row, Value};

pub(super) fn rows(
    out: &mut dyn Write,
    rows: &[Row<'_>],
    when: Option<Duration>,
    separator: &str,
) -> io::Result<()> {
    for row in rows {
        let mut fields = Vec::new();
        fields.extend(when.map(|when| format!("{:16.9}", when.as_secs_f64())));
        fields.extend(row.cpu.map(|cpu| format!("CPU{cpu}")));
        fields.push(match row.value {
            Value::Number(number, true) => format!("{number:.2}"),
            Value::Number(number, false) => format!("{number:.0}"),
            other => other.word().unwrap_or_default().into(),
        });
        fields.push(row.unit.into());
        fields.push(row.name.into());
        fields.extend(row.noise.map(|noise| format!("{noise:.2}%")));
        fields.push(format!("{:.0}", row.running));
        fields.push(format!("{:.2}", row.share));
        let (value, unit) = match &row.derived {
            Some((value, unit)) => (format!("{value:.3}"), unit.as_str()),
            None => (String::new(), ""),
        };
        fields.extend([value, unit.into()]);
        writeln!(out, "{}", fields.join(separator))?;
    }
    Ok(())
}
