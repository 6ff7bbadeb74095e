//! Successors of deprecated events: which event counts the same is a fact of a table.

use std::collections::HashMap;

use pmu_events_core::name;
use pmu_events_core::term::Terms;

use crate::assemble::Item;

/// Names the successor of each deprecated event of a table.
pub(crate) fn find(events: &mut [Item<'_>]) {
    let is_deprecated = |item: &Item<'_>| item.entry.deprecated == Some(true);
    // Most tables have few of them: only what they count is looked for.
    let mut wanted: HashMap<Counted, Vec<String>> = events
        .iter()
        .filter(|item| is_deprecated(item))
        .map(|item| (Counted::of(item), Vec::new()))
        .collect();
    if wanted.is_empty() {
        return;
    }
    for item in events.iter().filter(|item| !is_deprecated(item)) {
        if let Some(names) = wanted.get_mut(&Counted::of(item)) {
            names.push(item.event_name().to_owned());
        }
    }
    for item in events.iter_mut().filter(|item| is_deprecated(item)) {
        let names = wanted.get(&Counted::of(item)).map_or(&[][..], Vec::as_slice);
        item.successor = nearest(item.event_name(), names).map(str::to_owned);
    }
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
        let mut terms = String::new();
        // The sampling period does not change what is counted, nor does the notation of a
        // number.
        for term in Terms::new(&item.entry.event).filter(|term| term.name != "period") {
            terms.push_str(term.name);
            match (term.number(), term.value) {
                (Some(number), _) => terms.push_str(&format!("={number},")),
                (None, value) => terms.push_str(&format!("={},", value.unwrap_or_default())),
            }
        }
        Counted {
            pmu: item.entry.pmu.to_string(),
            terms,
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
