//! Splitting sets that fit one group, where that saves groups.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::arena::{Arena, union};
use super::search::{Search, Unit};

/// Events that are counted together: one, with what it cannot be counted without.
type Item = Vec<usize>;

/// What is known of the sets before they are distributed.
struct Sets {
    /// Those that are not empty.
    all: Vec<Set>,
    /// References, those that are best for most sets first.
    references: Vec<usize>,
}

struct Set {
    number: usize,
    /// Sorted, with those beside which alone some of them are counted.
    events: Vec<usize>,
    items: Vec<Item>,
    references: Vec<usize>,
}

/// Finds fewer groups than a search that splits no set which fits one; the references of the
/// sets that are split then. `least` is a number below which there is none.
pub(super) fn fewer(
    arena: &mut Arena<'_>,
    sets: &[Vec<usize>],
    whole: &Search,
    least: usize,
) -> Option<(Search, Vec<Option<usize>>)> {
    /// Each reference is another attempt.
    const REFERENCES: usize = 3;
    let most = whole.groups.iter().filter(|group| !group.is_empty()).count();
    let known = Sets::of(arena, sets);
    let arena = &*arena;
    let attempt = |&reference| Attempt::new(arena, &known, reference);
    let attempts: Vec<Attempt<'_, '_>> =
        known.references.iter().take(REFERENCES).map(attempt).collect();
    (least.max(1)..most).find_map(|number| {
        [Start::WholeSets, Start::Events].into_iter().find_map(|start| {
            attempts.iter().find_map(|one| one.clone().run(number, start, sets.len()))
        })
    })
}

/// So many events may move for another one.
const MOVES: u32 = 2;

/// So many exchanges are tried in an attempt: there may be thousands of them, and what is found at
/// all is found early.
const EXCHANGES: u32 = 10_000;

/// What finds a place first. Whole sets leave fewer to be split; events leave fewer groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    WholeSets,
    Events,
}

impl Sets {
    fn of(arena: &mut Arena<'_>, sets: &[Vec<usize>]) -> Self {
        let mut all = Vec::new();
        for (number, set) in sets.iter().enumerate().filter(|(_, set)| !set.is_empty()) {
            let mut set = set.clone();
            set.sort_unstable();
            set.dedup();
            let references = arena.references(&set);
            let items = arena.items(&set);
            let events = items.iter().fold(Vec::new(), |all, item| union(&all, item));
            all.push(Set { number, events, items, references });
        }
        let mut references: Vec<usize> =
            all.iter().flat_map(|set| &set.references).copied().collect();
        references.sort_unstable();
        references.dedup();
        references.sort_by_key(|&reference| {
            let is_first = |set: &&Set| set.references.first() == Some(&reference);
            let first = all.iter().filter(is_first).count();
            (arena.is_programmed(&[reference], None), Reverse(first))
        });
        Sets { all, references }
    }
}

/// A distribution over a number of groups, all of which have the same reference.
#[derive(Clone)]
struct Attempt<'a, 't> {
    arena: &'a Arena<'t>,
    sets: &'a [Set],
    reference: usize,
    groups: Vec<Vec<usize>>,
    /// For each event, its first group.
    places: Vec<Option<usize>>,
    /// For each set, the items that take a counter from others.
    programmed: Vec<Vec<&'a Item>>,
    /// For each event, whether it may move: it takes a counter from others, and no other event needs
    /// it beside itself.
    is_an_item: Vec<bool>,
    /// How many more exchanges are tried.
    exchanges: u32,
}

