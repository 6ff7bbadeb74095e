//! The table of how many metrics each model has, here and in the sources.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::arch::{self, Arch};
use crate::record::Record;
use crate::sources::Counts;

/// The file below `arch/`.
pub const FILE: &str = "METRICS.md";

/// Metrics that a kernel tree has twice under one name, and what became of the second:
/// the architecture, the model, the name.
pub const REPEATED: &[(&str, &str, &str, &str)] = &[
    ("arm64", "freescale/imx95", "imx95_ddr_read.jpeg_dec", IMX95),
    ("powerpc", "power10", "DISPATCH_STALL_FETCH_CPI", SAME),
    ("x86", "amdzen4", "umc_cas_cmd_rate", SAME),
    ("x86", "amdzen4", "umc_cas_cmd_read_ratio", SAME),
];

const SAME: &str = "the same formula";
const IMX95: &str = "by its formula, it is what the encoder reads: `imx95_ddr_read.jpeg_enc` here";

/// A row: the numbers that the sources have, and ours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Of the vendor's publication.
    pub vendor: usize,
    /// Of the kernel tree.
    pub kernel: usize,
    /// Taken from a source.
    pub taken: usize,
    /// Our names of those.
    pub alias: usize,
    /// Only here.
    pub own: usize,
}

/// Rows by architecture and model.
pub type Table = BTreeMap<(String, String), Row>;

/// Counts the metrics of an architecture.
pub fn count(arch: &Arch, table: &mut Table) {
    for (directory, files) in arch.tables.iter().filter(|(directory, _)| !directory.is_empty()) {
        let metrics = |own: bool| {
            let files = files.iter().filter(move |(file, _)| (*file == arch::OWN_METRICS) == own);
            let records = files.flat_map(|(_, records)| records);
            records.filter(|record| record.get("MetricName").is_some())
        };
        let taken: Vec<&Record> = metrics(false).collect();
        let is_alias = |own: &&Record| {
            let formula = own.get("MetricExpr").unwrap_or_default();
            taken.iter().any(|taken| {
                let name = taken.get("MetricName").unwrap_or_default();
                name.eq_ignore_ascii_case(formula) && taken.get("Unit") == own.get("Unit")
            })
        };
        let (all, alias) = (metrics(true).count(), metrics(true).filter(is_alias).count());
        if taken.len() + all > 0 {
            let row = table.entry(key(&arch.name, directory)).or_default();
            row.taken += taken.len();
            row.alias += alias;
            row.own += all - alias;
        }
    }
}

/// Adds the numbers of the sources.
pub fn add_sources(arch: &str, counts: &Counts, table: &mut Table) {
    for (directory, &(vendor, kernel)) in counts {
        let row = table.entry(key(arch, directory)).or_default();
        row.vendor += vendor;
        row.kernel += kernel;
    }
}

/// Adds the numbers of the sources that a text says.
pub fn keep_sources(text: &str, table: &mut Table) {
    for (key, said) in read(text) {
        if let Some(row) = table.get_mut(&key) {
            (row.vendor, row.kernel) = (said.vendor, said.kernel);
        }
    }
}

/// The rows of a text.
#[must_use]
pub fn read(text: &str) -> Table {
    let mut table = Table::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")) {
        let cells: Vec<&str> = line.split(" | ").collect();
        let [arch, model, vendor, kernel, taken, alias, own] = cells[..] else {
            continue;
        };
        // The heading has no numbers.
        let number = |cell: &str| if cell == "-" { Some(0) } else { cell.parse().ok() };
        let numbers = [vendor, kernel, taken, alias, own].map(number);
        if let [Some(vendor), Some(kernel), Some(taken), Some(alias), Some(own)] = numbers {
            let row = Row { vendor, kernel, taken, alias, own };
            table.insert((arch.to_owned(), model.to_owned()), row);
        }
    }
    table
}

fn key(arch: &str, directory: &str) -> (String, String) {
    (arch.to_owned(), arch::owner(directory).to_owned())
}

/// The text of the file.
#[must_use]
pub fn text(table: &Table) -> String {
    let mut out = String::from(
        "# Metrics by model\n\n\
         Written by `tools/import`. The first two numbers are those that the vendor's own\n\
         publication (Intel's perfmon, Arm's telemetry) and the kernel tree have for the model.\n\
         `pmu list metrics` lists the sum of the other three: those that this crate has from\n\
         either source, each name once; names of ours for some of these, under which models of\n\
         other makers have the same; and quantities that only this crate has. All have a\n\
         sentence.\n\n\
         | architecture | model | vendor | Linux | from either | our names | only here |\n\
         |---|---|--:|--:|--:|--:|--:|\n",
    );
    let shown = |number: usize| if number == 0 { "-".to_owned() } else { number.to_string() };
    for ((arch, model), row) in table {
        let numbers =
            [row.vendor, row.kernel, row.taken, row.alias, row.own].map(shown).join(" | ");
        let _ = writeln!(out, "| {arch} | {model} | {numbers} |");
    }
    out += "\nA name that a kernel tree has twice is here once:\n\n\
            | architecture | model | metric | the second |\n|---|---|---|---|\n";
    for (arch, model, metric, second) in REPEATED {
        let _ = writeln!(out, "| {arch} | {model} | `{metric}` | {second} |");
    }
    out
}
