//! The names of all generic events.

use super::{cache, generic, nearest};

/// The generic event whose name comes nearest to a written one, if any is
/// near: for those who find no event of that name.
///
/// ```
/// use pmu_events::event_list::nearest_generic;
/// assert_eq!(nearest_generic("instrutcions"), Some("instructions"));
/// assert_eq!(nearest_generic("L1-dcache-load-mises"), Some("L1-dcache-load-misses"));
/// assert_eq!(nearest_generic("inst_retired.any"), None);
/// ```
#[must_use]
pub fn nearest(name: &str) -> Option<&'static str> {
    nearest::among(name, names())
}

/// The names of all generic events: hardware, software, tool and cache events,
/// those without a number of the kernel's among them.
///
/// ```
/// use pmu_events::event_list::generic_names;
/// assert!(generic_names().any(|name| name == "L1-icache-load-misses"));
/// ```
pub fn names() -> impl Iterator<Item = &'static str> {
    generic::NAMES.into_iter().chain(cache::NAMES)
}
