//! Reads of a set as the kernel writes them, whose differences are added up without decoding them.

use core::ops::Range;
use std::sync::Arc;
use std::vec::Vec;

use super::event::SetEvent;
use super::group::Group;
use super::method::ReadMethod;
use super::reading::Reading;
use super::scratch::SetState;
use crate::open::{Count, Target};

/// What the words of a set's reads mean. There is one only if the words of one read of each group
/// are all that must be known of the counts.
#[derive(Debug)]
pub(super) struct Layout {
    events: Arc<[Arc<SetEvent>]>,
    /// The words of each group.
    groups: Vec<Range<usize>>,
    counts: Vec<Place>,
    /// The words that are the same in every read, by their place: the number of a group's members,
    /// and their ids.
    fixed: Vec<(usize, u64)>,
}

/// Where the count of an event is.
#[derive(Debug)]
struct Place {
    event: usize,
    target: Target,
    id: Option<u64>,
    value: usize,
    /// Its enabled time, which the running time follows.
    times: usize,
}

impl Layout {
    pub(super) fn of(groups: &[Group], events: &Arc<[Arc<SetEvent>]>) -> Option<Self> {
        let is_sum = |event: &Arc<SetEvent>| !event.resolved().is_some_and(|one| one.is_snapshot);
        if !events.iter().all(is_sum) {
            return None;
        }
        let (events, groups_of, counts, fixed) =
            (events.clone(), Vec::new(), Vec::new(), Vec::new());
        let mut layout = Layout { events, groups: groups_of, counts, fixed };
        for group in groups {
            let (target, members) = group.in_one_place()?;
            let start = layout.length();
            let times = start + 1;
            let is_alone = members.len() == 1;
            let words = if is_alone { 3 } else { 3 + 2 * members.len() };
            layout.groups.push(start..start + words);
            if !is_alone {
                layout.fixed.push((start, members.len() as u64));
            }
            for (n, (event, id)) in members.enumerate() {
                // Without a group, the value is before the times (`perf_read_one`).
                let value = if is_alone { start } else { start + 3 + 2 * n };
                let id = (!is_alone).then_some(id);
                if let Some(id) = id {
                    layout.fixed.push((value + 1, id));
                }
                layout.counts.push(Place { event, target, id, value, times });
            }
        }
        Some(layout)
    }

    /// Whether words are those of a read: no kernel has another order, but counts must never be
    /// those of another event.
    #[inline]
    fn is_of(&self, words: &[u64]) -> bool {
        let odd = |&(place, fixed): &(usize, u64)| words.get(place).map_or(1, |word| word ^ fixed);
        self.fixed.iter().fold(0, |all, fixed| all | odd(fixed)) == 0
    }

    fn length(&self) -> usize {
        self.groups.last().map_or(0, |group| group.end)
    }

    fn decode(&self, words: &[u64], reading: &mut Reading) {
        reading.begin(&self.events, SetState { was_enabled: true, resets: 0 });
        for &Place { event, target, id, value, times } in &self.counts {
            let count = Count { id, ..Count::new(words[value], words[times], words[times + 1]) };
            reading.events[event].begin_with(target, count, ReadMethod::SystemCall);
        }
    }
}

/// The counts of a set that is enabled, at one moment.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    words: Vec<u64>,
    reading: Reading,
    /// Whether the reading has the counts. Otherwise, the words have them.
    is_decoded: bool,
}

impl Snapshot {
    /// Replaces the counts by the words of new reads; `false` if they do not tell. Allocates nothing
    /// if the counts were of the same set.
    #[inline]
    pub(super) fn take_words(&mut self, layout: Option<&Arc<Layout>>, groups: &[Group]) -> bool {
        let Some(layout) = layout else { return false };
        if self.words.len() != layout.length() {
            self.words.resize(layout.length(), 0);
        }
        let words = self.words.as_mut_slice();
        let mut each = groups.iter().zip(&layout.groups);
        self.is_decoded = false;
        each.all(|(group, own)| group.read_words(&mut words[own.clone()])) && layout.is_of(words)
    }

    /// The reading that has the counts from now on.
    pub(super) fn reading(&mut self) -> &mut Reading {
        self.is_decoded = true;
        &mut self.reading
    }

    #[cold]
    fn decode(&mut self, layout: Option<&Arc<Layout>>) {
        if let (false, Some(layout)) = (self.is_decoded, layout) {
            layout.decode(&self.words, &mut self.reading);
            self.is_decoded = true;
        }
    }
}

