//! `--metric-only`: the values of metrics side by side, under their names; a line for each unit
//! and control group.

use std::io::{self, Write};

use serde_json::json;

use super::columns::{self, CGROUP, TIME};
use super::remark::{self, Remark};
use super::when::When;
use super::{fields, json};
use crate::output::one_line;
use crate::stat::aggregation::Level;
use crate::stat::form::{Form, Shape};
use crate::stat::rows::Row;

/// `metric_only_len`
const WIDTH: usize = 20;

/// Writes the names, where the syntax has them above the values.
pub(super) fn header(
    out: &mut dyn Write,
    form: &Form,
    rows: &[Row<'_>],
    is_interval: bool,
) -> io::Result<()> {
    let lines = lines(rows, form);
    let names: Vec<String> = match lines.first() {
        Some(line) => values(line, form)
            .into_iter()
            .filter_map(|(name, remark)| remark.map(|_| name))
            .collect(),
        None => Vec::new(),
    };
    match &form.shape {
        Shape::Json => Ok(()),
        Shape::Fields(separator) => {
            let time = is_interval.then_some("time").into_iter();
            let words = time.chain(unit_words(form.level).iter().copied());
            let all = words.map(String::from).chain(names);
            all.map(|word| one_line(&word).into_owned() + separator)
                .try_for_each(|word| out.write_all(word.as_bytes()))?;
            writeln!(out)
        }
        Shape::Text => {
            let indent = match is_interval {
                true => 0,
                false => {
                    columns::width(form.level) + if has_cgroups(rows) { CGROUP + 1 } else { 0 }
                }
            };
            write!(out, " {:indent$}", "")?;
            for name in names {
                write!(out, "{:>WIDTH$} ", one_line(&name))?;
            }
            writeln!(out)
        }
    }
}

pub(super) fn rows(
    out: &mut dyn Write,
    form: &Form,
    rows: &[Row<'_>],
    when: When,
) -> io::Result<()> {
    for line in lines(rows, form) {
        let Some(first) = line.first() else { continue };
        let values = values(&line, form);
        match &form.shape {
            Shape::Json => {
                write!(out, "{{{}", json::start(first, when))?;
                if let Some(cgroup) = &first.cgroup {
                    write!(out, "\"cgroup\" : {}, ", json!(cgroup))?;
                }
                let shown = values.iter().filter(|(name, _)| !name.is_empty());
                let shown: Vec<String> = shown
                    .map(|(name, remark)| (name, digits(remark.as_ref(), form)))
                    .filter(|(_, value)| !value.is_empty())
                    .map(|(name, value)| format!("{} : \"{value}\"", json!(name)))
                    .collect();
                match shown.is_empty() {
                    true => writeln!(out, "\"metric-value\" : \"none\"}}")?,
                    false => writeln!(out, "{}}}", shown.join(", "))?,
                }
            }
            Shape::Fields(separator) => {
                let start = fields::start(first, form, when.without_word());
                let start = start.into_iter().chain(first.cgroup.as_deref().map(String::from));
                let values = values.iter().map(|(_, remark)| digits(remark.as_ref(), form));
                start
                    .chain(values)
                    .map(|field| one_line(&field).into_owned() + separator)
                    .try_for_each(|field| out.write_all(field.as_bytes()))?;
                writeln!(out)?;
            }
            Shape::Text => {
                if let When::Interval(when) = when {
                    write!(out, "{}", columns::time(when))?;
                }
                write!(out, "{}", one_line(&columns::unit(first, form.level)))?;
                if let Some(cgroup) = &first.cgroup {
                    write!(out, " {:<CGROUP$}", one_line(cgroup))?;
                }
                for (name, remark) in &values {
                    let name = name.chars().count();
                    let width = if name > WIDTH { name + 1 } else { WIDTH };
                    let value = remark.as_ref().map(Remark::padded).unwrap_or_default();
                    write!(out, "{value:>width$} ")?;
                }
                writeln!(out)?;
            }
        }
    }
    Ok(())
}

/// What is above the units of intervals.
pub(super) fn interval_start(out: &mut dyn Write, form: &Form) -> io::Result<()> {
    write!(out, "#{:>1$}{2}", "time", TIME - 1, columns::unit_header(form.level))
}

fn digits(remark: Option<&Remark>, form: &Form) -> String {
    match remark {
        None => String::new(),
        Some(remark) if form.is_perf() => remark.digits(),
        Some(remark) => remark.shown(),
    }
}

/// The rows of each line.
fn lines<'r, 'l>(rows: &'r [Row<'l>], form: &Form) -> Vec<Vec<&'r Row<'l>>> {
    let mut lines: Vec<Vec<&Row<'_>>> = Vec::new();
    for row in rows.iter().filter(|row| row.place.is_some() || form.level == Level::Everything) {
        let is_its = |line: &&mut Vec<&Row<'_>>| {
            line.first()
                .is_some_and(|first| (first.place, &first.cgroup) == (row.place, &row.cgroup))
        };
        match lines.iter_mut().find(is_its) {
            Some(line) => line.push(row),
            None => lines.push(vec![row]),
        }
    }
    lines
}

/// The metrics of a line, with their names; nothing in place of those of an event that perf
/// could not count.
fn values(line: &[&Row<'_>], form: &Form) -> Vec<(String, Option<Remark>)> {
    let of_row = |row: &&Row<'_>| {
        let name = row.name.to_owned();
        let named = move |remark: Remark| Some((remark.column(&name)?, Some(remark)));
        let blank = (form.is_perf() && row.value.word().is_some()).then(|| (String::new(), None));
        remark::all(row, form).into_iter().filter_map(named).chain(blank)
    };
    line.iter().flat_map(of_row).collect()
}

fn has_cgroups(rows: &[Row<'_>]) -> bool {
    rows.iter().any(|row| row.cgroup.is_some())
}

/// `aggr_header_csv`
fn unit_words(level: Level) -> &'static [&'static str] {
    match level {
        Level::Everything => &[],
        Level::Cpu => &["cpu"],
        Level::Thread => &["comm-pid"],
        Level::Node => &["node"],
        Level::Core => &["core", "cpus"],
        Level::Cache(_) => &["cache", "cpus"],
        Level::Cluster => &["cluster", "cpus"],
        Level::Die => &["die", "cpus"],
        Level::Socket => &["socket", "cpus"],
    }
}
