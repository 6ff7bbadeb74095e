//! The measurement of all trees: pass by pass, or all at once.

use std::collections::BTreeMap;

use pmu_events::Metric;
use pmu_events::expr::{EventValue, Identifier};
use pmu_events::measure::{Plan, PlannedMetric};
use pmu_events::metric::Latencies;
use pmu_events::open::Reading;
use pmu_events::planner::{CoreState, Supply};
use pmu_events::resolve::ErrorKind;
use pmu_events::topdown::{self, EventCount};

use super::findings::{Combined, Findings, Trees};
use super::places::Place;
use super::refusal::refusal;
use super::setting::{Part, Pass, Setting};
use super::walk::Walk;
use crate::stat::{Failure, Signals};

/// The measurement of all trees.
pub(crate) struct Course<'h> {
    setting: &'h Setting<'h>,
    pub(crate) walks: Vec<Walk<'h>>,
    /// A description of each pass.
    pub(crate) passes: Vec<String>,
    pub(crate) notes: Vec<String>,
    pub(crate) combined: Combined,
    /// Whether all nodes are asked for: then a run less is worth more than values of one time,
    /// on which otherwise the way down depends.
    takes_all: bool,
    /// Whether a command failed or a signal arrived.
    pub(crate) is_cut_short: bool,
}

impl<'h> Course<'h> {
    /// `walk` is that through all trees, of any place.
    pub(crate) fn new(setting: &'h Setting<'h>, walk: &Walk<'h>, takes_all: bool) -> Self {
        let system = setting.system;
        let mut notes: Vec<String> = system.notes().iter().map(ToString::to_string).collect();
        // Otherwise no pass is planned around the watchdog.
        let states_counters = |tree: &topdown::Hierarchy| {
            Supply::of(tree.model(), tree.pmu(), CoreState::default()).is_ok()
        };
        if system.has_nmi_watchdog() && walk.trees().any(states_counters) {
            notes.push(
                "the NMI watchdog holds a counter, so that less is counted at once; \
                 `sysctl kernel.nmi_watchdog=0` frees it"
                    .into(),
            );
        }
        let kinds: Vec<_> = walk.trees().map(topdown::Hierarchy::pmu).collect();
        if kinds.len() > 1 && kinds.iter().all(|kind| *kind == kinds[0]) {
            notes.push(
                "the cores are of several models; an event that several have is their sum".into(),
            );
        }
        let places = setting.cgroups.iter().map(|cgroup| Place::of_cgroup(cgroup.as_ref()));
        let walks = places.map(|place| walk.at(place)).collect();
        let (passes, combined) = (Vec::new(), Combined::default());
        Course { setting, walks, passes, notes, combined, takes_all, is_cut_short: false }
    }

