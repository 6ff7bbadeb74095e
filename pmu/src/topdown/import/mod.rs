//! Counts from a file that `perf stat` or `pmu stat` has written, with -x or -j.
//!
//! | module | contents |
//! |---|---|
//! | [`record`] | what a line says |
//! | [`fields`], [`json`](mod@json) | the two kinds of lines |
//! | [`table`] | counts by time, place and event |
//! | [`spelling`], [`encodings`] | an event, however it is written |

mod encodings;
mod fields;
mod json;
mod record;
mod spelling;
mod table;

use std::path::Path;

use pmu_events::__private::file;

use crate::failure::with_sources;
pub(super) use encodings::Encodings;
use record::Record;
pub(super) use table::{Counts, Table};

/// A day of intervals of a second, of all events of a tree.
const LONGEST: usize = 256 << 20;

/// Reads a file. An error names it, and the line.
pub(super) fn read(path: &Path) -> Result<Table, String> {
    let shown = path.display();
    let bytes = file::of_user(path, LONGEST).map_err(|problem| with_sources(&problem))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{shown}: is not UTF-8"))?;
    parse(&text).map_err(|fault| format!("{shown}{fault}"))
}

/// An error follows the name of the file.
fn parse(text: &str) -> Result<Table, String> {
    let is_of_counts = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    let Some(first) = text.lines().find(is_of_counts) else {
        return Err(": has no counts".into());
    };
    let is_json = first.trim_start().starts_with('{');
    let separator = if is_json { None } else { fields::separator(first) };
    let mut records: Vec<Record> = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| is_of_counts(line)) {
        let record = match (is_json, separator) {
            (true, _) => json::record(line),
            (false, Some(separator)) => fields::record(line, separator),
            (false, None) => Err("expected a line of `perf stat -x` or `-j`".into()),
        };
        records.extend(record.map_err(|fault| format!(":{number}: {fault}"))?);
    }
    match records.is_empty() {
        true => Err(": has no counts".into()),
        false => Ok(Table::new(records)),
    }
}

#[cfg(test)]
mod tests;
