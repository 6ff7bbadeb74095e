//! The three outputs.

mod fields;
mod json;
mod text;

use std::io::{self, Write};
use std::time::Duration;

use crate::linux::args::{Args, Shape};
use crate::linux::rows::{Row, Runs};

/// Beside the rows.
pub(crate) struct Summary<'s> {
    /// What was counted: a command or tasks.
    pub(crate) subject: &'s str,
    pub(crate) runs: &'s Runs,
    /// What the command has spent in user space and in the kernel.
    pub(crate) spent: Option<(Duration, Duration)>,
    /// What has to be said of single events.
    pub(crate) notes: &'s [String],
}

/// What the end of a run looks like.
pub(crate) fn summary(
    out: &mut dyn Write,
    args: &Args,
    rows: &[Row<'_>],
    summary: &Summary<'_>,
) -> io::Result<()> {
    match &args.shape {
        Shape::Text => text::summary(out, args, rows, summary)?,
        Shape::Json => json::rows(out, rows, None)?,
        Shape::Fields(separator) => fields::rows(out, rows, None, separator)?,
    }
    out.flush()
}

/// What has come in one interval; `when` is its end.
pub(crate) fn interval(
    out: &mut dyn Write,
    args: &Args,
    rows: &[Row<'_>],
    when: Duration,
    is_first: bool,
) -> io::Result<()> {
    match &args.shape {
        Shape::Text => text::interval(out, rows, when, is_first)?,
        Shape::Json => json::rows(out, rows, Some(when))?,
        Shape::Fields(separator) => fields::rows(out, rows, Some(when), separator)?,
    }
    out.flush()
}
