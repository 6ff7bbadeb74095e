//! The output for people as perf 6.12 writes it, blanks included, for programs that read it.

use std::io::{self, Write};

use pmu_events::__private::separated;

use super::columns::{self, CGROUP};
use super::remark::{self, Remark};
use crate::output::one_line;
use crate::stat::aggregation::Level;
use crate::stat::form::Form;
use crate::stat::rows::{Row, Value};

/// `COUNTS_LEN`
const COUNT: usize = 18;
/// `EVNAME_LEN`
const NAME: usize = 32;
/// `METRIC_LEN`
const METRIC: usize = 38;
/// The blanks before a further metric.
const INDENT: usize = 49;
/// `unit_width` of `struct perf_stat_config`, at first.
const UNIT: usize = 4;

/// Writes the lines. `time` is before each.
pub(super) fn rows(
    out: &mut dyn Write,
    form: &Form,
    rows: &[Row<'_>],
    time: &str,
) -> io::Result<()> {
    // Units of events that could not be opened have no width.
    let open = rows.iter().filter(|row| !matches!(row.value, Value::NotSupported));
    let width = open.map(|row| row.unit.chars().count()).max().unwrap_or(0).max(UNIT);
    for row in rows {
        let start = format!("{time}{}", columns::unit(row, form.level));
        let remarks = remark::all(row, form);
        let mut line = format!("{start}{:>COUNT$} ", count(row, form));
        line.push_str(&format!("{:<width$} {:<NAME$}", row.unit, row.name));
        if let Some(cgroup) = &row.cgroup {
            line.push_str(&format!(" {cgroup:<CGROUP$}"));
        }
        match remarks.first() {
            Some(first) => line.push_str(&metric(first)),
            None => line.push_str(&format!("{:METRIC$}", "")),
        }
        for further in remarks.iter().skip(1) {
            let wider = if form.level == Level::Cpu { 8 } else { 0 };
            line.push_str(&format!("\n{start}{:1$}{2}", "", INDENT + wider, metric(further)));
        }
        if let Some(noise) = row.noise.filter(|&noise| noise > 0.0) {
            line.push_str(&format!("  ( +-{noise:6.2}% )"));
        }
        if !row.is_whole {
            line.push_str(&format!("  ({:.2}%)", row.share));
        }
        for line in line.split('\n') {
            writeln!(out, "{}", one_line(line))?;
        }
    }
    Ok(())
}

/// The line above intervals.
pub(super) fn interval_header(out: &mut dyn Write, form: &Form) -> io::Result<()> {
    super::metric_only::interval_start(out, form)?;
    writeln!(out, " {:>COUNT$} {:>UNIT$} events", "counts", "unit")
}

fn count(row: &Row<'_>, form: &Form) -> String {
    let number = match row.value {
        Value::Number(number, true) => format!("{number:.2}"),
        Value::Number(number, false) => format!("{number:.0}"),
        other => return other.word().unwrap_or_default().into(),
    };
    if form.is_big { separated(&number) } else { number }
}

fn metric(remark: &Remark) -> String {
    if remark.is_blank {
        return format!("{:METRIC$}", "");
    }
    let value = format!(" # {}", remark.padded());
    let width = METRIC.saturating_sub(value.chars().count() + 1);
    format!("{value} {:<width$}", remark.unit)
}
