//! Records as text: one per line, with keys in a fixed order and no spaces,
//! since there are some fifty thousand lines.

use std::collections::BTreeMap;

use crate::arch::Row;
use crate::csv_file;
use crate::json::{length_of_string, push_string};
use crate::record::Record;

/// One object, on one line.
#[must_use]
pub fn record(record: &Record) -> String {
    let mut out = String::from("{");
    for (n, (key, value)) in record.fields().enumerate() {
        if n > 0 {
            out.push(',');
        }
        push_string(&mut out, key);
        out.push(':');
        push_string(&mut out, value);
    }
    out.push('}');
    out
}

/// The bytes of that line.
#[must_use]
pub fn length(record: &Record) -> usize {
    let fields = record.fields().map(|(key, value)| {
        // A colon, and a comma or the last brace.
        length_of_string(key) + length_of_string(value) + 2
    });
    1 + fields.sum::<usize>().max(1)
}

/// A file of records.
#[must_use]
pub fn records(records: &[Record]) -> String {
    let lines: Vec<String> = records.iter().map(record).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// A file of group descriptions.
#[must_use]
pub fn groups(groups: &BTreeMap<String, String>) -> String {
    let line = |(name, description): (&String, &String)| {
        let mut line = String::new();
        push_string(&mut line, name);
        line.push(':');
        push_string(&mut line, description);
        line
    };
    let lines: Vec<String> = groups.iter().map(line).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// A map file. Its first line is a header, whatever it says.
#[must_use]
pub fn map_file(rows: &[Row]) -> String {
    let rows = rows.iter().map(|row| [&row.pattern, &row.version, &row.directory, &row.kind]);
    csv_file::text(["Family-model", "Version", "Filename", "EventType"], rows)
}