    pub(crate) fn findings(&self) -> Findings<'_> {
        Findings {
            walks: &self.walks,
            combined: &self.combined,
            passes: &self.passes,
            notes: &self.notes,
            samples: None,
        }
    }

    /// Descends level by level; the status of the command. After an error, what the
    /// passes before it have told is known.
    pub(crate) fn step_by_step(&mut self, signals: &Signals) -> Result<u8, Failure> {
        let setting = self.setting;
        loop {
            let metrics = self.next_metrics();
            if metrics.is_empty() {
                return Ok(0);
            }
            let plan = match self.takes_all {
                true => setting.plan_in_fewest_passes(&metrics),
                false => setting.plan(&metrics),
            };
            if self.passes.is_empty() {
                self.refuse_if_nothing_counts(&plan)?;
            }
            let mut measured: Vec<Pass> = Vec::new();
            let mut failed = None;
            for pass in 0..plan.passes() {
                let own = plan.pass(pass);
                match self.count(&own, &plan, signals, &mut |_| Ok(())) {
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
            self.combined.add(&plan);
            if let Some(first) = measured.first() {
                self.enter_places(&first.whole);
                measured.iter().for_each(|pass| note_utilization(&mut self.walks, &pass.whole));
                let parts: Vec<&Part> = measured.iter().map(|pass| &pass.whole).collect();
                let lacking: Vec<&str> = lacking(&measured);
                learn(
                    &mut self.walks,
                    setting,
                    &plan,
                    &Counted { parts, lacking, is_whole: false },
                );
            }
            if let Some(failure) = failed {
                self.notes.push("a pass failed, so that deeper levels are not known".into());
                return Err(failure);
            }
            if let Some(status) = measured.iter().find_map(|measured| measured.ends) {
                self.is_cut_short = true;
                if !self.next_metrics().is_empty() {
                    let why = if status == 0 { "was interrupted" } else { "failed" };
                    let what =
                        if setting.run.command.is_empty() { "counting" } else { "the command" };
                    self.notes.push(format!("{what} {why}, so that deeper levels are not known"));
                }
                return Ok(status);
            }
        }
    }

    /// Counts all nodes down to a level at once; the status of the command. `show` gets the trees
    /// of each interval.
    pub(crate) fn in_one_run(
        &mut self,
        signals: &Signals,
        level: usize,
        show: &mut dyn FnMut(&Trees<'_>) -> Result<(), Failure>,
    ) -> Result<u8, Failure> {
        let setting = self.setting;
        let Some(first) = self.walks.first() else { return Ok(0) };
        let mut metrics: Vec<Metric> = Vec::new();
        for node in first.trees().flat_map(topdown::Hierarchy::nodes) {
            if node.level() <= level {
                metrics.push(node.metric());
            }
        }
        let nodes = metrics.len();
        metrics.extend(first.beside());
        let plan = setting.plan(&metrics);
        self.refuse_if_nothing_counts(&plan)?;
        let mut combined = Combined::default();
        combined.add(&plan);
        let of_nothing = self.walks.clone();
        let mut on_interval = |part: &Part| {
            let mut walks = in_places(of_nothing.clone(), part);
            note_utilization(&mut walks, part);
            learn_all(&mut walks, setting, &plan, &Counted::whole(part, &[]));
            walks.retain(Walk::is_counted);
            let (number, end) = (part.number, part.end);
            show(&Trees { number, end, walks: &walks, combined: &combined })
        };
        let measured = self.count(&plan, &plan, signals, &mut on_interval)?;
        self.combined = combined;
        let groups = plan.passes();
        let is_shared = groups > 1 || !plan.has_room(0);
        let how = if is_shared { ", multiplexed" } else { "" };
        self.passes.push(format!("all {nodes} nodes{how}"));
        if is_shared {
            let turns = match groups {
                1 => "the events take turns if the counters are too few".into(),
                _ => format!("{groups} groups of events take turns"),
            };
            self.notes.push(format!(
                "one run has all {nodes} nodes, multiplexed: {turns}, and the values are estimates"
            ));
        }
        self.enter_places(&measured.whole);
        note_utilization(&mut self.walks, &measured.whole);
        let lacking: Vec<&str> = measured.lacking.iter().map(String::as_str).collect();
        let counted = Counted::whole(&measured.whole, &lacking);
        learn_all(&mut self.walks, setting, &plan, &counted);
        self.is_cut_short = measured.ends.is_some();
        Ok(measured.ends.unwrap_or(0))
    }

    /// The metrics of the next step of all walks; none at the end. Different kinds of cores, and
    /// different places, are counted at the same time.
    fn next_metrics(&self) -> Vec<Metric> {
        let mut metrics: Vec<Metric> = Vec::new();
        let mut add = |metric| {
            if !metrics.contains(&metric) {
                metrics.push(metric);
            }
        };
        for walk in &self.walks {
            walk.steps()
                .iter()
                .flatten()
                .for_each(|step| step.metrics().iter().copied().for_each(&mut add));
            walk.beside().for_each(&mut add);
        }
        metrics
    }

    /// Counts a pass, and remembers the notes on it.
    fn count(
        &mut self,
        plan: &Plan,
        whole: &Plan,
        signals: &Signals,
        show: &mut dyn FnMut(&Part) -> Result<(), Failure>,
    ) -> Result<Pass, Failure> {
        let is_first = self.passes.is_empty();
        let counted = self.setting.count(plan, whole, is_first, signals, show);
        let pass = counted.map_err(|failure| match failure {
            Failure::Cannot(why) if is_first => self.refused(&why),
            failure => failure,
        })?;
        for note in &pass.notes {
            if !self.notes.contains(note) {
                self.notes.push(note.clone());
            }
        }
        Ok(pass)
    }

    /// The first counts say which places there are.
    fn enter_places(&mut self, part: &Part) {
        if self.walks.iter().all(|walk| walk.place.unit().is_none()) {
            self.walks = in_places(std::mem::take(&mut self.walks), part);
        }
    }

    /// What a pass counts, level by level: a threshold may need a node of the next one, or
    /// what is no node. The kind of core is named if there are several.
    fn description(&self, pass: &Plan) -> String {
        let metrics: Vec<Metric> =
            pass.metrics().iter().filter_map(|planned| planned.request().metric()).collect();
        let trees: Vec<&topdown::Hierarchy> =
            self.walks.first().into_iter().flat_map(Walk::trees).collect();
        let of_tree = |tree: &&topdown::Hierarchy| {
            let kind = match trees.len() {
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
            let own = metrics.iter().filter(|metric| is_of(metric, tree));
            for metric in own.filter(|metric| !is_node(metric)) {
                levels.entry(usize::MAX).or_default().push(metric.name());
            }
            let level = move |(level, names): (usize, Vec<&str>)| match level {
                usize::MAX => format!("{kind}for thresholds: {}", names.join(", ")),
                _ => format!("{kind}level {level}: {}", names.join(", ")),
            };
            levels.into_iter().map(level).collect::<Vec<_>>()
        };
        trees.iter().flat_map(of_tree).collect::<Vec<_>>().join("; ")
    }

    /// Refuses before a command runs in vain.
    fn refuse_if_nothing_counts(&self, plan: &Plan) -> Result<(), Failure> {
        let lacks =
            |planned: &PlannedMetric| planned.needed().any(|operand| operand.missing().is_some());
        let [first, ..] = plan.missing() else { return Ok(()) };
        let mut of_tree = plan.metrics().iter().filter(|one| one.request().metric().is_some());
        if !of_tree.all(lacks) {
            return Ok(());
        }
        let has_core_pmu = self.setting.system.sysfs().core_pmus().next().is_some();
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
        let why = format!("the first level cannot be counted: {why}");
        refusal(&why, self.setting.system)
    }
}

/// What was counted of a plan.
struct Counted<'c> {
    /// The passes of the plan, in order, or all of it at once.
    parts: Vec<&'c Part>,
    /// The names of events that the CPU lacks.
    lacking: Vec<&'c str>,
    is_whole: bool,
}

impl<'c> Counted<'c> {
    fn whole(part: &'c Part, lacking: &[&'c str]) -> Self {
        Counted { parts: vec![part], lacking: lacking.to_vec(), is_whole: true }
    }
}

impl Counted<'_> {
    /// Those that were sampled, and the others that formulas take.
    fn latencies(&self, others: &Latencies) -> Latencies {
        let stated = self.parts.iter().flat_map(|part| part.latencies.stated());
        let stated = stated.map(|(of, cycles)| (of.to_string(), cycles));
        stated.fold(others.clone(), |all, (event, cycles)| all.with_cycles(&event, cycles))
    }
}

