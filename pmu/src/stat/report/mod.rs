//! The outputs.
//!
//! | module | contents |
//! |---|---|
//! | [`text`], [`footer`] | for people |
//! | [`perf_text`] | the same in perf's columns, where programs read them |
//! | [`columns`] | its columns before the counts |
//! | [`fields`], [`json`] | for programs |
//! | [`metric_only`] | the values of metrics, side by side |
//! | [`remark`], [`measured`] | what follows from counts, and words for it |
//! | [`summary`](mod@summary), [`when`] | what accompanies the rows |

mod columns;
mod fields;
mod footer;
mod json;
mod measured;
mod metric_only;
mod perf_text;
mod remark;
mod summary;
mod text;
mod when;

use std::io::{self, Write};
use std::time::Duration;

use crate::output::one_line;
use crate::stat::form::{Form, Shape};
use crate::stat::rows::Row;
use crate::stat::run::Interval;
use crate::time_args::Repeat;
pub(crate) use summary::Summary;
use when::When;

/// After so many intervals the header is repeated.
const HEADER: u64 = 26;

/// Writes the results at the end of a run.
pub(crate) fn summary(
    out: &mut dyn Write,
    form: &Form,
    rows: &[Row<'_>],
    summary: &Summary<'_>,
) -> io::Result<()> {
    // The lines of the intervals are above it in perf's output.
    let has_header = !(form.has_intervals && form.is_perf());
    let when = if form.has_summary { When::Summary } else { When::End };
    if form.shape == Shape::Text && has_header {
        let runs = match form.repeat {
            Repeat::Times(times @ 2..) => format!(" ({times} runs)"),
            Repeat::Times(_) | Repeat::Forever => String::new(),
        };
        writeln!(out, "\n Performance counter stats for {}{runs}:\n", one_line(summary.subject))?;
    }
    if form.is_metric_only && has_header {
        metric_only::header(out, form, rows, false)?;
    }
    contents(out, form, rows, when, summary.notes)?;
    if form.shape == Shape::Text {
        footer::write(out, form, summary)?;
        if !form.is_perf() {
            notes(out, summary.notes)?;
        }
    }
    out.flush()
}

fn notes(out: &mut dyn Write, notes: &[String]) -> io::Result<()> {
    for note in notes {
        writeln!(out, " note: {}", one_line(note))?;
    }
    if notes.is_empty() { Ok(()) } else { writeln!(out) }
}

/// Writes the counts of one interval. The first has the notes, for programs.
pub(crate) fn interval(
    out: &mut dyn Write,
    form: &Form,
    rows: &[Row<'_>],
    interval: &Interval<'_>,
    notes: &[String],
) -> io::Result<()> {
    interval_at(out, form, rows, (interval.number, interval.end), notes)
}

/// The same for an interval by its number, and its end.
pub(crate) fn interval_at(
    out: &mut dyn Write,
    form: &Form,
    rows: &[Row<'_>],
    (number, end): (u64, Duration),
    notes: &[String],
) -> io::Result<()> {
    let has_header = match form.is_perf() {
        true => number.is_multiple_of(HEADER),
        false => number == 0,
    };
    if has_header {
        match (form.is_metric_only, &form.shape) {
            (true, shape) => {
                if *shape == Shape::Text {
                    metric_only::interval_start(out, form)?;
                }
                metric_only::header(out, form, rows, true)?;
            }
            (false, Shape::Text) if form.is_perf() => perf_text::interval_header(out, form)?,
            (false, Shape::Text) => text::interval_header(out, form)?,
            (false, _) => {}
        }
    }
    let notes = if number == 0 { notes } else { &[] };
    contents(out, form, rows, When::Interval(end), notes)?;
    out.flush()
}

fn contents(
    out: &mut dyn Write,
    form: &Form,
    rows: &[Row<'_>],
    when: When,
    notes: &[String],
) -> io::Result<()> {
    if form.is_metric_only {
        return metric_only::rows(out, form, rows, when);
    }
    let time = match when {
        When::Interval(when) => columns::time(when),
        When::End | When::Summary => String::new(),
    };
    match &form.shape {
        Shape::Text if form.is_perf() => perf_text::rows(out, form, rows, &time),
        Shape::Text => text::rows(out, form, rows, &time),
        Shape::Json => json::rows(out, form, rows, when, notes),
        Shape::Fields(separator) => fields::rows(out, form, rows, when, separator),
    }
}
