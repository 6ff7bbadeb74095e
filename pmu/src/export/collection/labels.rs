//! The labels of places, of parts of the machine and of events.

use std::sync::Arc;

use pmu_events::__private::pmu::base_name;
use pmu_events::follow::Place;
use pmu_events::measure::{self, Per};
use pmu_events::open::{SetEvent, Target};
use pmu_events::perf_type;

use crate::export::config::ScopeKind;
use crate::export::containers::Containers;
use crate::export::exposition::Label;
use crate::export::names::{self, Series};
use crate::system::System;

/// The labels that all series of a place have.
pub(super) fn of_place(
    place: &Place,
    kind: ScopeKind,
    containers: &mut Containers,
) -> Arc<[Label]> {
    let name = place.name().unwrap_or_default();
    match kind {
        ScopeKind::Cgroup => {
            let mut labels = vec![(names::CGROUP, name.to_owned())];
            labels.extend(containers.labels(name));
            labels.into()
        }
        ScopeKind::Process => [(names::PROCESS, name.to_owned())].into(),
        _ => Arc::default(),
    }
}

/// The labels of where a cell is, as far as its scope tells CPUs apart.
pub(super) fn of_spot(kind: ScopeKind, target: Target, system: &System) -> Vec<Label> {
    let Target::Cpu(cpu) = target else { return Vec::new() };
    let per = match kind {
        ScopeKind::Cpu => Per::Cpu,
        ScopeKind::Core => Per::Core,
        ScopeKind::Socket | ScopeKind::Instance => Per::Socket,
        _ => return Vec::new(),
    };
    per.place(system.cpu(cpu)).map(of_unit).unwrap_or_default()
}

/// The labels of a part of the machine.
pub(super) fn of_unit(place: measure::Place) -> Vec<Label> {
    match place {
        measure::Place::Cpu(cpu) => vec![(names::CPU, cpu.to_string())],
        measure::Place::Core { socket, die, core } => vec![
            (names::SOCKET, socket.to_string()),
            (names::DIE, die.to_string()),
            (names::CORE, core.to_string()),
        ],
        measure::Place::Socket(socket) => vec![(names::SOCKET, socket.to_string())],
        _ => Vec::new(),
    }
}

/// The label of the PMU that counts an event.
pub(super) fn pmu(event: &SetEvent, kind: ScopeKind) -> String {
    let type_ = event.resolved().map(|one| one.type_());
    match (event.pmu_name(), type_) {
        (_, Some(perf_type::SOFTWARE)) => names::SOFTWARE.into(),
        (_, Some(perf_type::TRACEPOINT)) => "tracepoint".into(),
        (_, Some(perf_type::BREAKPOINT)) => "breakpoint".into(),
        (Some(name), _) if kind == ScopeKind::Instance => name.into(),
        (Some(name), _) => base_name(name).into(),
        // As the PMU of the core is called where there is one kind of core.
        (None, _) => "cpu".into(),
    }
}

/// The labels of an event at a spot.
pub(super) fn of_event(event: &SetEvent, kind: ScopeKind, spot: &[Label]) -> Vec<Label> {
    let mut labels =
        vec![(names::EVENT, event.name().into_owned()), (names::PMU, pmu(event, kind))];
    let unit = Series::of_unit(event.unit()).unit;
    labels.extend(unit.map(|unit| (names::UNIT, unit)));
    labels.extend_from_slice(spot);
    labels
}
