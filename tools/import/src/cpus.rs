//! `cpus.csv` and `fallback.csv`: CPUs and the directories of their models.

use crate::arch::Cpus;
use crate::csv_file;
use crate::json::File;
use crate::problem::{Place, Problems};

/// The file of an architecture, and of its overlay, with the CPUs of each model.
pub const MADE: &str = "cpus.csv";

/// The file with the models of CPUs that no row of the map file matches.
pub const FALLBACK: &str = "fallback.csv";

const HEADER: [&str; 3] = ["CPUID", "Directory", "Source"];

/// Reads either file.
pub(crate) fn read(file: &File, problems: &mut Problems) -> Vec<(Place, Cpus)> {
    let rows = csv_file::rows(file, HEADER, problems).into_iter();
    rows.map(|(place, [pattern, directory, source])| (place, Cpus { pattern, directory, source }))
        .collect()
}

/// Either file.
pub(crate) fn render(rows: &[Cpus]) -> String {
    let rows = rows.iter().map(|Cpus { pattern, directory, source }| [pattern, directory, source]);
    csv_file::text(HEADER, rows)
}
