//! Merges facts and words.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use pmu_events_compiler::hint;

use crate::arch::{self, Arch, Metrics};
use crate::count_units;
use crate::deprecated;
use crate::families::{self, Families};
use crate::made_for;
use crate::metrics;
use crate::named_successors;
use crate::notes;
use crate::overlay::{self, Code, Description, Document};
use crate::problem::{Place, Problem, Problems};
use crate::quantities;
use crate::record::{Keep, Record};
use crate::sentence::Sentence;
use crate::sources;
use crate::tree;

/// Reads the directory of an architecture, without its sentences, and adds the
/// metrics of the same directory and the descriptions and metrics of `overlay`. Paths are shown as they are.
#[must_use]
pub fn import(directory: &Path, overlay: &Path, problems: &mut Problems) -> Arch {
    let arch = tree::read(directory, &directory.to_string_lossy(), Keep::Facts, problems);
    let metrics = sources::of_tree(directory, problems);
    with_words(arch, metrics, overlay, problems)
}

/// Adds metrics of other trees, and the descriptions and metrics of the directory
/// `overlay`.
#[must_use]
pub fn with_words(
    mut arch: Arch,
    metrics: Metrics,
    overlay: &Path,
    problems: &mut Problems,
) -> Arch {
    made_for::add(&mut arch, overlay, problems);
    let shown = overlay.to_string_lossy();
    let words = overlay::read(overlay, &shown, problems);
    let families =
        families::read(&overlay.join("families"), &format!("{shown}/families"), problems);
    merge(&mut arch, metrics, &words, &families, problems);
    let vocabulary = quantities::read_vocabulary(overlay.parent().unwrap_or(overlay), problems);
    let statements = quantities::read_statements(
        &overlay.join("quantities"),
        &format!("{shown}/quantities"),
        &vocabulary,
        problems,
    );
    quantities::add(&mut arch, &vocabulary, &statements, problems);
    arch
}

/// Adds metrics, and the overlay's descriptions and metrics, to an architecture.
/// What is said of one event has precedence over what is said of its family.
pub fn merge(
    arch: &mut Arch,
    metrics: Metrics,
    overlay: &[Document],
    families: &Families,
    problems: &mut Problems,
) {
    unknown_models(arch, overlay, families, problems);
    describe(arch, overlay, problems);
    families::apply(arch, families, problems);
    notes::append(arch, overlay, problems);
    count_units::state(arch, overlay, problems);
    deprecated::note(arch);
    named_successors::state(arch, overlay, problems);
    metrics::add(arch, metrics, overlay, problems);
}

fn unknown_models(arch: &Arch, overlay: &[Document], families: &Families, problems: &mut Problems) {
    let owners = || arch.tables.keys().filter(|d| !d.is_empty()).map(|d| arch::owner(d));
    let mut seen: HashSet<&Place> = HashSet::new();
    let scopes = families.all.iter().map(|family| &family.scope);
    // Families share the scope of their file.
    let of_families = scopes.flat_map(|scope| scope.models.iter().chain(&scope.except));
    let of_families = of_families.filter(|(_, place)| seen.insert(place));
    let of_documents = overlay.iter().flat_map(|d| d.models.iter().chain(&d.except));
    let of_notes = overlay.iter().flat_map(|d| d.long.iter().chain(&d.notes));
    let of_notes = of_notes.flat_map(|note| &note.models);
    let of_texts = overlay.iter().flat_map(|d| d.events.iter().chain(&d.metric_texts));
    let of_texts = of_texts.flat_map(|text| &text.models);
    for (glob, place) in of_documents.chain(of_notes).chain(of_texts).chain(of_families) {
        let is_known = match glob.as_str() {
            "." => arch.tables.contains_key(""),
            glob => owners().any(|owner| pmu_events_core::__private::glob::matches(glob, owner)),
        };
        if !is_known {
            let hint = hint(glob, owners());
            let message = format!("`{glob}` matches no model of {}{hint}", arch.name);
            problems.error(place.clone(), message);
        }
    }
}

/// The descriptions of the events of one name: the document and the
/// description.
type Said<'o> = HashMap<String, Vec<(&'o Document, &'o Description)>>;

