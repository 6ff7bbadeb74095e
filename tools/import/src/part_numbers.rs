//! CPUs that no source's map file names, although one of its models is theirs.
//!
//! Part numbers come from elsewhere: Arm's telemetry, the kernel's `cputype.h`, Arm's lists
//! of events. Each has its reason, and so has each CPU of `cputype.h` that gets no table.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use pmu_events_compiler::hint;

use crate::arch::{Arch, Row};
use crate::csv_file;
use crate::json::File;
use crate::problem::{Place, Problems};

/// The file of the overlay.
pub const FILE: &str = "cpus.csv";

const HEADER: [&str; 5] = ["Architecture", "Pattern", "Name", "Directory", "Reason"];

/// A row of `overlay/cpus.csv`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cpu {
    /// Its place.
    pub place: Place,
    /// The architecture.
    pub arch: String,
    /// The CPU, as map files have it.
    pub pattern: String,
    /// Its name.
    pub name: String,
    /// The model's directory; empty for a CPU without a table.
    pub directory: String,
    /// Why the model is that CPU's, or why none is.
    pub reason: String,
}

/// Reads the overlay's file; nothing if there is none.
pub fn read(overlay: &Path, problems: &mut Problems) -> Vec<Cpu> {
    let path = overlay.join(FILE);
    let Ok(text) = fs::read_to_string(&path) else {
        return Vec::new();
    };
    let file = File::new(&path.to_string_lossy(), &text);
    let rows = csv_file::rows(&file, HEADER, problems).into_iter();
    let cpus = rows.map(|(place, [arch, pattern, name, directory, reason])| Cpu {
        place,
        arch,
        pattern,
        name,
        directory,
        reason,
    });
    let cpus: Vec<Cpu> = cpus.collect();
    for (number, cpu) in cpus.iter().enumerate() {
        if cpus[..number].iter().any(|other| other.pattern == cpu.pattern) {
            problems.error(cpu.place.clone(), format!("duplicate CPU `{}`", cpu.pattern));
        }
        if cpu.name.is_empty() || cpu.reason.is_empty() {
            problems.error(cpu.place.clone(), "a CPU needs a name and a reason");
        }
    }
    cpus
}

/// Adds the rows of an architecture, each after those of its model.
pub fn add(arch: &mut Arch, cpus: &[Cpu], problems: &mut Problems) {
    for cpu in cpus.iter().filter(|cpu| cpu.arch == arch.name) {
        let known = arch.rows.iter().find(|row| row.pattern == cpu.pattern);
        if let Some(Row { directory, .. }) = known {
            // The tree may be our own, which has the row already.
            if *directory != cpu.directory {
                let message = format!("`{}` has a row: {directory}", cpu.pattern);
                problems.error(cpu.place.clone(), message);
            }
            continue;
        }
        if cpu.directory.is_empty() {
            continue;
        }
        let of_model = |row: &Row| row.directory == cpu.directory;
        let Some(last) = arch.rows.iter().rposition(of_model) else {
            let models = arch.rows.iter().map(|row| row.directory.as_str());
            let hint = hint(&cpu.directory, models);
            let message = format!("no CPU of `{}` has a row{hint}", cpu.directory);
            problems.error(cpu.place.clone(), message);
            continue;
        };
        let row = Row { pattern: cpu.pattern.clone(), ..arch.rows[last].clone() };
        arch.rows.insert(last + 1, row);
    }
}

/// What `SOURCES.md` says of these CPUs.
#[must_use]
pub fn page(cpus: &[Cpu]) -> String {
    let mut out = String::new();
    if cpus.iter().any(|cpu| !cpu.directory.is_empty()) {
        out += "\n## CPUs by part number\n\n\
            No map file of a source has a row for these CPUs, although the model is theirs:\n\n\
            | architecture | CPU | name | model | why |\n|---|---|---|---|---|\n";
        for Cpu { arch, pattern, name, directory, reason, .. } in cpus {
            if !directory.is_empty() {
                let _ =
                    writeln!(out, "| {arch} | `{pattern}` | {name} | `{directory}` | {reason} |");
            }
        }
    }
    if cpus.iter().any(|cpu| cpu.directory.is_empty()) {
        out += "\n## CPUs without a table\n\n\
            The kernel knows these CPUs, but no source has events for them, and no model is theirs:\n\n\
            | architecture | CPU | name | why |\n|---|---|---|---|\n";
        for Cpu { arch, pattern, name, directory, reason, .. } in cpus {
            if directory.is_empty() {
                let _ = writeln!(out, "| {arch} | `{pattern}` | {name} | {reason} |");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(pattern: &str, directory: &str) -> Row {
        let [pattern, directory] = [pattern, directory].map(str::to_owned);
        Row { pattern, version: "v2".to_owned(), directory, kind: "core".to_owned() }
    }

    fn cpu(pattern: &str, directory: &str) -> Cpu {
        let [pattern, directory] = [pattern, directory].map(str::to_owned);
        let place = Place::file("cpus.csv");
        let (arch, name, reason) = ("a".to_owned(), "N".to_owned(), "It is.".to_owned());
        Cpu { place, arch, pattern, name, directory, reason }
    }

    fn arch() -> Arch {
        let rows = vec![row("1", "m"), row("2", "m"), row("3", "n")];
        Arch { name: "a".to_owned(), rows, ..Arch::default() }
    }

    #[test]
    fn rows_come_after_those_of_the_model_and_only_once() {
        let (mut arch, mut problems) = (arch(), Problems::default());
        let cpus = [cpu("9", "m"), cpu("8", "")];
        for _ in 0..2 {
            add(&mut arch, &cpus, &mut problems);
            let patterns: Vec<&str> = arch.rows.iter().map(|row| row.pattern.as_str()).collect();
            assert_eq!(patterns, ["1", "2", "9", "3"]);
        }
        assert_eq!(arch.rows[2], row("9", "m"));
        assert!(problems.errors.is_empty());
    }

    #[test]
    fn a_row_of_a_source_and_an_unknown_model_are_errors() {
        let cases = [
            (cpu("3", "m"), "`3` has a row: n"),
            (cpu("3", ""), "`3` has a row: n"),
            (cpu("9", "o"), "no CPU of `o` has a row"),
        ];
        for (cpu, why) in cases {
            let (mut arch, mut problems) = (arch(), Problems::default());
            add(&mut arch, &[cpu], &mut problems);
            assert_eq!(problems.errors.len(), 1);
            assert!(problems.errors[0].message.starts_with(why), "{}", problems.errors[0]);
            assert_eq!(arch.rows.len(), 3);
        }
    }
}
