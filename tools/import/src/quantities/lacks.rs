//! `lacks.csv`: metrics that models lack, and why.

use crate::csv_file;
use crate::json::File;
use crate::problem::Problems;

/// The file of an architecture.
pub const FILE: &str = "lacks.csv";

const HEADER: [&str; 3] = ["Metric", "Models", "Reason"];

/// A row: a metric that some models lack.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lack {
    /// The metric.
    pub metric: String,
    /// The reason, as a sentence.
    pub reason: String,
    /// The models.
    pub models: Vec<String>,
}

/// Reads the file.
#[must_use]
pub fn read(file: &File, problems: &mut Problems) -> Vec<Lack> {
    let rows = csv_file::rows(file, HEADER, problems).into_iter();
    rows.map(|(_, [metric, models, reason])| Lack {
        metric,
        reason,
        models: models.split(' ').map(str::to_owned).collect(),
    })
    .collect()
}

/// The text of the file.
#[must_use]
pub fn render(rows: &[Lack]) -> String {
    let row =
        |Lack { metric, reason, models }: &Lack| [metric.clone(), models.join(" "), reason.clone()];
    csv_file::text(HEADER, rows.iter().map(row))
}
