//! Metrics: formulas over events, their values, and the events they need.
//!
//! Use it to evaluate a metric from counts that you have, or to list what must be counted; on
//! Linux, [`measure`](https://docs.rs/pmu-events/latest/pmu_events/measure/) also counts it.
//!
//! ```
//! use pmu_events::arch::x86;
//!
//! let metric = x86::SILVERMONT.metric("ipc").unwrap();
//! assert_eq!(metric.expression(), "INST_RETIRED.ANY / CPU_CLK_UNHALTED.CORE");
//!
//! // What to count …
//! let events: Vec<_> = metric.events().map(|event| event.to_string()).collect();
//! assert_eq!(events, ["INST_RETIRED.ANY", "CPU_CLK_UNHALTED.CORE"]);
//!
//! // … and what the counts mean.
//! let value = metric.evaluate(|event| match event.as_str() {
//!     "INST_RETIRED.ANY" => 3.0,
//!     "CPU_CLK_UNHALTED.CORE" => 12.0,
//!     _ => f64::NAN,
//! });
//! assert_eq!(value, 0.25);
//! ```
//!
//! Formulas are parsed, checked and simplified when the tree is compiled; at
//! run time they are small programs that need no heap and no parser and cannot
//! panic.

mod formula;
pub(crate) mod group;
pub(crate) mod hierarchy;
mod latency;
mod list;
mod names;
pub(crate) mod needs;
pub(crate) mod run;
pub(crate) mod siblings;
#[cfg(test)]
mod tests;

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ptr;

pub use formula::CompiledFormula;
pub use group::MetricGroup;
pub use latency::LatencyOf;
pub use list::{Metrics, MetricsInGroup};
pub use needs::NeededEvents;
#[cfg(test)]
use needs::{MAX_EVENTS, MAX_METRICS};
#[cfg(test)]
use run::MAX_NESTING;

use crate::expr::{EventValue, Identifier, Machine, UnknownMachine};
use crate::name;
use crate::packed::Tree;
use crate::scale;
use crate::text::Text;
use crate::wire::record::{MetricRecord, MetricTraits};
use crate::wire::{BRIEF, PUBLIC, Section};
use names::Names;
use needs::needs;
use siblings::Siblings;

/// A metric of a model: a small `Copy` view of a formula over events.
///
/// ```
/// use pmu_events::arch::x86;
///
/// let metric = x86::SILVERMONT.metric("ipc").unwrap();
/// let value = metric.evaluate(|event| match event.as_str() {
///     "INST_RETIRED.ANY" => 3.0,
///     _ => 12.0,
/// });
/// assert_eq!(value, 0.25);
/// ```
#[derive(Clone, Copy)]
pub struct Metric {
    tree: &'static Tree,
    number: u32,
    /// The start of the bitmap of the model's metrics, which also contains the
    /// metrics this one refers to.
    members: u32,
}

impl Metric {
    #[inline]
    const fn record(self) -> MetricRecord {
        self.tree.wire.metric_record(self.number as usize)
    }

