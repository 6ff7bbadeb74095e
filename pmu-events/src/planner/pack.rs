//! Distributing sets of events over groups.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::bound;
use super::demand::{Demand, PerfMetric, event_name};
use super::fewest;
use super::supply::Supply;

/// Sets of events, such as those of metrics, distributed over groups.
#[derive(Clone, Debug)]
pub struct Packing<'t> {
    groups: Vec<Group<'t>>,
    placements: Vec<Placement>,
    lower_bound: usize,
}

/// Events to count at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group<'t> {
    /// The events: those of the sets, and references that none of them has.
    pub events: Vec<Cow<'t, str>>,
    /// Whether the supply has room for them; otherwise, this is a single event that the
    /// PMU cannot count, or perf metrics without their slots.
    pub has_room: bool,
}

/// Where the events of a set are counted. An empty set has no parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// One part, unless the set is too large for one group, or split to save one.
    pub parts: Vec<Part>,
    /// The event that all parts have in common if there are several.
    pub reference: Option<String>,
}

/// Events of a set that are counted in the same group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The number of the group.
    pub group: usize,
    /// The indices of the events in the set.
    pub events: Vec<usize>,
    /// Whether the group has the [reference](Placement::reference). An event that must be
    /// counted alone may leave it no counter.
    pub has_reference: bool,
}

impl<'t> Packing<'t> {
    /// Distributes sets of events of a PMU over as few groups as a search finds that takes
    /// the groups with most in common first. No set that fits one group is split.
    #[must_use]
    pub fn of<S: AsRef<[&'t str]>>(supply: &Supply, sets: &[S]) -> Self {
        Self::with(supply, sets, |_, _, search, references, _| (search, references))
    }

    /// Distributes sets of events of a PMU over the fewest groups that a search finds, and
    /// splits those that stand in the way although they fit one group. As many as possible
    /// stay whole.
    ///
    /// This is for groups that are counted one after the other, each at a price: a run of a
    /// command, say. Where groups share the time, [`of`](Self::of) is better, because values
    /// of whole sets are more exact.
    #[must_use]
    pub fn in_fewest_groups<S: AsRef<[&'t str]>>(supply: &Supply, sets: &[S]) -> Self {
        Self::with(supply, sets, |arena, sets, search, references, least| {
            fewest::fewer(arena, sets, &search, least).unwrap_or((search, references))
        })
    }

    fn with<S: AsRef<[&'t str]>>(
        supply: &Supply,
        sets: &[S],
        improved: impl FnOnce(
            &mut Arena<'_, 't>,
            &[Vec<usize>],
            Search,
            Vec<Option<usize>>,
            usize,
        ) -> (Search, Vec<Option<usize>>),
    ) -> Self {
        let mut arena = Arena::new(supply);
        let sets: Vec<Vec<usize>> = sets
            .iter()
            .map(|set| set.as_ref().iter().map(|text| arena.number(Cow::Borrowed(text))).collect())
            .collect();
        let lower_bound = bound::of(supply, &arena.demands);
        let mut search = Search { units: Vec::new(), groups: Vec::new() };
        let references = search.place_all(&mut arena, &sets);
        let (search, references) = improved(&mut arena, &sets, search, references, lower_bound);
        arena.packing(&sets, search, references, lower_bound)
    }

    /// Returns the groups.
    #[must_use]
    pub fn groups(&self) -> &[Group<'t>] {
        &self.groups
    }

    /// Returns the place of each set, in their order.
    #[must_use]
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// Returns a number of groups below which the counters cannot count all events, even if
    /// every set were split: what the most wanted of them, or of the registers that events
    /// share, forces.
    #[must_use]
    pub fn lower_bound(&self) -> usize {
        self.lower_bound
    }
}

/// The events of all sets, by number.
pub(super) struct Arena<'s, 't> {
    supply: &'s Supply,
    numbers: BTreeMap<Cow<'t, str>, usize>,
    pub(super) names: Vec<Cow<'t, str>>,
    demands: Vec<Demand>,
    /// Whether each takes a counter that others could use, whatever is counted beside it.
    programmed: Vec<bool>,
}

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

impl<'s, 't> Arena<'s, 't> {
    fn new(supply: &'s Supply) -> Self {
        let (names, demands, programmed) = (Vec::new(), Vec::new(), Vec::new());
        Arena { supply, numbers: BTreeMap::new(), names, demands, programmed }
    }

