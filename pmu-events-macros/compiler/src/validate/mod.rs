//! Whole-tree checks.

mod duplicates;
mod events;
mod metrics;
mod naming;
pub(crate) mod pattern;
mod patterns;
mod values;

pub(crate) use naming::static_name;
pub(crate) use patterns::{Patterns, patterns};

use crate::assemble::tree::Tree;
use crate::cost::parallel;
use crate::faults::Faults;
use crate::files::Files;

/// Reports what is wrong with the tables of a tree.
pub(crate) fn check(tree: &Tree<'_>, files: &Files, faults: &mut Faults) {
    // Tables do not depend on each other, and there is much to look at.
    let parts = parallel::map(tree.tables.len(), |number| {
        let (table, mut faults) = (&tree.tables[number], Faults::default());
        duplicates::check(table, &mut faults);
        table.events.iter().for_each(|item| events::check(item, &mut faults));
        table.metrics.iter().for_each(|item| metrics::check(item, &mut faults));
        faults
    });
    parts.into_iter().for_each(|part| faults.append(part));
    for group in &tree.groups {
        values::length(&group.name, "the name of a metric group", faults);
    }
    naming::check(tree, files, faults);
}
