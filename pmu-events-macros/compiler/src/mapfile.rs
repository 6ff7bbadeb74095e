//! `mapfile.csv`: which CPUs have which model.

use crate::fault::{Faults, Place};
use crate::source::{Role, Source};

/// One row: CPUs that match the pattern have the events of the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) pattern: String,
    pub(crate) directory: String,
    /// Where the row begins.
    pub(crate) place: Place,
    /// Where the directory's name stands.
    pub(crate) directory_place: Place,
}

/// Reads the rows, as jevents does: the first line is the header, whatever it
/// holds; empty rows and those that begin with `#` are passed over.
///
/// Two trees of the kernel have no map file; their rows stand in jevents
/// itself (`print_mapping_table`).
pub(crate) fn read(source: &Source, faults: &mut Faults) -> Vec<Row> {
    let map = source.files.iter().position(|file| file.role == Role::Map);
    let Some(number) = map else {
        let no_file = "has no mapfile.csv: it is not the directory of an architecture";
        let fixed = match source.arch.as_str() {
            "test" => ("testcpu", "test_soc/cpu"),
            "common" => ("common", "common"),
            _ => ("", ""),
        };
        if !source.all_directories.iter().any(|directory| directory == fixed.1) {
            faults.error_at_path(&source.root, no_file);
            return Vec::new();
        }
        let place = Place { file: 0, offset: 0 };
        return vec![Row {
            pattern: fixed.0.to_owned(),
            directory: fixed.1.to_owned(),
            place,
            directory_place: place,
        }];
    };
    let text = &source.files[number].text;
    if !source.files[number].is_whole {
        return Vec::new(); // What is wrong with it has been reported.
    }
    let file = number as u32;
    // The csv reader passes over empty lines, but an empty first line is a
    // header too.
    let header = text.find('\n').map_or(text.len(), |at| at + 1);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .from_reader(&text.as_bytes()[header..]);
    let mut rows = Vec::new();
    let mut record = csv::StringRecord::new();
    loop {
        let start = header + reader.position().byte() as usize;
        match reader.read_record(&mut record) {
            Ok(false) => return rows,
            Ok(true) => {}
            Err(error) => {
                let offset = error.position().map_or(start, |at| header + at.byte() as usize);
                faults.error(Place { file, offset: offset as u32 }, format!("is no CSV: {error}"));
                return rows;
            }
        }
        // Where the record is, past comments and empty lines before it.
        let at = record.position().map_or(start, |at| header + at.byte() as usize);
        let at = at + text[at..].bytes().take_while(|b| matches!(b, b'\r' | b'\n')).count();
        let place = Place { file, offset: at as u32 };
        let pattern = record.get(0).unwrap_or_default().to_owned();
        let Some(directory) = record.get(2) else {
            faults.error(
                place,
                format!(
                    "has {} of the four columns: pattern, version, directory, type",
                    record.len()
                ),
            );
            continue;
        };
        let within = field_offset(&text[at..], 2);
        let directory_place = Place { file, offset: (at + within) as u32 };
        if directory.is_empty() {
            faults.error(directory_place, "the row names no directory");
            continue;
        }
        rows.push(Row { pattern, directory: directory.to_owned(), place, directory_place });
    }
}

/// Where the `n`th field of a row begins, behind its quote if it has one.
fn field_offset(row: &str, n: usize) -> usize {
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