    fn number(&mut self, text: Cow<'t, str>) -> usize {
        if let Some(&number) = self.numbers.get(&text) {
            return number;
        }
        let number = self.names.len();
        let demand = self.supply.demand(&text);
        self.programmed.push(self.supply.is_programmed(&demand, None));
        self.demands.push(demand);
        self.numbers.insert(text.clone(), number);
        self.names.push(text);
        number
    }

    pub(super) fn has_room(&self, events: &[usize]) -> bool {
        // Most groups are full, which is seen sooner than who has which counter.
        let taken = events.iter().filter(|&&number| self.programmed[number]).count();
        if taken > self.supply.counters() {
            return false;
        }
        let demands: Vec<&Demand> = events.iter().map(|&number| &self.demands[number]).collect();
        self.supply.has_room_for(&demands)
    }

    /// Whether any of these events takes a counter that others could use, if another one is
    /// counted beside it.
    pub(super) fn is_programmed(&self, events: &[usize], beside: Option<usize>) -> bool {
        let beside = beside.map(|number| &self.demands[number]);
        events.iter().any(|&number| self.supply.is_programmed(&self.demands[number], beside))
    }

    /// How many counters an item can have.
    pub(super) fn choice(&self, item: &[usize]) -> u32 {
        let choices = item.iter().map(|&number| self.supply.choice(&self.demands[number]));
        choices.min().unwrap_or_default()
    }

    /// The references that a set's parts can have: what takes no counter from other events comes
    /// first, then what the set has itself.
    pub(super) fn references(&mut self, set: &[usize]) -> Vec<usize> {
        let Some(first) = set.first().map(|&number| self.names[number].clone()) else {
            return Vec::new();
        };
        let candidates = self.supply.references().into_iter();
        let candidates: Vec<usize> =
            candidates.map(|name| self.number(Cow::Owned(spelled_like(&first, name)))).collect();
        let own = set
            .iter()
            .copied()
            .filter(|&number| is_reference(event_name(&self.names[number]), self.supply));
        let mut all: Vec<usize> = own.collect();
        all.extend(candidates.into_iter().filter(|number| !set.contains(number)));
        all.retain(|&number| self.has_room(&[number]));
        all.sort_by_key(|&number| (self.is_programmed(&[number], None), !set.contains(&number)));
        all
    }

    /// The events of a set, with those together that must be counted together: perf metrics
    /// and their slots.
    pub(super) fn items(&mut self, set: &[usize]) -> Vec<Vec<usize>> {
        let is_metric = |number: &usize| self.demands[*number].perf_metric;
        let has_share = set.iter().any(|one| is_metric(one) == Some(PerfMetric::Share));
        let (metrics, others): (Vec<usize>, Vec<usize>) =
            set.iter().partition(|one| has_share && is_metric(one).is_some());
        let mut items = Vec::from_iter((!metrics.is_empty()).then_some(metrics));
        items.extend(others.into_iter().map(|one| self.with_companions(&[one])));
        items
    }

    /// The events with those beside which alone the kernel counts them.
    fn with_companions(&mut self, set: &[usize]) -> Vec<usize> {
        let mut all = set.to_vec();
        for &number in set {
            let Some(companion) = self.supply.companion(&self.demands[number]) else { continue };
            let text = spelled_like(&self.names[number].clone(), &companion);
            let companion = self.number(Cow::Owned(text));
            all = union(&all, &[companion]);
        }
        all
    }

