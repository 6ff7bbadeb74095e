//! What a tree has that was not there before: models, events, encodings, and events that
//! nothing describes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

use crate::arch::{self, Arch};
use crate::encoded;
use crate::problem::Place;
use crate::record::Record;

/// The events of a table by name, in lower case, and unit: the name as it is spelt, and the
/// encodings.
type Events<'a> = BTreeMap<(String, &'a str), (&'a str, BTreeSet<String>)>;

/// The standard events of an architecture by name in lower case.
fn standard(arch: &Arch) -> HashMap<String, &Record> {
    let named = |record: &'_ Record| record.name().map(str::to_ascii_lowercase);
    arch.records("").filter_map(|record| Some((named(record)?, record))).collect()
}

fn inherited<'a>(record: &Record, standard: &HashMap<String, &'a Record>) -> Option<&'a Record> {
    standard.get(&record.get("ArchStdEvent")?.to_ascii_lowercase()).copied()
}

fn events<'a>(arch: &'a Arch, directory: &str) -> Events<'a> {
    let standard = standard(arch);
    let mut events = Events::new();
    for record in arch.tables.get(directory).into_iter().flat_map(BTreeMap::values).flatten() {
        if let Some(name) = record.name() {
            let key = (name.to_ascii_lowercase(), record.get("Unit").unwrap_or_default());
            let encoding = encoded::text(record, inherited(record, &standard));
            events.entry(key).or_insert((name, BTreeSet::new())).1.insert(encoding);
        }
    }
    events
}

/// Models and events that are new, gone, or have another encoding, line by line; nothing if
/// there is no difference.
#[must_use]
pub fn report(before: &Arch, now: &Arch) -> String {
    let mut out = String::new();
    let directories: BTreeSet<&String> = before.tables.keys().chain(now.tables.keys()).collect();
    for directory in directories {
        let shown = match directory.as_str() {
            "" => format!("{} (standard events)", now.name),
            directory => format!("{}/{directory}", now.name),
        };
        let (old, new) = (events(before, directory), events(now, directory));
        if old.is_empty() || new.is_empty() {
            let count = old.len().max(new.len());
            let what = if old.is_empty() { "new" } else { "gone" };
            if count > 0 {
                let _ = writeln!(out, "{shown}: {what}, {count} events");
            }
            continue;
        }
        let mut lines = Vec::new();
        for (key, (name, encodings)) in &new {
            let encodings = joined(encodings);
            match old.get(key).map(|(_, encodings)| joined(encodings)) {
                None => lines.push(format!("  new      {name}  {encodings}")),
                Some(old) if old != encodings => {
                    lines.push(format!("  changed  {name}  {old} -> {encodings}"));
                }
                Some(_) => {}
            }
        }
        let gone = old.iter().filter(|(key, _)| !new.contains_key(*key));
        lines.extend(gone.map(|(_, (name, _))| format!("  gone     {name}")));
        if !lines.is_empty() {
            let _ = writeln!(out, "{shown}:\n{}", lines.join("\n"));
        }
    }
    out
}

fn joined(encodings: &BTreeSet<String>) -> String {
    encodings.iter().map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// The models, and the tables of systems, that were there and are gone, sorted, and whether
/// they are our own: those of which `sources.csv` has no source, where it has any.
#[must_use]
pub fn dropped(before: &Arch, now: &Arch) -> Vec<(String, bool)> {
    let owners = |arch: &'_ Arch| -> BTreeSet<String> {
        let of_tables = arch.tables.keys().filter(|directory| !directory.is_empty());
        let of_rows = arch.rows.iter().map(|row| &row.directory);
        of_tables.chain(of_rows).map(|directory| arch::owner(directory).to_owned()).collect()
    };
    let has_source = |model: &str| {
        let mut directories = before.origins.keys().map(|directory| arch::owner(directory));
        before.origins.is_empty() || directories.any(|directory| directory == model)
    };
    let (before, now) = (owners(before), owners(now));
    before.difference(&now).map(|model| (model.clone(), !has_source(model))).collect()
}

/// Events that nothing describes and that were not there without a description before: the
/// place of each, and a message.
#[must_use]
pub fn undescribed(before: &Arch, now: &Arch) -> Vec<(Place, String)> {
    let without = |arch: &'_ Arch| {
        let standard = standard(arch);
        let is_described = |record: &Record| {
            let inherited = inherited(record, &standard);
            let all = [Some(record), inherited];
            all.into_iter().flatten().any(|record| record.get("BriefDescription").is_some())
        };
        let tables = arch.tables.iter().filter(|(directory, _)| !directory.is_empty());
        let events = tables.flat_map(|(directory, files)| {
            files.values().flatten().filter_map(move |record| {
                Some((directory.clone(), record.name()?.to_owned(), record.place.clone(), record))
            })
        });
        let lacking = events.filter(|(.., record)| !is_described(record));
        lacking.map(|(directory, name, place, _)| (directory, name, place)).collect::<Vec<_>>()
    };
    let known: HashSet<(String, String)> = without(before)
        .into_iter()
        .map(|(directory, name, _)| (directory, name.to_ascii_lowercase()))
        .collect();
    let lacking = without(now).into_iter().filter(|(directory, name, _)| {
        !known.contains(&(directory.clone(), name.to_ascii_lowercase()))
    });
    let arch = &now.name;
    lacking
        .map(|(directory, name, place)| {
            (place, format!("event `{name}` of {arch}/{directory} has no description"))
        })
        .collect()
}
