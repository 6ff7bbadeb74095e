//! `mapfile.csv`: which CPUs have which model; and the tables beside it, which jevents
//! does not read.

mod beside;
pub(crate) mod cpus;
pub(crate) mod former;
pub(crate) mod lacks;
pub(crate) mod origins;
mod record;

use crate::faults::obeyed::is_obeyed;
use crate::faults::{Faults, Place, narrow, quoted};
use crate::files::{Files, Role};

/// One row: CPUs that match the pattern have the events of the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) pattern: String,
    pub(crate) directory: String,
    /// Where the row begins.
    pub(crate) place: Place,
    /// The place of the directory's name.
    pub(crate) directory_place: Place,
    /// The number of columns; four are expected, jevents reads three.
    pub(crate) columns: usize,
}

/// The rows of a tree.
#[derive(Default)]
pub(crate) struct Rows {
    pub(crate) rows: Vec<Row>,
    /// Whether these are all rows: missing ones have been reported.
    pub(crate) is_whole: bool,
}

/// The columns, for messages.
pub(crate) const COLUMNS: &str = "pattern, version, directory, type";

/// The one type of events that map files of kernel trees have.
const TYPE: &str = "core";

/// Reads the rows, as jevents does: the first line is the header, whatever it
/// contains; empty rows and those that begin with `#` are skipped.
///
/// Two trees of the kernel have no map file; their rows are in jevents itself
/// (`print_mapping_table`).
pub(crate) fn read(files: &Files, faults: &mut Faults) -> Rows {
    let map = files.all.iter().position(|file| file.role == Role::Map);
    let Some(number) = map else {
        let no_file = "has no mapfile.csv: it is not the directory of an architecture";
        let fixed = match files.arch.as_str() {
            "test" => ("testcpu", "test_soc/cpu"),
            "common" => ("common", "common"),
            _ => ("", ""),
        };
        if !files.all_directories.contains_key(fixed.1) {
            faults.unread_path(&files.root, no_file);
            return Rows::default();
        }
        // It is in jevents.
        let place = Place::NOWHERE;
        let row = Row {
            pattern: fixed.0.to_owned(),
            directory: fixed.1.to_owned(),
            place,
            directory_place: place,
            columns: 4,
        };
        return Rows { rows: vec![row], is_whole: true };
    };
    let text = &files.all[number].text;
    if !files.all[number].is_whole {
        return Rows::default(); // What is wrong with it has been reported.
    }
    let file = narrow(number);
    // Empty lines are skipped, but an empty first line is a header too.
    let header = text.find('\n').map_or(text.len(), |at| at + 1);
    controls(text, file, faults);
    likely_row(text[..header].trim(), file, files, faults);
    let mut rows = Vec::new();
    let (mut is_whole, mut end) = (true, header);
    while let Some(record) = record::next(text, end) {
        end = record.end;
        let (at, record) = (record.start, record.fields);
        let place = Place::new(file, at);
        if let Some(quote) = open_quote(&text[at..]) {
            faults.error(Place::new(file, at + quote), "this quote is never closed");
            return Rows { rows, is_whole: false };
        }
        let pattern = record.first().map_or_else(String::new, |field| field.clone().into_owned());
        let Some(directory) = record.get(2) else {
            let message = format!("has {} of the four columns: {COLUMNS}", record.len());
            faults.error(place, message);
            is_whole = false;
            continue;
        };
        let within = field_offset(&text[at..], 2);
        let directory_place = Place::new(file, at + within);
        if directory.is_empty() {
            faults.error(directory_place, "the row names no directory");
            is_whole = false;
            continue;
        }
        // No reader uses these columns, so that a mistake in them would stay unseen.
        let column = |n| Place::new(file, at + field_offset(&text[at..], n));
        if record.get(1).is_some_and(|version| version.trim().is_empty()) {
            faults.warning(column(1), "the row has no version");
        }
        if let Some(kind) = record.get(3).filter(|kind| kind.trim() != TYPE) {
            let message = format!("unknown type {}: expected `{TYPE}`", quoted(kind));
            faults.warning(column(3), message);
        }
        let (directory, columns) = (directory.clone().into_owned(), record.len());
        rows.push(Row { pattern, directory, place, directory_place, columns });
    }
    Rows { rows, is_whole }
}

/// Reports control characters: of a line, none has more than spaces and its end.
pub(crate) fn controls(text: &str, file: u32, faults: &mut Faults) {
    let is_odd = |c: char| is_obeyed(c) && c != '\r';
    for (at, c) in text.match_indices(is_odd) {
        let code = c.chars().next().map_or(0, u32::from);
        faults.error(Place::new(file, at), format!("the control character U+{code:04X}"));
    }
}

/// Where a quote begins a field of the row and is never closed: all rows behind it would
/// be part of the field.
pub(crate) fn open_quote(row: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        if row[at..].starts_with('"') {
            let start = at;
            at += 1;
            loop {
                let Some(quote) = row[at..].find('"') else { return Some(start) };
                at += quote + 1;
                if !row[at..].starts_with('"') {
                    break;
                }
                // Two of them stand for one.
                at += 1;
            }
        }
        at += row[at..].find([',', '\n'])?;
        if row[at..].starts_with('\n') {
            return None;
        }
        at += 1;
    }
}

/// Warns of a map file without header, whose first row is lost.
fn likely_row(header: &str, file: u32, files: &Files, faults: &mut Faults) {
    let directory = header.split(',').nth(2).unwrap_or_default().trim_matches('"');
    if files.all_directories.contains_key(directory) {
        let message = format!(
            "this row of model {} is not read: the first line is the header",
            quoted(directory)
        );
        faults.warning(Place { file, offset: 0 }, message);
    }
}

/// Where the `n`th field of a row begins, after its quote if it has one.
pub(crate) fn field_offset(row: &str, n: usize) -> usize {
    let (mut commas, mut quoted) = (0, false);
    for (at, byte) in row.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b',' if !quoted => {
                commas += 1;
                if commas == n {
                    let is_quoted = row[at + 1..].starts_with('"');
                    return at + 1 + usize::from(is_quoted);
                }
            }
            _ => {}
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_without_end() {
        for (row, expected) in [
            ("a,b,c\n\"d", None),
            ("a,b,\"c\"\n", None),
            ("a,b,\"c\nd\",e", None),
            ("a,b,\"c\"\"\"", None),
            ("a\",b", None),
            ("", None),
            ("\"a,b\nc", Some(0)),
            ("a,b,c,\"core\nd,e,f,core\n", Some(6)),
            ("a,\"b\"\"", Some(2)),
            ("a,\"", Some(2)),
        ] {
            assert_eq!(open_quote(row), expected, "{row:?}");
        }
    }

    #[test]
    fn offsets_of_fields() {
        let cases = [
            ("a,b,c", 2, 4),
            ("\"a,x\",b,c", 2, 8),
            ("a,b,\"c\"", 2, 5),
            ("a,b,,d", 2, 4),
            ("a", 2, 0),
        ];
        for (row, n, expected) in cases {
            assert_eq!(field_offset(row, n), expected, "{row}");
        }
    }
}
