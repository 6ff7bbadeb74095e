//! Where the facts of each model come from.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::arch::{Arch, Origin, Origins};
use crate::json::File;
use crate::problem::{Place, Problems};

/// The file of an architecture that says so.
pub const FILE: &str = "sources.csv";

const HEADER: [&str; 4] = ["Directory", "Source", "Version", "Date"];

/// Reads the file of an architecture.
pub(crate) fn read(file: &File, problems: &mut Problems) -> Origins {
    let mut origins = Origins::new();
    for (place, [directory, source, version, date]) in rows(file, HEADER, problems) {
        let origin = Origin { source, version, date };
        if origins.insert(directory.clone(), origin).is_some() {
            problems.error(place, format!("duplicate directory `{directory}`"));
        }
    }
    origins
}

/// The file of an architecture.
pub(crate) fn render(origins: &Origins) -> String {
    let rows = origins.iter().map(|(directory, origin)| {
        [directory, &origin.source, &origin.version, &origin.date].map(String::as_str)
    });
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    for row in std::iter::once(HEADER).chain(rows) {
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

/// A publication that facts are taken from: a row of `overlay/sources.csv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publication {
    /// The name by which the command line refers to it, such as `linux-6.17`.
    pub key: String,
    /// Its name.
    pub name: String,
    /// The version.
    pub version: String,
    /// The day of that version, as `YYYY-MM-DD`.
    pub date: String,
    /// The parts from which facts are taken.
    pub part: String,
    /// The licence of these parts.
    pub licence: String,
    /// What is taken, and the file with a notice that is to be kept, if there is
    /// one.
    pub taken: String,
    /// The architectures that are written by hand and have it for their source.
    pub architectures: String,
}

const COLUMNS: [&str; 8] =
    ["Key", "Name", "Version", "Date", "Part", "Licence", "Taken", "Architectures"];

/// Reads `sources.csv` of an overlay; nothing if there is none.
pub fn publications(overlay: &Path, problems: &mut Problems) -> Vec<Publication> {
    let path = overlay.join(FILE);
    let Ok(text) = fs::read_to_string(&path) else {
        return Vec::new();
    };
    let file = File::new(&path.to_string_lossy(), &text);
    let rows = rows(&file, COLUMNS, problems);
    rows.into_iter()
        .map(|(_, [key, name, version, date, part, licence, taken, architectures])| Publication {
            key,
            name,
            version,
            date,
            part,
            licence,
            taken,
            architectures,
        })
        .collect()
}

impl Publication {
    /// Says of all directories of an architecture that they come from here.
    /// perfmon has a version for each model.
    pub fn mark(&self, arch: &mut Arch, has_versions: bool) {
        for directory in arch.tables.keys().filter(|directory| !directory.is_empty()) {
            let row = arch.rows.iter().find(|row| row.directory == *directory);
            let version = match row.filter(|_| has_versions) {
                Some(row) => row.version.to_ascii_uppercase(),
                None => self.version.clone(),
            };
            let origin = Origin { source: self.name.clone(), version, date: self.date.clone() };
            arch.origins.insert(directory.clone(), origin);
        }
    }

    fn is_source_of(&self, architecture: &str, origins: &Origins) -> bool {
        self.architectures.split(' ').any(|name| name == architecture)
            || origins.values().any(|own| own.source == self.name && own.date == self.date)
    }
}

/// The texts for the crate with the trees: `sources.rs` and `SOURCES.md`, from the
/// origins in each architecture and what the page says of single CPUs.
#[must_use]
pub fn of_crate(
    publications: &[Publication],
    architectures: &BTreeMap<String, Origins>,
    cpus: &str,
) -> [(&'static str, String); 2] {
    let is_used = |publication: &&Publication| {
        architectures.iter().any(|(name, origins)| publication.is_source_of(name, origins))
    };
    let used: Vec<&Publication> = publications.iter().filter(is_used).collect();
    [("sources.rs", code(&used, architectures)), ("SOURCES.md", page(&used, architectures) + cpus)]
}

fn code(used: &[&Publication], architectures: &BTreeMap<String, Origins>) -> String {
    let mut out = "//! The trees and their sources. `tools/import` writes this file.\n\n\
                   use crate::{Source, Tree};\n\n"
        .to_owned();
    let name = |publication: &Publication| {
        publication.key.to_ascii_uppercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_")
    };
    for publication in used {
        let _ = writeln!(out, "const {}: Source = Source {{", name(publication));
        for (field, value) in [
            ("name", &publication.name),
            ("version", &publication.version),
            ("date", &publication.date),
            ("part", &publication.part),
            ("licence", &publication.licence),
        ] {
            let _ = writeln!(out, "    {field}: {value:?},");
        }
        out += "};\n\n";
    }
    out += "/// Every tree, sorted by name.\npub const TREES: &[Tree] = &[\n";
    for (architecture, origins) in architectures {
        let its = used.iter().filter(|publication| publication.is_source_of(architecture, origins));
        let its: Vec<String> = its.map(|publication| name(publication)).collect();
        let sources = its.join(", ");
        let fields = [format!("name: {architecture:?}"), format!("sources: &[{sources}]")];
        let line = format!("    Tree {{ {} }},\n", fields.join(", "));
        // As rustfmt has them.
        out += &match line.trim_end().len() <= 100 {
            true => line,
            false => format!("    Tree {{\n        {},\n    }},\n", fields.join(",\n        ")),
        };
    }
    out + "];\n"
}

fn page(used: &[&Publication], architectures: &BTreeMap<String, Origins>) -> String {
    let mut out = "# Sources\n\n\
        Names, codes, counters and errata of the events are facts from these publications. Descriptions and metrics\n\
        are not: they are written for this project. `tools/import` writes this page.\n\n\
        | publication | version | date | part | licence | what is taken |\n\
        |---|---|---|---|---|---|\n"
        .to_owned();
    for Publication { name, version, date, part, licence, taken, .. } in used {
        let _ = writeln!(out, "| {name} | {version} | {date} | `{part}` | {licence} | {taken} |");
    }
    for (architecture, origins) in architectures.iter().filter(|(_, origins)| !origins.is_empty()) {
        let _ = write!(out, "\n## {architecture}\n\n| model | source |\n|---|---|\n");
        for (directory, Origin { source, version, date }) in origins {
            let _ = writeln!(out, "| `{directory}` | {source} {version} ({date}) |");
        }
    }
    out
}
