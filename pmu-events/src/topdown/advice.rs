//! What to sample at a node.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::hierarchy::Hierarchy;
use crate::event::Precise;
use crate::expr::{Identifier, Machine};
use crate::planner::event_name;
use crate::{Event, Metric, Model};
use pmu_events_core::__private::name;

/// An event to sample, to find the code that is responsible for a node.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::arch::x86;
/// use pmu_events::expr::UnknownMachine;
/// use pmu_events::topdown::{Hierarchy, samples};
///
/// let trees = Hierarchy::of(x86::SKYLAKEX);
/// let node = trees[0].find("tma_branch_mispredicts").unwrap();
/// let advice = samples(&trees[0], node, &UnknownMachine);
/// assert!(advice[0].is_recommended());
/// println!("perf record -e {}", advice[0].event());
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    pub(crate) event: String,
    pub(crate) is_recommended: bool,
}

impl Sample {
    /// Returns the event, as `perf record -e` takes it.
    #[must_use]
    pub fn event(&self) -> &str {
        &self.event
    }

    /// Whether the tree recommends it; otherwise it is an event that the metric
    /// needs and its parent does not.
    #[must_use]
    pub fn is_recommended(&self) -> bool {
        self.is_recommended
    }
}

/// Returns the events to sample at a node: those that the tree recommends
/// ([`Metric::sample_with`], or `Sample with: …` in the description), otherwise one
/// that distinguishes the node from its parent.
#[must_use]
pub fn samples(tree: &Hierarchy, number: usize, machine: &impl Machine) -> Vec<Sample> {
    let Some(node) = tree.nodes().get(number) else { return Vec::new() };
    let recommended = recommended(tree.model(), node.metric());
    if !recommended.is_empty() {
        let sample = |event| Sample { event, is_recommended: true };
        return recommended.into_iter().map(sample).collect();
    }
    let own = events(tree, node.metric(), machine);
    let above = node.parent().map(|parent| tree.nodes()[parent].metric());
    let above = above.map_or(Vec::new(), |metric| events(tree, metric, machine));
    let differs = |event: &&Event| !above.contains(event) && !is_clock(**event);
    let mut candidates = own.iter().filter(differs);
    // Precise samples point at the instruction.
    let precise = candidates.clone().find(|event| event.precise() != Precise::No);
    let best = precise.or_else(|| candidates.next()).or_else(|| own.first());
    let sample = |event: &Event| Sample { event: spelled(*event), is_recommended: false };
    best.map(sample).into_iter().collect()
}

/// The events of the PMU that a metric needs, in the order of its formula.
fn events(tree: &Hierarchy, metric: Metric, machine: &impl Machine) -> Vec<Event> {
    let event =
        |name: Identifier<'static>| tree.model().event_on(tree.pmu(), event_name(name.as_str()));
    metric.events_on(machine).filter_map(event).collect()
}

/// Whether an event counts time rather than what happens: cycles, slots, and
/// instructions, over which ratios are formed.
fn is_clock(event: Event) -> bool {
    const CLOCKS: [&str; 10] = [
        "CPU_CLK",
        "TOPDOWN.SLOTS",
        "CPU_CYCLES",
        "ls_not_halted_cyc",
        "PM_RUN_CYC",
        "PM_CYC",
        "PM_RUN_INST_CMPL",
        "PM_INST_CMPL",
        "INST_RETIRED",
        "ex_ret_instr",
    ];
    let begins =
        |clock: &&str| event.name().get(..clock.len()).is_some_and(|start| name::eq(start, clock));
    CLOCKS.iter().any(begins)
}

fn recommended(model: Model, metric: Metric) -> Vec<String> {
    const MARK: &str = "Sample with:";
    let stated: Vec<String> =
        metric.sample_with().filter_map(|name| known(model, metric, name)).collect();
    if !stated.is_empty() {
        return stated;
    }
    let texts = [metric.long_description(), metric.description()];
    let mut found = Vec::new();
    for text in texts.into_iter().flatten().map(|text| text.to_string()) {
        let Some(start) = text.find(MARK) else { continue };
        let list = &text[start + MARK.len()..];
        // A full stop ends the list, but names contain it.
        let list = list.split(". ").next().unwrap_or(list);
        for name in list.split([';', ',', ' ']) {
            let name = name.trim().trim_end_matches('.');
            let event = (!name.is_empty()).then(|| known(model, metric, name)).flatten();
            if let Some(event) = event
                && !found.contains(&event)
            {
                found.push(event);
            }
        }
    }
    found
}

/// PMUs of AMD that take samples by themselves, and have no events
/// (`arch/x86/events/amd/ibs.c`).
const SAMPLERS: [&str; 2] = ["ibs_fetch//", "ibs_op//"];

/// Older names of precise events end with `_PS`, which no event does now.
fn known(model: Model, metric: Metric, wanted: &str) -> Option<String> {
    if SAMPLERS.contains(&wanted) {
        return Some(wanted.to_string());
    }
    let find = |name: &str| model.event_on(metric.pmu(), name).or_else(|| model.event(name));
    let event = find(wanted).or_else(|| find(wanted.strip_suffix("_PS")?))?;
    Some(spelled(event))
}

fn spelled(event: Event) -> String {
    let mut name = event.name().to_string();
    if event.precise() != Precise::No {
        name.push_str(":pp");
    }
    name
}