fn describe(arch: &mut Arch, overlay: &[Document], problems: &mut Problems) {
    let mut said: Said<'_> = HashMap::new();
    for document in overlay {
        for description in &document.events {
            let name = description.name.to_ascii_lowercase();
            said.entry(name).or_default().push((document, description));
        }
    }
    let mut used = Used::default();
    let mut conflicts: Vec<Problem> = Vec::new();
    for (directory, files) in &mut arch.tables {
        for record in files.values_mut().flatten() {
            let Some(name) = record.name() else {
                continue;
            };
            let Some(all) = said.get(&name.to_ascii_lowercase()) else {
                continue;
            };
            let mut is_about = |(document, description): &&(&Document, &Description)| {
                document.covers(directory)
                    && (document.unit.is_none() || document.unit.as_deref() == record.get("Unit"))
                    && description.covers(directory)
                    && used.is_selected(record, description)
            };
            let fitting: Vec<&Description> = all
                .iter()
                .filter(|one| is_about(one))
                .map(|&(_, description)| description)
                .collect();
            let texts: [(&'static str, fn(&Description) -> Option<&Sentence>); 2] = [
                ("BriefDescription", |description| description.brief.as_ref()),
                ("PublicDescription", |description| description.public.as_ref()),
            ];
            // One file may be about several models, another add what is true of one.
            for (key, text) in texts {
                let mut having = fitting.iter().filter_map(|one| Some((*one, text(one)?)));
                let Some((first, words)) = having.next() else {
                    continue;
                };
                record.set(key, words.text().to_owned());
                record.carry(key, words);
                for (second, _) in having {
                    let message = format!(
                        "`{}` of {}/{directory} is described in {}, too",
                        second.name, arch.name, first.place
                    );
                    if !conflicts.iter().any(|known| known.place == second.place) {
                        conflicts.push(Problem { place: second.place.clone(), message });
                    }
                }
            }
        }
    }
    problems.errors.extend(conflicts);
    for document in overlay {
        unused(arch, document, &used, problems);
    }
}

/// What has had an effect: descriptions, and the codes of those that state some.
#[derive(Default)]
struct Used {
    descriptions: HashSet<*const Description>,
    codes: HashSet<*const Code>,
}

impl Used {
    /// Whether a description is about the event's code.
    fn is_selected(&mut self, record: &Record, description: &Description) -> bool {
        let code = description.codes.iter().find(|code| record.is_selected_by(&code.terms));
        let is_selected = description.codes.is_empty() || code.is_some();
        self.codes.extend(code.map(std::ptr::from_ref));
        if is_selected {
            self.descriptions.insert(description);
        }
        is_selected
    }

    /// The places of what has had none.
    fn unused<'d>(&self, description: &'d Description) -> Vec<&'d Place> {
        if !self.descriptions.contains(&std::ptr::from_ref(description)) {
            return vec![&description.place];
        }
        let is_unused = |code: &&Code| !self.codes.contains(&std::ptr::from_ref(*code));
        description.codes.iter().filter(is_unused).map(|code| &code.place).collect()
    }
}

/// Reports descriptions and codes of events that do not exist.
fn unused(arch: &Arch, document: &Document, used: &Used, problems: &mut Problems) {
    let unused: Vec<(&Description, &Place)> = document
        .events
        .iter()
        .flat_map(|one| used.unused(one).into_iter().map(move |place| (one, place)))
        .collect();
    if unused.is_empty() {
        return;
    }
    let covered = arch.tables.iter().filter(|(directory, _)| document.covers(directory));
    let records: Vec<&Record> = covered.flat_map(|(_, files)| files.values().flatten()).collect();
    let is_of_unit =
        |r: &&&Record| document.unit.is_none() || document.unit.as_deref() == r.get("Unit");
    // Many models share one name.
    let names: BTreeMap<&str, ()> =
        records.iter().filter(is_of_unit).filter_map(|r| Some((r.name()?, ()))).collect();
    for (description, place) in unused {
        let same = names.keys().any(|name| name.eq_ignore_ascii_case(&description.name));
        let message = if same {
            format!("no event `{}` of these models has that code", description.name)
        } else {
            let hint = hint(&description.name, names.keys().copied());
            format!("no model that the file is about has an event `{}`{hint}", description.name)
        };
        problems.error(place.clone(), message);
    }
}
