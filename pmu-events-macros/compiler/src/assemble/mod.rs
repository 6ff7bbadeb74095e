//! From files to models: entries resolved, sorted into tables.

mod lacking;
mod renamed;
mod standards;
mod successor;
pub(crate) mod tree;

pub use successor::nearest as nearest_successor;

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::mem;
use std::sync::Arc;

use pmu_events_core::__private::name;
use pmu_events_core::__private::wire::record::counters;
use pmu_events_core::pmu::{self, DEFAULT_CORE};

use crate::cost::parallel;
use crate::entry::event_string;
use crate::entry::fields::{Fields, Value};
use crate::entry::fixed_string;
use crate::entry::keys::Key;
use crate::entry::perf_differs::PerfDiffers;
use crate::entry::{self, Entry, Standard};
use crate::faults::{Candidates, Faults, Message, narrow, quoted};
use crate::files::json::{self, Object};
use crate::files::{Files, Role};
use crate::mapfile::cpus::{Cpus, Statements};
use crate::mapfile::{COLUMNS, Row, Rows};
use crate::options::{Encoding, Options};
use crate::source::converted::{self, Converted, ConvertedEvent};
use standards::Standards;
use tree::{Group, Item, Table, Tree};

/// Interprets every file of a tree.
pub(crate) fn tree<'t>(
    files: &'t Files,
    converted: &'t [Converted<'_>],
    rows: &'t Rows,
    statements: &'t Statements,
    mut origins: HashMap<String, String>,
    options: &Options,
    faults: &mut Faults,
) -> Tree<'t> {
    let standards = Standards::read(files, options, faults);
    let read = files.all.len();
    let parts = parallel::map(read + converted.len(), |number| match number.checked_sub(read) {
        None => part(files, narrow(number), &standards),
        Some(number) => converted_part(&converted[number], options.encoding),
    });
    let mut tables: Vec<Table<'t>> = files
        .directories
        .iter()
        .map(|directory| Table {
            directory,
            events: Vec::new(),
            metrics: Vec::new(),
            counters: Vec::new(),
            origin: origins.remove(&directory.path),
            lacks: String::new(),
            is_whole: true,
        })
        .collect();
    let mut groups = Vec::new();
    for part in parts {
        faults.append(part.faults);
        groups.extend(part.groups);
        if let Some(table) = part.table {
            let table = &mut tables[table as usize];
            table.events.extend(part.events);
            table.metrics.extend(part.metrics);
            table.counters.extend(part.counters);
            table.is_whole &= !part.is_spoilt;
        }
    }
    if !converted.is_empty() {
        // Each file of a unit gives the number of counters it knows.
        tables.iter_mut().for_each(|table| converted::merge_counters(&mut table.counters));
    }
    renamed::add(&mut tables, &statements.former, options, faults);
    lacking::add(&mut tables, &statements.lacks, options, faults);
    sort(&mut tables);
    successor::find(&mut tables);
    tables.retain(|table| !table.events.is_empty() || !table.metrics.is_empty() || !table.is_whole);
    let fallbacks = stated(&statements.fallbacks, &tables, files, faults);
    let rows = with_tables(rows, &fallbacks, &tables, files, options, faults);
    let made = stated(&statements.made, &tables, files, faults);
    let former = &statements.former;
    Tree { tables, groups: merge_groups(groups, faults), rows, made, fallbacks, former }
}

/// The contribution of one file.
#[derive(Default)]
struct Part<'t> {
    faults: Faults,
    table: Option<u32>,
    events: Vec<Item<'t>>,
    metrics: Vec<Item<'t>>,
    counters: Vec<(String, [Option<u8>; 2])>,
    groups: Vec<Group<'t>>,
    /// Whether some of its names are not known.
    is_spoilt: bool,
    /// Events without any code.
    codeless: Vec<Value<'t>>,
}

