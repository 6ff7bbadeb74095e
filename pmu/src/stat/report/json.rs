//! One object per line, with the keys of `perf stat -j`: numbers that perf
//! writes as strings are strings. Under the program's own name, the first also has the notes on
//! the machine's tables.

use std::io::{self, Write};

use serde_json::json;

use super::remark::{self, Remark};
use super::when::When;
use crate::decimals;
use crate::stat::aggregation::Unit;
use crate::stat::failure::reason;
use crate::stat::form::Form;
use crate::stat::rows::{Row, Value};

pub(super) fn rows(
    out: &mut dyn Write,
    form: &Form,
    rows: &[Row<'_>],
    when: When,
    notes: &[String],
) -> io::Result<()> {
    for (number, row) in rows.iter().enumerate() {
        let start = format!("{{{}", start(row, when));
        write!(out, "{start}")?;
        let value = match row.value {
            Value::Number(number, _) => format!("{number:.6}"),
            other => other.word().unwrap_or_default().into(),
        };
        write!(out, "\"counter-value\" : \"{value}\", \"unit\" : {}, ", json!(row.unit))?;
        write!(out, "\"event\" : {}, ", json!(row.name))?;
        if let Some(cgroup) = &row.cgroup {
            write!(out, "\"cgroup\" : {}, ", json!(cgroup))?;
        }
        if let Some(noise) = row.noise {
            write!(out, "\"variance\" : {noise:.2}, ")?;
        }
        write!(out, "\"event-runtime\" : {:.0}, ", row.running)?;
        write!(out, "\"pcnt-running\" : {:.2}, ", row.share)?;
        if !form.is_perf() {
            write!(out, "{}", further(row, if number == 0 { notes } else { &[] }))?;
        }
        let remarks = remark::all(row, form);
        let mut remarks = remarks.iter();
        let first = match remarks.next() {
            Some(first) => metric(first, form),
            // glibc's word for the name that perf 6.12 does not have.
            None if form.is_perf() && row.value.word().is_none() => no_metric("(null)"),
            None => no_metric(""),
        };
        writeln!(out, "{first}}}")?;
        // As in perf, they belong to the event before them.
        for further in remarks {
            writeln!(out, "{start}{}}}", metric(further, form))?;
        }
    }
    Ok(())
}

/// The keys before the count.
pub(super) fn start(row: &Row<'_>, when: When) -> String {
    let interval = match when {
        When::Interval(when) => {
            format!("\"interval\" : {}.{:09}, ", when.as_secs(), when.subsec_nanos())
        }
        When::End | When::Summary => String::new(),
    };
    interval + &row.place.map(|place| unit(place, row)).unwrap_or_default()
}

/// What perf does not say.
fn further(row: &Row<'_>, notes: &[String]) -> String {
    let mut text = String::new();
    if !row.lacking.is_empty() {
        let lacks: Vec<_> = row
            .lacking
            .iter()
            .map(|lack| json!({ "what": lack.to_string(), "why": reason(lack.why()) }))
            .collect();
        text.push_str(&format!("\"lacks\" : {}, ", json!(lacks)));
    }
    if !notes.is_empty() {
        text.push_str(&format!("\"notes\" : {}, ", json!(notes)));
    }
    text
}

/// `print_aggr_id_json` in `tools/perf/util/stat-display.c`
fn unit(unit: Unit, row: &Row<'_>) -> String {
    let label = json!(row.label);
    let what = match unit {
        Unit::Cpu(cpu) => return format!("\"cpu\" : \"{cpu}\", "),
        Unit::Thread(_) => return format!("\"thread\" : {label}, "),
        Unit::Core { .. } => "core",
        Unit::Cache { .. } => "cache",
        Unit::Cluster { .. } => "cluster",
        Unit::Die { .. } => "die",
        Unit::Socket(_) => "socket",
        Unit::Node(_) => "node",
    };
    format!("\"{what}\" : {label}, \"aggregate-number\" : {}, ", row.parts)
}

fn no_metric(unit: &str) -> String {
    format!("\"metric-value\" : \"{:.6}\", \"metric-unit\" : \"{unit}\"", 0.0)
}

/// `print_metric_json` in `tools/perf/util/stat-display.c`; the threshold is
/// present since Linux 6.13.
fn metric(remark: &Remark, form: &Form) -> String {
    let value = match remark.value {
        value if value.is_nan() => "nan".into(),
        value if form.is_perf() => format!("{value:.6}"),
        value => decimals::shown(value, 6),
    };
    let mut text =
        format!("\"metric-value\" : \"{value}\", \"metric-unit\" : {}", json!(remark.unit));
    if form.is_perf() {
        return text;
    }
    if let Some(verdict) = remark.verdict {
        text.push_str(&format!(", \"metric-threshold\" : \"{verdict}\""));
    }
    if remark.is_estimate {
        text.push_str(", \"metric-estimate\" : true");
    }
    if remark.groups > 1 {
        text.push_str(&format!(", \"metric-groups\" : {}", remark.groups));
    }
    text
}
