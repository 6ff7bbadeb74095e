//! A search for few groups that keeps sets whole if they fit one.

use alloc::vec;
use alloc::vec::Vec;

use super::arena::{Arena, union};

/// Events that must be in one group, and which one that is.
pub(super) struct Unit {
    /// The set that it is of.
    pub(super) set: usize,
    /// Sorted, with the reference.
    pub(super) events: Vec<usize>,
    pub(super) group: usize,
}

pub(super) struct Search {
    pub(super) units: Vec<Unit>,
    /// Sorted events. A group whose units have left is empty.
    pub(super) groups: Vec<Vec<usize>>,
}

impl Search {
    /// Places all sets; the references of those that are split.
    pub(super) fn place_all(
        &mut self,
        arena: &mut Arena<'_>,
        sets: &[Vec<usize>],
    ) -> Vec<Option<usize>> {
        let mut references = vec![None; sets.len()];
        let mut sorted: Vec<(usize, Vec<usize>)> = sets.iter().cloned().enumerate().collect();
        sorted.retain(|(_, set)| !set.is_empty());
        for (_, set) in &mut sorted {
            set.sort_unstable();
            set.dedup();
            if !arena.has_room(set) {
                let with = arena.with_companions(set);
                if arena.has_room(&with) {
                    *set = with;
                }
            }
        }
        // Those with most events find a place most rarely.
        sorted.sort_by_key(|(_, set)| core::cmp::Reverse(set.len()));
        let (whole, too_large): (Vec<_>, Vec<_>) =
            sorted.into_iter().partition(|(_, set)| arena.has_room(set));
        for (set, events) in whole {
            let group = self.best_group(arena, &events, None);
            self.put(set, events, group);
        }
        for (set, events) in too_large {
            references[set] = arena.references(&events).first().copied();
            self.split(arena, set, &events, references[set]);
        }
        self.dissolve(arena);
        references
    }

    /// The group that has room for these events and has most of them already; a new one if
    /// none has room.
    fn best_group(&mut self, arena: &Arena<'_>, events: &[usize], but: Option<usize>) -> usize {
        let mut best: Option<(usize, usize)> = None;
        for (number, group) in self.groups.iter().enumerate() {
            if Some(number) == but || group.is_empty() {
                continue;
            }
            let common = events.iter().filter(|one| group.binary_search(one).is_ok()).count();
            if best.is_some_and(|(most, _)| most >= common) {
                continue;
            }
            if common == events.len() || arena.has_room_beside(group, events) {
                best = Some((common, number));
            }
        }
        best.map_or(self.groups.len(), |(_, number)| number)
    }

    fn put(&mut self, set: usize, events: Vec<usize>, group: usize) {
        match self.groups.get_mut(group) {
            Some(known) => *known = union(known, &events),
            None => self.groups.push(events.clone()),
        }
        self.units.push(Unit { set, events, group });
    }

    /// Splits a set: as many of its events as possible into one group, as many of the rest
    /// as possible into the next.
    fn split(
        &mut self,
        arena: &mut Arena<'_>,
        set: usize,
        events: &[usize],
        reference: Option<usize>,
    ) {
        let mut left = arena.items(events);
        let arena = &*arena;
        left.retain(|item| item.len() > 1 || Some(item[0]) != reference);
        while !left.is_empty() {
            let start = Vec::from_iter(reference);
            let taken_into = |group: &[usize]| {
                let (mut all, mut own) = (union(group, &start), start.clone());
                let mut taken = Vec::new();
                if !arena.has_room(&all) {
                    return (taken, own);
                }
                for (n, item) in left.iter().enumerate() {
                    let is_there = |number: &usize| all.binary_search(number).is_ok();
                    if item.iter().all(is_there) || arena.has_room_beside(&all, item) {
                        all = union(&all, item);
                        own = union(&own, item);
                        taken.push(n);
                    }
                }
                (taken, own)
            };
            let (mut taken, mut own) = taken_into(&[]);
            let mut place = self.groups.len();
            for (number, group) in self.groups.iter().enumerate() {
                let (here, with) = taken_into(group);
                // Fewer parts are worth more than fewer groups.
                if !here.is_empty() && here.len() >= taken.len() && place == self.groups.len()
                    || here.len() > taken.len()
                {
                    (taken, own, place) = (here, with, number);
                }
            }
            if taken.is_empty() {
                // The event leaves the reference no counter, or has none itself.
                (taken, own) = (vec![0], left[0].clone());
                let has_room = arena.has_room(&own);
                place = match has_room {
                    true => self.best_group(arena, &own, None),
                    false => self.groups.len(),
                };
            }
            let mut n = 0;
            left.retain(|_| {
                n += 1;
                !taken.contains(&(n - 1))
            });
            self.put(set, own, place);
        }
        // A reference that is an event of the set has to be counted somewhere.
        let is_own = |unit: &&Unit| unit.set == set;
        let is_counted =
            |one: &usize| self.units.iter().filter(is_own).any(|unit| unit.events.contains(one));
        let missing: Vec<usize> = events.iter().copied().filter(|one| !is_counted(one)).collect();
        if !missing.is_empty() {
            let group = self.best_group(arena, &missing, None);
            self.put(set, missing, group);
        }
    }

    /// Moves the units of a group into others, wherever that leaves it empty; the smallest
    /// groups first.
    fn dissolve(&mut self, arena: &Arena<'_>) {
        let mut order: Vec<usize> = (0..self.groups.len()).collect();
        order.sort_by_key(|&group| self.groups[group].len());
        for group in order {
            let before = self.groups.clone();
            let own: Vec<usize> =
                (0..self.units.len()).filter(|&n| self.units[n].group == group).collect();
            let mut moved = Vec::new();
            for &unit in &own {
                let events = self.units[unit].events.clone();
                let place = self.best_group(arena, &events, Some(group));
                let Some(known) = self.groups.get_mut(place) else { break };
                *known = union(known, &events);
                moved.push((unit, place));
            }
            if moved.len() < own.len() {
                self.groups = before;
                continue;
            }
            for (unit, place) in moved {
                self.units[unit].group = place;
            }
            self.groups[group].clear();
        }
    }
}
