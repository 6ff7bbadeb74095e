//! Intel's perfmon as the tree of an architecture.

use std::collections::BTreeMap;
use std::path::Path;

use pmu_events_compiler::{KernelForm, KernelObject, Options, Source};

use crate::arch::{Arch, Row};
use crate::problem::{Place, Problem, Problems};
use crate::record::{Keep, Record};

/// Reads a directory if it is perfmon's.
pub fn read(path: &Path, keep: Keep, problems: &mut Problems) -> Option<Arch> {
    let source = Source::read(path, &path.to_string_lossy(), &Options::default());
    let form = match KernelForm::of(&source)? {
        Ok(form) => form,
        Err(refused) => {
            let problem = |fault: &pmu_events_compiler::Fault| Problem {
                place: place(&fault.path, fault.position),
                message: fault.message.clone(),
            };
            problems.errors.extend(refused.errors.faults().iter().map(problem));
            return Some(Arch { name: source.arch().to_owned(), ..Arch::default() });
        }
    };
    let mut arch = Arch { name: source.arch().to_owned(), ..Arch::default() };
    for model in form.models {
        arch.rows.push(Row {
            pattern: model.pattern,
            version: model.version.to_ascii_lowercase(),
            directory: model.directory.clone(),
            kind: "core".to_owned(),
        });
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
        arch.tables.insert(model.directory, files);
    }
    Some(arch)
}

fn place(path: &str, position: Option<(usize, usize)>) -> Place {
    let (line, column) = position.unwrap_or_default();
    Place { path: path.to_owned(), line, column }
}
