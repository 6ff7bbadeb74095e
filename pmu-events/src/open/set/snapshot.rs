//! Reads of a set as the kernel writes them, whose differences are added up without being decoded.

use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::vec::Vec;

use super::event::SetEvent;
use super::group::Group;
use super::method::ReadMethod;
use super::reading::{Lack, Reading};
use super::scratch::SetState;
use crate::open::{Count, Counter, Error, Target, count, counter};

/// What the words of a set's reads mean. There is one only if the words of one read of each group
/// are all that must be known of the counts.
#[derive(Debug)]
pub(crate) struct Layout {
    events: Arc<[Arc<SetEvent>]>,
    /// The words of each group.
    groups: Vec<Range<usize>>,
    counts: Vec<Place>,
    /// For each word, what it is in every read.
    fixed: Vec<Fixed>,
}

/// What a word is in every read: the number of a group's members, while nothing is known of counts
/// and times.
#[derive(Clone, Copy, Debug, Default)]
struct Fixed {
    bits: u64,
    mask: u64,
}

impl Fixed {
    fn members(number: usize) -> Self {
        Fixed { bits: number as u64, mask: u64::MAX }
    }

    /// Zero if a word can be that of a read.
    #[inline]
    fn odd(self, word: u64) -> u64 {
        (word ^ self.bits) & self.mask
    }
}

