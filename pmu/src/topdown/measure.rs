//! Measuring one pass after the other.

use std::collections::BTreeMap;

use pmu_events::expr::{EventValue, Identifier};
use pmu_events::measure::{Plan, PlannedMetric, Request};
use pmu_events::metric::Latencies;
use pmu_events::open::Reading;
use pmu_events::planner::{CoreState, Supply};
use pmu_events::resolve::{ErrorKind, Resolution};
use pmu_events::topdown::{self, Drill, EventCount, Step};
use pmu_events::{Metric, Scope};

use super::refusal::refusal;
use crate::stat::args::RunArgs;
use crate::stat::{Asked, Bound, Failure, Level, PlanCopy, Signals, events, run, scope};
use crate::system::System;

/// The measurement of all trees, pass by pass.
pub(crate) struct Course<'h> {
    system: &'h System,
    pub(super) args: &'h RunArgs,
    pub(crate) drills: Vec<Drill<'h>>,
    /// A description of each pass.
    pub(crate) passes: Vec<String>,
    pub(crate) notes: Vec<String>,
    /// What formulas take for `EVENT:R`.
    latencies: Latencies,
    /// Metrics whose values are combined from counts of several groups, and how many.
    parts: Vec<(Metric, usize)>,
    /// Whether all nodes are asked for: then a run less is worth more than values of one time,
    /// on which otherwise the way down depends.
    takes_all: bool,
}

/// The counts of a pass.
struct Measured {
    reading: Reading,
    /// Whether it is all of the plan, and not a pass.
    is_whole: bool,
    /// The names of events that the CPU lacks.
    lacking: Vec<String>,
    /// The status of the program if this pass is the last.
    ends: Option<u8>,
}

