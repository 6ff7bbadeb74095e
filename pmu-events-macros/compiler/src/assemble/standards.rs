//! Standard events: what files of models may refer to.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use crate::entry::{self, Entry, Standard};
use crate::faults::{Candidates, Faults, Message, narrow, quoted};
use crate::files::json::{self, Object, Raw};
use crate::files::{Files, Role};
use crate::options::{Encoding, Options};

/// The architecture standard events, by name in lower case.
pub(crate) struct Standards<'t> {
    /// That of all entries of the tree.
    pub(crate) encoding: Encoding,
    entries: Vec<Entry<'t>>,
    by_name: HashMap<String, usize>,
    /// Whether every file of them could be read.
    is_whole: bool,
    /// Their names, computed when one is missing.
    names: OnceLock<Candidates>,
}

impl<'t> Standards<'t> {
    /// If only some models are wanted, a standard event that none of them has is
    /// not wanted either.
    pub(crate) fn read(files: &'t Files, options: &Options, faults: &mut Faults) -> Self {
        let encoding = options.encoding;
        let wanted = if options.models.is_empty() { None } else { references(files) };
        let mut standards = Standards {
            encoding,
            entries: Vec::new(),
            by_name: HashMap::new(),
            is_whole: true,
            names: OnceLock::new(),
        };
        for (number, file) in files.all.iter().enumerate() {
            if file.role != Role::Standard {
                continue;
            }
            let objects =
                file.is_whole.then(|| json::array(files, narrow(number), faults)).flatten();
            standards.is_whole &= objects.is_some();
            for object in objects.unwrap_or_default() {
                if wanted.as_ref().is_some_and(|names| !has_name_of(&object, names)) {
                    continue;
                }
                let entry = entry::read(&object, &|name| standards.find(name), encoding, faults);
                for name in [&entry.name, &entry.metric.name].into_iter().flatten() {
                    let key = name.text.to_ascii_lowercase();
                    let known = standards.by_name.insert(key, standards.entries.len());
                    if let Some(known) = known.filter(|&known| known != standards.entries.len()) {
                        let name_shown = quoted(&name.text);
                        let message = format!(
                            "duplicate architecture standard event {name_shown}; first at "
                        );
                        let first = standards.entries[known].place;
                        faults.error(name.place, Message::from(message).place(first));
                    }
                }
                standards.is_whole &= entry.is_whole;
                standards.entries.push(entry);
            }
        }
        standards
    }

    fn all_names(&self) -> Candidates {
        let names = self.entries.iter().flat_map(|entry| [&entry.name, &entry.metric.name]);
        Arc::new(names.flatten().map(|name| name.text.to_string()).collect())
    }

    pub(crate) fn find(&self, name: &str) -> Standard<'_, 't> {
        match self.by_name.get(&name.to_ascii_lowercase()) {
            Some(&number) => Standard::Found(&self.entries[number]),
            None if !self.is_whole => Standard::Unknown,
            None => Standard::Missing(Arc::clone(self.names.get_or_init(|| self.all_names()))),
        }
    }
}

/// The names in lower case that the files refer to; `None` if one is written with
/// escapes, or is no string.
fn references(files: &Files) -> Option<HashSet<String>> {
    let mut names = HashSet::new();
    for file in &files.all {
        // No string contains the quotes. No known key has escapes.
        for rest in file.text.split("\"ArchStdEvent\"").skip(1) {
            let value = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
            let (name, _) = value.split_once('"')?;
            if name.contains('\\') {
                return None;
            }
            names.insert(name.to_ascii_lowercase());
        }
    }
    Some(names)
}

/// Whether an object has one of these names, or may have.
fn has_name_of(object: &Object<'_>, names: &HashSet<String>) -> bool {
    let is_name = |key: &Raw<'_>| ["\"EventName\"", "\"MetricName\""].contains(&key.text);
    let own = object.fields.iter().filter(|(key, _)| is_name(key));
    let mut own = own.map(|(_, value)| value.string()).peekable();
    own.peek().is_none()
        || own.any(|name| name.is_none_or(|name| names.contains(&name.to_ascii_lowercase())))
}
