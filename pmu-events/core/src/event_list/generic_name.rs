//! The names of all generic events.

use super::{cache, generic};
use crate::name::Nearest;

/// Returns the name of a generic event that is most similar to the given name,
/// if any is similar, for hints about unknown names.
///
/// ```
/// use pmu_events::event_list::nearest_generic;
/// assert_eq!(nearest_generic("instrutcions"), Some("instructions"));
/// assert_eq!(nearest_generic("L1-dcache-load-mises"), Some("L1-dcache-load-misses"));
/// assert_eq!(nearest_generic("inst_retired.any"), None);
/// ```
#[must_use]
pub fn nearest(name: &str) -> Option<&'static str> {
    Nearest::to(name).among(names())
}

/// Returns the names of all generic events: hardware, software, tool and cache
/// events, including those without a kernel event number.
///
/// ```
/// use pmu_events::event_list::generic_names;
/// assert!(generic_names().any(|name| name == "L1-icache-load-misses"));
/// ```
pub fn names() -> impl Iterator<Item = &'static str> {
    generic::NAMES.into_iter().chain(cache::NAMES)
}