fn part<'t>(files: &'t Files, file: u32, standards: &Standards<'t>) -> Part<'t> {
    let mut part = Part::default();
    let read = &files[file];
    match &read.role {
        Role::Table { directory, .. } if !read.is_whole => {
            part.table = Some(*directory);
            part.is_spoilt = true;
        }
        _ if !read.is_whole => {}
        Role::Map
        | Role::Origins
        | Role::Cpus
        | Role::Fallback
        | Role::Former
        | Role::Lacks
        | Role::Standard
        | Role::Published => {}
        Role::Groups => part.groups = group_descriptions(files, file, &mut part.faults),
        Role::Table { directory, topic } => {
            part.table = Some(*directory);
            let objects = json::array(files, file, &mut part.faults);
            part.is_spoilt = objects.is_none();
            for object in objects.unwrap_or_default() {
                part.object(&object, topic, standards);
            }
            part.without_codes();
        }
    }
    part
}

/// The contribution of one published file.
fn converted_part<'t>(file: &'t Converted<'_>, encoding: Encoding) -> Part<'t> {
    let mut part = Part {
        table: Some(file.directory),
        is_spoilt: !file.is_whole,
        counters: file.counters.clone(),
        ..Part::default()
    };
    for event in &file.events {
        part.converted(event, encoding);
    }
    let value = |value: &'t converted::Value<'_>| Value {
        text: value.text.as_ref().into(),
        place: value.place,
    };
    let group = |(name, description)| Group { name: value(name), description: value(description) };
    part.groups = file.groups.iter().map(|(name, text)| group((name, text))).collect();
    part.without_codes();
    part
}

/// Interprets a published event, whose fields have been converted with an encoding.
pub(crate) fn converted<'t>(
    event: &'t ConvertedEvent<'_>,
    encoding: Encoding,
    faults: &mut Faults,
) -> Entry<'t> {
    let raw = |(key, value): &'t (Key, converted::Value<'_>)| (*key, value.raw());
    let values: Vec<_> = event.values.iter().map(raw).collect();
    let fields = Fields::known(&values, faults);
    // There are no architecture standard events to refer to.
    let find = |_: &str| Standard::Unknown;
    let mut entry = entry::of_fields(event.place, fields, &find, encoding);
    let perf = event.perf.as_ref().map(|values| {
        let values: Vec<_> = values.iter().map(raw).collect();
        let mut said = Faults::default();
        event_string::build(&mut Fields::known(&values, &mut said)).0.text
    });
    let name = entry.name.as_ref().map(|name| &*name.text);
    entry.perf = PerfDiffers::of(name, &entry.event, perf, event.repairs);
    entry.pairs.clone_from(&event.pairs);
    entry
}

impl<'t> Part<'t> {
    fn converted(&mut self, event: &'t ConvertedEvent<'_>, encoding: Encoding) {
        let entry = converted(event, encoding, &mut self.faults);
        self.entry(entry, &event.topic);
    }

    fn object(&mut self, object: &Object<'t>, topic: &'t str, standards: &Standards<'t>) {
        let find = |name: &str| standards.find(name);
        let entry = entry::read(object, &find, standards.encoding, &mut self.faults);
        if let (None, Some(numbers)) = (&entry.name, entry.counter_numbers) {
            let pmu = match &*entry.pmu {
                // `counter.json` spells out the unit that events leave empty.
                "uncore_core" => DEFAULT_CORE.to_owned(),
                pmu => pmu.to_owned(),
            };
            self.counters.push((pmu, numbers));
            return;
        }
        self.entry(entry, topic);
    }

