//! Files of rows whose first one names the columns.

use crate::json::File;
use crate::problem::{Place, Problems};

/// The text of a file.
pub(crate) fn text<const N: usize>(
    header: [&str; N],
    rows: impl IntoIterator<Item = [impl AsRef<[u8]>; N]>,
) -> String {
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    writer.write_record(header).expect("memory takes it");
    for row in rows {
        writer.write_record(row).expect("memory takes it");
    }
    let bytes = writer.into_inner().expect("memory takes it");
    String::from_utf8(bytes).expect("it was made of strings")
}

/// The rows of a CSV file whose header is known.
pub(crate) fn rows<const N: usize>(
    file: &File,
    header: [&str; N],
    problems: &mut Problems,
) -> Vec<(Place, [String; N])> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(file.text().as_bytes());
    let mut rows = Vec::new();
    for (number, record) in reader.records().enumerate() {
        let line = match &record {
            Ok(record) => record.position().map(|at| at.line()),
            Err(error) => error.position().map(|at| at.line()),
        };
        let line = line.and_then(|line| usize::try_from(line).ok()).unwrap_or_default();
        let place = Place { path: file.path().to_owned(), line, column: 1 };
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                problems.error(place, format!("invalid CSV: {error}"));
                break;
            }
        };
        let row: Vec<String> = record.iter().map(str::to_owned).collect();
        match <[String; N]>::try_from(row) {
            Ok(row) if number == 0 && row == header => {}
            Ok(row) if number > 0 => rows.push((place, row)),
            Err(row) if number > 0 => problems.error(place, of_other_length(&row, &header)),
            _ => problems.error(place, format!("expected the columns {}", header.join(","))),
        }
    }
    rows
}

fn of_other_length(row: &[String], header: &[&str]) -> String {
    let name = row.first().map_or("", String::as_str);
    match header.get(row.len()..) {
        Some(missing) => {
            format!("the row `{name}` is too short: it lacks {}", missing.join(", "))
        }
        None => format!(
            "the row `{name}` has {} columns, not {}: {}",
            row.len(),
            header.len(),
            header.join(", ")
        ),
    }
}