impl<'h> Course<'h> {
    pub(crate) fn new(
        system: &'h System,
        args: &'h RunArgs,
        drills: Vec<Drill<'h>>,
        latencies: Latencies,
        takes_all: bool,
    ) -> Self {
        let has_watchdog = system.has_nmi_watchdog();
        let mut notes: Vec<String> = system.notes().iter().map(ToString::to_string).collect();
        // Otherwise no pass is planned around the watchdog.
        let states_counters = |drill: &Drill<'_>| {
            let (model, pmu) = (drill.tree().model(), drill.tree().pmu());
            Supply::of(model, pmu, CoreState::default()).is_ok()
        };
        if has_watchdog && drills.iter().any(states_counters) {
            notes.push(
                "the NMI watchdog holds a counter, so that less is counted at once; \
                 `sysctl kernel.nmi_watchdog=0` frees it"
                    .into(),
            );
        }
        let kinds: Vec<_> = drills.iter().map(|drill| drill.tree().pmu()).collect();
        if kinds.len() > 1 && kinds.iter().all(|kind| *kind == kinds[0]) {
            notes.push(
                "the cores are of several models; an event that several have is their sum".into(),
            );
        }
        let (passes, parts) = (Vec::new(), Vec::new());
        Course { system, args, drills, passes, notes, latencies, parts, takes_all }
    }

    pub(crate) fn system(&self) -> &System {
        self.system
    }

    /// Descends level by level; the status of the command. After an error, what the
    /// passes before it have told is known.
    pub(crate) fn step_by_step(&mut self) -> Result<u8, Failure> {
        let signals = Signals::new();
        loop {
            let steps: Vec<Option<Step>> = self.drills.iter().map(Drill::next_step).collect();
            if steps.iter().all(Option::is_none) {
                return Ok(0);
            }
            // Different kinds of cores are counted at the same time.
            let metrics: Vec<Metric> =
                steps.iter().flatten().flat_map(|step| step.metrics().iter().copied()).collect();
            let plan = match self.takes_all {
                true => Plan::in_fewest_passes(self.requests(&metrics), self.system, &self.scope()),
                false => self.plan(&metrics),
            };
            if self.passes.is_empty() {
                self.refuse_if_nothing_counts(&plan)?;
            }
            let mut measured: Vec<Measured> = Vec::new();
            let mut failed = None;
            for pass in 0..plan.passes() {
                let own = plan.pass(pass);
                match self.measure(&own, &plan, &signals) {
                    Ok(one) => measured.push(one),
                    Err(failure) => {
                        failed = Some(failure);
                        break;
                    }
                }
                let how = if plan.has_room(pass) { "" } else { " (multiplexed if need be)" };
                self.passes.push(format!("{}{how}", self.description(&own)));
                if measured.last().is_some_and(|measured| measured.ends.is_some()) {
                    break;
                }
            }
            self.note_parts(&plan);
            if !measured.is_empty() {
                self.learn(&steps, &plan, &measured);
            }
            if let Some(failure) = failed {
                self.notes.push("a pass failed, so that deeper levels are not known".into());
                return Err(failure);
            }
            if let Some(status) = measured.iter().find_map(|measured| measured.ends) {
                if self.drills.iter().any(|drill| drill.next_step().is_some()) {
                    let why = if status == 0 { "was interrupted" } else { "failed" };
                    let what =
                        if self.args.command.is_empty() { "counting" } else { "the command" };
                    self.notes.push(format!("{what} {why}, so that deeper levels are not known"));
                }
                return Ok(status);
            }
        }
    }

    /// What a pass counts, level by level: a threshold may need a node of the next one, or
    /// what is no node. The kind of core is named if there are several.
    fn description(&self, pass: &Plan) -> String {
        let metrics: Vec<Metric> =
            pass.metrics().iter().filter_map(|planned| planned.request().metric()).collect();
        let of_drill = |drill: &Drill<'_>| {
            let tree = drill.tree();
            let kind = match self.drills.len() {
                1 => String::new(),
                _ => format!("{} ", tree.pmu()),
            };
            let is_counted = |node: &&topdown::Node| metrics.contains(&node.metric());
            let mut levels: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
            for node in tree.nodes().iter().filter(is_counted) {
                levels.entry(node.level()).or_default().push(node.metric().name());
            }
            let is_node =
                |metric: &&Metric| tree.nodes().iter().any(|one| one.metric() == **metric);
            let own = metrics.iter().filter(|metric| is_of(metric, drill));
            for metric in own.filter(|metric| !is_node(metric)) {
                levels.entry(usize::MAX).or_default().push(metric.name());
            }
            let level = move |(level, names): (usize, Vec<&str>)| match level {
                usize::MAX => format!("{kind}for thresholds: {}", names.join(", ")),
                _ => format!("{kind}level {level}: {}", names.join(", ")),
            };
            levels.into_iter().map(level).collect::<Vec<_>>()
        };
        self.drills.iter().flat_map(of_drill).collect::<Vec<_>>().join("; ")
    }

    /// Remembers which metrics are combined from counts of several groups.
    fn note_parts(&mut self, plan: &Plan) {
        let split = plan.metrics().iter().filter(|planned| planned.parts() > 1);
        for planned in split {
            if let Some(metric) = planned.request().metric() {
                self.parts.push((metric, planned.parts()));
            }
        }
    }

    /// The number of groups from whose counts a metric's value is combined.
    pub(crate) fn parts_of(&self, metric: Metric) -> usize {
        let found = self.parts.iter().find(|(other, _)| *other == metric);
        found.map_or(1, |&(_, parts)| parts)
    }

    /// Counts all nodes down to a level at once; the status of the command.
    pub(crate) fn in_one_run(&mut self, level: usize) -> Result<u8, Failure> {
        let signals = Signals::new();
        let nodes = self.drills.iter().flat_map(|drill| drill.tree().nodes());
        let metrics: Vec<Metric> =
            nodes.filter(|node| node.level() <= level).map(topdown::Node::metric).collect();
        let plan = self.plan(&metrics);
        self.refuse_if_nothing_counts(&plan)?;
        let measured = self.measure(&plan, &plan, &signals)?;
        let measured = [Measured { is_whole: true, ..measured }];
        self.note_parts(&plan);
        self.passes.push(format!("all {} nodes, multiplexed", metrics.len()));
        loop {
            let steps: Vec<Option<Step>> = self.drills.iter().map(Drill::next_step).collect();
            if steps.iter().all(Option::is_none) {
                return Ok(measured[0].ends.unwrap_or(0));
            }
            self.learn(&steps, &plan, &measured);
        }
    }

    fn plan(&self, metrics: &[Metric]) -> Plan {
        Plan::new(self.requests(metrics), self.system, &self.scope())
    }

    fn requests(&self, metrics: &[Metric]) -> impl Iterator<Item = Request> {
        metrics.iter().map(|&metric| {
            Request::from(metric).without_threshold().with_latencies(self.latencies.clone())
        })
    }

    fn scope(&self) -> Scope {
        scope(&self.args.subject)
    }

    /// Counts what a plan has, which is a pass of the whole.
    fn measure(
        &mut self,
        plan: &Plan,
        whole: &Plan,
        signals: &Signals,
    ) -> Result<Measured, Failure> {
        let mut resolved = Resolution::empty(self.system);
        let appended = resolved.append(plan.resolution().clone());
        let copies = [PlanCopy { appended, cgroup: None }];
        let metrics = Bound::new(plan, &copies);
        let asked = Asked {
            resolved: &resolved,
            copies: &copies,
            missing: whole.missing(),
            level: Level::Everything,
            is_merged: true,
            merges_cores: false,
            must_count: self.passes.is_empty(),
        };
        // There are no intervals.
        let finished = run::once(self.args, &asked, signals, None, &mut |_| Ok(()));
        let finished = finished.map_err(|failure| match failure {
            Failure::Cannot(why) if self.passes.is_empty() => self.refused(&why),
            failure => failure,
        })?;
        let mut notes = events::notes(&finished.counters, finished.reading.events(), whole);
        notes.extend(metrics.uncountable(whole.missing(), &finished.counters));
        for note in notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        // A command may end well in spite of a signal; no other pass follows.
        let ends = finished.failed().or(finished.signal.map(|_| 0));
        drop(metrics);
        let lacking = resolved.events().iter().filter(|event| event.is_lacking());
        let lacking = lacking.map(|event| event.name().to_owned()).collect();
        Ok(Measured { reading: finished.reading, is_whole: false, lacking, ends })
    }

    /// `measured` has the passes of the plan, in order, or all of it at once.
    fn learn(&mut self, steps: &[Option<Step>], plan: &Plan, measured: &[Measured]) {
        let is_at_once = measured.len() == 1 && measured[0].is_whole;
        let readings: Vec<&Reading> = measured.iter().map(|one| &one.reading).collect();
        let count = |metric: Metric, event: Identifier<'static>| {
            let lacks = |one: &Measured| one.lacking.iter().any(|name| name == event.as_str());
            match &readings[..] {
                _ if measured.iter().any(lacks) => EventCount::new(EventValue::NOT_COUNTED, 0.0),
                [whole] if is_at_once => plan.count(metric, event, whole),
                passes => plan.count_in_passes(metric, event, passes),
            }
        };
        let machine = self.system.machine(&self.scope());
        for (drill, step) in self.drills.iter_mut().zip(steps) {
            if let Some(step) = step {
                drill.learn(step, &machine, count);
            }
        }
    }

    /// Refuses before a command runs in vain.
    fn refuse_if_nothing_counts(&self, plan: &Plan) -> Result<(), Failure> {
        let lacks =
            |planned: &PlannedMetric| planned.needed().any(|operand| operand.missing().is_some());
        let [first, ..] = plan.missing() else { return Ok(()) };
        if !plan.metrics().iter().all(lacks) {
            return Ok(());
        }
        let has_core_pmu = self.system.sysfs().core_pmus().next().is_some();
        let why = match first.error().kind() {
            ErrorKind::NoCorePmu | ErrorKind::UnknownEvent if !has_core_pmu => {
                "this machine has no core PMU".into()
            }
            _ => format!("`{}`: {}", first.name(), first.error().message()),
        };
        Err(self.refused(&why))
    }

    /// Without the first level, nothing is known, and the command has not run.
    fn refused(&self, why: &str) -> Failure {
        refusal(&format!("the first level cannot be counted: {why}"), self.system)
    }
}

/// Whether a metric is one of the drill's kind of core: nodes and what their thresholds name.
fn is_of(metric: &Metric, drill: &Drill<'_>) -> bool {
    let tree = drill.tree();
    metric.pmu() == tree.pmu() && tree.model().metrics().any(|other| other == *metric)
}
