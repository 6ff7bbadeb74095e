//! `cpus.csv` and `fallback.csv`: for which CPUs models were made, and which models CPUs
//! have that no row of the map file matches. jevents does not read them.

use std::sync::Arc;

use crate::fault::{Candidates, Faults, Message, Place, narrow, quoted};
use crate::files::{Files, Role};
use crate::mapfile::{controls, field_offset, open_quote};

/// The columns, for messages. Further ones are for readers.
const COLUMNS: &str = "pattern, directory";

/// A row of either file: CPUs and a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cpus {
    pub(crate) pattern: String,
    pub(crate) directory: String,
    /// Where the row begins.
    pub(crate) place: Place,
    /// The place of the directory's name.
    pub(crate) directory_place: Place,
}

/// The rows of both files.
#[derive(Default)]
pub(crate) struct Statements {
    /// Those of `cpus.csv`.
    pub(crate) made: Vec<Cpus>,
    /// Those of `fallback.csv`.
    pub(crate) fallbacks: Vec<Cpus>,
}

/// Reads both files.
pub(crate) fn read(files: &Files, faults: &mut Faults) -> Statements {
    let mut rows = |role| match files.all.iter().position(|file| file.role == role) {
        Some(number) if files.all[number].is_whole => file(files, number, faults),
        _ => Vec::new(),
    };
    Statements { made: rows(Role::Cpus), fallbacks: rows(Role::Fallback) }
}

/// The first line is the header, whatever it contains; empty lines and those that begin
/// with `#` are skipped, as in the map file.
fn file(files: &Files, number: usize, faults: &mut Faults) -> Vec<Cpus> {
    let text = &files.all[number].text;
    let file = narrow(number);
    controls(text, file, faults);
    let candidates: Candidates = Arc::new(files.all_directories.keys().cloned().collect());
    let mut rows = Vec::new();
    let mut start = 0;
    for (line, whole) in text.split_inclusive('\n').enumerate() {
        let place = Place::new(file, start);
        start += whole.len();
        let row = whole.trim_end_matches(['\n', '\r']);
        if line == 0 || row.is_empty() || row.starts_with('#') {
            continue;
        }
        if let Some(quote) = open_quote(row) {
            let message = "this quote is never closed";
            faults.error(Place::new(file, place.offset as usize + quote), message);
            continue;
        }
        let mut reader =
            csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(row.as_bytes());
        let mut record = csv::StringRecord::new();
        if let Err(error) = reader.read_record(&mut record) {
            faults.error(place, format!("invalid CSV: {error}"));
            continue;
        }
        let (Some(pattern), Some(directory)) = (record.get(0), record.get(1)) else {
            faults.error(place, format!("has one of the two columns: {COLUMNS}"));
            continue;
        };
        let at = narrow(field_offset(row, 1));
        let directory_place = Place { offset: place.offset + at, ..place };
        if !files.all_directories.contains_key(directory) {
            let message = Message::from(format!("unknown model directory {}", quoted(directory)))
                .suggest(directory, &candidates);
            faults.error(directory_place, message);
            continue;
        }
        rows.push(Cpus {
            pattern: pattern.to_owned(),
            directory: directory.to_owned(),
            place,
            directory_place,
        });
    }
    rows
}