/// What was counted between snapshots, added up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spent {
    /// The sum of differences of words, and what the words mean.
    words: Vec<u64>,
    layout: Option<Arc<Layout>>,
    /// The sum of all else.
    reading: Reading,
}

impl Spent {
    /// Adds what was counted from one snapshot to another, which are then only of use to be taken
    /// again.
    #[inline]
    pub(super) fn add_between(
        &mut self,
        before: &mut Snapshot,
        after: &mut Snapshot,
        layout: Option<&Arc<Layout>>,
    ) {
        let is_added = !before.is_decoded
            && !after.is_decoded
            && self.words.len() == after.words.len()
            && self.add_words(&before.words, &after.words);
        if !is_added {
            self.add_readings(before, after, layout);
        }
    }

    /// Adds the differences, unless one went backwards.
    #[inline]
    fn add_words(&mut self, before: &[u64], after: &[u64]) -> bool {
        let mut is_backwards = false;
        for (sum, (before, after)) in self.words.iter_mut().zip(before.iter().zip(after)) {
            is_backwards |= before > after;
            *sum = sum.wrapping_add(after.wrapping_sub(*before));
        }
        if is_backwards {
            for (sum, (before, after)) in self.words.iter_mut().zip(before.iter().zip(after)) {
                *sum = sum.wrapping_sub(after.wrapping_sub(*before));
            }
        }
        !is_backwards
    }

    #[cold]
    #[inline(never)]
    fn add_readings(
        &mut self,
        before: &mut Snapshot,
        after: &mut Snapshot,
        layout: Option<&Arc<Layout>>,
    ) {
        if let (None, Some(layout)) = (&self.layout, layout) {
            self.layout = Some(layout.clone());
            self.words.resize(layout.length(), 0);
            return self.add_between(before, after, Some(layout));
        }
        before.decode(layout);
        after.decode(layout);
        after.reading.subtract(&before.reading);
        self.reading.add(&after.reading);
    }

    /// Adds another sum, of the same events, perhaps on another thread.
    pub(crate) fn add(&mut self, other: &Spent) {
        self.reading.add(&other.to_reading());
    }

    pub(crate) fn to_reading(&self) -> Reading {
        let mut sum = self.reading.clone();
        if let Some(layout) = &self.layout {
            let mut of_words = Reading::default();
            layout.decode(&self.words, &mut of_words);
            sum.add(&of_words);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    fn layout() -> Layout {
        let of =
            |event, id, value, times| Place { event, target: Target::ThisThread, id, value, times };
        Layout {
            events: Arc::new([]),
            groups: vec![0..7, 7..10],
            counts: vec![of(0, Some(21), 3, 1), of(2, Some(22), 5, 1), of(1, None, 7, 8)],
            fixed: vec![(0, 2), (4, 21), (6, 22)],
        }
    }

    /// A group of two and an event of its own.
    const WORDS: [u64; 10] = [2, 50, 40, 7, 21, 8, 22, 9, 50, 50];

    #[test]
    fn words_of_another_group_are_refused() {
        let layout = layout();
        assert!(layout.is_of(&WORDS));
        // Another number of members, their other order, and a read that is too short.
        for (place, word) in [(0, 1), (4, 22), (6, 21)] {
            let mut odd = WORDS;
            odd[place] = word;
            assert!(!layout.is_of(&odd), "{place}");
        }
        assert!(!layout.is_of(&WORDS[..6]));
    }

    /// Only whole differences are added.
    #[test]
    fn differences() {
        let mut spent = Spent { words: vec![0; WORDS.len()], ..Spent::default() };
        let mut after = WORDS;
        for (place, more) in [(1, 10), (2, 5), (3, 100), (7, 3), (8, 10), (9, 10)] {
            after[place] += more;
        }
        assert!(spent.add_words(&WORDS, &after) && spent.add_words(&WORDS, &after));
        let twice = [0, 20, 10, 200, 0, 0, 0, 6, 20, 20];
        assert_eq!(spent.words, twice);
        for place in 0..WORDS.len() {
            let mut odd = after;
            odd[place] = WORDS[place] - 1;
            assert!(!spent.add_words(&WORDS, &odd), "{place}");
            assert_eq!(spent.words, twice, "{place}");
        }
    }
}
