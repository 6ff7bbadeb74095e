//! The names of all generic events.

use super::cache::{self, Cache};
use super::event::EventKind;
use super::generic::{self, Hardware, Software, Tool};
use crate::name::Nearest;

/// Returns the generic event of a name, in any letter case: a hardware, software or cache
/// event, or one of perf's times.
///
/// perf's grammar takes only one spelling of each for the event: `cycles` is generic,
/// and `Cycles` a name that any PMU may have. A resolver uses this function for names that
/// no PMU spells so, lest letter case decide what is counted.
///
/// ```
/// use pmu_events::__private::event_list::{EventKind, Hardware, generic_named};
/// assert_eq!(generic_named("Cycles"), Some(EventKind::Hardware(Hardware::CpuCycles)));
/// assert_eq!(generic_named("num_cpus"), None);
/// ```
#[must_use]
pub fn named(name: &str) -> Option<EventKind<'_>> {
    // Nearly every name of a table is rejected here: of generic names, only times have one.
    if name.bytes().any(|byte| matches!(byte, b'_' | b'.')) {
        return Tool::time(name).map(EventKind::Tool);
    }
    let hardware = Hardware::find(name).map(EventKind::Hardware);
    let software = || Software::find(name).map(EventKind::Software);
    let cache = || Cache::find(name).map(|event| EventKind::Cache { name, event });
    hardware.or_else(software).or_else(cache)
}

/// Returns the name of a generic event that is most similar to the given name,
/// if any is similar, for hints about unknown names.
///
/// ```
/// use pmu_events::__private::event_list::nearest_generic;
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
/// use pmu_events::__private::event_list::generic_names;
/// assert!(generic_names().any(|name| name == "L1-icache-load-misses"));
/// ```
pub fn names() -> impl Iterator<Item = &'static str> {
    generic::NAMES.into_iter().chain(cache::NAMES)
}
