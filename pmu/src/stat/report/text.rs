//! The output for people, laid out like perf's.

use std::io::{self, Write};

use pmu_events::__private::separated;

use super::columns::{self, CGROUP};
use super::measured;
use super::remark::{self, Remark};
use crate::decimals;
use crate::output::one_line;
use crate::stat::form::Form;
use crate::stat::rows::{Row, Value};

/// Writes the lines. `time` is before each.
pub(super) fn rows(
    out: &mut dyn Write,
    form: &Form,
    rows: &[Row<'_>],
    time: &str,
) -> io::Result<()> {
    let widths = Widths::of(rows);
    for row in rows {
        let unit = columns::unit(row, form.level);
        for line in lines(row, form, &widths) {
            writeln!(out, "{time}{}", one_line(&format!("{unit}{line}")))?;
        }
    }
    Ok(())
}

/// The line above intervals.
pub(super) fn interval_header(out: &mut dyn Write, form: &Form) -> io::Result<()> {
    super::metric_only::interval_start(out, form)?;
    writeln!(out, "             counts unit events")
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
fn lines(row: &Row<'_>, form: &Form, widths: &Widths) -> Vec<String> {
    let remarks = remark::all(row, form);
    let mut remarks = remarks.iter().map(remark);
    let first = remarks.next().unwrap_or_default();
    let mut lines = vec![line(row, form, &first, widths)];
    let cgroup = if widths.cgroup > 0 { 1 + widths.cgroup } else { 0 };
    let indent = 18 + 1 + widths.unit + 1 + widths.name + cgroup;
    lines.extend(remarks.map(|remark| format!("{:indent$}{remark}", "").trim_end().into()));
    lines
}

/// `generic_metric` in `tools/perf/util/stat-shadow.c`; words replace perf's
/// colours.
fn remark(remark: &Remark) -> String {
    let what = &remark.unit;
    let value = match remark.value {
        value if remark.is_percent() => return format!("  # {value:7.2}% {what:<18}"),
        value if value.is_nan() => "nan".into(),
        value => decimals::shown(value, 3),
    };
    let threshold = match remark.verdict {
        Some("bad") => "  (threshold crossed)",
        Some(_) => "  (threshold not crossed)",
        None => "",
    };
    let estimate = if remark.is_estimate { "  (estimate)" } else { "" };
    let combined = remark.combined.as_ref().map(|words| format!("  ({words})")).unwrap_or_default();
    format!("  # {value:>8} {what:<18}{threshold}{estimate}{combined}")
}

fn line(row: &Row<'_>, form: &Form, remark: &str, widths: &Widths) -> String {
    let big = |number: String| if form.is_big { separated(&number) } else { number };
    let value = match row.value {
        Value::Number(number, true) => big(format!("{number:.2}")),
        Value::Number(number, false) => big(format!("{number:.0}")),
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
    use crate::stat_output_args::OutputArgs;
    use crate::time_args::Repeat;
    use clap::Parser as _;

    #[derive(clap::Parser)]
    struct Command {
        #[command(flatten)]
        output: OutputArgs,
    }

    /// Metrics are beneath each other, whatever columns are before them.
    #[test]
    fn metrics_are_aligned() {
        let system = System::at("/nonexistent");
        let formulas = "half = 1 / 2".parse::<Formulas>().expect("it is one");
        let formulas = formulas.bind(&system).expect("it needs nothing");
        let plan = Plan::new(formulas, &system, &Scope::ThisThread);
        let reading = plan.open(&Options::new()).expect("it needs no counter").read();
        let values = plan.values(&reading);
        let form = Form::new(&Command::parse_from(["pmu"]).output, false, Repeat::Times(1), false);
        for (cgroup, column) in [(None, 51), (Some("shop/till"), 68)] {
            let row = Row {
                place: None,
                label: String::new(),
                parts: 1,
                name: "cycles",
                cgroup: cgroup.map(Into::into),
                unit: "",
                value: Value::Number(3.0, false),
                running: 1.0,
                share: 100.0,
                is_whole: true,
                lacking: Vec::new(),
                noise: None,
                derived: Vec::new(),
                metrics: vec![values[0], values[0], values[0]],
            };
            let shown = lines(&row, &form, &Widths::of(std::slice::from_ref(&row)));
            let columns: Vec<_> = shown.iter().map(|line| line.find('#')).collect();
            assert_eq!(columns, [Some(column); 3], "{shown:#?}");
        }
    }
}
