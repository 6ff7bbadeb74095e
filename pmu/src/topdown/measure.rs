//! Measuring one pass after the other.

use std::collections::BTreeMap;

use pmu_events::Metric;
use pmu_events::expr::{EventValue, Identifier};
use pmu_events::measure::{Plan, PlannedMetric, Request};
use pmu_events::metric::Latencies;
use pmu_events::open::Reading;
use pmu_events::resolve::ErrorKind;
use pmu_events::topdown::{self, Drill, EventCount, Fit, Pass, Step};

use super::refusal;
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
    has_watchdog: bool,
}

/// The counts of a pass.
struct Measured {
    plan: Plan,
    reading: Reading,
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
    ) -> Self {
        let has_watchdog = system.has_nmi_watchdog();
        let mut notes = Vec::new();
        // Otherwise no pass is planned around the watchdog.
        let states_counters = |drill: &Drill<'_>| {
            topdown::pool(drill.tree().model(), drill.tree().pmu(), false).is_some()
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
        Course { system, args, drills, passes: Vec::new(), notes, latencies, has_watchdog }
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
            let passes: Vec<Vec<Pass>> = (self.drills.iter().zip(&steps))
                .map(|(drill, step)| self.passes_of(drill, step.as_ref()))
                .collect();
            let mut measured: Vec<Measured> = Vec::new();
            let mut failed = None;
            for number in 0..passes.iter().map(Vec::len).max().unwrap_or_default() {
                // Different kinds of cores are counted at the same time.
                let now: Vec<(usize, &Pass)> = (passes.iter().enumerate())
                    .filter_map(|(drill, of)| Some((drill, of.get(number)?)))
                    .collect();
                let metrics: Vec<Metric> =
                    now.iter().flat_map(|(_, pass)| pass.metrics.iter().copied()).collect();
                let is_together = now.iter().all(|(_, pass)| pass.fit == Fit::Proven);
                let plan = self.plan(&metrics, is_together);
                if self.passes.is_empty() {
                    self.refuse_if_nothing_counts(&plan)?;
                }
                match self.measure(plan, &signals) {
                    Ok(one) => measured.push(one),
                    Err(failure) => {
                        failed = Some(failure);
                        break;
                    }
                }
                let what: Vec<String> =
                    now.iter().map(|&(drill, pass)| self.description(drill, pass)).collect();
                let how = if is_together { "" } else { " (multiplexed if need be)" };
                self.passes.push(format!("{}{how}", what.join("; ")));
                if measured.last().is_some_and(|measured| measured.ends.is_some()) {
                    break;
                }
            }
            if !measured.is_empty() {
                self.learn(&steps, &measured);
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

    /// What a pass counts of a drill, level by level: a threshold may need a node of the next
    /// one, or what is no node. The kind of core is named if there are several.
    fn description(&self, drill: usize, pass: &Pass) -> String {
        let tree = self.drills[drill].tree();
        let kind = match self.drills.len() {
            1 => String::new(),
            _ => format!("{} ", tree.pmu()),
        };
        let level_of = |metric: &Metric| {
            let node = tree.nodes().iter().find(|node| node.metric() == *metric);
            node.map_or(usize::MAX, topdown::Node::level)
        };
        let mut levels: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for metric in &pass.metrics {
            levels.entry(level_of(metric)).or_default().push(metric.name());
        }
        let level = |(level, names): (usize, Vec<&str>)| match level {
            usize::MAX => format!("{kind}for thresholds: {}", names.join(", ")),
            _ => format!("{kind}level {level}: {}", names.join(", ")),
        };
        levels.into_iter().map(level).collect::<Vec<_>>().join("; ")
    }

    /// Counts all nodes down to a level at once; the status of the command.
    pub(crate) fn in_one_run(&mut self, level: usize) -> Result<u8, Failure> {
        let signals = Signals::new();
        let nodes = self.drills.iter().flat_map(|drill| drill.tree().nodes());
        let metrics: Vec<Metric> =
            nodes.filter(|node| node.level() <= level).map(topdown::Node::metric).collect();
        let plan = self.plan(&metrics, false);
        self.refuse_if_nothing_counts(&plan)?;
        let measured = [self.measure(plan, &signals)?];
        self.passes.push(format!("all {} nodes, multiplexed", metrics.len()));
        loop {
            let steps: Vec<Option<Step>> = self.drills.iter().map(Drill::next_step).collect();
            if steps.iter().all(Option::is_none) {
                return Ok(measured[0].ends.unwrap_or(0));
            }
            self.learn(&steps, &measured);
        }
    }

    fn passes_of(&self, drill: &Drill<'_>, step: Option<&Step>) -> Vec<Pass> {
        let Some(step) = step else { return Vec::new() };
        let (model, pmu) = (drill.tree().model(), drill.tree().pmu());
        let pool = topdown::pool(model, pmu, self.has_watchdog);
        let machine = self.system.machine(&scope(&self.args.subject));
        topdown::passes(model, step.metrics(), &machine, pool)
    }

    fn plan(&self, metrics: &[Metric], is_together: bool) -> Plan {
        let request = |&metric: &Metric| {
            Request::from(metric).without_threshold().with_latencies(self.latencies.clone())
        };
        let requests = metrics.iter().map(request);
        let scope = scope(&self.args.subject);
        match is_together {
            true => Plan::together(requests, self.system, &scope),
            false => Plan::new(requests, self.system, &scope),
        }
    }

    fn measure(&mut self, plan: Plan, signals: &Signals) -> Result<Measured, Failure> {
        let resolved = plan.resolve().map_err(|error| Failure::Cannot(error.to_string()))?;
        let metrics = Bound::new(&plan, &resolved, &[PlanCopy { first: 0, cgroup: None }]);
        let asked = Asked {
            cgroups: &[],
            cgroup_names: &[],
            resolved: &resolved,
            missing: plan.missing(),
            missing_in: &[None],
            level: Level::Everything,
            is_merged: true,
            must_count: self.passes.is_empty(),
        };
        // There are no intervals.
        let finished = run::once(self.args, &asked, signals, &mut |_| Ok(()));
        let finished = finished.map_err(|failure| match failure {
            Failure::Cannot(why) if self.passes.is_empty() => self.refused(&why),
            failure => failure,
        })?;
        let mut notes = events::notes(&finished.counters, &finished.reading.events, &plan);
        notes.extend(metrics.uncountable(plan.missing(), finished.counters.events()));
        for note in notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        // A command may end well in spite of a signal; no other pass follows.
        let ends = finished.failed().or(finished.signal.map(|_| 0));
        drop(metrics);
        let lacking = resolved.iter().filter(|event| event.is_lacking());
        let lacking = lacking.map(|event| event.name().to_owned()).collect();
        Ok(Measured { plan, reading: finished.reading, lacking, ends })
    }

    fn learn(&mut self, steps: &[Option<Step>], measured: &[Measured]) {
        let count = |metric: Metric, event: Identifier<'static>| {
            let has = |one: &&Measured| {
                let mut metrics = one.plan.metrics().iter();
                metrics.any(|planned| planned.request.metric() == Some(metric))
            };
            let nothing = EventCount { value: EventValue::NOT_COUNTED, running: 0.0 };
            match measured.iter().find(has) {
                Some(one) if !one.lacking.iter().any(|name| name == event.as_str()) => {
                    one.plan.count(metric, event, &one.reading)
                }
                _ => nothing,
            }
        };
        let machine = self.system.machine(&scope(&self.args.subject));
        for (drill, step) in self.drills.iter_mut().zip(steps) {
            if let Some(step) = step {
                drill.learn(step, &machine, count);
            }
        }
    }

    /// Refuses before a command runs in vain.
    fn refuse_if_nothing_counts(&self, plan: &Plan) -> Result<(), Failure> {
        let lacks = |planned: &PlannedMetric| {
            planned.needed_on(plan.machine()).any(|n| planned.operands[n].number.is_none())
        };
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
