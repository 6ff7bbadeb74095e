//! The three outputs.

mod fields;
mod json;
mod measured;
mod summary;
mod text;

use std::io::{self, Write};

use crate::stat::args::{Args, Shape};
use crate::stat::rows::Row;
use crate::stat::run::Interval;
pub(crate) use summary::Summary;

/// Writes the results at the end of a run.
pub(crate) fn summary(
    out: &mut dyn Write,
    args: &Args,
    rows: &[Row<'_>],
    summary: &Summary<'_>,
) -> io::Result<()> {
    match &args.shape {
        Shape::Text => text::summary(out, args, rows, summary)?,
        Shape::Json => json::rows(out, rows, None, summary.notes)?,
        Shape::Fields(separator) => fields::rows(out, args.level, rows, None, separator)?,
    }
    out.flush()
}

/// Writes the counts of one interval. The first has the notes, for programs.
pub(crate) fn interval(
    out: &mut dyn Write,
    args: &Args,
    rows: &[Row<'_>],
    interval: &Interval<'_>,
    notes: &[String],
) -> io::Result<()> {
    let end = interval.end;
    match &args.shape {
        Shape::Text => text::interval(out, args, rows, end, interval.is_first)?,
        Shape::Json => {
            let notes = if interval.is_first { notes } else { &[] };
            json::rows(out, rows, Some(end), notes)?;
        }
        Shape::Fields(separator) => fields::rows(out, args.level, rows, Some(end), separator)?,
    }
    out.flush()
}
