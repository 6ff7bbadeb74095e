//! `lacks.csv`: metrics that models of other CPUs have, and why these models cannot have them.

use super::beside;
use crate::faults::{Faults, Place};
use crate::files::{Files, Role};

/// The columns, for messages.
const COLUMNS: &str = "metric, models, reason";

/// A row: a metric that some models lack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lack {
    pub(crate) metric: String,
    /// Globs of models, with spaces between them.
    pub(crate) models: String,
    pub(crate) reason: String,
    /// Where the row begins.
    pub(crate) place: Place,
    /// The place of the models.
    pub(crate) models_place: Place,
}

/// Reads the file.
pub(crate) fn read(files: &Files, faults: &mut Faults) -> Vec<Lack> {
    let mut rows = Vec::new();
    for row in beside::read(files, &Role::Lacks, faults) {
        let Some([metric, models, reason]) = row.columns() else {
            faults.error(row.place, format!("has too few columns: {COLUMNS}"));
            continue;
        };
        if metric.is_empty() || models.is_empty() || reason.is_empty() {
            faults.error(row.place, format!("has an empty column: {COLUMNS}"));
            continue;
        }
        // The packed form has a tab behind the name, and one line for each metric.
        if [metric, models, reason].iter().any(|text| text.contains(['\t', '\n'])) {
            faults.error(row.place, "has a tab or a line feed in a column");
            continue;
        }
        rows.push(Lack {
            metric: metric.to_owned(),
            models: models.to_owned(),
            reason: reason.to_owned(),
            models_place: row.place_of(1),
            place: row.place,
        });
    }
    rows
}
