//! The patterns of a tree, compiled.

use std::collections::BTreeMap;

use pmu_events_core::cpuid::{Midr, Rule};

use crate::assemble::{Tree, somewhere};
use crate::fault::{Faults, Place, quoted};
use crate::mapfile::Row;
use crate::pattern::{self, Automaton, Pattern, Use};
use crate::source::Source;

/// The patterns of a tree, compiled.
pub(crate) struct Automata<'p> {
    pub(crate) cpuids: Vec<u8>,
    pub(crate) compats: Vec<u8>,
    /// Distinct `Compat` patterns, in the order of their numbers.
    pub(crate) compat_patterns: Vec<&'p str>,
}

/// Compiles the patterns of a tree; reports those that are none.
pub(crate) fn automata<'t>(
    tree: &'t Tree<'_>,
    source: &Source,
    rule: Rule,
    faults: &mut Faults,
) -> Automata<'t> {
    Automata {
        cpuids: cpuids(&tree.rows, source, rule, faults),
        compats: compats(tree, source, faults),
        compat_patterns: compat_texts(tree).into_keys().collect(),
    }
}

/// The automaton of the map file; for arm64 there is none, but each row must
/// be a MIDR.
fn cpuids(rows: &[(&Row, usize)], source: &Source, rule: Rule, faults: &mut Faults) -> Vec<u8> {
    if rule == Rule::Arm64 {
        for (row, _) in rows {
            if Midr::parse(&row.pattern).is_none() {
                faults.error(
                    row.place,
                    format!(
                        "{} is no MIDR; write it as hexadecimal, such as 0x00000000410fd0c0",
                        quoted(&row.pattern)
                    ),
                );
            }
        }
        return Vec::new();
    }
    let patterns = rows.iter().map(|(row, _)| (row.pattern.as_str(), row.place));
    let automaton = compile(patterns, rule, source, faults);
    if automaton.uses.len() == rows.len() {
        for ((row, _), usage) in rows.iter().zip(&automaton.uses) {
            let why = match usage {
                Use::First if !row.pattern.is_empty() => continue,
                Use::First => "matches only an empty CPUID",
                Use::Never => "matches no CPUID",
                Use::Hidden => "is never reached: rows before it match all that it matches",
            };
            faults.warning(row.place, format!("the pattern {} {why}", quoted(&row.pattern)));
        }
    }
    automaton.bytes
}

fn compats(tree: &Tree<'_>, source: &Source, faults: &mut Faults) -> Vec<u8> {
    compile(compat_texts(tree).into_iter(), Rule::Whole, source, faults).bytes
}

/// Distinct `Compat` patterns, and where each stands first.
fn compat_texts<'t>(tree: &'t Tree<'_>) -> BTreeMap<&'t str, Place> {
    let mut all = BTreeMap::new();
    for table in &tree.tables {
        for item in table.events.iter().chain(&table.metrics) {
            if let Some(compat) = &item.entry.compat {
                all.entry(&*compat.text).or_insert(compat.place);
            }
        }
    }
    all
}

fn compile<'p>(
    patterns: impl Iterator<Item = (&'p str, Place)>,
    rule: Rule,
    source: &Source,
    faults: &mut Faults,
) -> Automaton {
    let mut compiled = Vec::new();
    for (text, place) in patterns {
        match pattern::parse(text) {
            Ok(expression) => compiled.push(Pattern { text, expression }),
            Err(problem) => {
                let place = column_of(text, place, problem.offset, source);
                faults.error(place, format!("bad pattern {}: {}", quoted(text), problem.message));
            }
        }
    }
    pattern::build(&compiled, rule).unwrap_or_else(|message| {
        faults.error(somewhere(source), message);
        Automaton::default()
    })
}

/// The place within a pattern, where the pattern stands unquoted at `place`;
/// else its start.
fn column_of(text: &str, place: Place, offset: usize, source: &Source) -> Place {
    let written = &source.files[place.file as usize].text[place.offset as usize..];
    let start = if written.starts_with('"') { 1 } else { 0 };
    if written[start..].starts_with(text) {
        Place { offset: place.offset + (start + offset) as u32, ..place }
    } else {
        place
    }
}
