//! Successors of deprecated events: which event counts the same is a fact of a table.

use std::collections::{HashMap, HashSet};

use pmu_events_core::name;
use pmu_events_core::term::{Term, Terms};

use crate::assemble::{Item, Table};
use crate::parallel;

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
    let is_deprecated = |item: &Item<'_>| item.entry.deprecated == Some(true);
    let numbered = events.iter().enumerate();
    let deprecated: Vec<(usize, Counted)> = numbered
        .filter(|(_, item)| is_deprecated(item))
        .map(|(number, item)| (number, Counted::of(item)))
        .collect();
    // To compare all terms takes long in an unoptimised macro, and the first one already
    // tells most events apart.
    let firsts: HashSet<_> = deprecated.iter().map(|(number, _)| first(&events[*number])).collect();
    let mut names: HashMap<Counted, Vec<&str>> = HashMap::new();
    for item in events.iter().filter(|item| !is_deprecated(item)) {
        if firsts.contains(&first(item)) {
            names.entry(Counted::of(item)).or_default().push(item.event_name());
        }
    }
    let successor = |(number, counted): (usize, Counted)| {
        let names = names.get(&counted)?.iter().copied();
        Some((number, nearest(events[number].event_name(), names)?.to_owned()))
    };
    deprecated.into_iter().filter_map(successor).collect()
}

/// The terms that say what is counted: the sampling period does not.
fn terms<'t>(item: &'t Item<'_>) -> impl Iterator<Item = Term<'t>> {
    Terms::new(&item.entry.event).filter(|term| term.name != "period")
}

/// The PMU of an event, and its first term with its number or else its text.
fn first<'t>(item: &'t Item<'_>) -> (&'t str, Option<(&'t str, Result<u64, &'t str>)>) {
    let value = |term: &Term<'t>| term.number().ok_or(term.value.unwrap_or_default());
    (&item.entry.pmu, terms(item).next().map(|term| (term.name, value(&term))))
}

/// What an event counts, and on which PMU.
#[derive(PartialEq, Eq, Hash)]
struct Counted {
    pmu: String,
    terms: String,
    compat: Option<String>,
}

impl Counted {
    fn of(item: &Item<'_>) -> Self {
        let mut text = String::new();
        // Nor does the notation of a number.
        for term in terms(item) {
            text.push_str(term.name);
            match (term.number(), term.value) {
                (Some(number), _) => text.push_str(&format!("={number},")),
                (None, value) => text.push_str(&format!("={},", value.unwrap_or_default())),
            }
        }
        Counted {
            pmu: item.entry.pmu.to_string(),
            terms: text,
            compat: item.entry.compat.as_ref().map(|compat| compat.text.to_string()),
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
    let distance = |new: &str| name::distance(old, new, usize::from(u8::MAX)).unwrap_or(usize::MAX);
    names.into_iter().map(AsRef::as_ref).min_by_key(|new| (distance(new), *new))
}
