//! Metric groups: those with descriptions, and those that metrics name.

use pmu_events_core::__private::name;

use super::draft::NO_TEXT;
use super::limit::{TABLES, fit};
use super::strings::Strings;
use crate::assemble::tree::{Item, Tree};
use crate::cost::intern::Interner;

/// The metric groups of a tree.
pub(super) struct Groups {
    /// Numbers of name and description of each, by name.
    pub(super) all: Vec<(u32, u32)>,
    /// For each table the groups of its metrics, by name.
    pub(super) of_tables: Vec<Vec<u32>>,
}

impl Groups {
    /// Collects them. `describe` numbers a description; without it, there are
    /// none.
    pub(super) fn of<'t>(
        tree: &'t Tree<'_>,
        strings: &mut Strings<'t>,
        mut describe: Option<impl FnMut(&'t str) -> u32>,
    ) -> Result<Self, String> {
        // There are few lists, and most are used by many metrics.
        let mut lists: Interner<&'t str> = Interner::new();
        let of_tables: Vec<Vec<u32>> = tree
            .tables
            .iter()
            .map(|table| {
                let numbers = table.metrics.iter().filter_map(groups);
                let mut numbers: Vec<u32> = numbers.map(|list| lists.number(list)).collect();
                numbers.sort_unstable();
                numbers.dedup();
                numbers
            })
            .collect();
        // A described group has the letter case of its description.
        let mut names: Vec<(&'t str, u32)> = Vec::new();
        if let Some(describe) = &mut describe {
            let described = tree.groups.iter();
            names.extend(described.map(|g| (&*g.name.text, describe(&g.description.text))));
        }
        names.extend(lists.items().iter().flat_map(|list| split(list)).map(|name| (name, NO_TEXT)));
        names.sort_by(|a, b| name::cmp(a.0, b.0));
        names.dedup_by(|a, b| name::eq(a.0, b.0));
        let number = |name: &str| {
            let found = names.binary_search_by(|known| name::cmp(known.0, name));
            fit(found.map_err(|_| "a metric group has no number")?, TABLES)
        };
        let of_lists = lists.items().iter().map(|list| split(list).map(number).collect());
        let of_lists: Vec<Vec<u32>> = of_lists.collect::<Result<_, String>>()?;
        let of_table = |lists: Vec<u32>| {
            let mut groups: Vec<u32> =
                lists.iter().flat_map(|&list| &of_lists[list as usize]).copied().collect();
            groups.sort_unstable();
            groups.dedup();
            groups
        };
        Ok(Groups {
            of_tables: of_tables.into_iter().map(of_table).collect(),
            all: names.into_iter().map(|(name, text)| (strings.number(name), text)).collect(),
        })
    }
}

fn groups<'t>(metric: &'t Item<'_>) -> Option<&'t str> {
    metric.entry.metric.groups.as_ref().map(|groups| &*groups.text)
}

fn split(list: &str) -> impl Iterator<Item = &str> {
    list.split(';').filter(|name| !name.is_empty())
}
