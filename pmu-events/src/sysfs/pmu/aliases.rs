//! Names of events, and how one is found among them.

use core::cmp::Ordering;
use core::ops::Range;
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

    pub(super) fn all(&self) -> &[Alias] {
        &self.all
    }

    pub(super) fn find(&self, name: &str) -> Option<&Alias> {
        let all = self.all.as_slice();
        all.get(Places::of(name, all.len(), &|n| &all[n].name)?.first)
    }
}

/// The places of a name among items in the [order](order) of names: the item to prefer, and
/// all that differ from it only in letter case.
pub(super) struct Places {
    /// The one that is spelled so or, without one, that in lower case: the last.
    pub(super) first: usize,
    pub(super) all: Range<usize>,
}

impl Places {
    /// `None` if no item has the name.
    pub(super) fn of<'i>(
        wanted: &str,
        len: usize,
        name_of: &dyn Fn(usize) -> &'i str,
    ) -> Option<Self> {
        // Compared without allocating: every name is looked up on every PMU.
        let (mut start, mut end) = (0, len);
        while start < end {
            let middle = start + (end - start) / 2;
            match name::cmp(name_of(middle), wanted).is_lt() {
                true => start = middle + 1,
                false => end = middle,
            }
        }
        let mut spelled_so = None;
        while end < len && name::eq(name_of(end), wanted) {
            if name_of(end) == wanted {
                spelled_so = Some(end);
            }
            end += 1;
        }
        (end > start).then(|| Places { first: spelled_so.unwrap_or(end - 1), all: start..end })
    }
}

/// Names that differ only in letter case are neighbours.
pub(super) fn order(a: &str, b: &str) -> Ordering {
    name::cmp(a, b).then_with(|| a.cmp(b))
}