    fn entry(&mut self, entry: Entry<'t>, topic: &'t str) {
        self.is_spoilt |= !entry.is_whole;
        if entry.name.is_none() && entry.metric.name.is_none() && entry.is_whole {
            let message = "this object has neither EventName nor MetricName; perf ignores it";
            self.faults.warning(entry.place, message);
        }
        if let Some(name) = &entry.name
            && entry.is_whole
            && !entry.has_code
            && fixed_string::of_name(&name.text).is_none()
            && is_programmed(&entry)
        {
            self.codeless.push(name.clone());
        }
        let key = |name: &Option<Value<'t>>| name.as_ref().map(|n| n.text.to_ascii_lowercase());
        let entry = Box::new(entry);
        // One object may be both; then each table has it.
        match (key(&entry.name), key(&entry.metric.name)) {
            (None, None) => {}
            (Some(key), None) => self.events.push(Item { key, topic, entry, successor: None }),
            (None, Some(key)) => self.metrics.push(Item { key, topic, entry, successor: None }),
            (Some(event), Some(metric)) => {
                self.events.push(Item { key: event, topic, entry: entry.clone(), successor: None });
                self.metrics.push(Item { key: metric, topic, entry, successor: None });
            }
        }
    }
}

impl Part<'_> {
    /// Warns of events without a code, once per file.
    fn without_codes(&mut self) {
        let Some((first, others)) = self.codeless.split_first() else {
            return;
        };
        let others = match others.len() {
            0 => String::new(),
            1 => " (as has one other event of this file)".to_owned(),
            n => format!(" (as have {n} other events of this file)"),
        };
        let message = format!("event {} has no EventCode: it is 0{others}", quoted(&first.text));
        self.faults.warning(first.place, message);
    }
}

/// Whether an event without a code is a mistake: a core's fixed counters need none, and on
/// other units 0 is a code like any other, often that of the clock.
fn is_programmed(entry: &Entry<'_>) -> bool {
    let is_fixed = matches!(entry.counter_kind, counters::FIXED | counters::FIXED_UNNUMBERED);
    pmu::is_core(&entry.pmu) && !is_fixed
}

fn group_descriptions<'t>(files: &'t Files, file: u32, faults: &mut Faults) -> Vec<Group<'t>> {
    let mut groups: Vec<Group<'t>> = Vec::new();
    for (key, value) in json::object(files, file, faults) {
        match (key.string(), value.string()) {
            (Some(name), Some(description)) => groups.push(Group {
                name: Value { text: name, place: key.place },
                description: Value { text: description, place: value.place },
            }),
            (name, _) => faults.error(
                value.place,
                format!(
                    "the description of metric group {} must be a string, found {}",
                    quoted(&name.unwrap_or_default()),
                    value.kind()
                ),
            ),
        }
    }
    groups
}

/// One description for each group of the tree, by name; models that describe
/// a group must agree, because perf keeps one description for all.
fn merge_groups<'t>(mut groups: Vec<Group<'t>>, faults: &mut Faults) -> Vec<Group<'t>> {
    groups.sort_by(|a, b| name::cmp(&a.name.text, &b.name.text));
    let mut merged: Vec<Group<'t>> = Vec::new();
    for group in groups {
        match merged.last() {
            Some(last) if name::eq(&last.name.text, &group.name.text) => {
                if last.description.text != group.description.text {
                    let name = quoted(&group.name.text);
                    let message = format!("metric group {name} is described differently at ");
                    let message = Message::from(message).place(last.description.place);
                    faults.warning(group.description.place, message.text(", which is kept"));
                }
            }
            _ => merged.push(group),
        }
    }
    merged
}