    fn packing(
        self,
        sets: &[Vec<usize>],
        search: Search,
        references: Vec<Option<usize>>,
        lower_bound: usize,
    ) -> Packing<'t> {
        // Groups in the order in which the sets need them.
        let mut order: Vec<usize> = Vec::new();
        let mut units: Vec<&Unit> = search.units.iter().collect();
        units.sort_by_key(|unit| unit.set);
        for unit in &units {
            if !order.contains(&unit.group) {
                order.push(unit.group);
            }
        }
        let group = |&group: &usize| {
            // The kernel checks a group each time that it grows.
            let mut events = search.groups[group].clone();
            events.sort_by_key(|&number| !self.supply.comes_first(&self.demands[number]));
            let name = |&number: &usize| self.names[number].clone();
            Group { events: events.iter().map(name).collect(), has_room: self.has_room(&events) }
        };
        let placement = |(number, set): (usize, &Vec<usize>)| {
            let mut own: Vec<&&Unit> = units.iter().filter(|unit| unit.set == number).collect();
            // The time of the first part is that of the first group.
            own.sort_by_key(|unit| order.iter().position(|&group| group == unit.group));
            let is_split = own.len() > 1;
            let reference = references[number].filter(|_| is_split);
            let mut left: Vec<usize> = (0..set.len()).collect();
            let mut parts = Vec::new();
            for unit in own {
                let has = |&n: &usize| unit.events.contains(&set[n]);
                let events: Vec<usize> = left.iter().copied().filter(has).collect();
                left.retain(|n| !has(n));
                let group = order.iter().position(|&group| group == unit.group);
                parts.push(Part {
                    group: group.expect("all groups of units are listed"),
                    events,
                    has_reference: reference.is_some_and(|one| unit.events.contains(&one)),
                });
            }
            let name = |number: usize| self.names[number].clone().into_owned();
            Placement { parts, reference: reference.map(name) }
        };
        let placements = sets.iter().enumerate().map(placement).collect();
        Packing { groups: order.iter().map(group).collect(), placements, lower_bound }
    }
}

impl Search {
    /// Places all sets; the references of those that are split.
    fn place_all(&mut self, arena: &mut Arena<'_, '_>, sets: &[Vec<usize>]) -> Vec<Option<usize>> {
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
    fn best_group(&mut self, arena: &Arena<'_, '_>, events: &[usize], but: Option<usize>) -> usize {
        let mut best: Option<(usize, usize)> = None;
        for (number, group) in self.groups.iter().enumerate() {
            if Some(number) == but || group.is_empty() {
                continue;
            }
            let common = events.iter().filter(|one| group.binary_search(one).is_ok()).count();
            if best.is_some_and(|(most, _)| most >= common) {
                continue;
            }
            if common == events.len() || arena.has_room(&union(group, events)) {
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
        arena: &mut Arena<'_, '_>,
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
                    let more = union(&all, item);
                    if more.len() == all.len() || arena.has_room(&more) {
                        all = more;
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
    fn dissolve(&mut self, arena: &Arena<'_, '_>) {
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

/// The numbers of two sorted lists, sorted.
pub(super) fn union(one: &[usize], other: &[usize]) -> Vec<usize> {
    let mut both = one.to_vec();
    both.extend(other.iter().filter(|number| one.binary_search(number).is_err()));
    both.sort_unstable();
    both
}

/// What counts the time of a core, in cycles or slots.
const REFERENCES: [&str; 9] = [
    "slots",
    "TOPDOWN.SLOTS",
    "CPU_CLK_UNHALTED.THREAD",
    "CPU_CLK_UNHALTED.CORE",
    "ls_not_halted_cyc",
    "CPU_CYCLES",
    "PM_RUN_CYC",
    "PM_CYC",
    "CPU_CLK_UNHALTED.REF_TSC",
];

fn is_reference(name: &str, supply: &Supply) -> bool {
    let is_known = REFERENCES.iter().any(|known| crate::name::eq(known, name));
    is_known && crate::pmu::is_core(supply.pmu())
}

impl Supply {
    /// Those that the table has.
    fn references(&self) -> Vec<&'static str> {
        let has = |name: &&str| {
            crate::pmu::is_core(self.pmu) && self.model.event_on(self.pmu, name).is_some()
        };
        REFERENCES.into_iter().filter(has).collect()
    }
}

/// An event with the PMU and the modifiers of another; a raw one (`event=0x4608c`) has to be
/// written with its PMU.
pub(super) fn spelled_like(other: &str, name: &str) -> String {
    if name.contains('=') && !other.contains('/') {
        let modifiers = other.split_once(':').map_or("", |(_, modifiers)| modifiers);
        return format!("cpu/{name}/{modifiers}");
    }
    match other.split_once('/') {
        Some((pmu, rest)) => {
            let modifiers = rest.rsplit_once('/').map_or("", |(_, modifiers)| modifiers);
            format!("{pmu}/{name}/{modifiers}")
        }
        None => match other.split_once(':') {
            Some((_, modifiers)) => format!("{name}:{modifiers}"),
            None => name.into(),
        },
    }
}
