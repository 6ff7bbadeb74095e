//! The events to count for a set of metrics.

use core::cmp::Reverse;
use std::string::{String, ToString};
use std::vec::Vec;

use super::events::{EventId, Events, is_time, modified};
use super::formulas::Needed;
use super::listening::Listening;
use super::lists::{self, List, Need, Needs, PartList};
use super::operand::{LatencyOperand, Operand, Place};
use super::parts::Parts;
use super::request::Request;
use super::units::Units;
use crate::event_list::Tool;
use crate::expr::Identifier;
use crate::metric::Latencies;
use crate::planner::Split;
use crate::resolve::{Missing, Resolution};
use crate::system::{Scope, System, SystemMachine};
use crate::{Metric, Model};

/// A plan of the events to count for a set of metrics on a machine. See the
/// [module](super) for the rules and an example.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::{Scope, System, arch::x86, measure::Plan};
///
/// let skylake = System::builtin("GenuineIntel-6-5E-3", x86::SKYLAKE);
/// let metric = x86::SKYLAKE.metric("ipc").unwrap();
/// let plan = Plan::new([metric], &skylake, &Scope::ThisThread);
/// assert!(plan.missing().is_empty());
/// println!("{}", plan.lists()[0]); // one weak group
/// # }
/// ```
#[derive(Debug)]
pub struct Plan {
    pub(super) machine: SystemMachine,
    pub(super) grouped: Vec<List>,
    lists: Vec<String>,
    resolution: Resolution,
    metrics: Vec<PlannedMetric>,
    missing: Vec<Missing>,
    unknown: Vec<Tool>,
}

/// A metric, and the events to count for it.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::{Scope, System, arch::x86, measure::Plan};
///
/// let skylake = System::builtin("GenuineIntel-6-5E-3", x86::SKYLAKE);
/// let plan = Plan::new(x86::SKYLAKE.metric("ipc"), &skylake, &Scope::ThisThread);
/// let planned = &plan.metrics()[0];
/// assert_eq!((planned.request().name().as_str(), planned.operands().len()), ("ipc", 2));
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedMetric {
    pub(crate) request: Request,
    pub(crate) operands: Vec<Operand>,
    pub(crate) latencies: Vec<LatencyOperand>,
    /// Its index among all requests.
    pub(super) asked: usize,
    pub(super) parts: Parts,
}

impl PlannedMetric {
    /// Returns the request for this metric.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Returns the events of its formula and of its threshold, if it has one. There is at
    /// least one: a formula without events has `duration_time`.
    #[must_use]
    pub fn operands(&self) -> &[Operand] {
        &self.operands
    }

    /// Returns the retirement latencies of its formula and of its threshold.
    #[must_use]
    pub fn latencies(&self) -> &[LatencyOperand] {
        &self.latencies
    }
}

impl Plan {
    /// Plans the measurement of some metrics. Duplicate requests are measured once.
    ///
    /// Which branches of a formula are taken may depend on the machine and on the
    /// scope of the counters, so `scope` must be the one with which they are
    /// opened.
    pub fn new<R: Into<Request>>(
        requests: impl IntoIterator<Item = R>,
        system: &System,
        scope: &Scope,
    ) -> Self {
        Self::packed(requests, system, scope, Split::TooLarge)
    }

    /// Plans the measurement in as few [passes](Self::passes) as the planner finds: a metric is
    /// split wherever that saves a pass, even if its events fit one group. This is for passes that cost, such as runs of a command;
    /// [`new`](Self::new) is better for values, and where groups share the time.
    pub fn in_fewest_passes<R: Into<Request>>(
        requests: impl IntoIterator<Item = R>,
        system: &System,
        scope: &Scope,
    ) -> Self {
        Self::packed(requests, system, scope, Split::ToSaveGroups)
    }

