//! Metrics of open counters.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::vec::Vec;

use super::operand::Operand;
use super::place::{Per, Place};
use super::plan::{Plan, PlannedMetric};
use super::raw_count::RawCount;
use super::value::{Value, value};
use crate::Metric;
use crate::event_list::Tool;
use crate::expr::Identifier;
use crate::open::{self, Cgroup, Counters, EventReading, Options, Reading, Sum, Target};
use crate::resolve::{AnswerId, Resolution, Resolved};
use crate::sysfs::Problem;
use crate::topdown::EventCount;

impl Plan {
    /// Opens counters for the events that the metrics need. The scope must be the
    /// one given to [`Plan::new`].
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`Counters::open`].
    pub fn open(&self, options: &Options) -> Result<Counters, open::Error> {
        Counters::open(self.resolution(), options)
    }

    /// Opens counters for the events that the metrics need, once in each control group.
    /// [`reading_in`](Self::reading_in) returns the part of a reading that is of one of them. The
    /// scope of the options must be CPUs.
    ///
    /// ```no_run
    /// use pmu_events::measure::Plan;
    /// use pmu_events::open::{Cgroup, Options};
    /// use pmu_events::{Scope, System};
    ///
    /// let system = System::new();
    /// let plan = Plan::new(system.model()?.metric("ipc"), &system, &Scope::AllCpus);
    /// let groups = ["/sys/fs/cgroup/system.slice", "/sys/fs/cgroup/user.slice"].map(Cgroup::open);
    /// let groups: Vec<Cgroup> = groups.into_iter().collect::<Result<_, _>>()?;
    /// let options = Options::new().with_scope(Scope::AllCpus);
    /// let mut counters = plan.open_in_cgroups(&options, groups.clone())?;
    /// counters.enable()?;
    /// std::thread::sleep(std::time::Duration::from_secs(1));
    /// let reading = counters.read();
    /// for (number, group) in groups.iter().enumerate() {
    ///     for metric in plan.values(&plan.reading_in(&reading, number)) {
    ///         println!("{} in {}: {metric}", metric.request().name(), group.path().display());
    ///     }
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`Counters::open`].
    pub fn open_in_cgroups(
        &self,
        options: &Options,
        cgroups: impl IntoIterator<Item = Cgroup>,
    ) -> Result<Counters, open::Error> {
        let mut events = Resolution::empty(self.machine.system());
        for cgroup in cgroups {
            events.append(self.resolution().clone().in_cgroup(&cgroup));
        }
        Counters::open(&events, options)
    }

    /// Returns the part of a reading that is of one control group, by its index among those of
    /// [`open_in_cgroups`](Self::open_in_cgroups): a reading for [`values`](Self::values)
    /// and all other functions. It is empty if there is no such control group.
    #[must_use]
    pub fn reading_in(&self, reading: &Reading, cgroup: usize) -> Reading {
        let each = self.resolution().ids().count();
        let of_group = |read: &EventReading| {
            let mut own = read.clone();
            if is_of_command(read) {
                own.parts.clear();
            }
            own
        };
        let own = reading.events.iter().skip(each * cgroup).take(each);
        Reading::new(own.map(of_group).collect())
    }

    /// Returns the values of the metrics for each CPU, each core or each socket that was measured, by
    /// their numbers. Elapsed time is the same everywhere; a count that belongs to other CPUs,
    /// or to none, is not counted there, and metrics that need it have no value. `reading` must
    /// come from the counters that [`values`](Self::values) takes.
    ///
    /// ```no_run
    /// use pmu_events::measure::{Per, Plan};
    /// use pmu_events::{Scope, System, open::Options};
    ///
    /// let system = System::new();
    /// let plan = Plan::new(system.model()?.metric("ipc"), &system, &Scope::AllCpus);
    /// let mut counters = plan.open(&Options::new().with_scope(Scope::AllCpus))?;
    /// counters.enable()?;
    /// std::thread::sleep(std::time::Duration::from_secs(1));
    /// for (core, metrics) in plan.values_per(Per::Core, &counters.read())? {
    ///     println!("{core}: {}", metrics[0]); // S0-D0-C3: 1.25
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a file of a CPU's topology cannot be read or parsed.
    pub fn values_per(
        &self,
        per: Per,
        reading: &Reading,
    ) -> Result<Vec<(Place, Vec<Value<'_>>)>, Problem> {
        let system = self.machine.system();
        let mut places: BTreeMap<u32, Place> = BTreeMap::new();
        // A sum that lacks the count of a CPU must not look complete.
        let targets = reading.events.iter().flat_map(|read| {
            let parts = read.parts.iter().map(|part| part.target);
            parts.chain(read.lacks.iter().map(|lack| lack.target))
        });
        for cpu in targets.filter_map(cpu_of) {
            if let Entry::Vacant(unknown) = places.entry(cpu) {
                unknown.insert(per.place(system.cpu(cpu))?);
            }
        }
        let all: BTreeSet<Place> = places.values().copied().collect();
        let is_at = |target: Target, place: Place| {
            cpu_of(target).and_then(|cpu| places.get(&cpu)) == Some(&place)
        };
        let at = |place: Place| {
            let of_place = |read: &EventReading| {
                let mut own = read.clone();
                if !is_everywhere(read) {
                    own.parts.retain(|part| is_at(part.target, place));
                    own.lacks.retain(|lack| is_at(lack.target, place));
                }
                own
            };
            let own = Reading::new(reading.events.iter().map(of_place).collect());
            (place, self.values(&own))
        };
        Ok(all.into_iter().map(at).collect())
    }

    /// Returns the values of the metrics, in the order in which they were
    /// requested. `reading` must come from the counters that [`open`](Self::open)
    /// returns, or from a set opened with exactly the plan's
    /// [resolution](Self::resolution).
    #[must_use]
    pub fn values(&self, reading: &Reading) -> Vec<Value<'_>> {
        let mut metrics: Vec<&PlannedMetric> = self.metrics().iter().collect();
        metrics.sort_by_key(|planned| planned.asked);
        let count = |operand: &Operand| counted(&operand.answers, reading).0;
        metrics.into_iter().map(|planned| value(planned, &self.machine, count)).collect()
    }

    /// Returns the count of an event in the formula of a metric, as
    /// [`Drill::learn`](crate::topdown::Drill::learn) takes it. `reading` must come
    /// from the counters that [`values`](Self::values) takes. An event that the plan
    /// does not count is [not counted](crate::expr::EventValue::NOT_COUNTED).
    #[must_use]
    pub fn count(&self, metric: Metric, event: Identifier<'_>, reading: &Reading) -> EventCount {
        self.count_among(metric, event, |_, operand| counted(&operand.answers, reading))
    }

    /// The same, where passes were counted one after the other: `readings` are those of
    /// [`pass`](Self::pass), in order; some may be missing at the end.
    #[must_use]
    pub fn count_in_passes(
        &self,
        metric: Metric,
        event: Identifier<'_>,
        readings: &[&Reading],
    ) -> EventCount {
        self.count_among(metric, event, |planned, operand| {
            let place = self.place_in_passes(planned, operand);
            let read = place.and_then(|(pass, ids)| Some(counted(&ids, readings.get(pass)?)));
            read.unwrap_or(NOTHING)
        })
    }

    /// `read` has the count of an operand, and the share of the time in which it was counted.
    fn count_among(
        &self,
        metric: Metric,
        event: Identifier<'_>,
        read: impl Fn(&PlannedMetric, &Operand) -> (RawCount, f64),
    ) -> EventCount {
        let count = |planned: &PlannedMetric| {
            let mut operands = planned.operands.iter();
            let operand = operands.find(|one| one.is_of(event.as_str(), Some(metric.pmu())))?;
            let count = |one: &Operand| read(planned, one).0;
            let combined = planned.parts.combined(&planned.operands, operand, &count);
            Some((combined, read(planned, operand).1))
        };
        let planned = self.metrics().iter().find(|one| one.request.metric() == Some(metric));
        let (count, running) = planned.and_then(count).unwrap_or(NOTHING);
        EventCount { value: count.in_formula_of_tree(), running }
    }
}

