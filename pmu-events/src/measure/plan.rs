//! The events to count for a set of metrics.

use core::cmp::Reverse;
use std::collections::BTreeSet;
use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::formulas::Needed;
use super::listening::Listening;
use super::lists::{self, List, Needs, Pack, Places, is_tool};
use super::operand::{LatencyOperand, Operand};
use super::parts::Parts;
use super::request::Request;
use crate::expr::{Identifier, Literal, Machine};
use crate::planner::Packing;
use crate::resolve::{Error, Missing, Resolution};
use crate::system::{Scope, System, SystemMachine};

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
    /// The number of events in the lists.
    #[cfg_attr(not(feature = "open"), allow(dead_code))]
    pub(super) events: usize,
    metrics: Vec<PlannedMetric>,
    missing: Vec<Missing>,
    unknown: Vec<Literal>,
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
        Self::packed(requests, system, scope, |supply, sets| Packing::of(supply, sets))
    }

    /// Plans the measurement in as few [passes](Self::passes) as the planner finds
    /// ([`Packing::in_fewest_groups`]): a metric is split wherever that saves a pass, even if
    /// its events fit one group. This is for passes that cost, such as runs of a command;
    /// [`new`](Self::new) is better for values, and where groups share the time.
    pub fn in_fewest_passes<R: Into<Request>>(
        requests: impl IntoIterator<Item = R>,
        system: &System,
        scope: &Scope,
    ) -> Self {
        Self::packed(requests, system, scope, |supply, sets| {
            Packing::in_fewest_groups(supply, sets)
        })
    }

    fn packed<R: Into<Request>>(
        requests: impl IntoIterator<Item = R>,
        system: &System,
        scope: &Scope,
        pack: Pack,
    ) -> Self {
        let machine = system.machine(scope);
        let mut all: Vec<Needs> = Vec::new();
        let listening = Listening::new(&machine);
        for request in requests.into_iter().map(Into::into) {
            if !all.iter().any(|other| other.request.is_same(&request)) {
                all.push(needs(request, all.len(), system, &listening));
            }
        }
        lists::spell(&mut all, system);
        // Largest first: smaller ones may find their events there.
        let size = |needs: &Needs| needs.events.iter().filter(|(_, event)| !is_tool(event)).count();
        all.sort_by_cached_key(|needs| Reverse(size(needs)));
        let missing = missing(&all, system);
        let absent: BTreeSet<&str> = missing.iter().map(Missing::name).collect();
        let (grouped, places) = lists::of(&all, system, &|event| absent.contains(event), pack);
        let planned = |(needs, places)| planned(needs, places, &grouped);
        let metrics = all.into_iter().zip(places).map(planned).collect();
        let unknown = listening.unknown();
        Plan { missing, unknown, ..Plan::of_lists(machine, grouped, metrics) }
    }

    /// Nothing is missing or unknown.
    pub(super) fn of_lists(
        machine: SystemMachine,
        grouped: Vec<List>,
        metrics: Vec<PlannedMetric>,
    ) -> Self {
        let events = grouped.iter().map(|list| list.events.len()).sum();
        let lists = grouped.iter().map(List::text).collect();
        let (missing, unknown) = (Vec::new(), Vec::new());
        Plan { machine, grouped, lists, events, metrics, missing, unknown }
    }

    /// Returns the lists of events to resolve.
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
    pub fn unknown(&self) -> &[Literal] {
        &self.unknown
    }

    /// Returns the machine that answers the literals of formulas.
    #[must_use]
    pub fn machine(&self) -> &SystemMachine {
        &self.machine
    }

    /// Resolves all lists into one resolution.
    ///
    /// # Errors
    ///
    /// Returns an error if a list cannot be resolved although each of its events
    /// can.
    pub fn resolve(&self) -> Result<Resolution, Error> {
        let system = self.machine.system();
        let mut all = Resolution::empty(system);
        for list in &self.lists {
            all.append(system.require(list)?);
        }
        Ok(all)
    }
}

fn needs(request: Request, asked: usize, system: &System, listening: &impl Machine) -> Needs {
    let mut events: Vec<(Needed, String)> = Vec::new();
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
    let mut of_value_only = 0;
    for (needed, is_needed) in of_value.chain(of_threshold.map(|needed| (needed, false))) {
        if let Some(latency) = request.latency(&needed.0, system) {
            if !latencies.iter().any(|known| known.identifier == needed.0) {
                latencies.push(LatencyOperand { identifier: needed.0, latency, is_needed });
            }
        } else if !events.iter().any(|(known, _)| *known == needed) {
            let event = Identifier::new(&needed.0).with_parameter(request.parameter()).to_string();
            events.push((needed, modified(event, request.modifiers())));
            of_value_only += usize::from(is_needed);
        }
    }
    if events.is_empty() {
        events.push((("duration_time".into(), None), "duration_time".into()));
        of_value_only = 1;
    }
    let may_group =
        !request.is_loose() && request.metrics().into_iter().all(|one| system.may_group(one));
    Needs { request, asked, events, of_value: of_value_only, latencies, may_group }
}

fn modified(event: String, modifiers: &str) -> String {
    if modifiers.is_empty() || is_tool(&event) {
        return event;
    }
    let has_colon = event.contains('/') || event.contains(':');
    format!("{event}{}{modifiers}", if has_colon { "" } else { ":" })
}

fn missing(all: &[Needs], system: &System) -> Vec<Missing> {
    /// Each suggestion is a search among all events, and nobody reads more of them.
    const SUGGESTIONS: usize = 20;
    let mut missing: Vec<Missing> = Vec::new();
    let mut asked = BTreeSet::new();
    for (_, event) in all.iter().flat_map(|needs| &needs.events) {
        if !asked.insert(event) {
            continue;
        }
        let resolved = match missing.len() < SUGGESTIONS {
            true => system.require(event),
            false => system.require_tersely(event),
        };
        if let Err(error) = resolved {
            missing.push(Missing::new(event, 0, error, 0));
        }
    }
    missing
}

fn planned(needs: Needs, places: Places, lists: &[List]) -> PlannedMetric {
    let number = |list: usize, event: &str| {
        let place = lists[list].events.iter().position(|other| other == event)?;
        Some(lists[..list].iter().map(|list| list.events.len()).sum::<usize>() + place)
    };
    let operand = |(n, ((identifier, pmu), event)): (usize, &(Needed, String))| Operand {
        identifier: identifier.clone(),
        pmu: *pmu,
        event: event.clone(),
        number: places.lists[n].and_then(|list| number(list, event)),
    };
    let mut operands: Vec<Operand> = needs.events.iter().enumerate().map(operand).collect();
    let parts = Parts::of(&places, &mut operands, number);
    let Needs { request, asked, latencies, .. } = needs;
    PlannedMetric { request, operands, latencies, asked, parts }
}
