//! The events of sets, by number, and what a group has room for.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
#[cfg(feature = "std")]
use alloc::{format, string::String};

use super::demand::{Demand, PerfMetric, event_name, spelled_like};
use super::supply::Supply;
#[cfg(feature = "std")]
use super::{facts, kind::Kind};
#[cfg(feature = "std")]
use crate::format::Words;
#[cfg(feature = "std")]
use pmu_events_ebb::power::{Fields, Generation};

/// The events of all sets, by number.
pub(crate) struct Arena<'t> {
    pub(super) supply: Supply,
    numbers: BTreeMap<Cow<'t, str>, usize>,
    pub(crate) names: Vec<Cow<'t, str>>,
    pub(super) demands: Vec<Demand>,
    /// Whether each takes a counter that others could use, whatever is counted beside it.
    programmed: Vec<bool>,
    /// The references that the table has.
    references: Vec<&'static str>,
}

impl<'t> Arena<'t> {
    pub(crate) fn new(supply: Supply) -> Self {
        let (names, demands, programmed) = (Vec::new(), Vec::new(), Vec::new());
        let references = supply.references();
        Arena { supply, numbers: BTreeMap::new(), names, demands, programmed, references }
    }

    pub(crate) fn number(&mut self, text: Cow<'t, str>) -> usize {
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

    /// [`Supply::fits`]
    #[cfg(feature = "std")]
    pub(crate) fn fits(&self, events: &[usize]) -> bool {
        self.supply.fits_in_order(events.iter().map(|&number| &self.demands[number]))
    }

    pub(super) fn has_room(&self, events: &[usize]) -> bool {
        // Most groups are full, which is seen sooner than who has which counter.
        self.programmed(events) <= self.supply.counters()
            && self.supply.has_room_for(events.iter().map(|&number| &self.demands[number]))
    }

    /// Whether a group has room for more events: the union of both lists, which are sorted.
    pub(super) fn has_room_beside(&self, group: &[usize], more: &[usize]) -> bool {
        let is_new = |one: &&usize| group.binary_search(one).is_err();
        let new = more.iter().filter(is_new).filter(|&&number| self.programmed[number]).count();
        self.programmed(group) + new <= self.supply.counters() && {
            let all = union(group, more);
            self.supply.has_room_for(all.iter().map(|&number| &self.demands[number]))
        }
    }

    /// Whether a group has no counter left for events that take one from others.
    pub(super) fn is_full(&self, group: &[usize]) -> bool {
        self.programmed(group) >= self.supply.counters()
    }

    /// How many events take a counter that others could use.
    fn programmed(&self, events: &[usize]) -> usize {
        events.iter().filter(|&&number| self.programmed[number]).count()
    }

    /// Whether any of these events takes a counter that others could use, if another one is
    /// counted beside it.
    pub(super) fn is_programmed(&self, events: &[usize], beside: Option<usize>) -> bool {
        let beside = beside.map(|number| &self.demands[number]);
        events.iter().any(|&number| self.supply.is_programmed(&self.demands[number], beside))
    }

    /// Whether some events have to be opened [on their own counters](Self::on_own_counter).
    #[cfg(feature = "std")]
    pub(crate) fn may_respell(&self) -> bool {
        matches!(self.supply.kind, Kind::Power(Generation::Power9))
    }

    /// How to open an event of a set on its own counter, if the kernel would not find it: beside
    /// POWER9's caches, it tries no other code than the one that it is given.
    #[cfg(feature = "std")]
    pub(crate) fn on_own_counter(&self, event: usize, set: &[usize]) -> Option<String> {
        let Kind::Power(Generation::Power9) = self.supply.kind else { return None };
        let code = |number: usize| self.demands[number].words.map(Words::config);
        let is_of_outer_cache = |&number: &usize| {
            let fields = code(number).map(|code| Fields::of(Generation::Power9, code));
            fields.is_some_and(|fields| matches!(fields.unit, 6..=9))
        };
        let own = code(event)?;
        let other = facts::on_own_counter(Generation::Power9, own);
        let name = event_name(&self.names[event]);
        (other != own && !name.contains('=') && set.iter().any(is_of_outer_cache))
            .then(|| spelled_like(&self.names[event], &format!("event={other:#x},name={name}")))
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
        let candidates = self.references.clone().into_iter();
        let candidates: Vec<usize> =
            candidates.map(|name| self.number(Cow::Owned(spelled_like(&first, name)))).collect();
        let own = set
            .iter()
            .copied()
            .filter(|&number| is_reference(event_name(&self.names[number]), &self.supply));
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
    pub(super) fn with_companions(&mut self, set: &[usize]) -> Vec<usize> {
        let mut all = set.to_vec();
        for &number in set {
            let Some(companion) = self.supply.companion(&self.demands[number]) else { continue };
            let text = spelled_like(&self.names[number].clone(), &companion);
            let companion = self.number(Cow::Owned(text));
            all = union(&all, &[companion]);
        }
        all
    }
}

/// The numbers of two sorted lists, sorted.
pub(super) fn union(one: &[usize], other: &[usize]) -> Vec<usize> {
    let mut both = Vec::with_capacity(one.len() + other.len());
    let mut rest = one;
    for &number in other {
        let before = rest.partition_point(|&own| own < number);
        both.extend_from_slice(&rest[..before]);
        rest = &rest[before..];
        if rest.first() != Some(&number) {
            both.push(number);
        }
    }
    both.extend_from_slice(rest);
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
    let is_known = REFERENCES.iter().any(|known| pmu_events_core::__private::name::eq(known, name));
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