/// Where the count of an event is.
#[derive(Debug)]
struct Place {
    event: usize,
    target: Target,
    /// The words of its group and its place in it; `None` if it is alone.
    group: Option<(usize, usize)>,
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
            let words = if is_alone { 3 } else { 3 + members.len() };
            layout.groups.push(start..start + words);
            layout.fixed.resize(start + words, Fixed::default());
            if !is_alone {
                layout.fixed[start] = Fixed::members(members.len());
            }
            for (n, &event) in members.iter().enumerate() {
                // Without a group, the value is before the times (`perf_read_one`).
                let value = if is_alone { start } else { start + 3 + n };
                let group = (!is_alone).then_some((layout.groups.len() - 1, n));
                layout.counts.push(Place { event, target, group, value, times });
            }
        }
        Some(layout)
    }

    /// Adds the differences between two reads to sums of words. Adds nothing and returns `false` if
    /// a count went backwards, or if a group has lost members. One pass looks at everything, because
    /// the processor predicts little after a system call.
    #[inline]
    fn add_difference(&self, before: &[u64], after: &[u64], sums: &[AtomicU64]) -> bool {
        let (mut odd, mut signs) = (0, 0);
        for ((fixed, &before), &after) in self.fixed.iter().zip(before).zip(after) {
            let difference = after.wrapping_sub(before);
            odd |= fixed.odd(after) | (difference & fixed.mask);
            signs |= difference;
        }
        if odd != 0 || signs.cast_signed() < 0 || sums.len() != self.fixed.len() {
            return false;
        }
        for ((sum, before), after) in sums.iter().zip(before).zip(after) {
            // Nobody else changes it.
            let so_far = sum.load(Ordering::Relaxed);
            sum.store(so_far.wrapping_add(after.wrapping_sub(*before)), Ordering::Relaxed);
        }
        true
    }

    /// How many words there are.
    pub(crate) fn length(&self) -> usize {
        self.groups.last().map_or(0, |group| group.end)
    }

    /// The counts in sums of words.
    pub(crate) fn reading_of_sums(&self, sums: &[u64]) -> Reading {
        let mut reading = Reading::default();
        self.decode(&mut reading, |&Place { value, times, .. }| {
            Ok(Count::new(sums[value], sums[times], sums[times + 1]))
        });
        reading
    }

    /// Decodes a read, in which groups may have lost members.
    fn decode_read(&self, words: &[u64], reading: &mut Reading) {
        self.decode(reading, |&Place { group, value, times, .. }| {
            let Some((group, member)) = group else {
                return Ok(Count::new(words[value], words[times], words[times + 1]));
            };
            let words = &words[self.groups[group].clone()];
            let members = count::group(words, Counter::OF_GROUP).ok_or_else(counter::odd)?;
            members.of_member(member, words.len() - 3)
        });
    }

    fn decode(&self, reading: &mut Reading, count: impl Fn(&Place) -> Result<Count, Error>) {
        reading.begin(&self.events, SetState { was_enabled: true, resets: 0 });
        for place in &self.counts {
            let (target, event) = (place.target, &mut reading.events[place.event]);
            match count(place) {
                Ok(count) => event.begin_with(target, count, ReadMethod::SystemCall),
                Err(why) => {
                    event.clear();
                    event.add(Err(Lack { target, why }));
                }
            }
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
    /// Replaces the counts by the words of new reads; `false` if the words do not have them all.
    /// Allocates nothing if the counts were of the same set.
    #[inline]
    pub(super) fn take_words(&mut self, layout: Option<&Arc<Layout>>, groups: &[Group]) -> bool {
        let Some(layout) = layout else { return false };
        if self.words.len() != layout.length() {
            self.words.resize(layout.length(), 0);
        }
        let words = self.words.as_mut_slice();
        let mut each = groups.iter().zip(&layout.groups);
        self.is_decoded = false;
        each.all(|(group, own)| group.read_words(&mut words[own.clone()]))
    }

    /// The reading that has the counts from now on.
    pub(super) fn reading(&mut self) -> &mut Reading {
        self.is_decoded = true;
        &mut self.reading
    }

    /// Adds to sums of words what was counted since an earlier snapshot. Adds nothing and returns
    /// `false` if the words do not tell.
    #[inline]
    pub(super) fn add_since(
        &self,
        earlier: &Snapshot,
        layout: Option<&Arc<Layout>>,
        sums: &[AtomicU64],
    ) -> bool {
        let is_in_words = !self.is_decoded && !earlier.is_decoded;
        match layout {
            Some(layout) if is_in_words => layout.add_difference(&earlier.words, &self.words, sums),
            _ => false,
        }
    }

    /// The difference to an earlier snapshot, which is decoded for it.
    #[cold]
    pub(super) fn since(
        &mut self,
        earlier: &mut Snapshot,
        layout: Option<&Arc<Layout>>,
    ) -> &Reading {
        earlier.decode(layout);
        self.decode(layout);
        self.reading.subtract(&earlier.reading);
        &self.reading
    }

    #[cold]
    fn decode(&mut self, layout: Option<&Arc<Layout>>) {
        if let (false, Some(layout)) = (self.is_decoded, layout) {
            layout.decode_read(&self.words, &mut self.reading);
            self.is_decoded = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    /// A group of two and an event of its own.
    const WORDS: [u64; 8] = [2, 50, 40, 7, 8, 9, 50, 50];

    fn layout() -> Layout {
        let of = |event, group, value, times| Place {
            event,
            target: Target::ThisThread,
            group,
            value,
            times,
        };
        let mut fixed = vec![Fixed::default(); WORDS.len()];
        fixed[0] = Fixed::members(2);
        Layout {
            events: Arc::new([]),
            groups: vec![0..5, 5..8],
            counts: vec![of(0, Some((0, 0)), 3, 1), of(2, Some((0, 1)), 4, 1), of(1, None, 5, 6)],
            fixed,
        }
    }

    /// Some time later.
    fn later() -> [u64; 8] {
        let mut later = WORDS;
        for (place, more) in [(1, 10), (2, 5), (3, 100), (5, 3), (6, 10), (7, 10)] {
            later[place] += more;
        }
        later
    }

    fn sums() -> Vec<AtomicU64> {
        WORDS.map(|_| AtomicU64::new(0)).into()
    }

    fn values(sums: &[AtomicU64]) -> Vec<u64> {
        sums.iter().map(|sum| sum.load(Ordering::Relaxed)).collect()
    }

    /// Only whole differences are added.
    #[test]
    fn differences() {
        let (layout, sums, later) = (layout(), sums(), later());
        for _ in 0..2 {
            assert!(layout.add_difference(&WORDS, &later, &sums));
        }
        let twice = [0, 20, 10, 200, 0, 6, 20, 20];
        assert_eq!(values(&sums), twice);
        for place in 0..WORDS.len() {
            let mut odd = later;
            odd[place] = WORDS[place] - 1;
            assert!(!layout.add_difference(&WORDS, &odd, &sums), "{place}");
        }
        assert!(!layout.add_difference(&WORDS, &later, &sums[1..]));
        assert_eq!(values(&sums), twice);
    }

    #[test]
    fn words_of_another_group_are_refused() {
        let (layout, sums) = (layout(), sums());
        // Another number of members, in both reads or in one.
        let mut odd = WORDS;
        odd[0] = 1;
        for (before, after) in [(odd, odd), (WORDS, odd), (odd, WORDS)] {
            assert!(!layout.add_difference(&before, &after, &sums));
        }
        assert_eq!(values(&sums), [0; 8]);
    }

    #[test]
    fn snapshots_that_are_decoded() {
        let layout = Some(Arc::new(layout()));
        let of = |words: [u64; 8], is_decoded| Snapshot {
            words: words.into(),
            is_decoded,
            ..Snapshot::default()
        };
        let sums = sums();
        for (before, after) in [(false, true), (true, false), (true, true)] {
            let (before, after) = (of(WORDS, before), of(later(), after));
            assert!(!after.add_since(&before, layout.as_ref(), &sums));
        }
        assert!(!of(later(), false).add_since(&of(WORDS, false), None, &sums));
        assert_eq!(values(&sums), [0; 8]);
        assert!(of(later(), false).add_since(&of(WORDS, false), layout.as_ref(), &sums));
    }
}