fn sort(tables: &mut [Table<'_>]) {
    let orders = parallel::map(tables.len(), |number| order(&tables[number].events));
    for (table, order) in tables.iter_mut().zip(orders) {
        let mut events: Vec<_> = mem::take(&mut table.events).into_iter().map(Some).collect();
        table.events = order.into_iter().filter_map(|number| events[number].take()).collect();
        table.metrics.sort_by(|a, b| a.key.cmp(&b.key).then_with(|| a.entry.pmu.cmp(&b.entry.pmu)));
    }
}

/// The positions of events in their order; equal ones keep theirs.
fn order<'e>(events: &'e [Item<'_>]) -> Vec<usize> {
    // jevents sorts by the PMU's name with `_` for `,`.
    let pmu = |item: &'e Item<'_>| match &*item.entry.pmu {
        name if name.contains(',') => Cow::Owned(name.replace(',', "_")),
        name => Cow::Borrowed(name),
    };
    let keys: Vec<(Cow<'_, str>, &str)> =
        events.iter().map(|item| (pmu(item), item.key.as_str())).collect();
    let mut order: Vec<usize> = (0..events.len()).collect();
    order.sort_by(|&a, &b| keys[a].cmp(&keys[b]));
    order
}

/// Keeps the rows whose directory has events; reports rows whose directory does
/// not exist, and other likely mistakes.
fn with_tables<'t>(
    rows: &'t Rows,
    fallbacks: &[(&Cpus, usize)],
    tables: &[Table<'_>],
    files: &Files,
    options: &Options,
    faults: &mut Faults,
) -> Vec<(&'t Row, usize)> {
    let models = tables.iter().enumerate().filter(|(_, table)| !table.directory.sys);
    let by_name: HashMap<&str, usize> =
        models.map(|(number, table)| (table.directory.name.as_str(), number)).collect();
    let directories: LazyCell<Candidates, _> =
        LazyCell::new(|| Arc::new(files.all_directories.keys().cloned().collect()));
    let mut kept = Vec::new();
    let fallbacks = fallbacks.iter().map(|(row, _)| row.directory.as_str());
    let mut named: HashSet<&str> = fallbacks.collect();
    for row in &rows.rows {
        named.insert(row.directory.as_str());
        let Some(holds_others) = files.all_directories.get(&row.directory) else {
            let name = quoted(&row.directory);
            let message = if row.columns == 4 {
                Message::from(format!("unknown model directory {name}"))
                    .suggest(&row.directory, &directories)
            } else {
                let columns = row.columns;
                format!(
                    "unknown model directory {name}: {columns} columns instead of four, {COLUMNS}"
                )
                .into()
            };
            faults.error(row.directory_place, message);
            continue;
        };
        if *holds_others {
            let message = "is a vendor directory, not a model; perf ignores this row";
            faults.warning(row.directory_place, format!("{} {message}", quoted(&row.directory)));
        }
        if !options.keeps_model(&row.directory) {
            continue;
        }
        kept.extend(by_name.get(row.directory.as_str()).map(|&table| (row, table)));
    }
    for table in tables.iter().filter(|table| !table.directory.sys && rows.is_whole) {
        let directory = &table.directory.name;
        if !named.contains(directory.as_str()) {
            let path = format!("{}/{directory}", files.root);
            faults.warning_at_path(&path, "has events, but no row of the map file names it");
        }
    }
    let directories = || files.all_directories.keys().map(String::as_str);
    for pattern in Options::unused(&options.models, directories) {
        let message = format!("option `models`: {} matches no directory", quoted(pattern));
        faults.warning_at_path(&files.root, message);
    }
    kept
}

/// The rows of `cpus.csv` or `fallback.csv` whose directories have tables that are kept, with the number of each's table.
fn stated<'s>(
    rows: &'s [Cpus],
    tables: &[Table<'_>],
    files: &Files,
    faults: &mut Faults,
) -> Vec<(&'s Cpus, usize)> {
    let models = tables.iter().enumerate().filter(|(_, table)| !table.directory.sys);
    let by_name: HashMap<&str, usize> =
        models.map(|(number, table)| (table.directory.name.as_str(), number)).collect();
    let mut kept = Vec::new();
    for row in rows {
        if files.all_directories.get(&row.directory) == Some(&true) {
            let message = "is a vendor directory, not a model";
            faults.warning(row.directory_place, format!("{} {message}", quoted(&row.directory)));
        }
        kept.extend(by_name.get(row.directory.as_str()).map(|&table| (row, table)));
    }
    kept
}

#[cfg(test)]
mod tests;
