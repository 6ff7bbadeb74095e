//! What one count of an event stands for, and what it covers: families of events in the
//! overlay.

use std::collections::HashSet;

use pmu_events_core::__private::glob;

use crate::arch::Arch;
use crate::overlay::{Counted, Document};
use crate::problem::{Problem, Problems};

/// Gives each event what the overlay says of it: of several globs in one file, the first
/// that matches counts. Two files that differ about an event are an error: which of them
/// wins must not depend on the order of files.
pub fn state(arch: &mut Arch, overlay: &[Document], problems: &mut Problems) {
    let mut used: HashSet<*const Counted> = HashSet::new();
    let mut conflicts: Vec<Problem> = Vec::new();
    let documents: Vec<&Document> = overlay.iter().filter(|d| !d.counts.is_empty()).collect();
    for (directory, files) in &mut arch.tables {
        let documents: Vec<&Document> =
            documents.iter().copied().filter(|document| document.covers(directory)).collect();
        if documents.is_empty() {
            continue;
        }
        for record in files.values_mut().flatten() {
            let Some(name) = record.name().map(str::to_owned) else {
                continue;
            };
            for key in ["CountUnit", "CountScope"] {
                let mut said: Option<&Counted> = None;
                for document in &documents {
                    if document.unit.is_some() && document.unit.as_deref() != record.get("Unit") {
                        continue;
                    }
                    let is_about = |counted: &&Counted| {
                        counted.key == key && glob::matches(&counted.events, &name)
                    };
                    let Some(counted) = document.counts.iter().find(is_about) else {
                        continue;
                    };
                    used.insert(counted);
                    if let Some(first) = said.filter(|first| first.value != counted.value) {
                        let message = format!(
                            "`{}` gives `{name}` of {}/{directory} another {key} than {}",
                            counted.events, arch.name, first.place
                        );
                        if !conflicts.iter().any(|known| known.place == counted.place) {
                            conflicts.push(Problem { place: counted.place.clone(), message });
                        }
                    }
                    said = said.or(Some(counted));
                }
                if let Some(counted) = said {
                    record.set(key, counted.value.clone());
                }
            }
        }
    }
    problems.errors.extend(conflicts);
    for counted in overlay.iter().flat_map(|document| &document.counts) {
        if !used.contains(&std::ptr::from_ref(counted)) {
            let message =
                format!("no event of these models is first matched by `{}`", counted.events);
            problems.error(counted.place.clone(), message);
        }
    }
}