fn lacking(passes: &[Pass]) -> Vec<&str> {
    passes.iter().flat_map(|pass| &pass.lacking).map(String::as_str).collect()
}

/// The walks in each place of which something was counted.
fn in_places<'h>(walks: Vec<Walk<'h>>, part: &Part) -> Vec<Walk<'h>> {
    walks.into_iter().flat_map(|walk| walk.into_places(&part.counts)).collect()
}

fn note_utilization(walks: &mut [Walk<'_>], part: &Part) {
    for walk in walks {
        walk.utilizations.extend(part.utilization(&walk.place));
    }
}

/// Takes one step, whose plan it is.
fn learn(walks: &mut [Walk<'_>], setting: &Setting<'_>, plan: &Plan, counted: &Counted<'_>) {
    let machine = setting.system.machine(&setting.scope());
    let nothing = Reading::default();
    if setting.samples_latencies {
        let latencies = counted.latencies(&setting.latencies);
        walks.iter_mut().for_each(|walk| walk.take_latencies(&latencies));
    }
    for walk in walks {
        let place = &walk.place;
        let readings: Vec<&Reading> =
            counted.parts.iter().map(|part| part.counts.of(place).unwrap_or(&nothing)).collect();
        let count = |metric: Metric, event: Identifier<'static>| match &readings[..] {
            _ if counted.lacking.contains(&event.as_str()) => {
                EventCount::new(EventValue::NOT_COUNTED, 0.0)
            }
            [whole] if counted.is_whole => plan.count(metric, event, whole),
            passes => plan.count_in_passes(metric, event, passes),
        };
        let steps = walk.steps();
        walk.learn(&steps, &machine, count);
    }
}

/// Takes all steps of a plan that has all nodes.
fn learn_all(walks: &mut [Walk<'_>], setting: &Setting<'_>, plan: &Plan, counted: &Counted<'_>) {
    while !walks.iter().all(Walk::is_at_end) {
        learn(walks, setting, plan, counted);
    }
}

/// Whether a metric is one of a tree's kind of core: nodes and what their thresholds name.
fn is_of(metric: &Metric, tree: &topdown::Hierarchy) -> bool {
    metric.pmu() == tree.pmu() && tree.model().metrics().any(|other| other == *metric)
}