    fn packed<R: Into<Request>>(
        requests: impl IntoIterator<Item = R>,
        system: &System,
        scope: &Scope,
        split: Split,
    ) -> Self {
        let machine = system.machine(scope);
        let mut all: Vec<Needs> = Vec::new();
        let listening = Listening::new(&machine);
        for request in requests.into_iter().map(Into::into) {
            if !all.iter().any(|other| other.request.is_same(&request)) {
                all.push(needs(request, all.len(), system, &listening));
            }
        }
        let (unknown, mut events) = listening.into_parts();
        lists::spell(&mut all, &mut events);
        // Largest first: smaller ones may find their events there.
        let is_counted = |need: &&Need| !is_time(events.text(need.event));
        all.sort_by_cached_key(|needs| Reverse(needs.events.iter().filter(is_counted).count()));
        all.iter().flat_map(|needs| &needs.events).for_each(|need| events.resolve(need.event));
        let mut units = Units::new(system);
        let lists = lists::of(&mut all, &mut events, &mut units, split);
        let metrics = all.into_iter().map(|needs| planned(needs, &lists, &events)).collect();
        let missing = events.into_missing();
        Plan { missing, unknown, ..Plan::of_lists(machine, lists, metrics) }
    }

    /// Nothing is missing or unknown.
    pub(super) fn of_lists(
        machine: SystemMachine,
        grouped: Vec<List>,
        mut metrics: Vec<PlannedMetric>,
    ) -> Self {
        let mut resolution = Resolution::empty(machine.system());
        let appended: Vec<_> =
            grouped.iter().map(|list| resolution.append(list.resolution.clone())).collect();
        for operand in metrics.iter_mut().flat_map(|planned| &mut planned.operands) {
            let place = operand.place.as_ref();
            let answers = place.map(|Place { list, answers, .. }| {
                answers.iter().map(|&id| appended[*list].id(id)).collect()
            });
            operand.answers = answers.unwrap_or_default();
        }
        let lists = grouped.iter().map(|list| list.text.clone()).collect();
        let (missing, unknown) = (Vec::new(), Vec::new());
        Plan { machine, grouped, lists, resolution, metrics, missing, unknown }
    }

    /// Takes retirement latencies that were measured meanwhile, instead of those of the requests:
    /// those that are [stated](Latencies::stated).
    pub fn set_latencies(&mut self, measured: &Latencies) {
        for one in self.metrics.iter_mut().flat_map(|planned| &mut planned.latencies) {
            one.latency = one.latency_with(measured);
        }
    }

    /// Returns the lists of events that are counted.
    #[must_use]
    pub fn lists(&self) -> &[String] {
        &self.lists
    }

    /// Returns the metrics, those with the most events first.
    #[must_use]
    pub fn metrics(&self) -> &[PlannedMetric] {
        &self.metrics
    }

    /// Returns the events that cannot be resolved on this machine. They are in no
    /// list.
    #[must_use]
    pub fn missing(&self) -> &[Missing] {
        &self.missing
    }

    /// Returns the literals in formulas whose value is unknown on this machine.
    /// Metrics with such a literal are NaN.
    #[must_use]
    pub fn unknown(&self) -> &[Tool] {
        &self.unknown
    }

    /// Returns the machine that answers the literals of formulas.
    #[must_use]
    pub fn machine(&self) -> &SystemMachine {
        &self.machine
    }

    /// Returns what is counted, as resolved when the plan was made: the events of the
    /// [lists](Self::lists), one after the other. None of them is missing.
    #[must_use]
    pub fn resolution(&self) -> &Resolution {
        &self.resolution
    }
}

