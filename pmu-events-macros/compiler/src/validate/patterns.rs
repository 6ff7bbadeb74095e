//! The patterns of a tree, compiled.

use std::collections::BTreeMap;

use pmu_events_core::__private::cpuid::{MatchRule, Midr};

use super::pattern::{Builder, Set, Use};
use crate::assemble::tree::Tree;
use crate::faults::{Faults, Place, narrow, quoted};
use crate::files::Files;

/// The patterns of a tree, compiled.
pub(crate) struct Patterns<'p> {
    pub(crate) rule: MatchRule,
    /// The rows of arm64's map file.
    pub(crate) midrs: Vec<Midr>,
    /// The rows of any other architecture's map file.
    pub(crate) cpuids: Set,
    /// The rows of arm64's `cpus.csv`.
    pub(crate) made_midrs: Vec<Midr>,
    /// The rows of any other architecture's `cpus.csv`.
    pub(crate) made: Set,
    /// The rows of `fallback.csv`.
    pub(crate) fallbacks: Set,
    pub(crate) compats: Set,
    /// Distinct `Compat` patterns, in the order of their numbers.
    pub(crate) compat_texts: Vec<&'p str>,
}

impl Patterns<'_> {
    /// The sets of expressions.
    pub(crate) fn sets(&self) -> [&Set; 4] {
        [&self.cpuids, &self.compats, &self.made, &self.fallbacks]
    }
}

/// Compiles the patterns of a tree; reports invalid ones.
pub(crate) fn patterns<'t>(
    tree: &'t Tree<'_>,
    files: &Files,
    rule: MatchRule,
    faults: &mut Faults,
) -> Patterns<'t> {
    let compats = compat_texts(tree);
    let rows = tree.rows.iter().map(|(row, _)| (row.pattern.as_str(), row.place));
    let made = tree.made.iter().map(|(row, _)| (row.pattern.as_str(), row.place));
    let fallbacks = tree.fallbacks.iter().map(|(row, _)| (row.pattern.as_str(), row.place));
    let is_arm = rule == MatchRule::Arm64;
    let (midrs, cpuids) = match is_arm {
        true => (registers(rows, faults), Set::default()),
        false => (Vec::new(), expressions(rows, Counting::First, files, rule, faults)),
    };
    let (made_midrs, made) = match is_arm {
        true => (registers(made, faults), Set::default()),
        false => (Vec::new(), expressions(made, Counting::All, files, rule, faults)),
    };
    // The registers of an architecture have no order: a pattern has their text.
    let rule_of_fallbacks = if is_arm { MatchRule::Whole } else { rule };
    Patterns {
        rule,
        midrs,
        cpuids,
        made_midrs,
        made,
        fallbacks: expressions(fallbacks, Counting::First, files, rule_of_fallbacks, faults),
        compats: compile(
            compats.iter().map(|(&text, &place)| (text, place)),
            MatchRule::Whole,
            files,
            faults,
        ),
        compat_texts: compats.into_keys().collect(),
    }
}

/// arm64 has no expressions: each row must be a MIDR.
fn registers<'p>(rows: impl Iterator<Item = (&'p str, Place)>, faults: &mut Faults) -> Vec<Midr> {
    let mut midrs = Vec::new();
    for (pattern, place) in rows {
        match Midr::parse(pattern) {
            Ok(midr) => midrs.push(midr),
            Err(_) => faults.error(
                place,
                format!(
                    "invalid MIDR {}: expected a hexadecimal number, such as 0x00000000410fd0c0",
                    quoted(pattern)
                ),
            ),
        }
    }
    midrs
}

/// Which rows count, of several that match a CPUID.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counting {
    First,
    All,
}

/// The patterns of rows; warns of those that no CPUID can select.
fn expressions<'p>(
    rows: impl Iterator<Item = (&'p str, Place)> + Clone,
    counting: Counting,
    files: &Files,
    rule: MatchRule,
    faults: &mut Faults,
) -> Set {
    let set = compile(rows.clone(), rule, files, faults);
    // Numbers are of those that could be read.
    if set.uses.len() != rows.clone().count() {
        return set;
    }
    for ((pattern, place), usage) in rows.zip(&set.uses) {
        let why = match usage {
            Use::First if !pattern.is_empty() => continue,
            Use::Hidden if counting == Counting::All => continue,
            Use::First => "matches only an empty CPUID",
            Use::Never => "matches no CPUID",
            Use::Hidden => "is never reached: rows before it match all that it matches",
        };
        faults.warning(place, format!("the pattern {} {why}", quoted(pattern)));
    }
    set
}

/// Distinct `Compat` patterns, and the first occurrence of each.
fn compat_texts<'t>(tree: &'t Tree<'_>) -> BTreeMap<&'t str, Place> {
    let mut all = BTreeMap::new();
    for table in &tree.tables {
        for item in table.events.iter().chain(&table.metrics) {
            if let Some(compat) = &item.entry.texts.compat {
                all.entry(&*compat.text).or_insert(compat.place);
            }
        }
    }
    all
}

fn compile<'p>(
    patterns: impl Iterator<Item = (&'p str, Place)> + Clone,
    rule: MatchRule,
    files: &Files,
    faults: &mut Faults,
) -> Set {
    let mut builder = Builder::new(rule);
    let mut is_sound = true;
    for (text, place) in patterns.clone() {
        if let Err(problem) = builder.add(text) {
            let place = column_of(text, place, problem.offset, files);
            faults.error(place, format!("bad pattern {}: {}", quoted(text), problem.message));
            is_sound = false;
            if builder.is_full() {
                break; // So are all that follow.
            }
        }
    }
    let many = match builder.build() {
        Ok(set) => return set,
        // Numbers are of those that could be read.
        Err(_) if !is_sound => return Set::default(),
        Err(many) => many,
    };
    if let Some((text, place)) = patterns.clone().nth(many.number as usize) {
        let together = if many.alone { "" } else { " together with those before it" };
        let message = format!("pattern {} is too complex{together}; simplify it", quoted(text));
        faults.error(place, message);
    }
    Set::default()
}

/// The place within a pattern, if the pattern is unquoted at `place`; otherwise
/// its start.
fn column_of(text: &str, place: Place, offset: usize, files: &Files) -> Place {
    let Some(file) = files.all.get(place.file as usize) else {
        return place;
    };
    let written = &file.text[place.offset as usize..];
    let start = if written.starts_with('"') { 1 } else { 0 };
    if written[start..].starts_with(text) {
        Place { offset: place.offset + narrow(start + offset), ..place }
    } else {
        place
    }
}
