//! Map files beside a program that reads them: perf matches a pattern against the whole CPUID, and a
//! reader that looks for it anywhere takes CPUs for others.
//!
//! This concerns two files: the map file, and the source text that reads it. Both must be among those
//! of a run.

use std::path::Path;

use pmu_events::event::Encoding;

use super::judge::{Judgement, Verdict};
use super::report::{Place, Row};
use crate::failure::Failure;
use crate::trees::Trees;

/// The name of map files (`tools/perf/pmu-events/README`).
const NAME: &str = "mapfile.csv";

/// Calls that find a pattern anywhere in a text, or at its beginning.
const ANYWHERE: [&str; 4] = [".is_match(", "re.match(", "re.search(", ".MatchString("];

/// Where patterns are made, which may be anchored there.
const MADE: [&str; 3] = ["Regex::new(", "re.compile(", "regexp."];

/// Map files and their readers, collected from file to file.
#[derive(Default)]
pub(crate) struct MapFiles {
    maps: Vec<String>,
    reader: Option<Place>,
}

/// A row of a map file.
struct MapRow<'t> {
    line: usize,
    pattern: &'t str,
    directory: &'t str,
}

impl MapFiles {
    /// Notes a file, if it is one or reads one.
    pub(crate) fn note(&mut self, path: &str, text: &str) {
        if Path::new(path).file_name().is_some_and(|name| name == NAME) {
            self.maps.push(path.to_string());
        } else if self.reader.is_none() && text.contains(NAME) {
            self.reader = reader(path, text);
        }
    }

    /// The rows by which a reader takes CPUs for others.
    pub(crate) fn findings(&self, read: impl Fn(&Path) -> Option<String>) -> Vec<Row> {
        let Some(reader) = &self.reader else { return Vec::new() };
        let of_map = |path: &String| {
            let text = read(Path::new(path))?;
            Some(of_map(path, &text, reader))
        };
        self.maps.iter().filter_map(of_map).flatten().collect()
    }
}

/// The call by which a source text looks for a pattern anywhere.
fn reader(path: &str, text: &str) -> Option<Place> {
    let is_anchored =
        |line: &str| line.contains('^') && MADE.iter().any(|call| line.contains(call));
    if text.lines().any(is_anchored) {
        return None;
    }
    text.lines().enumerate().find_map(|(number, line)| {
        let call = ANYWHERE.iter().find(|call| line.contains(*call))?;
        let before = &line[..line.find(call)?];
        let column = before.chars().count() + 1;
        let end = column + call.chars().count();
        Some(Place { path: path.into(), line: number + 1, column, end })
    })
}

fn of_map(path: &str, text: &str, reader: &Place) -> Vec<Row> {
    let rows = rows(text);
    let directory = Path::new(path).parent().unwrap_or(Path::new("."));
    let trees = match Trees::new(Some(directory), Encoding::Correct) {
        Ok(trees) => trees,
        Err(Failure::Missing(_) | Failure::Write(..)) => return Vec::new(),
    };
    let model_of = |cpuid: &str| Some(trees.of_cpu(cpuid)?.directory());
    let mut found: Vec<(&MapRow<'_>, &str, Vec<String>)> = Vec::new();
    for cpuid in cpuids() {
        let Some(right) = model_of(&cpuid) else { continue };
        let row_of = |part: &str| {
            let model = model_of(part)?;
            rows.iter().find(|row| row.directory == model)
        };
        let Some(first) = parts(&cpuid).filter_map(row_of).min_by_key(|row| row.line) else {
            continue;
        };
        if first.directory == right {
            continue;
        }
        match found.iter_mut().find(|(row, of, _)| row.line == first.line && *of == right) {
            Some((.., cpuids)) => cpuids.push(cpuid),
            None => found.push((first, right, vec![cpuid])),
        }
    }
    found
        .into_iter()
        .map(|(row, right, cpuids)| Row {
            place: Place {
                path: path.into(),
                line: row.line,
                column: 1,
                end: 1 + row.pattern.chars().count(),
            },
            shown: row.pattern.into(),
            name: None,
            has_code: true,
            is_kernels: false,
            cpu: None,
            cpu_line: None,
            judgement: Judgement {
                verdict: Verdict::AnotherModel,
                evidence: format!(
                    "{}:{} finds the pattern in a part of the CPUID: {} and {} others of {right} \
                     become {}",
                    reader.path,
                    reader.line,
                    cpuids[0],
                    cpuids.len() - 1,
                    row.directory,
                ),
                fix: Some("match the whole CPUID".into()),
            },
        })
        .collect()
}

/// The rows as they apply, without those before the first line feed.
fn rows(text: &str) -> Vec<MapRow<'_>> {
    let lines = text.lines().enumerate().skip(1);
    let rows = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let row = |(number, line)| {
        let line: &str = line;
        let mut fields = line.split(',');
        let (pattern, _, directory) = (fields.next()?, fields.next()?, fields.next()?);
        Some(MapRow { line: number + 1, pattern, directory: directory.trim() })
    };
    rows.filter_map(row).collect()
}

/// CPUIDs of x86 in perf's form, without a stepping, as readers make them from `/proc/cpuinfo`.
fn cpuids() -> impl Iterator<Item = String> {
    let families =
        [("GenuineIntel", 6), ("AuthenticAMD", 23), ("AuthenticAMD", 25), ("AuthenticAMD", 26)];
    families.into_iter().flat_map(|(vendor, family)| {
        (0..=0xff_u32).map(move |model| format!("{vendor}-{family}-{model:X}"))
    })
}

/// The parts of a CPUID that a pattern with the vendor and the family can match.
fn parts(cpuid: &str) -> impl Iterator<Item = &str> {
    let least = cpuid.rfind('-').map_or(1, |dash| dash + 1);
    (least..=cpuid.len()).filter_map(|end| cpuid.get(..end))
}