    #[inline]
    const fn siblings(self) -> Siblings<'static> {
        Siblings { wire: &self.tree.wire, members: self.members }
    }

    #[inline]
    const fn traits(self) -> MetricTraits {
        self.tree.wire.metric_traits(self.record().traits)
    }

    /// Returns the events that the value needs, without duplicates: this
    /// metric's own first, then those of the metrics it refers to. Events in
    /// branches that can never be taken are omitted. [`Identifier::as_str`] is
    /// the spelling `perf stat -e` accepts, in the tree's own letter case if it
    /// has the event; [`Identifier::with_parameter`] fills in a run-time
    /// parameter.
    ///
    /// If something is known about the machine, [`Metric::events_on`] may
    /// return fewer. Retirement latencies are not among them: no counter counts those
    /// ([`Metric::latencies`]).
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let ipc = x86::SAPPHIRERAPIDS.metric("ipc").unwrap();
    /// let events: Vec<&str> = ipc.events().map(|event| event.as_str()).collect();
    /// assert_eq!(events, ["INST_RETIRED.ANY", "CPU_CLK_UNHALTED.THREAD"]);
    /// ```
    #[must_use]
    pub fn events(self) -> NeededEvents {
        self.events_on(&UnknownMachine)
    }

    /// Returns the events that the value needs on a machine, as perf finds
    /// them: for `A if #smt_on else B`, either `A` or `B`.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    /// use pmu_events::event_list::Tool;
    /// use pmu_events::expr::Machine;
    ///
    /// struct Smt(bool);
    /// impl Machine for Smt {
    ///     fn literal(&self, literal: Tool) -> f64 {
    ///         if literal == Tool::SmtOn { f64::from(self.0) } else { f64::NAN }
    ///     }
    /// }
    /// let metric = x86::SKYLAKEX.metric("tma_bad_speculation").unwrap();
    /// let needs_any = |smt| {
    ///     let mut events = metric.events_on(&Smt(smt));
    ///     events.any(|event| event.as_str() == "INT_MISC.RECOVERY_CYCLES_ANY")
    /// };
    /// assert!(needs_any(true) && !needs_any(false));
    /// ```
    #[must_use]
    pub fn events_on(self, machine: &impl Machine) -> NeededEvents {
        let record = self.record();
        NeededEvents::events(
            self.tree,
            needs(&self.siblings(), &record, record.expression, machine),
        )
    }

    /// Returns the events that the threshold needs, most of which the value
    /// usually needs, too.
    #[must_use]
    pub fn threshold_events(self) -> NeededEvents {
        self.threshold_events_on(&UnknownMachine)
    }

    /// Returns the events that the threshold needs on a machine.
    #[must_use]
    pub fn threshold_events_on(self, machine: &impl Machine) -> NeededEvents {
        let record = self.record();
        NeededEvents::events(self.tree, needs(&self.siblings(), &record, record.threshold, machine))
    }

    /// Returns the retirement latencies that the value needs in addition to the
    /// counts of [`Metric::events`], as [`LatencyOf::parse`] takes them, without
    /// duplicates.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let node = x86::GRANITERAPIDS.metric("tma_lock_latency").unwrap();
    /// assert!(node.latencies().any(|of| of.as_str() == "MEM_INST_RETIRED.LOCK_LOADS:R"));
    /// ```
    #[must_use]
    pub fn latencies(self) -> NeededEvents {
        self.latencies_on(&UnknownMachine)
    }

    /// Returns the retirement latencies that the value needs on a machine.
    #[doc(hidden)]
    #[must_use]
    pub fn latencies_on(self, machine: &impl Machine) -> NeededEvents {
        let record = self.record();
        let needs = needs(&self.siblings(), &record, record.expression, machine);
        NeededEvents::latencies(self.tree, needs)
    }

    /// Returns the retirement latencies that the threshold needs on a machine.
    #[doc(hidden)]
    #[must_use]
    pub fn threshold_latencies_on(self, machine: &impl Machine) -> NeededEvents {
        let record = self.record();
        let needs = needs(&self.siblings(), &record, record.threshold, machine);
        NeededEvents::latencies(self.tree, needs)
    }

    /// Computes the scaled value ([`Metric::scale`]) from the values of the
    /// events ([`Metric::events`]) and of the retirement latencies
    /// ([`Metric::latencies`]), on an unknown machine. The closure returns
    /// a number or an [`EventValue`] for each of them, and NaN for unknown
    /// ones. Referenced metrics are evaluated once each.
    ///
    /// Returns NaN if a relevant event or literal is unknown, or where perf
    /// reports no value.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let ipc = x86::SAPPHIRERAPIDS.metric("ipc").unwrap();
    /// let value = ipc.evaluate(|event| match event.as_str() {
    ///     "INST_RETIRED.ANY" => 3e9,
    ///     _ => 2e9,
    /// });
    /// assert_eq!(value, 1.5);
    /// ```
    pub fn evaluate<R: Into<EventValue>>(
        self,
        values: impl FnMut(Identifier<'static>) -> R,
    ) -> f64 {
        self.evaluate_on(&UnknownMachine, values)
    }

    /// Computes the scaled value on a machine that answers literals and
    /// queries.
    pub fn evaluate_on<R: Into<EventValue>>(
        self,
        machine: &impl Machine,
        values: impl FnMut(Identifier<'static>) -> R,
    ) -> f64 {
        let unscaled = self.unscaled_on(machine, values);
        // Most metrics have no unit, or a factor of 1.
        let (factor, _) = self.scale();
        unscaled * factor
    }

    /// The value that other formulas see: not scaled.
    #[doc(hidden)]
    #[inline]
    pub fn unscaled_on<R: Into<EventValue>>(
        self,
        machine: &impl Machine,
        mut values: impl FnMut(Identifier<'static>) -> R,
    ) -> f64 {
        let record = self.record();
        run::value(&self.siblings(), &record, record.expression, machine, &mut values)
    }

    /// Whether the threshold expression (`MetricThreshold`) is true, given the
    /// values of [`Metric::threshold_events`]. `None` if there is no threshold
    /// or something relevant is unknown.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let missed = x86::SAPPHIRERAPIDS.metric("branch_mispredict_ratio").unwrap();
    /// let misses = |event: &str| if event == "BR_MISP_RETIRED.ALL_BRANCHES" { 30.0 } else { 100.0 };
    /// assert_eq!(missed.is_crossed(|event| misses(event.as_str())), Some(true));
    /// ```
    pub fn is_crossed<R: Into<EventValue>>(
        self,
        values: impl FnMut(Identifier<'static>) -> R,
    ) -> Option<bool> {
        self.is_crossed_on(&UnknownMachine, values)
    }

    /// Whether the threshold expression is true on a machine that answers
    /// literals and queries.
    pub fn is_crossed_on<R: Into<EventValue>>(
        self,
        machine: &impl Machine,
        values: impl FnMut(Identifier<'static>) -> R,
    ) -> Option<bool> {
        let value = self.threshold_value_on(machine, values);
        if value.is_nan() { None } else { Some(value != 0.0) }
    }

    /// Returns the threshold as a number: 0 if it is not crossed, NaN if that
    /// is unknown.
    #[doc(hidden)]
    pub fn threshold_value_on<R: Into<EventValue>>(
        self,
        machine: &impl Machine,
        mut values: impl FnMut(Identifier<'static>) -> R,
    ) -> f64 {
        let record = self.record();
        run::value(&self.siblings(), &record, record.threshold, machine, &mut values)
    }

    /// Returns the factor and unit of the value: 100 and `%` for `100%`, or 1
    /// and the empty string without a scale unit.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let metric = x86::SILVERMONT.metric("branch_mispredict_ratio").unwrap();
    /// assert_eq!((metric.scale_unit(), metric.scale()), (Some("100%"), (100.0, "%")));
    /// ```
    #[must_use]
    pub fn scale(self) -> (f64, &'static str) {
        self.scale_unit().map_or((1.0, ""), scale::split)
    }

    /// Whether perf computes the metric once for each value of a run-time
    /// parameter, which replaces `?` in its events.
    #[must_use]
    pub fn has_parameter(self) -> bool {
        self.expression().names().any(|name| name.has_parameter())
    }

    /// Returns the name, in the letter case of its source (`MetricName`).
    #[must_use]
    #[inline]
    pub const fn name(self) -> &'static str {
        self.tree.wire.str(self.record().name)
    }

    /// Whether the metric has this name, ignoring case, either as its whole
    /// name or as one of several joined by `;`, as in Linux's tree for
    /// AmpereOne (`match_metric` in `tools/perf/util/metricgroup.c`).
    #[must_use]
    pub const fn is_called(self, name: &str) -> bool {
        let mut names = Names { rest: self.name() };
        while let Some(one) = names.step() {
            if name::eq(one, name) {
                return true;
            }
        }
        name::eq(self.name(), name)
    }

    /// Returns the formula (`MetricExpr`), which displays itself in the grammar of
    /// [`crate::expr`]. Unlike [`Metric::events`], its text spells events with
    /// escapes and `@` for `/` ([`Identifier::escaped`]).
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let missed = x86::SAPPHIRERAPIDS.metric("branch_mispredict_ratio").unwrap();
    /// println!("{}", missed.expression());
    /// ```
    #[must_use]
    #[inline]
    pub const fn expression(self) -> CompiledFormula {
        CompiledFormula::new(self.tree, self.record().expression)
    }

    /// Returns the threshold, a formula over metrics and events that is true if
    /// the value deserves attention (`MetricThreshold`).
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let missed = x86::SAPPHIRERAPIDS.metric("branch_mispredict_ratio").unwrap();
    /// println!("too much if {}", missed.threshold().unwrap());
    /// ```
    #[must_use]
    pub const fn threshold(self) -> Option<CompiledFormula> {
        match self.record().threshold {
            0 => None,
            number => Some(CompiledFormula::new(self.tree, number)),
        }
    }

    /// Returns the PMU whose events the metric uses, by its name in the tree.
    #[must_use]
    pub const fn pmu(self) -> &'static str {
        self.tree.wire.nth_str(Section::Pmus, self.record().pmu as usize)
    }

    /// Returns the topic: `metrics` for files whose name ends that way.
    #[must_use]
    pub const fn topic(self) -> &'static str {
        self.tree.wire.nth_str(Section::Topics, self.traits().topic as usize)
    }

    /// Returns the groups, joined by `;` (`MetricGroup`); empty if there are
    /// none.
    #[must_use]
    pub const fn group_string(self) -> &'static str {
        self.tree.wire.long(self.traits().groups)
    }

    /// Returns the groups.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let retiring = x86::SAPPHIRERAPIDS.metric("tma_retiring").unwrap();
    /// assert!(retiring.groups().any(|group| group == "TopdownL1"));
    /// ```
    pub const fn groups(self) -> impl Iterator<Item = &'static str> + Clone + fmt::Debug {
        self.names_of_groups()
    }

    const fn names_of_groups(self) -> Names {
        Names { rest: self.group_string() }
    }

    /// Whether the metric belongs to a group, ignoring case.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// assert!(x86::SAPPHIRERAPIDS.metric("tma_retiring").unwrap().is_in("topdownl1"));
    /// ```
    #[must_use]
    pub const fn is_in(self, group: &str) -> bool {
        let mut groups = self.names_of_groups();
        while let Some(name) = groups.step() {
            if name::eq(name, group) {
                return true;
            }
        }
        false
    }

    /// Returns the metric group within which this metric's events are not put
    /// into one group of counters (`MetricgroupNoGroup`).
    #[must_use]
    pub const fn no_group(self) -> Option<&'static str> {
        self.tree.wire.optional(self.traits().no_group)
    }

    /// Returns the group under which `perf stat` shows the metric by default
    /// (`DefaultMetricgroupName`).
    #[must_use]
    pub const fn default_group(self) -> Option<&'static str> {
        self.tree.wire.optional(self.traits().default_group)
    }

    /// Returns the events to sample when the value is high, the most specific
    /// first (`SampleWith`, which perf does not read). The compiler does not
    /// check that the model has them.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let node = x86::SAPPHIRERAPIDS.metric("tma_branch_mispredicts").unwrap();
    /// for event in node.sample_with() {
    ///     println!("perf record -e {event}");
    /// }
    /// ```
    pub const fn sample_with(self) -> impl Iterator<Item = &'static str> + Clone + fmt::Debug {
        let names = match self.tree.wire.optional(self.traits().sample_with) {
            Some(names) => names,
            None => "",
        };
        Names { rest: names }
    }

    /// Returns how the value differs from the definition that metrics of this name share, in
    /// one or more sentences (`Difference`, which perf does not read): `None` if the model
    /// counts what the definition says. The quantities that have one name on every CPU, such
    /// as `common.l2_misses`, have differences; what a model cannot count at all is in
    /// [`Model::lacking`](crate::Model::lacking).
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let ipc = x86::AMDZEN4.metric("common.ipc").unwrap();
    /// assert_eq!(ipc.difference(), None);
    /// let misses = x86::AMDZEN4.metric("common.llc_misses").unwrap();
    /// println!("{}", misses.difference().unwrap());
    /// ```
    #[must_use]
    pub const fn difference(self) -> Option<&'static str> {
        let text = self.tree.wire.long(self.traits().difference);
        if text.is_empty() { None } else { Some(text) }
    }

    /// Returns the factor and unit of the value (`ScaleUnit`), such as `100%`.
    #[must_use]
    pub const fn scale_unit(self) -> Option<&'static str> {
        self.tree.wire.optional(self.traits().scale_unit)
    }

    /// Returns the pattern that the whole `identifier` of a PMU must match
    /// (`Compat`).
    #[must_use]
    pub const fn compat(self) -> Option<&'static str> {
        self.tree.wire.optional(self.traits().compat)
    }

    /// Returns the CPUs over which the events are summed (`AggregationMode`).
    #[must_use]
    pub const fn aggregation(self) -> Option<Aggregation> {
        match self.traits().aggregation {
            1 => Some(Aggregation::PerChip),
            2 => Some(Aggregation::PerCore),
            _ => None,
        }
    }

    /// Returns the restriction on putting the events into one group of counters
    /// (`MetricConstraint`).
    #[must_use]
    pub const fn constraint(self) -> Option<Constraint> {
        match self.traits().constraint {
            1 => Some(Constraint::NoGroup),
            2 => Some(Constraint::NoGroupWithNmiWatchdog),
            3 => Some(Constraint::NoGroupWithSmt),
            4 => Some(Constraint::NoThresholdWithNmiWatchdog),
            _ => None,
        }
    }

    /// Whether `perf stat` shows the metric's events next to it by default
    /// (`DefaultShowEvents`; newer than Linux 6.12).
    #[must_use]
    pub const fn shows_events(self) -> bool {
        self.traits().show_events != 0
    }

    /// Returns the short description (`BriefDescription`).
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let ipc = x86::SAPPHIRERAPIDS.metric("ipc").unwrap();
    /// println!("{}: {}", ipc.name(), ipc.description().unwrap());
    /// ```
    #[must_use]
    pub const fn description(self) -> Option<Text> {
        Text::new(self.tree, self.tree.wire.metric_text(self.number as usize, BRIEF))
    }

    /// Returns the long description (`PublicDescription`).
    #[must_use]
    pub const fn long_description(self) -> Option<Text> {
        Text::new(self.tree, self.tree.wire.metric_text(self.number as usize, PUBLIC))
    }
}

