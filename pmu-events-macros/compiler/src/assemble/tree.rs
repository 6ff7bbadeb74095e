//! The tables of a tree, as its files say.

use crate::entry::Entry;
use crate::entry::fields::Value;
use crate::faults::{Faults, quoted};
use crate::files::{Directory, Files};
use crate::mapfile::Row;
use crate::mapfile::cpus::Cpus;
use crate::mapfile::former::{Former, Of};
use crate::options::Options;

/// The events and metrics of one directory.
pub(crate) struct Table<'t> {
    pub(crate) directory: &'t Directory,
    /// Sorted by PMU and name.
    pub(crate) events: Vec<Item<'t>>,
    /// Sorted by name.
    pub(crate) metrics: Vec<Item<'t>>,
    /// Counters of the units: PMU, general, fixed.
    pub(crate) counters: Vec<(String, [Option<u8>; 2])>,
    /// Where its facts come from, if that is known.
    pub(crate) origin: Option<String>,
    /// The metrics that it lacks: a line for each, with name, tab and reason.
    pub(crate) lacks: String,
    /// Whether all names of its files are known: unreadable files have been
    /// reported, and names that they may contain must not be reported as
    /// missing.
    pub(crate) is_whole: bool,
}

/// An event or metric of a table.
pub(crate) struct Item<'t> {
    /// In lower case, for ordering and comparison.
    pub(crate) key: String,
    pub(crate) topic: &'t str,
    /// In a box: it is a kilobyte, and the tables move.
    pub(crate) entry: Box<Entry<'t>>,
    /// The name of the event that counts the same, of a deprecated one.
    pub(crate) successor: Option<String>,
}

impl Item<'_> {
    /// An event's name, as it is written.
    pub(crate) fn event_name(&self) -> &str {
        self.entry.name.as_ref().map_or(&self.key, |name| &name.text)
    }

    /// A metric's name, as it is written.
    pub(crate) fn metric_name(&self) -> &str {
        self.entry.metric.name.as_ref().map_or(&self.key, |name| &name.text)
    }
}

/// A description of a metric group.
pub(crate) struct Group<'t> {
    pub(crate) name: Value<'t>,
    pub(crate) description: Value<'t>,
}

/// A whole tree.
pub(crate) struct Tree<'t> {
    pub(crate) tables: Vec<Table<'t>>,
    pub(crate) groups: Vec<Group<'t>>,
    /// The rows that have a table, and the number of each's table.
    pub(crate) rows: Vec<(&'t Row, usize)>,
    /// The rows of `cpus.csv`, likewise.
    pub(crate) made: Vec<(&'t Cpus, usize)>,
    /// The rows of `fallback.csv`, likewise.
    pub(crate) fallbacks: Vec<(&'t Cpus, usize)>,
    /// The rows of `former.csv`.
    pub(crate) former: &'t [Former],
}

impl Tree<'_> {
    /// Drops what the options do not keep. A model stays, even without events.
    pub(crate) fn keep(&mut self, options: &Options) {
        for table in &mut self.tables {
            table.events.retain(|item| {
                item.entry.name.as_ref().is_some_and(|name| options.keeps_event(&name.text))
            });
            if !options.metrics {
                table.metrics.clear();
                table.lacks.clear();
            }
        }
    }

    /// The former names of a table's model.
    pub(crate) fn former_names(&self, table: &Table<'_>) -> impl Iterator<Item = &Former> {
        let name = table.directory.name.clone();
        self.former.iter().filter(move |row| matches!(&row.of, Of::Model(now) if *now == name))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tables.iter().all(|table| table.events.is_empty() && table.metrics.is_empty())
    }

    /// Reports globs of `events` that match none.
    pub(crate) fn check_events(&self, files: &Files, options: &Options, faults: &mut Faults) {
        if !self.tables.iter().all(|table| table.is_whole) {
            return; // The event may be in what could not be read.
        }
        let names =
            || self.tables.iter().flat_map(|table| table.events.iter().map(Item::event_name));
        for pattern in Options::unused(&options.events, names) {
            let message = format!("option `events`: {} matches no event", quoted(pattern));
            faults.warning_at_path(&files.root, message);
        }
    }
}
