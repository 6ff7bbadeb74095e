//! Metrics: formulas over events, their values, and what they need.
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
//! // … and what that says.
//! let value = metric.evaluate(|event| match event.as_str() {
//!     "INST_RETIRED.ANY" => 3.0,
//!     "CPU_CLK_UNHALTED.CORE" => 12.0,
//!     _ => f64::NAN,
//! });
//! assert_eq!(value, 0.25);
//! ```
//!
//! Formulas are parsed, checked and simplified when the tree is compiled; here
//! they are small programs that are run without heap, parser or panic.

mod group;
mod list;
mod needs;
mod run;
pub(crate) mod siblings;
#[cfg(test)]
mod tests;

use core::fmt;

pub use group::{DescribedGroups, GroupNames, MetricGroup, MetricGroups};
pub use list::{Metrics, MetricsInGroup};
pub use needs::{MAX_EVENTS, MAX_METRICS, NeededEvents};
pub use run::MAX_NESTING;

use crate::expr::{EventValue, Identifier, Machine, UnknownMachine};
use crate::name;
use crate::scale;
use crate::text::Text;
use crate::tree::Tree;
use crate::wire::record::MetricRecord;
use crate::wire::{BRIEF, PUBLIC, Section};
use needs::needs;
use siblings::Siblings;

