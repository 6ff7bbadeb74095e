//! Names of events, and how one is found among them.

use core::cmp::Ordering;
use std::vec::Vec;

use crate::order::sort_by;
use crate::sysfs::alias::Alias;
use pmu_events_core::__private::name;

/// Events that are known.
pub(super) struct Aliases {
    all: Vec<Alias>,
}

impl Aliases {
    pub(super) fn new(mut all: Vec<Alias>) -> Self {
        sort_by(&mut all, |a, b| order(&a.name, &b.name));
        Aliases { all }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Alias> {
        self.all.iter()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|alias| &*alias.name)
    }

    pub(super) fn find(&self, name: &str) -> Option<&Alias> {
        found(&self.all, name, |alias| &alias.name, Some)
    }
}

/// Finds the value of a name among items in the [order](order) of names: that which is spelled
/// so or, without one, that in lower case, and otherwise another one. An item may have no value.
pub(super) fn found<'i, T, V>(
    items: &'i [T],
    wanted: &str,
    name_of: impl Fn(&T) -> &str,
    value: impl Fn(&'i T) -> Option<V>,
) -> Option<V> {
    // Compared without allocating: every name is looked up on every PMU.
    let start = items.partition_point(|item| name::cmp(name_of(item), wanted).is_lt());
    let of_name = items.get(start..)?;
    let count = of_name.iter().take_while(|item| name::eq(name_of(item), wanted)).count();
    let of_name = of_name.get(..count)?;
    let spelled_so = of_name.iter().find(|item| name_of(item) == wanted);
    // Of one name, that in lower case is the last.
    spelled_so.and_then(&value).or_else(|| of_name.iter().rev().find_map(&value))
}

/// Names that differ only in letter case are neighbours.
pub(super) fn order(a: &str, b: &str) -> Ordering {
    name::cmp(a, b).then_with(|| a.cmp(b))
}
