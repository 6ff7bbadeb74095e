//! What a CPU's table lacks: vendors of Arm's and of RISC-V's CPUs list only a part of the events that
//! the architecture has.

use pmu_events::format::Words;

use super::coded::OfModel;
use super::codes::Codes;
use crate::trees::{Table, Trees};

/// The directory of an architecture's own table.
pub(crate) const DIRECTORY: &str = "architecture";

/// Whether the tables of CPUs are known to have all of their events.
pub(crate) fn has_complete_tables(architecture: &str) -> bool {
    !matches!(architecture, "arm64" | "riscv")
}

/// Whether a table is an architecture's, which lacks what only a CPU has.
pub(crate) fn is_table_of(table: &Table) -> bool {
    table.directory() == DIRECTORY
}

/// The table of the architecture of a CPU's, and its events with the words; none if the CPU's table
/// is complete, or is that table.
pub(crate) fn events(
    trees: &'static Trees,
    of: &Table,
    codes: &Codes<'_>,
    words: Words,
) -> Option<(Table, Vec<OfModel>)> {
    // Apple's codes are none of the architecture's.
    let is_own = of.directory().starts_with("apple/");
    if has_complete_tables(of.architecture) || is_table_of(of) || is_own {
        return None;
    }
    let mut tables = trees.all();
    let table = tables.find(|table| table.architecture == of.architecture && is_table_of(table))?;
    let has = |terms: &str| codes.encoded(terms).is_some_and(|own| own.words() == words);
    let with_words = table.events().filter(|event| has(event.event_string()));
    let events: Vec<_> = with_words.map(|event| OfModel { model: table.model, event }).collect();
    (!events.is_empty()).then_some((table, events))
}
