//! Distributing sets of events over groups.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::arena::Arena;
use super::bound;
use super::fewest;
use super::search::{Search, Unit};
use super::supply::Supply;

/// Sets of events, such as those of metrics, distributed over groups.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::arch::x86;
/// use pmu_events::__private::planner::Packing;
/// use pmu_events::planner::{CoreState, Supply};
///
/// let supply = Supply::of(x86::SKYLAKEX, "default_core", CoreState::default())?;
/// let sets = [["inst_retired.any", "cpu_clk_unhalted.thread"]];
/// let packing = Packing::of(&supply, &sets);
/// assert_eq!((packing.groups().len(), packing.lower_bound()), (1, 1));
/// # }
/// # Ok::<(), pmu_events::planner::Unstated>(())
/// ```
#[derive(Clone, Debug)]
pub struct Packing<'t> {
    groups: Vec<Group<'t>>,
    placements: Vec<Placement>,
    lower_bound: usize,
}

/// Events to count at the same time.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::arch::x86;
/// use pmu_events::__private::planner::Packing;
/// use pmu_events::planner::{CoreState, Supply};
///
/// let supply = Supply::of(x86::SKYLAKEX, "default_core", CoreState::default())?;
/// let packing = Packing::of(&supply, &[["inst_retired.any"]]);
/// let group = &packing.groups()[0];
/// assert!(group.has_room());
/// assert_eq!(group.events(), ["inst_retired.any"]);
/// # }
/// # Ok::<(), pmu_events::planner::Unstated>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group<'t> {
    pub(crate) events: Vec<Cow<'t, str>>,
    pub(crate) has_room: bool,
}

impl<'t> Group<'t> {
    /// Returns the events: those of the sets, and references that none of them has.
    #[must_use]
    pub fn events(&self) -> &[Cow<'t, str>] {
        &self.events
    }

    /// Whether the supply has room for them; otherwise, this is a single event that the
    /// PMU cannot count, or perf metrics without their slots.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.has_room
    }
}

/// Where the events of a set are counted. An empty set has no parts.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::arch::x86;
/// use pmu_events::__private::planner::Packing;
/// use pmu_events::planner::{CoreState, Supply};
///
/// let supply = Supply::of(x86::SKYLAKEX, "default_core", CoreState::default())?;
/// let packing = Packing::of(&supply, &[["inst_retired.any"]]);
/// // The set is whole, so nothing needs a common reference.
/// let placement = &packing.placements()[0];
/// assert_eq!((placement.parts().len(), placement.reference()), (1, None));
/// # }
/// # Ok::<(), pmu_events::planner::Unstated>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    pub(crate) parts: Vec<Part>,
    pub(crate) reference: Option<String>,
}

impl Placement {
    /// Returns one part, unless the set is too large for one group, or split to save one.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Returns the event that all parts have in common if there are several.
    #[must_use]
    pub fn reference(&self) -> Option<&str> {
        self.reference.as_deref()
    }
}

/// Events of a set that are counted in the same group.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::arch::x86;
/// use pmu_events::__private::planner::Packing;
/// use pmu_events::planner::{CoreState, Supply};
///
/// let supply = Supply::of(x86::SKYLAKEX, "default_core", CoreState::default())?;
/// let packing = Packing::of(&supply, &[["inst_retired.any", "cpu_clk_unhalted.thread"]]);
/// let part = &packing.placements()[0].parts()[0];
/// assert_eq!((part.group(), part.events()), (0, &[0, 1][..]));
/// # }
/// # Ok::<(), pmu_events::planner::Unstated>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub(crate) group: usize,
    pub(crate) events: Vec<usize>,
    pub(crate) has_reference: bool,
}

impl Part {
    /// Returns the number of the group.
    #[must_use]
    pub fn group(&self) -> usize {
        self.group
    }

    /// Returns the indices of the events in the set.
    #[must_use]
    pub fn events(&self) -> &[usize] {
        &self.events
    }

    /// Whether the group has the [reference](Placement::reference). An event that must be
    /// counted alone may leave it no counter.
    #[must_use]
    pub fn has_reference(&self) -> bool {
        self.has_reference
    }
}

/// What may be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Split {
    /// Only sets that do not fit one group.
    TooLarge,
    /// Any set, if that saves a group.
    ToSaveGroups,
}

/// Sets distributed over groups, in the numbers of an [`Arena`].
pub(crate) struct Packed {
    pub(crate) groups: Vec<NumberedGroup>,
    pub(crate) placements: Vec<NumberedPlacement>,
    lower_bound: usize,
}

/// [`Group`]
pub(crate) struct NumberedGroup {
    pub(crate) events: Vec<usize>,
    pub(crate) has_room: bool,
}

/// [`Placement`]
pub(crate) struct NumberedPlacement {
    pub(crate) parts: Vec<Part>,
    pub(crate) reference: Option<usize>,
}

impl<'t> Packing<'t> {
    /// Distributes sets of events of a PMU over as few groups as a search finds that takes
    /// the groups with most in common first. No set that fits one group is split.
    #[must_use]
    pub fn of<S: AsRef<[&'t str]>>(supply: &Supply, sets: &[S]) -> Self {
        Self::with(supply, sets, Split::TooLarge)
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
        Self::with(supply, sets, Split::ToSaveGroups)
    }

    fn with<S: AsRef<[&'t str]>>(supply: &Supply, sets: &[S], split: Split) -> Self {
        let mut arena = Arena::new(*supply);
        let sets: Vec<Vec<usize>> = sets
            .iter()
            .map(|set| set.as_ref().iter().map(|text| arena.number(Cow::Borrowed(text))).collect())
            .collect();
        let Packed { groups, placements, lower_bound } = Packed::of(&mut arena, &sets, split);
        let name = |&number: &usize| arena.names[number].clone();
        let group = |group: NumberedGroup| Group {
            events: group.events.iter().map(name).collect(),
            has_room: group.has_room,
        };
        let placement = |placement: NumberedPlacement| Placement {
            parts: placement.parts,
            reference: placement.reference.as_ref().map(|number| name(number).into_owned()),
        };
        Packing {
            groups: groups.into_iter().map(group).collect(),
            placements: placements.into_iter().map(placement).collect(),
            lower_bound,
        }
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
    /// every set were split: what the most wanted of them forces, or of the registers that
    /// events share, beside events that must be alone and the references of parts.
    #[must_use]
    pub fn lower_bound(&self) -> usize {
        self.lower_bound
    }
}

impl Packed {
    /// Distributes sets of the arena's events.
    pub(crate) fn of(arena: &mut Arena<'_>, sets: &[Vec<usize>], split: Split) -> Self {
        let lower_bound = bound::of(arena, sets);
        let mut search = Search { units: Vec::new(), groups: Vec::new() };
        let mut references = search.place_all(arena, sets);
        if split == Split::ToSaveGroups
            && let Some(fewer) = fewest::fewer(arena, sets, &search, lower_bound)
        {
            (search, references) = fewer;
        }
        Self::of_search(arena, sets, &search, &references, lower_bound)
    }

    fn of_search(
        arena: &Arena<'_>,
        sets: &[Vec<usize>],
        search: &Search,
        references: &[Option<usize>],
        lower_bound: usize,
    ) -> Self {
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
            events.sort_by_key(|&number| arena.supply.place_in_group(&arena.demands[number]));
            NumberedGroup { has_room: arena.has_room(&events), events }
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
            NumberedPlacement { parts, reference }
        };
        let placements = sets.iter().enumerate().map(placement).collect();
        Packed { groups: order.iter().map(group).collect(), placements, lower_bound }
    }
}
