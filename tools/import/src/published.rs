//! What a vendor publishes as the tree of an architecture.

use std::collections::BTreeMap;
use std::path::Path;

use pmu_events_compiler::{KernelForm, KernelObject, Options, Source};

use crate::arch::{Arch, Row};
use crate::problem::{Place, Problem, Problems};
use crate::record::{Keep, Record};

/// Specifications of units other than CPUs, whose PMU no driver of Linux 6.17 knows.
const NOT_CPUS: &[&str] = &["arm/c1-sme2"];

/// The version in the kernel's map file of what has none of its own.
const VERSION: &str = "v1";

/// A publication, read.
#[derive(Debug)]
pub struct Published {
    /// Its models.
    pub arch: Arch,
    /// Whether each model has a version of its own.
    pub has_versions: bool,
}

/// Reads a directory if it is Intel's perfmon or has Arm's telemetry specifications.
pub fn read(path: &Path, keep: Keep, problems: &mut Problems) -> Option<Published> {
    let source = Source::read(path, &path.to_string_lossy(), &Options::default());
    let arch = Arch { name: source.arch().to_owned(), ..Arch::default() };
    let mut published = Published { arch, has_versions: false };
    let form = match KernelForm::of(&source)? {
        Ok(form) => form,
        Err(refused) => {
            let problem = |fault: &pmu_events_compiler::Fault| Problem {
                place: place(&fault.path, fault.position),
                message: fault.message.clone(),
            };
            problems.errors.extend(refused.errors.faults().iter().map(problem));
            return Some(published);
        }
    };
    for model in form.models {
        if NOT_CPUS.iter().any(|unit| is_of(&model.directory, unit)) {
            continue;
        }
        let mut files = BTreeMap::new();
        for (file, objects) in model.files {
            let record = |object: KernelObject| {
                let place = place(&object.path, object.position);
                Record::of(&object.fields, keep, place, problems)
            };
            let mut records: Vec<Record> = objects.into_iter().filter_map(record).collect();
            records.sort_by(|a, b| a.key().cmp(&b.key()));
            if !records.is_empty() {
                files.insert(format!("{file}.json"), records);
            }
        }
        published.has_versions |= model.version.is_some();
        published.arch.rows.push(Row {
            pattern: model.pattern,
            version: model.version.map_or_else(|| VERSION.to_owned(), |v| v.to_ascii_lowercase()),
            directory: model.directory.clone(),
            kind: "core".to_owned(),
        });
        published.arch.tables.insert(model.directory, files);
    }
    leave_out_repeated(&mut published.arch);
    Some(published)
}

/// Whether a directory is of a product: of its first revision, or of a later one, as
/// `arm/c1-pro-r1p1`.
fn is_of(directory: &str, product: &str) -> bool {
    let later = directory.strip_prefix(product).map(|rest| rest.strip_prefix("-r"));
    directory == product || later.flatten().is_some_and(|rest| rest.contains('p'))
}

/// Leaves out later revisions of a product whose tables are those of the first, whose
/// row has them, too.
fn leave_out_repeated(arch: &mut Arch) {
    let is_repeated = |directory: &String| {
        let first = arch
            .tables
            .iter()
            .find(|(first, _)| first.len() < directory.len() && is_of(directory, first));
        first.is_some_and(|(_, files)| {
            let own = &arch.tables[directory];
            own.len() == files.len()
                && own.iter().zip(files).all(|(a, b)| {
                    a.0 == b.0
                        && a.1.len() == b.1.len()
                        && a.1.iter().zip(b.1).all(|(a, b)| a.has_fields_of(b))
                })
        })
    };
    let repeated: Vec<String> = arch.tables.keys().filter(|d| is_repeated(d)).cloned().collect();
    arch.rows.retain(|row| !repeated.contains(&row.directory));
    arch.tables.retain(|directory, _| !repeated.contains(directory));
}

fn place(path: &str, position: Option<(usize, usize)>) -> Place {
    let (line, column) = position.unwrap_or_default();
    Place { path: path.to_owned(), line, column }
}