impl fmt::Debug for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metric")
            .field("name", &self.name())
            .field("expression", &format_args!("{}", self.expression()))
            .finish_non_exhaustive()
    }
}

/// Two metrics are equal if they are the same metric of the same model.
impl PartialEq for Metric {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.tree, other.tree)
            && self.number == other.number
            && self.members == other.members
    }
}

impl Eq for Metric {}

impl Hash for Metric {
    fn hash<H: Hasher>(&self, state: &mut H) {
        ptr::hash(self.tree, state);
        (self.number, self.members).hash(state);
    }
}

/// By name and PMU; only then by place in memory.
impl Ord for Metric {
    fn cmp(&self, other: &Self) -> Ordering {
        let text = |metric: &Self| (metric.name(), metric.pmu());
        let place = |metric: &Self| (ptr::from_ref(metric.tree), metric.number, metric.members);
        text(self).cmp(&text(other)).then_with(|| place(self).cmp(&place(other)))
    }
}

impl PartialOrd for Metric {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The name.
///
/// ```
/// use std::collections::HashSet;
///
/// use pmu_events::arch::x86;
///
/// let metrics: HashSet<_> = x86::SKYLAKE.metrics().collect();
/// let ipc = x86::SKYLAKE.metric("ipc").unwrap();
/// assert!(metrics.contains(&ipc));
/// assert_eq!(ipc.to_string(), "ipc");
/// ```
impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The CPUs over which the events of a metric are summed.
///
/// ```
/// use pmu_events::{arch::powerpc, metric::Aggregation};
///
/// let per_chip = |metric: &pmu_events::Metric| metric.aggregation() == Some(Aggregation::PerChip);
/// assert!(powerpc::POWER9.metrics().any(|metric| per_chip(&metric)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Aggregation {
    /// One sum for each chip.
    PerChip,
    /// One sum for each core.
    PerCore,
}

/// A restriction on putting the events of a metric into one group of counters
/// (`enum metric_event_groups` in `tools/perf/pmu-events/pmu-events.h`).
///
/// ```
/// use pmu_events::{arch::x86, metric::Constraint};
///
/// // With the NMI watchdog, which takes a counter, its events do not fit together.
/// let metric = x86::SKYLAKE.metric("tma_dtlb_load").unwrap();
/// assert_eq!(metric.constraint(), Some(Constraint::NoGroupWithNmiWatchdog));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Constraint {
    /// Never group the events.
    NoGroup,
    /// Do not group the events while the NMI watchdog takes a counter.
    NoGroupWithNmiWatchdog,
    /// Do not group the events while hyper-threads share the counters.
    NoGroupWithSmt,
    /// Do not compute the threshold while the NMI watchdog takes a counter
    /// (newer than Linux 6.12).
    NoThresholdWithNmiWatchdog,
}
