//! `cpus.csv` and `fallback.csv`: for which CPUs models were made, and which models CPUs
//! have that no row of the map file matches.

use std::sync::Arc;

use super::beside;
use super::former::{self, Former};
use super::lacks::{self, Lack};
use crate::faults::{Candidates, Faults, Message, Place, quoted};
use crate::files::{Files, Role};

/// The columns, for messages.
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

/// The rows of the files beside the map file.
#[derive(Default)]
pub(crate) struct Statements {
    /// Those of `cpus.csv`.
    pub(crate) made: Vec<Cpus>,
    /// Those of `fallback.csv`.
    pub(crate) fallbacks: Vec<Cpus>,
    /// Those of `former.csv`.
    pub(crate) former: Vec<Former>,
    /// Those of `lacks.csv`.
    pub(crate) lacks: Vec<Lack>,
}

/// Reads the files.
pub(crate) fn read(files: &Files, faults: &mut Faults) -> Statements {
    Statements {
        made: rows(files, &Role::Cpus, faults),
        fallbacks: rows(files, &Role::Fallback, faults),
        former: former::read(files, faults),
        lacks: lacks::read(files, faults),
    }
}

fn rows(files: &Files, role: &Role, faults: &mut Faults) -> Vec<Cpus> {
    let candidates: Candidates = Arc::new(files.all_directories.keys().cloned().collect());
    let mut rows = Vec::new();
    for row in beside::read(files, role, faults) {
        let Some([pattern, directory]) = row.columns() else {
            faults.error(row.place, format!("has one of the two columns: {COLUMNS}"));
            continue;
        };
        let directory_place = row.place_of(1);
        if !files.all_directories.contains_key(directory) {
            let message = Message::from(format!("unknown model directory {}", quoted(directory)))
                .suggest(directory, &candidates);
            faults.error(directory_place, message);
            continue;
        }
        rows.push(Cpus {
            pattern: pattern.to_owned(),
            directory: directory.to_owned(),
            place: row.place,
            directory_place,
        });
    }
    rows
}
