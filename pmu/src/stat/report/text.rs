//! The output for people, laid out like perf's.

use std::io::{self, Write};
use std::time::Duration;

use pmu_events::measure;

use super::measured;
use super::summary::Summary;
use crate::decimals;
use crate::output::one_line;
use crate::stat::aggregation::Level;
use crate::stat::args::Args;
use crate::stat::rows::{Row, Value};
use crate::time_args::Repeat;

pub(super) fn summary(
    out: &mut dyn Write,
    args: &Args,
    rows: &[Row<'_>],
    summary: &Summary<'_>,
) -> io::Result<()> {
    let runs = match args.repeat {
        Repeat::Times(times @ 2..) => format!(" ({times} runs)"),
        Repeat::Times(_) | Repeat::Forever => String::new(),
    };
    writeln!(out, "\n Performance counter stats for {}{runs}:\n", one_line(summary.subject))?;
    let widths = Widths::of(rows);
    for row in rows {
        let unit = unit(row, args.level);
        lines(row, &widths)
            .iter()
            .try_for_each(|line| writeln!(out, "{unit}{}", one_line(line)))?;
    }
    let elapsed = &summary.runs.elapsed;
    if args.repeat.is_mean() {
        let (mean, deviation) = (elapsed.mean(), elapsed.deviation());
        let noise = elapsed.noise();
        writeln!(
            out,
            "\n {mean:17.6} +- {deviation:.6} seconds time elapsed  ( +-{noise:6.2}% )\n"
        )?;
    } else {
        writeln!(out, "\n {:17.9} seconds time elapsed\n", elapsed.mean())?;
        if let Some((user, system)) = summary.spent {
            writeln!(out, " {:17.9} seconds user", user.as_secs_f64())?;
            writeln!(out, " {:17.9} seconds sys\n", system.as_secs_f64())?;
        }
    }
    for note in summary.notes {
        writeln!(out, " note: {}", one_line(note))?;
    }
    if !summary.notes.is_empty() {
        writeln!(out)?;
    }
    Ok(())
}

pub(super) fn interval(
    out: &mut dyn Write,
    args: &Args,
    rows: &[Row<'_>],
    when: Duration,
    is_first: bool,
) -> io::Result<()> {
    if is_first {
        let unit = match args.level {
            Level::Cpu if rows.iter().any(|row| row.place.is_some()) => " CPU    ".into(),
            Level::Core => format!(" {:<CORE$} cpus", "core"),
            Level::Socket => format!(" {:<SOCKET$} cpus", "socket"),
            Level::Cpu | Level::Everything => String::new(),
        };
        writeln!(out, "#           time{unit}             counts unit events")?;
    }
    let widths = Widths::of(rows);
    for row in rows {
        let unit = unit(row, args.level);
        for line in lines(row, &widths) {
            writeln!(out, "{:16.9} {unit}{}", when.as_secs_f64(), one_line(&line))?;
        }
    }
    Ok(())
}

/// Widths of what perf calls them (`aggr_header_lens` in
/// `tools/perf/util/stat-display.c`).
const CORE: usize = 18;
const SOCKET: usize = 6;

/// `CGROUP_LEN` in `tools/perf/util/stat-display.c`
const CGROUP: usize = 16;

/// The unit of a line and the number of counts in it; blanks if it has none.
fn unit(row: &Row<'_>, level: Level) -> String {
    let name = row.place.map(|unit| unit.to_string());
    let width = match level {
        Level::Everything => return String::new(),
        Level::Cpu => return name.map(|name| format!("{name:<8}")).unwrap_or_default(),
        Level::Core => CORE,
        Level::Socket => SOCKET,
    };
    match name {
        Some(name) => format!("{name:<width$} {:>4} ", row.parts),
        None => format!("{:width$} {:4} ", "", ""),
    }
}

/// The width of columns that have none of their own.
struct Widths {
    unit: usize,
    name: usize,
    /// The width of the column of control groups, if there is one.
    cgroup: usize,
}

impl Widths {
    fn of(rows: &[Row<'_>]) -> Widths {
        let longest = |texts: &mut dyn Iterator<Item = &str>, least: usize| {
            texts.map(|text| text.chars().count()).max().unwrap_or(0).max(least)
        };
        Widths {
            unit: longest(&mut rows.iter().map(|row| row.unit), 4),
            name: longest(&mut rows.iter().map(|row| row.name), 25),
            cgroup: match rows.iter().any(|row| row.cgroup.is_some()) {
                true => longest(&mut rows.iter().filter_map(|row| row.cgroup.as_deref()), CGROUP),
                false => 0,
            },
        }
    }
}

/// A value that follows from a count appears after it, each further metric
/// below.
fn lines(row: &Row<'_>, widths: &Widths) -> Vec<String> {
    let mut remarks: Vec<String> = row.derived.iter().map(derived).collect();
    remarks.extend(row.metrics.iter().map(metric));
    let mut remarks = remarks.into_iter();
    let first = remarks.next().unwrap_or_default();
    let mut lines = vec![line(row, &first, widths)];
    let cgroup = if widths.cgroup > 0 { 1 + widths.cgroup } else { 0 };
    let indent = 18 + 1 + widths.unit + 1 + widths.name + cgroup;
    lines.extend(remarks.map(|remark| format!("{:indent$}{remark}", "").trim_end().into()));
    lines
}

fn derived((value, what): &(f64, String)) -> String {
    match what.starts_with("of all") {
        true => format!("  # {value:7.2}% {what:<18}"),
        false => format!("  # {:>8} {what:<18}", decimals::shown(*value, 3)),
    }
}

/// `generic_metric` in `tools/perf/util/stat-shadow.c`; words replace perf's
/// colours.
fn metric(metric: &measure::Value<'_>) -> String {
    let (value, is_crossed) = (metric.value(), metric.is_crossed());
    let value = if value.is_nan() { "nan".into() } else { decimals::shown(value, 3) };
    let what = measured::what(metric);
    let threshold = match is_crossed {
        Some(true) => "  (threshold crossed)",
        Some(false) => "  (threshold not crossed)",
        None => "",
    };
    let estimate = measured::estimate(metric).map(|word| format!("  ({word})")).unwrap_or_default();
    let combined = measured::combined(metric).map(|word| format!("  ({word})")).unwrap_or_default();
    format!("  # {value:>8} {what:<18}{threshold}{estimate}{combined}")
}

fn line(row: &Row<'_>, remark: &str, widths: &Widths) -> String {
    let value = match row.value {
        Value::Number(number, true) => format!("{number:.2}"),
        Value::Number(number, false) => format!("{number:.0}"),
        other => other.word().unwrap_or_default().into(),
    };
    let Widths { unit, name, cgroup } = widths;
    let mut line = format!("{value:>18} {:<unit$} {:<name$}", row.unit, row.name);
    if let Some(name) = &row.cgroup {
        line.push_str(&format!(" {name:<cgroup$}"));
    }
    line.push_str(&format!("{remark:<31}"));
    if let Some(noise) = row.noise.filter(|&noise| noise > 0.0) {
        line.push_str(&format!("  ( +-{noise:6.2}% )"));
    }
    if row.value.word().is_none() && row.share < 100.0 {
        line.push_str(&format!("  ({:.1}%)", row.share));
    }
    if let Some(lacks) = measured::lacks(row, " and ") {
        line.push_str(&format!("  ({lacks})"));
    }
    line.trim_end().into()
}

#[cfg(test)]
mod tests {
    use pmu_events::measure::{Formulas, Plan};
    use pmu_events::open::Options;
    use pmu_events::{Scope, System};

    use super::*;

    /// Metrics are beneath each other, whatever columns are before them.
    #[test]
    fn metrics_are_aligned() {
        let system = System::at("/nonexistent");
        let formulas = "half = 1 / 2".parse::<Formulas>().expect("it is one");
        let formulas = formulas.bind(&system).expect("it needs nothing");
        let plan = Plan::new(formulas, &system, &Scope::ThisThread);
        let reading = plan.open(&Options::new()).expect("it needs no counter").read();
        let values = plan.values(&reading);
        for (cgroup, column) in [(None, 51), (Some("shop/till"), 68)] {
            let row = Row {
                place: None,
                parts: 1,
                name: "cycles",
                cgroup: cgroup.map(Into::into),
                unit: "",
                value: Value::Number(3.0, false),
                running: 1.0,
                share: 100.0,
                lacking: Vec::new(),
                noise: None,
                derived: None,
                metrics: vec![values[0], values[0], values[0]],
            };
            let shown = lines(&row, &Widths::of(std::slice::from_ref(&row)));
            let columns: Vec<_> = shown.iter().map(|line| line.find('#')).collect();
            assert_eq!(columns, [Some(column); 3], "{shown:#?}");
        }
    }
}
