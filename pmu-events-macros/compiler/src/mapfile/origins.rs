//! `sources.csv`: where the facts of each model come from. jevents does not read it.

use std::collections::HashMap;

use crate::faults::{Faults, Place, narrow, quoted};
use crate::files::{Files, Role};

const COLUMNS: &str = "directory, source, version, date";

/// The source of each directory, as `perfmon V1.40 (2026-08-13)`.
pub(crate) fn read(files: &Files, faults: &mut Faults) -> HashMap<String, String> {
    let mut origins = HashMap::new();
    let Some(number) = files.all.iter().position(|file| file.role == Role::Origins) else {
        return origins;
    };
    let file = &files.all[number];
    let mut start = 0;
    for (line, text) in file.text.split_inclusive('\n').enumerate() {
        let place = Place::new(narrow(number), start);
        start += text.len();
        let text = text.trim_end();
        // The first line is the header.
        if line == 0 || text.is_empty() {
            continue;
        }
        let [directory, name, version, date] = text.split(',').collect::<Vec<_>>()[..] else {
            faults.warning(place, format!("expected four columns, {COLUMNS}"));
            continue;
        };
        if !files.all_directories.contains_key(directory) {
            faults.warning(place, format!("unknown model directory {}", quoted(directory)));
            continue;
        }
        origins.insert(directory.to_owned(), format!("{name} {version} ({date})"));
    }
    origins
}
