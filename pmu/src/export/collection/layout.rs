//! Which series there are, and which counts each is the sum of.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use pmu_events::follow::{Following, Place};

use crate::export::exposition::{Family, Label, Labels, Page, Row, Value};

/// A series that does not exist: there was no room for it, or another one has the same counts.
pub(super) const NONE: u32 = u32::MAX;

/// The series of the places that exist.
#[derive(Default)]
pub(super) struct Layout {
    pub(super) state: Option<u64>,
    pub(super) sums: Vec<Sum>,
    /// For each count of each cell of each place, in their order, the sum to which it belongs.
    pub(super) links: Vec<u32>,
    pub(super) groups: Vec<GroupSum>,
    /// For each cell of each place, the group.
    pub(super) group_links: Vec<u32>,
    /// The labels of each place.
    pub(super) places: Vec<Arc<[Label]>>,
    pub(super) not_counted: Vec<Labels>,
    /// Series for which there was no room.
    pub(super) left_out: usize,
    pub(super) machine: Labels,
    pub(super) numbers: Vec<(&'static str, f64)>,
    pub(super) families: Places,
}

/// Where the families are that follow those of counts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Places {
    pub(super) ratios: usize,
    pub(super) times: usize,
    pub(super) metrics: usize,
}

/// A series of counts.
pub(super) struct Sum {
    /// The name of its family, with the unit.
    pub(super) family: &'static str,
    pub(super) labels: Labels,
    /// What a count is multiplied by, if it is not exported as it is.
    pub(super) factor: Option<f64>,
    pub(super) value: u64,
    pub(super) enabled: u64,
    pub(super) running: u64,
    /// Its place among the families.
    pub(super) at: (usize, usize),
}

/// The times of a group in one place.
pub(super) struct GroupSum {
    pub(super) labels: Labels,
    pub(super) enabled: u64,
    pub(super) running: u64,
    /// At the read before.
    pub(super) before: (u64, u64),
}

impl Layout {
    /// Whether places have come or gone since it was made.
    pub(super) fn is_outdated(&self, following: &Following) -> bool {
        self.state != Some(state(following))
    }

    /// Adds up what was read.
    pub(super) fn add_up(&mut self, following: &Following) {
        for sum in &mut self.sums {
            (sum.value, sum.enabled, sum.running) = (0, 0, 0);
        }
        for group in &mut self.groups {
            group.before = (group.enabled, group.running);
            (group.enabled, group.running) = (0, 0);
        }
        let (mut links, mut group_links) = (self.links.iter(), self.group_links.iter());
        for cell in following.places().flat_map(Place::cells) {
            let group = group_links.next().and_then(|&at| self.groups.get_mut(at as usize));
            let mut times = (0, 0);
            for (_, count) in cell.counts() {
                times = (count.time_enabled(), count.time_running());
                let sum = links.next().and_then(|&at| self.sums.get_mut(at as usize));
                if let Some(sum) = sum {
                    sum.value = sum.value.wrapping_add(count.value());
                    sum.enabled += times.0;
                    sum.running += times.1;
                }
            }
            if let Some(group) = group {
                group.enabled += times.0;
                group.running += times.1;
            }
        }
    }

    /// Puts the sums into the families.
    pub(super) fn put(&self, all: &mut [Family]) {
        for sum in &self.sums {
            let (family, row) = sum.at;
            if let Some(row) = all.get_mut(family).and_then(|family| family.rows.get_mut(row)) {
                row.value = sum.exported();
            }
        }
        let Places { ratios, times, .. } = self.families;
        let ratio = |group: &GroupSum| {
            let enabled = group.enabled.saturating_sub(group.before.0);
            let running = group.running.saturating_sub(group.before.1);
            // Times of different CPUs are not read at one moment.
            (enabled > 0).then(|| Value::Number((running as f64 / enabled as f64).min(1.0)))
        };
        for (row, group) in rows(all, ratios).iter_mut().zip(&self.groups) {
            row.value = ratio(group).unwrap_or(row.value);
        }
        for (row, group) in rows(all, times).iter_mut().zip(&self.groups) {
            row.value = Value::Number(group.enabled as f64 / 1e9);
        }
    }

    /// Puts the values of metrics into their family.
    pub(super) fn put_metrics(&self, new: Vec<Row>, page: &mut Page) {
        let at = self.families.metrics;
        let old = rows(page.families(), at);
        let labels = |rows: &[Row]| rows.iter().map(|row| row.labels.clone()).collect::<Vec<_>>();
        if labels(old) == labels(&new) {
            old.iter_mut().zip(new).for_each(|(old, new)| old.value = new.value);
        } else if let Some(family) = page.rearrange().get_mut(at) {
            family.rows = new;
        }
    }

    /// The labels of a place by its number.
    pub(super) fn place(&self, number: usize) -> Arc<[Label]> {
        self.places.get(number).cloned().unwrap_or_default()
    }

    pub(super) fn series(&self) -> usize {
        self.sums.len() + 2 * self.groups.len() + self.not_counted.len() + self.numbers.len() + 1
    }

    pub(super) fn left_out(&self) -> usize {
        self.left_out
    }
}

impl Sum {
    fn exported(&self) -> Value {
        match self.factor {
            // It never had a counter: what it would have counted is unknown.
            _ if self.running == 0 && self.enabled > 0 => Value::Unknown,
            None => Value::Whole(self.value),
            Some(factor) => Value::Number(self.value as f64 * factor),
        }
    }
}

/// The series of a family by its number.
fn rows(all: &mut [Family], family: usize) -> &mut [Row] {
    all.get_mut(family).map_or(&mut [], |family| &mut family.rows)
}

/// A number that changes when series must be made anew.
pub(super) fn state(following: &Following) -> u64 {
    let mut state = DefaultHasher::new();
    for place in following.places() {
        (place.selection(), place.name(), place.cells().len()).hash(&mut state);
        for event in following.events(place.selection()) {
            event.refusal().is_some().hash(&mut state);
        }
    }
    following.left_out().len().hash(&mut state);
    state.finish()
}
