//! Rows of the CSV files beside the map file: `cpus.csv`, `fallback.csv`, `former.csv`,
//! `lacks.csv`.
//! jevents reads none of them.

use std::borrow::Cow;

use super::record;
use super::{controls, field_offset, open_quote};
use crate::faults::{Faults, Place, narrow};
use crate::files::{Files, Role};

/// One row.
pub(crate) struct Row<'f> {
    /// Where it begins.
    pub(crate) place: Place,
    text: &'f str,
    fields: Vec<Cow<'f, str>>,
}

impl Row<'_> {
    /// The first columns; none if the row has fewer. Further ones are for readers.
    pub(crate) fn columns<const N: usize>(&self) -> Option<[&str; N]> {
        let mut columns = [""; N];
        for (number, column) in columns.iter_mut().enumerate() {
            *column = self.fields.get(number)?;
        }
        Some(columns)
    }

    /// Where a column begins.
    pub(crate) fn place_of(&self, column: usize) -> Place {
        let at = narrow(field_offset(self.text, column));
        Place { offset: self.place.offset + at, ..self.place }
    }
}

/// Reads the file of a role, if the tree has it. The first line is the header, whatever
/// it contains; empty lines and those that begin with `#` are skipped, as in the map file.
pub(crate) fn read<'f>(files: &'f Files, role: &Role, faults: &mut Faults) -> Vec<Row<'f>> {
    let Some(number) = files.all.iter().position(|file| file.role == *role && file.is_whole) else {
        return Vec::new();
    };
    let text = &files.all[number].text;
    let file = narrow(number);
    controls(text, file, faults);
    let mut rows = Vec::new();
    let mut start = 0;
    for (line, whole) in text.split_inclusive('\n').enumerate() {
        let place = Place::new(file, start);
        start += whole.len();
        let text = whole.trim_end_matches(['\n', '\r']);
        if line == 0 || text.is_empty() || text.starts_with('#') {
            continue;
        }
        if let Some(quote) = open_quote(text) {
            let message = "this quote is never closed";
            faults.error(Place::new(file, place.offset as usize + quote), message);
            continue;
        }
        if let Some(record) = record::next(text, 0) {
            rows.push(Row { place, text, fields: record.fields });
        }
    }
    rows
}