/// What is not counted.
const NOTHING: (RawCount, f64) = (RawCount::NOT_COUNTED, 0.0);

fn tool(read: &EventReading) -> Option<Tool> {
    read.event().resolved()?.tool()
}

/// Whether it is what a command spent, wherever it ran.
fn is_of_command(read: &EventReading) -> bool {
    matches!(tool(read), Some(Tool::UserTime | Tool::SystemTime))
}

/// Whether it is the same for each CPU: the elapsed time, or a number of the machine.
fn is_everywhere(read: &EventReading) -> bool {
    tool(read).is_some() && !is_of_command(read)
}

fn cpu_of(target: Target) -> Option<u32> {
    match target {
        Target::Cpu(cpu) | Target::ThreadOnCpu { cpu, .. } => Some(cpu),
        _ => None,
    }
}

/// Combines the counts of the instances of an event; also the share of the time in which they
/// had a counter.
fn counted(answers: &[AnswerId], reading: &Reading) -> (RawCount, f64) {
    let events = || answers.iter().filter_map(|&id| reading.of(id));
    // A formula of a part of the counts would have a wrong value.
    let Some(total) = Sum::of(events()).outcome().total() else { return NOTHING };
    let resolved = events().find_map(|event| event.event().resolved());
    let number = resolved.map_or(total.value as f64, |resolved| resolved.number(total.value));
    let mut count = RawCount::new(number, resolved.and_then(Resolved::clock));
    count.sources = events().count() as f64;
    count.aggregated = events().map(|event| event.parts.len()).sum::<usize>() as f64;
    (count, total.share())
}
