//! The three outputs.

mod fields;
mod json;
mod measured;
mod summary;
mod text;

use std::io::{self, Write};
use std::time::Duration;

use crate::stat::args::{Args, Shape};
use crate::stat::rows::Row;
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
        Shape::Json => json::rows(out, rows, None)?,
        Shape::Fields(separator) => fields::rows(out, args.level, rows, None, separator)?,
    }
    out.flush()
}

/// Writes the counts of one interval; `when` is its end.
pub(crate) fn interval(
    out: &mut dyn Write,
    args: &Args,
    rows: &[Row<'_>],
    when: Duration,
    is_first: bool,
) -> io::Result<()> {
    match &args.shape {
        Shape::Text => text::interval(out, args, rows, when, is_first)?,
        Shape::Json => json::rows(out, rows, Some(when))?,
        Shape::Fields(separator) => fields::rows(out, args.level, rows, Some(when), separator)?,
    }
    out.flush()
}
