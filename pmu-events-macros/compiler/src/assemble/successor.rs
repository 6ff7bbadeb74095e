//! Successors of deprecated events: which event counts the same is a fact of a table.

use std::collections::HashMap;

use pmu_events_core::__private::flags::Flag;
use pmu_events_core::__private::name;
use pmu_events_core::term::{Term, Terms};

use super::tree::{Item, Table};
use crate::cost::parallel;

/// Names the successor of each deprecated event.
pub(crate) fn find(tables: &mut [Table<'_>]) {
    let found = parallel::map(tables.len(), |number| of_table(&tables[number].events));
    for (table, successors) in tables.iter_mut().zip(found) {
        for (event, successor) in successors {
            table.events[event].successor = Some(successor);
        }
    }
}

/// The successors of events, by their positions.
fn of_table(events: &[Item<'_>]) -> Vec<(usize, String)> {
    let is_deprecated = |item: &Item<'_>| item.entry.flags.has(Flag::Deprecated);
    let numbered = events.iter().enumerate();
    let deprecated: Vec<(usize, Counted<'_>)> = numbered
        .filter(|(_, item)| is_deprecated(item))
        .map(|(number, item)| (number, Counted::of(item)))
        .collect();
    if deprecated.is_empty() {
        return Vec::new();
    }
    // To compare all terms takes long in an unoptimised macro, and a few bits already
    // tell most events apart.
    let mut is_like_one = [false; SIGNS];
    for (number, _) in &deprecated {
        is_like_one[sign(&events[*number])] = true;
    }
    let mut names: HashMap<Counted<'_>, Vec<&str>> = HashMap::new();
    for item in events.iter().filter(|item| !is_deprecated(item)) {
        if is_like_one[sign(item)] {
            names.entry(Counted::of(item)).or_default().push(item.event_name());
        }
    }
    let successor = |(number, counted): (usize, Counted<'_>)| {
        let names = names.get(&counted)?.iter().copied();
        Some((number, nearest(events[number].event_name(), names)?.to_owned()))
    };
    deprecated.into_iter().filter_map(successor).collect()
}

/// The terms that say what is counted: the sampling period does not.
fn terms<'t>(item: &'t Item<'_>) -> impl Iterator<Item = Term<'t>> {
    Terms::new(&item.entry.event).filter(|term| term.name() != "period")
}

/// The number of [`sign`]s.
const SIGNS: usize = 1 << 12;

/// Equal for events that count the same: bits of the first number and of the length of the
/// PMU's name.
fn sign(item: &Item<'_>) -> usize {
    let number = terms(item).next().and_then(|term| term.number()).unwrap_or(0);
    let pmu = (item.entry.pmu.len() as u64) << 8;
    usize::try_from((number ^ pmu) % SIGNS as u64).unwrap_or(0)
}

/// What an event counts, and on which PMU.
#[derive(PartialEq, Eq, Hash)]
struct Counted<'t> {
    pmu: &'t str,
    /// Names and values; the notation of a number does not matter.
    terms: Vec<(&'t str, Result<u64, &'t str>)>,
    compat: Option<&'t str>,
}

impl<'t> Counted<'t> {
    fn of(item: &'t Item<'_>) -> Self {
        Counted {
            pmu: &item.entry.pmu,
            terms: terms(item)
                .map(|term| (term.name(), term.number().ok_or(term.value().unwrap_or_default())))
                .collect(),
            compat: item.entry.texts.compat.as_ref().map(|compat| &*compat.text),
        }
    }
}

/// Among the names of several events that count the same, the one that is most similar to
/// an old name, the first of equally similar ones: the rest of the name then means the
/// same.
///
/// ```
/// use pmu_events_compiler::nearest_successor;
///
/// let names = ["LONG_A", "LONG_B"];
/// assert_eq!(nearest_successor("LNG_B", names), Some("LONG_B"));
/// assert_eq!(nearest_successor("X", names), Some("LONG_A"));
/// ```
#[must_use]
pub fn nearest<'n, N: AsRef<str> + ?Sized + 'n>(
    old: &str,
    names: impl IntoIterator<Item = &'n N>,
) -> Option<&'n str> {
    let distance = |new: &str, most: usize| {
        name::distance(old, new, most.min(usize::from(u8::MAX))).unwrap_or(usize::MAX)
    };
    let mut names = names.into_iter().map(AsRef::as_ref);
    let mut best = names.next()?;
    // Most events have one successor, which needs no comparison.
    let mut least = None;
    for name in names {
        let known = least.unwrap_or_else(|| distance(best, usize::MAX));
        let own = distance(name, known);
        let (distance, nearer) = (own, name).min((known, best));
        (least, best) = (Some(distance), nearer);
    }
    Some(best)
}