/// One metric of a model: a small `Copy` view of a formula over events.
#[derive(Clone, Copy)]
pub struct Metric {
    tree: &'static Tree,
    number: u32,
    /// Where the lists say which metrics its model has: among them are those
    /// that it refers to.
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
    const fn text_of(self, formula: u16) -> Option<&'static str> {
        match self.tree.wire.formula(formula) {
            Some(formula) => Some(self.tree.wire.long(formula.text)),
            None => None,
        }
    }

    /// The events that the value needs, its own first, then those of the
    /// metrics that it refers to; none twice. Those of a part that can never
    /// matter are not among them. [`Identifier::as_str`] is what
    /// `perf stat -e` takes, in the tree's own letter case where it has the event;
    /// [`Identifier::with_parameter`] puts in a run-time parameter.
    ///
    /// On a machine of which something is known, [`Metric::events_on`] may give
    /// fewer.
    #[must_use]
    pub fn events(self) -> NeededEvents {
        self.events_on(&UnknownMachine)
    }

    /// The events that the value needs on a machine, as perf finds them:
    /// of `A if #smt_on else B` either `A` or `B`.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    /// use pmu_events::expr::{Literal, Machine};
    ///
    /// struct Smt(bool);
    /// impl Machine for Smt {
    ///     fn literal(&self, literal: Literal) -> f64 {
    ///         if literal == Literal::SmtOn { f64::from(self.0) } else { f64::NAN }
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
        NeededEvents::new(self.tree, needs(&self.siblings(), &record, record.expression, machine))
    }

    /// The events that the threshold needs; mostly the value's are among them.
    #[must_use]
    pub fn threshold_events(self) -> NeededEvents {
        self.threshold_events_on(&UnknownMachine)
    }

    /// The events that the threshold needs on a machine.
    #[must_use]
    pub fn threshold_events_on(self, machine: &impl Machine) -> NeededEvents {
        let record = self.record();
        NeededEvents::new(self.tree, needs(&self.siblings(), &record, record.threshold, machine))
    }

    /// The value, scaled ([`Metric::scale`]), from the values of the events
    /// ([`Metric::events`]), on a machine of which nothing is known. A closure
    /// gives a number for each, or a [`EventValue`]; NaN for what it does not
    /// know. Metrics that it refers to are worked out, each once.
    ///
    /// NaN where an event or a literal that matters is not known, and where
    /// perf gives up.
    pub fn evaluate<R: Into<EventValue>>(
        self,
        values: impl FnMut(Identifier<'static>) -> R,
    ) -> f64 {
        self.evaluate_on(&UnknownMachine, values)
    }

    /// The value, scaled, on a machine that answers for literals and queries.
    pub fn evaluate_on<R: Into<EventValue>>(
        self,
        machine: &impl Machine,
        values: impl FnMut(Identifier<'static>) -> R,
    ) -> f64 {
        let unscaled = self.unscaled_on(machine, values);
        // Most have no unit, or a factor of 1.
        let (factor, _) = self.scale();
        unscaled * factor
    }

    /// The value as formulas see it: not scaled.
    #[inline]
    pub fn unscaled_on<R: Into<EventValue>>(
        self,
        machine: &impl Machine,
        mut values: impl FnMut(Identifier<'static>) -> R,
    ) -> f64 {
        let record = self.record();
        run::value(&self.siblings(), &record, record.expression, machine, &mut values)
    }

    /// Whether the value deserves attention (`MetricThreshold`), from the values
    /// of [`Metric::threshold_events`]. `None` without a threshold, and where
    /// something that matters is not known.
    pub fn is_crossed<R: Into<EventValue>>(
        self,
        values: impl FnMut(Identifier<'static>) -> R,
    ) -> Option<bool> {
        self.is_crossed_on(&UnknownMachine, values)
    }

    /// Whether the value deserves attention, on a machine that answers for
    /// literals and queries.
    pub fn is_crossed_on<R: Into<EventValue>>(
        self,
        machine: &impl Machine,
        values: impl FnMut(Identifier<'static>) -> R,
    ) -> Option<bool> {
        let value = self.threshold_value_on(machine, values);
        if value.is_nan() { None } else { Some(value != 0.0) }
    }

    /// The threshold as a number: 0 where it is not crossed, NaN where it is
    /// not known.
    pub fn threshold_value_on<R: Into<EventValue>>(
        self,
        machine: &impl Machine,
        mut values: impl FnMut(Identifier<'static>) -> R,
    ) -> f64 {
        let record = self.record();
        run::value(&self.siblings(), &record, record.threshold, machine, &mut values)
    }

    /// Factor and unit of the value: of `100%`, 100 and `%`. 1 and nothing
    /// where there is no scale unit.
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

    /// Whether perf gives it once for each value of a run-time parameter, which
    /// stands for `?` in its events.
    #[must_use]
    pub fn has_parameter(self) -> bool {
        self.expression().contains('?')
    }

    /// The name, in the letter case of its source (`MetricName`).
    #[must_use]
    #[inline]
    pub const fn name(self) -> &'static str {
        self.tree.wire.str(self.record().name)
    }

    /// Whether it is called so, without regard to case: by its name, or by one
    /// of several that `;` joins, as in Linux's tree for AmpereOne
    /// (`match_metric` in `tools/perf/util/metricgroup.c`).
    #[must_use]
    pub const fn is_called(self, name: &str) -> bool {
        let mut names = GroupNames { rest: self.name() };
        while let Some((one, rest)) = names.step() {
            if name::eq(one, name) {
                return true;
            }
            names = rest;
        }
        name::eq(self.name(), name)
    }

    /// The formula, as the tree has it (`MetricExpr`); its grammar is that of
    /// [`crate::expr`]. It spells events with escapes, `@` for `/`, and in any
    /// letter case ([`Identifier::escaped`]), unlike [`Metric::events`].
    #[must_use]
    #[inline]
    pub const fn expression(self) -> &'static str {
        match self.text_of(self.record().expression) {
            Some(text) => text,
            None => "",
        }
    }

    /// A formula over metrics and events that is true when the value deserves
    /// attention (`MetricThreshold`).
    #[must_use]
    pub const fn threshold(self) -> Option<&'static str> {
        self.text_of(self.record().threshold)
    }

    /// The PMU whose events it is about, as the tree names it.
    #[must_use]
    pub const fn pmu(self) -> &'static str {
        self.tree.wire.nth_str(Section::Pmus, self.record().pmu as usize)
    }

    /// The topic: `metrics` for files whose name ends so.
    #[must_use]
    pub const fn topic(self) -> &'static str {
        self.tree.wire.nth_str(Section::Topics, self.record().topic as usize)
    }

    /// Its groups, joined by `;` (`MetricGroup`); empty for none.
    #[must_use]
    pub const fn group_string(self) -> &'static str {
        self.tree.wire.long(self.record().groups)
    }

    /// Its groups.
    #[must_use]
    pub const fn groups(self) -> GroupNames {
        GroupNames { rest: self.group_string() }
    }

    /// Whether it belongs to a group, without regard to case.
    #[must_use]
    pub const fn is_in(self, group: &str) -> bool {
        let mut groups = self.groups();
        while let Some((name, rest)) = groups.step() {
            if name::eq(name, group) {
                return true;
            }
            groups = rest;
        }
        false
    }

    /// The group within which its events are not put into one group of
    /// counters (`MetricgroupNoGroup`).
    #[must_use]
    pub const fn no_group(self) -> Option<&'static str> {
        self.tree.wire.optional(self.record().no_group)
    }

    /// The group under which `perf stat` shows it by default
    /// (`DefaultMetricgroupName`).
    #[must_use]
    pub const fn default_group(self) -> Option<&'static str> {
        self.tree.wire.optional(self.record().default_group)
    }

    /// Factor and unit of the value (`ScaleUnit`): `100%`.
    #[must_use]
    pub const fn scale_unit(self) -> Option<&'static str> {
        self.tree.wire.optional(self.record().scale_unit)
    }

    /// The pattern that a PMU's `identifier` must match as a whole (`Compat`).
    #[must_use]
    pub const fn compat(self) -> Option<&'static str> {
        self.tree.wire.optional(self.record().compat)
    }

    /// Over which CPUs its events are added up (`AggregationMode`).
    #[must_use]
    pub const fn aggregation(self) -> Option<Aggregation> {
        match self.record().aggregation {
            1 => Some(Aggregation::PerChip),
            2 => Some(Aggregation::PerCore),
            _ => None,
        }
    }

    /// Why its events may not be put into one group of counters
    /// (`MetricConstraint`).
    #[must_use]
    pub const fn constraint(self) -> Option<Constraint> {
        match self.record().constraint {
            1 => Some(Constraint::NoGroup),
            2 => Some(Constraint::NoGroupWithNmiWatchdog),
            3 => Some(Constraint::NoGroupWithSmt),
            4 => Some(Constraint::NoThresholdWithNmiWatchdog),
            _ => None,
        }
    }

    /// Whether `perf stat` shows its events beside it by default
    /// (`DefaultShowEvents`; after Linux 6.12).
    #[must_use]
    pub const fn shows_events(self) -> bool {
        self.record().show_events != 0
    }

    /// The description in brief (`BriefDescription`).
    #[must_use]
    pub const fn description(self) -> Option<Text> {
        Text::new(self.tree, self.tree.wire.metric_text(self.number as usize, BRIEF))
    }

    /// The description in full (`PublicDescription`).
    #[must_use]
    pub const fn long_description(self) -> Option<Text> {
        Text::new(self.tree, self.tree.wire.metric_text(self.number as usize, PUBLIC))
    }
}

impl fmt::Debug for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metric")
            .field("name", &self.name())
            .field("expression", &self.expression())
            .finish_non_exhaustive()
    }
}

/// Two metrics are equal when they are the same metric of one model.
impl PartialEq for Metric {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self.tree, other.tree)
            && self.number == other.number
            && self.members == other.members
    }
}

impl Eq for Metric {}

/// Over which CPUs the events of a metric are added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Aggregation {
    /// Once for each chip.
    PerChip,
    /// Once for each core.
    PerCore,
}

/// Why the events of a metric may not be put into one group of counters
/// (`enum metric_event_groups` in `tools/perf/pmu-events/pmu-events.h`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Constraint {
    /// Never group them.
    NoGroup,
    /// Not while the NMI watchdog takes a counter.
    NoGroupWithNmiWatchdog,
    /// Not while hyper-threads share the counters.
    NoGroupWithSmt,
    /// Do not compute the threshold while the NMI watchdog takes a counter
    /// (after Linux 6.12).
    NoThresholdWithNmiWatchdog,
}