fn needs(request: Request, asked: usize, system: &System, listening: &Listening<'_>) -> Needs {
    let mut events: Vec<Need> = Vec::new();
    let mut latencies: Vec<LatencyOperand> = Vec::new();
    let of_threshold = request
        .metric()
        .filter(|metric| request.has_threshold() && system.may_open_threshold(*metric));
    let of_threshold = of_threshold.into_iter().flat_map(|metric| {
        let needed = move |one: Identifier<'static>| (one.as_str().into(), Some(metric.pmu()));
        let latencies = metric.threshold_latencies_on(listening);
        metric.threshold_events_on(listening).chain(latencies).map(needed)
    });
    let of_value = request.operands_on(listening).into_iter().map(|needed| (needed, true));
    let need = |(identifier, pmu): Needed, is_needed, event| Need {
        identifier,
        pmu,
        is_needed,
        event,
        list: None,
        part: 0,
    };
    for (needed, is_needed) in of_value.chain(of_threshold.map(|needed| (needed, false))) {
        let (identifier, pmu) = &needed;
        if let Some(latency) = request.latency(identifier, system) {
            if !latencies.iter().any(|known| known.identifier == *identifier) {
                latencies.push(LatencyOperand { identifier: needed.0, latency, is_needed });
            }
        } else if !events.iter().any(|own| (&own.identifier, &own.pmu) == (identifier, pmu)) {
            let event = Identifier::new(identifier).with_parameter(request.parameter()).to_string();
            let event = listening.events().id(modified(event, request.modifiers()).into());
            events.push(need(needed, is_needed, event));
        }
    }
    if events.is_empty() {
        let time = listening.events().id("duration_time".into());
        events.push(need(("duration_time".into(), None), false, time));
    }
    let may_group =
        !request.is_loose() && request.metrics().into_iter().all(|one| system.may_group(one));
    let model = model_of(&request, system);
    let (parts, reference) = (Vec::new(), None);
    Needs { request, asked, model, events, latencies, may_group, parts, reference }
}

/// The model in whose table a metric is; for a formula, the machine's if it has one.
fn model_of(request: &Request, system: &System) -> Option<Model> {
    let models = system.models();
    let Some(metric) = request.metric() else {
        return if let [only] = models[..] { Some(only) } else { None };
    };
    let has = |model: &Model| {
        model.metric(metric.name()) == Some(metric)
            || model.metrics().any(|other: Metric| other == metric)
    };
    models.into_iter().find(has)
}

fn planned(needs: Needs, lists: &[List], events: &Events<'_>) -> PlannedMetric {
    let place = |list: usize, event, pmu: Option<&str>| {
        let number = lists[list].events.iter().position(|&other| other == event)?;
        Some(Place::of(list, number, &lists[list].resolution, pmu))
    };
    let operand = |need: &Need| Operand {
        identifier: need.identifier.clone(),
        event: events.text(need.event).clone(),
        pmu: need.pmu,
        is_needed: need.is_needed,
        part: need.part,
        place: need.list.and_then(|list| place(list, need.event, need.pmu)),
        answers: Vec::new(),
        missing: events.missing_number(need.event),
    };
    let mut operands: Vec<Operand> = needs.events.iter().map(operand).collect();
    let parts = Parts { references: references(&needs, &mut operands, events, place) };
    let Needs { request, asked, latencies, .. } = needs;
    PlannedMetric { request, operands, latencies, asked, parts }
}

/// The operands that are references of the metric's parts; adds those that its formula does not
/// have in the part.
fn references(
    needs: &Needs,
    operands: &mut Vec<Operand>,
    events: &Events<'_>,
    place: impl Fn(usize, EventId, Option<&str>) -> Option<Place>,
) -> Vec<Option<usize>> {
    let Some(reference) = needs.reference else {
        return needs.parts.iter().map(|_| None).collect();
    };
    let is_of_part = |list| needs.parts.iter().any(|part| part.list == list);
    let first = needs.events.iter().find(|need| need.list.is_some_and(is_of_part));
    let pmu = first.and_then(|need| need.pmu);
    let mut all = Vec::new();
    for (part, &PartList { list, has_reference }) in needs.parts.iter().enumerate() {
        let place = if has_reference { place(list, reference, pmu) } else { None };
        all.push(place.map(|place| {
            let is_it = |own: &Operand| own.place.as_ref().is_some_and(|own| own.is_same(&place));
            operands.iter().position(is_it).unwrap_or_else(|| {
                operands.push(Operand {
                    identifier: events.text(reference).to_string().into(),
                    event: events.text(reference).clone(),
                    pmu,
                    is_needed: false,
                    part,
                    place: Some(place),
                    answers: Vec::new(),
                    missing: None,
                });
                operands.len() - 1
            })
        }));
    }
    all
}
