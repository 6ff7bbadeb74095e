//! `lacks.csv`: metrics that models lack, and why.

use crate::json::File;
use crate::origin;
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
    let rows = origin::rows(file, HEADER, problems).into_iter();
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
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    writer.write_record(HEADER).expect("memory takes it");
    for Lack { metric, reason, models } in rows {
        writer.write_record([metric, &models.join(" "), reason]).expect("memory takes it");
    }
    let bytes = writer.into_inner().expect("memory takes it");
    String::from_utf8(bytes).expect("it was made of strings")
}