impl<'a, 't> Attempt<'a, 't> {
    fn new(arena: &'a Arena<'t>, sets: &'a Sets, reference: usize) -> Self {
        let of_set = |set: &'a Set| {
            let is_programmed = |item: &&Item| {
                item[..] != [reference] && arena.is_programmed(item, Some(reference))
            };
            set.items.iter().filter(is_programmed).collect()
        };
        let programmed: Vec<Vec<&Item>> = sets.all.iter().map(of_set).collect();
        let mut is_an_item = vec![false; arena.names.len()];
        for item in programmed.iter().flatten().filter(|item| item.len() == 1) {
            is_an_item[item[0]] = true;
        }
        for item in programmed.iter().flatten().filter(|item| item.len() > 1) {
            item.iter().for_each(|&event| is_an_item[event] = false);
        }
        Attempt {
            arena,
            sets: &sets.all,
            reference,
            groups: Vec::new(),
            places: vec![None; arena.names.len()],
            is_an_item,
            programmed,
            exchanges: EXCHANGES,
        }
    }

    fn run(
        mut self,
        number: usize,
        start: Start,
        count: usize,
    ) -> Option<(Search, Vec<Option<usize>>)> {
        self.groups = vec![vec![self.reference]; number];
        self.place_items(|choice| choice == 0)?;
        if start == Start::WholeSets {
            self.place_whole_sets();
        }
        self.place_items(|_| true)?;
        self.complete_sets();
        self.search(count)
    }

    fn has_room(&self, group: usize, events: &[usize]) -> bool {
        self.arena.has_room_beside(&self.groups[group], events)
    }

    fn put(&mut self, group: usize, events: &[usize]) {
        self.groups[group] = union(&self.groups[group], events);
        for &event in events {
            self.places[event].get_or_insert(group);
        }
    }

    fn has(&self, group: usize, events: &[usize]) -> bool {
        events.iter().all(|one| self.groups[group].binary_search(one).is_ok())
    }

    /// Sets that need no event twice, those with most events first.
    fn place_whole_sets(&mut self) {
        let mut order: Vec<usize> = (0..self.sets.len()).collect();
        order.sort_by_key(|&set| Reverse(self.programmed[set].len()));
        for set in order {
            let mut known: Vec<usize> =
                self.programmed[set].iter().filter_map(|item| self.places[item[0]]).collect();
            known.sort_unstable();
            known.dedup();
            let events = &self.sets[set].events;
            let place = match known[..] {
                [] => self.fullest(events),
                [only] => Some(only).filter(|&only| self.has_room(only, events)),
                _ => None,
            };
            if let Some(place) = place {
                self.put(place, events);
            }
        }
    }

    /// The group with most events that has room for more.
    fn fullest(&self, events: &[usize]) -> Option<usize> {
        let mut order: Vec<usize> = (0..self.groups.len()).collect();
        order.sort_by_key(|&group| Reverse(self.groups[group].len()));
        order.into_iter().find(|&group| self.has_room(group, events))
    }

    /// Of what no group counts yet, those with such a choice of counters go where most of the sets
    /// are that need them.
    fn place_items(&mut self, has_choice: fn(u32) -> bool) -> Option<()> {
        let mut left: Vec<&Item> = Vec::new();
        for &item in self.programmed.iter().flatten() {
            if self.places[item[0]].is_none()
                && !left.contains(&item)
                && has_choice(self.arena.choice(item))
            {
                left.push(item);
            }
        }
        // Those with the fewest counters to choose from first.
        left.sort_by_key(|item| (Reverse(item.len()), self.arena.choice(item)));
        for item in left {
            let mut near = vec![0; self.groups.len()];
            let sets = self.sets.iter().filter(|set| set.events.contains(&item[0]));
            for event in sets.flat_map(|set| &set.events) {
                if let Some(place) = self.places[*event] {
                    near[place] += 1;
                }
            }
            let mut order: Vec<usize> = (0..self.groups.len()).collect();
            order.sort_by_key(|&group| (Reverse(near[group]), Reverse(self.groups[group].len())));
            match order.iter().copied().find(|&group| self.has_room(group, item)) {
                Some(group) => self.put(group, item),
                None => {
                    (1..=MOVES).find_map(|moves| self.put_in_exchange(item, moves))?;
                }
            }
        }
        Some(())
    }

    /// Makes room in a group by moving one of its events to another, where another one may have to
    /// move in turn.
    fn put_in_exchange(&mut self, item: &[usize], moves: u32) -> Option<()> {
        if self.groups.iter().all(|group| self.arena.is_full(group)) {
            return None;
        }
        for group in 0..self.groups.len() {
            for event in self.groups[group].clone() {
                let is_movable =
                    self.places[event] == Some(group) && item != [event] && self.is_an_item[event];
                if !is_movable {
                    continue;
                }
                let mut without = self.groups[group].clone();
                without.retain(|&one| one != event);
                if !self.arena.has_room_beside(&without, item) {
                    continue;
                }
                self.exchanges = self.exchanges.checked_sub(1)?;
                let mut others = (0..self.groups.len()).filter(|&other| other != group);
                let other = others.find(|&other| self.has_room(other, &[event]));
                if other.is_none() && moves == 1 {
                    continue;
                }
                let places = self.places.clone();
                let before = core::mem::replace(&mut self.groups[group], without);
                self.places[event] = None;
                self.put(group, item);
                match other {
                    Some(other) => {
                        self.put(other, &[event]);
                        return Some(());
                    }
                    None if self.put_in_exchange(&[event], moves - 1).is_some() => {
                        return Some(());
                    }
                    None => {}
                }
                self.groups[group] = before;
                self.places = places;
            }
        }
        None
    }

    /// Counts events once more where there is room left for all that a set lacks there.
    fn complete_sets(&mut self) {
        let mut lacking: Vec<(usize, usize, usize)> = Vec::new();
        for set in 0..self.sets.len() {
            for group in 0..self.groups.len() {
                let items = &self.programmed[set];
                let lacks = items.iter().filter(|item| !self.has(group, item)).count();
                if lacks < items.len() {
                    lacking.push((lacks, set, group));
                }
            }
        }
        lacking.sort_unstable();
        let mut is_whole = vec![false; self.sets.len()];
        for (_, set, group) in lacking {
            let events = &self.sets[set].events;
            if !is_whole[set] && self.has_room(group, events) {
                is_whole[set] = true;
                self.put(group, events);
            }
        }
    }

    /// What each set counts where. `None` if that is not possible.
    fn search(mut self, count: usize) -> Option<(Search, Vec<Option<usize>>)> {
        let mut units: Vec<Unit> = Vec::new();
        let mut references = vec![None; count];
        for (number, set) in self.sets.iter().enumerate() {
            let events = &set.events;
            let mut place = (0..self.groups.len()).find(|&group| self.has(group, events));
            if place.is_none() && self.programmed[number].is_empty() {
                place = self.fullest(events);
            }
            if let Some(group) = place {
                self.put(group, events);
                units.push(Unit { set: set.number, events: events.clone(), group });
                continue;
            }
            if !set.references.contains(&self.reference) {
                return None;
            }
            references[set.number] = Some(self.reference);
            for (group, events) in self.parts(number)? {
                let events = union(&events, &[self.reference]);
                self.put(group, &events);
                units.push(Unit { set: set.number, events, group });
            }
        }
        let mut groups = vec![Vec::new(); self.groups.len()];
        for unit in &units {
            groups[unit.group] = union(&groups[unit.group], &unit.events);
        }
        Some((Search { units, groups }, references))
    }

    /// The groups that count the events of a set, the one with most of them first.
    fn parts(&self, number: usize) -> Option<Vec<(usize, Vec<usize>)>> {
        let mut left: Vec<&Item> = self.programmed[number].clone();
        let mut parts: Vec<(usize, Vec<usize>)> = Vec::new();
        while !left.is_empty() {
            let count = |group: usize| left.iter().filter(|item| self.has(group, item)).count();
            let place = (0..self.groups.len()).rev().max_by_key(|&group| count(group))?;
            let (here, elsewhere): (Vec<&Item>, Vec<&Item>) =
                left.iter().partition(|item| self.has(place, item));
            if here.is_empty() {
                return None;
            }
            let events = here.into_iter().fold(Vec::new(), |all, item| union(&all, item));
            parts.push((place, events));
            left = elsewhere;
        }
        let is_free = |item: &&Item| !self.programmed[number].contains(item);
        for item in self.sets[number].items.iter().filter(is_free) {
            // Where others are, or else wherever its own counter is free.
            let more = |events: &[usize]| union(events, item);
            let near = parts.iter_mut().find(|(group, own)| self.has_room(*group, &more(own)));
            match near {
                Some((_, events)) => *events = more(events),
                None => {
                    let mut groups = 0..self.groups.len();
                    parts.push((groups.find(|&group| self.has_room(group, item))?, item.clone()));
                }
            }
        }
        Some(parts)
    }
}
