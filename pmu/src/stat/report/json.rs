//! One object per line, with the keys of `perf stat -j`: numbers that perf
//! writes as strings are strings. The first also has the notes on the machine's tables.

use std::io::{self, Write};
use std::time::Duration;

use pmu_events::measure;
use serde_json::json;

use super::measured::{estimate, verdict, what};
use crate::decimals;
use crate::stat::aggregation::Unit;
use crate::stat::failure::reason;
use crate::stat::rows::{Row, Value};

pub(super) fn rows(
    out: &mut dyn Write,
    rows: &[Row<'_>],
    when: Option<Duration>,
    notes: &[String],
) -> io::Result<()> {
    for (number, row) in rows.iter().enumerate() {
        let interval = when.map(|when| format!("\"interval\" : {:.9}, ", when.as_secs_f64()));
        let unit = row.place.map(|one| unit(one, row.parts));
        let start = format!("{{{}{}", interval.unwrap_or_default(), unit.unwrap_or_default());
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
        if !row.lacking.is_empty() {
            let lacks: Vec<_> = row
                .lacking
                .iter()
                .map(|lack| json!({ "what": lack.to_string(), "why": reason(lack.why()) }))
                .collect();
            write!(out, "\"lacks\" : {}, ", json!(lacks))?;
        }
        if number == 0 && !notes.is_empty() {
            write!(out, "\"notes\" : {}, ", json!(notes))?;
        }
        let derived = row.derived.iter().map(|(value, unit)| metric(*value, unit, None));
        let of_formula = |m: &measure::Value<'_>| {
            let estimate = estimate(m).map(|_| ", \"metric-estimate\" : true").unwrap_or_default();
            let parts = match m.parts() {
                1 => String::new(),
                parts => format!(", \"metric-groups\" : {parts}"),
            };
            metric(m.value(), &what(m), verdict(m)) + estimate + &parts
        };
        let metrics = row.metrics.iter().map(of_formula);
        let mut all = derived.chain(metrics);
        writeln!(out, "{}}}", all.next().unwrap_or_else(|| metric(0.0, "", None)))?;
        // As in perf, they belong to the event before them.
        for further in all {
            writeln!(out, "{start}{further}}}")?;
        }
    }
    Ok(())
}

/// `print_aggr_id_json` in `tools/perf/util/stat-display.c`
fn unit(unit: Unit, parts: usize) -> String {
    let what = match unit {
        Unit::Cpu(cpu) => return format!("\"cpu\" : \"{cpu}\", "),
        Unit::Core { .. } => "core",
        Unit::Socket(_) => "socket",
        _ => "aggregate",
    };
    format!("\"{what}\" : \"{unit}\", \"aggregate-number\" : {parts}, ")
}

/// `print_metric_json` in `tools/perf/util/stat-display.c`; the threshold is
/// present since Linux 6.13.
fn metric(value: f64, unit: &str, verdict: Option<&str>) -> String {
    let value = if value.is_nan() { "nan".into() } else { decimals::shown(value, 6) };
    let threshold = verdict.map(|verdict| format!(", \"metric-threshold\" : \"{verdict}\""));
    let threshold = threshold.unwrap_or_default();
    format!("\"metric-value\" : \"{value}\", \"metric-unit\" : {}{threshold}", json!(unit))
}
