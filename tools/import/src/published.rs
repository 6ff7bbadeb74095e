//! What a vendor publishes as the tree of an architecture.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use pmu_events_compiler::{KernelForm, KernelModel, KernelObject, Options, Source};

use crate::arch::{self, Arch, Row};
use crate::core_data;
use crate::problem::{Place, Problem, Problems};
use crate::record::{Keep, Record};

/// Specifications of units other than CPUs, whose PMU no driver of Linux 7.3 knows.
const NOT_CPUS: &[&str] = &["arm/c1-sme2"];

/// A publication, read.
#[derive(Debug)]
pub struct Published {
    /// Its models.
    pub arch: Arch,
    /// Whether each model has a version of its own.
    pub has_versions: bool,
}

/// Reads a directory if it is Intel's perfmon or has Arm's telemetry specifications or event
/// lists.
pub fn read(path: &Path, keep: Keep, problems: &mut Problems) -> Option<Published> {
    if core_data::is_at(path) {
        let arch = core_data::read(path, keep, problems);
        return Some(Published { arch, has_versions: false });
    }
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
    for model in without_repeated(form.models) {
        if NOT_CPUS.contains(&product(&model.directory)) {
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
            version: model
                .version
                .map_or_else(|| arch::VERSION.to_owned(), |v| v.to_ascii_lowercase()),
            directory: model.directory.clone(),
            kind: "core".to_owned(),
        });
        published.arch.tables.insert(model.directory, files);
    }
    // The first row that has a CPU counts, and each is for its revision and all later ones.
    let order = |row: &Row| (product(&row.directory).to_owned(), Reverse(row.pattern.clone()));
    published.arch.rows.sort_by_cached_key(order);
    Some(published)
}

/// The product of a directory, which that of a later revision has the name of, as
/// `arm/c1-pro-r1p1`.
fn product(directory: &str) -> &str {
    let revision = |(_, end): &(&str, &str)| {
        let is_number = |text: &str| text.parse::<u8>().is_ok();
        end.split_once('p').is_some_and(|(major, minor)| is_number(major) && is_number(minor))
    };
    directory.rsplit_once("-r").filter(revision).map_or(directory, |(product, _)| product)
}

/// Leaves out revisions of a product that have the events and metrics of the one
/// before: its row has them, too.
fn without_repeated(models: Vec<KernelModel>) -> Vec<KernelModel> {
    let is_repeated = |model: &KernelModel| {
        // MIDR_EL1 grows with the revision.
        let is_earlier = |other: &&KernelModel| {
            product(&other.directory) == product(&model.directory) && other.pattern < model.pattern
        };
        let before = models.iter().filter(is_earlier).max_by_key(|other| &other.pattern);
        before.is_some_and(|before| have_same_facts(before, model))
    };
    let repeated: Vec<bool> = models.iter().map(is_repeated).collect();
    models.into_iter().zip(repeated).filter_map(|(model, not)| (!not).then_some(model)).collect()
}

fn have_same_facts(one: &KernelModel, other: &KernelModel) -> bool {
    let are_same = |(a, b): (&KernelObject, &KernelObject)| a.fields == b.fields;
    one.files.keys().eq(other.files.keys())
        && one
            .files
            .values()
            .zip(other.files.values())
            .all(|(one, other)| one.len() == other.len() && one.iter().zip(other).all(are_same))
}

fn place(path: &str, position: Option<(usize, usize)>) -> Place {
    let (line, column) = position.unwrap_or_default();
    Place { path: path.to_owned(), line, column }
}
