//! Where the facts of each model come from.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::arch::{Arch, Origin, Origins};
use crate::csv_file;
use crate::json::File;
use crate::problem::Problems;

/// The file of an architecture that says so.
pub const FILE: &str = "sources.csv";

const HEADER: [&str; 4] = ["Directory", "Source", "Version", "Date"];

/// Reads the file of an architecture.
pub(crate) fn read(file: &File, problems: &mut Problems) -> Origins {
    let mut origins = Origins::new();
    for (place, [directory, source, version, date]) in csv_file::rows(file, HEADER, problems) {
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
    csv_file::text(HEADER, rows)
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
    let rows = csv_file::rows(&file, COLUMNS, problems);
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
