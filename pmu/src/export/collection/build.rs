//! Making a layout.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use pmu_events::follow::{Cell, Following, Place};
use pmu_events::open::SetEvent;
use pmu_events::perf_type;

use super::layout::{GroupSum, Layout, NONE, Sum};
use super::{labels, machine};
use crate::export::choice::Chosen;
use crate::export::config::ScopeKind;
use crate::export::containers::Containers;
use crate::export::exposition::{Label, Labels};
use crate::export::names::{self, Series};
use crate::system::System;

/// A layout that is being made, place by place.
struct Builder<'b> {
    layout: Layout,
    system: &'b System,
    /// The times of the groups of the layout before.
    before: HashMap<&'b Labels, (u64, u64)>,
    /// The most sums.
    most: usize,
    /// The labels of series, of which places of one scope have the same.
    shared: BTreeSet<Arc<[Label]>>,
}

/// The place to which series are being added, with those that it has.
struct Spot<'p> {
    kind: ScopeKind,
    events: &'p [SetEvent],
    labels: Arc<[Label]>,
    sums: HashMap<(&'static str, Vec<Label>), u32>,
    groups: HashMap<Vec<Label>, u32>,
}

impl Layout {
    /// The layout of the places that there are. Groups keep the times of the layout before.
    pub(super) fn new(
        before: &Layout,
        system: &System,
        scopes: &[Chosen],
        following: &Following,
        containers: &mut Containers,
        most: usize,
    ) -> Self {
        let times = |group: &GroupSum| (group.enabled, group.running);
        let before = before.groups.iter().map(|group| (&group.labels, times(group))).collect();
        let layout = Layout {
            state: Some(super::layout::state(following)),
            not_counted: machine::not_counted(scopes, following),
            machine: machine::machine(system),
            numbers: machine::numbers(system),
            ..Layout::default()
        };
        let mut builder = Builder { layout, system, before, most, shared: BTreeSet::new() };
        for place in following.places() {
            let kind = scopes[place.selection()].scope.kind;
            let labels = labels::of_place(place, kind, containers);
            builder.add(place, kind, labels, following.events(place.selection()));
        }
        builder.layout
    }
}

impl Builder<'_> {
    fn add(&mut self, place: &Place, kind: ScopeKind, labels: Arc<[Label]>, events: &[SetEvent]) {
        self.layout.places.push(labels.clone());
        let (sums, groups) = (HashMap::new(), HashMap::new());
        let mut spot = Spot { kind, events, labels, sums, groups };
        for cell in place.cells() {
            let part = labels::of_spot(kind, cell.target(), self.system);
            for (event, _) in cell.counts() {
                let sum = self.sum(&mut spot, event, &part);
                self.layout.links.push(sum);
            }
            let group = self.group(&mut spot, cell, &part);
            self.layout.group_links.push(group);
        }
    }

    /// The sum to which an event adds in a part of a place. Instances of a PMU are added up unless
    /// the labels tell them apart.
    fn sum(&mut self, spot: &mut Spot<'_>, event: usize, part: &[Label]) -> u32 {
        let Spot { kind, events, .. } = *spot;
        if is_another(events, event) {
            return NONE;
        }
        let own = labels::of_event(&events[event], kind, part);
        let series = Series::of_unit(events[event].unit());
        let Builder { layout, shared, most, .. } = self;
        *spot.sums.entry((series.family, own)).or_insert_with_key(|(_, own)| {
            if layout.sums.len() >= *most {
                layout.left_out += 1;
                return NONE;
            }
            let own = shared.get(own.as_slice()).cloned().unwrap_or_else(|| {
                let own: Arc<[_]> = own.as_slice().into();
                shared.insert(own.clone());
                own
            });
            let labels = Labels { of_place: spot.labels.clone(), own };
            layout.sums.push(Sum::new(&series, labels, &events[event]));
            layout.sums.len() as u32 - 1
        })
    }

    /// The sum of the times of a cell's group; those that the kernel counts in software never wait.
    fn group(&mut self, spot: &mut Spot<'_>, cell: &Cell, part: &[Label]) -> u32 {
        let members = || cell.group().iter().map(|&member| &spot.events[member]);
        let is_software = |event: &SetEvent| {
            event.resolved().is_some_and(|one| one.type_() == perf_type::SOFTWARE)
        };
        if members().all(is_software) {
            return NONE;
        }
        let name = members().map(SetEvent::name).collect::<Vec<_>>().join(",");
        let own = [&[(names::GROUP, name)], part].concat();
        let Builder { layout, before, .. } = self;
        *spot.groups.entry(own).or_insert_with_key(|own| {
            let labels = Labels { of_place: spot.labels.clone(), own: own.as_slice().into() };
            let (enabled, running) = before.get(&labels).copied().unwrap_or_default();
            layout.groups.push(GroupSum { labels, enabled, running, before: (enabled, running) });
            layout.groups.len() as u32 - 1
        })
    }
}

/// Whether an event is counted as another one already: an event of a metric and of a list is one
/// series.
fn is_another(events: &[SetEvent], event: usize) -> bool {
    let own = &events[event];
    let is_same =
        |other: &SetEvent| other.name() == own.name() && other.pmu_name() == own.pmu_name();
    let first = events.iter().position(is_same).unwrap_or(event);
    first != event && events[first].refusal().is_none()
}

impl Sum {
    fn new(series: &Series, labels: Labels, event: &SetEvent) -> Self {
        let in_unit =
            event.resolved().map_or(1.0, |one| one.in_unit(1 << 40) / (1_u64 << 40) as f64);
        let factor = in_unit * series.factor;
        let factor = (series.family != names::EVENTS || factor != 1.0).then_some(factor);
        let family = series.family;
        Sum { family, labels, factor, value: 0, enabled: 0, running: 0, at: (0, 0) }
    }
}
