//! Resolved events.

use std::borrow::Cow;
use std::boxed::Box;
use std::ops::Range;
use std::sync::Arc;
use std::vec::Vec;

use super::clock::{Clock, SECONDS};
use super::draft::Draft;
use super::mesh_node;
use super::terms::{AttributeTerm, encoded};
use crate::Event;
use crate::config::{Attributes, Sampling};
use crate::event_list::{Breakpoint, Settings, Tool};
use crate::format::{Word, Words};
#[cfg(feature = "open")]
use crate::open::Cgroup;
use crate::sysfs::{CpuSet, Pmu, Problem};
use pmu_events_core::__private::config::is_attribute;
use pmu_events_core::__private::term::{PerfTerm, Term};

/// A resolved event: the fields of one `perf_event_attr`, and the meaning of its
/// count.
///
/// It borrows nothing, so it can be stored, sent to another thread and opened at
/// any time.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::{System, arch::x86};
///
/// let skylake = System::builtin("GenuineIntel-6-5E-3", x86::SKYLAKE);
/// let events = skylake.require("l2_rqsts.miss:u")?;
/// assert_eq!((events[0].type_(), events[0].words().config()), (4, 0x3f24));
/// assert!(events[0].settings().exclude_kernel());
/// # }
/// # Ok::<(), pmu_events::resolve::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Resolved {
    name: Arc<str>,
    event: usize,
    pmu: Option<Pmu>,
    table_event: Option<Event>,
    type_: u32,
    words: Words,
    breakpoint: Option<Breakpoint>,
    is_tracepoint: bool,
    tool: Option<Tool>,
    settings: Settings,
    sampling: Option<Sampling>,
    has_default_sampling: bool,
    unit: Arc<str>,
    scale: f64,
    perf_unit: Arc<str>,
    perf_scale: f64,
    clock: Option<Clock>,
    is_per_package: bool,
    pub(crate) is_snapshot: bool,
    /// The PMU's maximum, or the core PMU's for a generic event.
    max_precise: Option<u8>,
    /// The CPUs to which `cpu` terms limit the event.
    limit: Option<Arc<CpuSet>>,
    reload: u64,
    ignores_node: bool,
    /// The terms that are perf's own.
    terms: Box<[OwnTerm]>,
    #[cfg(feature = "open")]
    cgroup: Option<Cgroup>,
}

/// An [`AttributeTerm`] that borrows nothing.
#[derive(Clone, Debug)]
struct OwnTerm {
    name: Cow<'static, str>,
    value: Option<Box<str>>,
    is_default: bool,
}

impl Resolved {
    pub(super) fn of(draft: &Draft<'_>) -> Self {
        let mut terms = Vec::new();
        // Each of perf's own terms sets an attribute; most events have none.
        if draft.attributes != Attributes::default() {
            for AttributeTerm { term, is_default } in draft.terms.all() {
                if !is_attribute(term.name()) {
                    continue;
                }
                let name = match term.name().parse::<PerfTerm>() {
                    Ok(own) => Cow::Borrowed(own.name()),
                    Err(_) => Cow::Owned(term.name().into()),
                };
                let value = term.value().map(Box::from);
                // Mostly there is one.
                terms.reserve_exact(1);
                terms.push(OwnTerm { name, value, is_default });
            }
        }
        let clock = Clock::of(draft);
        let perf_unit: Arc<str> =
            if draft.unit.is_empty() { Arc::default() } else { draft.unit.into() };
        Resolved {
            name: draft.name.into(),
            event: draft.event,
            pmu: draft.pmu.cloned(),
            table_event: draft.table_event,
            type_: draft.type_,
            words: draft.words,
            breakpoint: draft.breakpoint,
            is_tracepoint: draft.is_tracepoint,
            tool: draft.tool,
            settings: draft.settings,
            sampling: draft.attributes.sampling(),
            has_default_sampling: draft.has_default_sampling,
            unit: if clock.is_some() { SECONDS.0.into() } else { perf_unit.clone() },
            scale: if clock.is_some() { SECONDS.1 } else { draft.scale },
            perf_unit,
            perf_scale: draft.scale,
            clock,
            is_per_package: draft.is_per_package,
            is_snapshot: draft.is_snapshot,
            max_precise: draft.max_precise,
            limit: draft.limit.clone(),
            reload: 0,
            ignores_node: mesh_node::is_ignored(draft),
            terms: terms.into_boxed_slice(),
            #[cfg(feature = "open")]
            cgroup: None,
        }
    }

    /// Returns the name that perf shows: the `name` term, or the text of the event.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the index of the event in the list that was requested.
    #[must_use]
    pub fn event(&self) -> usize {
        self.event
    }

    pub(super) fn shift(&mut self, events: usize) {
        self.event += events;
    }

    /// The same event, at another place of a list.
    #[cfg(feature = "metrics")]
    pub(super) fn at(self, event: usize, settings: Settings) -> Self {
        Resolved { event, settings, ..self }
    }

    /// Sets which counters this one reloads when it reaches its period.
    pub(super) fn reloads(&mut self, mask: u64, sampling: Sampling) {
        self.words = self.words.with(Word::Config2, mask);
        (self.reload, self.sampling) = (mask, Some(sampling));
    }

    /// Returns `perf_event_attr.type`.
    #[must_use]
    pub fn type_(&self) -> u32 {
        self.type_
    }

    /// Returns `config` and the other config words. For a breakpoint, its address and
    /// length are `config1` and `config2`.
    #[must_use]
    pub fn words(&self) -> Words {
        self.words
    }

    /// Returns the breakpoint, if the event is one; its access is `bp_type`.
    #[must_use]
    pub fn breakpoint(&self) -> Option<Breakpoint> {
        self.breakpoint
    }

    /// Whether the event is a tracepoint, whose number is in `config`.
    #[must_use]
    pub fn is_tracepoint(&self) -> bool {
        self.is_tracepoint
    }

    /// Returns what the program has to measure itself, if it is not a counter that does:
    /// opened, such an event is a software event that counts nothing.
    #[must_use]
    pub fn tool(&self) -> Option<Tool> {
        self.tool
    }

    /// Returns the effect of the event's modifiers and those of its group.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Whether the period or frequency comes from the event's description, so that
    /// options of the program override it (perf's `weak`).
    #[must_use]
    pub fn has_default_sampling(&self) -> bool {
        self.has_default_sampling
    }

    /// Returns the factor that converts the count to its unit; [`in_unit`](Self::in_unit)
    /// does.
    #[must_use]
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Whether the count is package-wide.
    #[must_use]
    pub fn is_per_package(&self) -> bool {
        self.is_per_package
    }

    /// Whether the value is a snapshot (gauge) rather than a running count.
    #[must_use]
    pub fn is_snapshot(&self) -> bool {
        self.is_snapshot
    }

    #[cfg(feature = "open")]
    pub(crate) fn shared_name(&self) -> Arc<str> {
        self.name.clone()
    }

    #[cfg(feature = "open")]
    pub(super) fn set_cgroup(&mut self, cgroup: Cgroup) {
        self.cgroup = Some(cgroup);
    }

    /// Returns the [control group](super::Resolution::in_cgroup) in which the event is to be
    /// counted.
    #[cfg(feature = "open")]
    #[must_use]
    pub fn cgroup(&self) -> Option<&Cgroup> {
        self.cgroup.as_ref()
    }

    /// Whether the kernel opens the event although the CPU lacks it, so that it counts
    /// 0. An Arm CPU says which of the common events it has (`PMCEID0_EL0`), and the
    /// kernel shows these in the PMU's `events` directory
    /// (`armv8pmu_event_attr_is_visible` in `drivers/perf/arm_pmuv3.c`), but takes any
    /// number.
    #[doc(hidden)]
    #[must_use]
    pub fn is_lacking(&self) -> bool {
        /// The event numbers of the first register: the kernel has a name for each.
        const COMMON: Range<u64> = 0..0x40;
        let (Some(pmu), Some(event)) = (self.pmu(), self.table_event) else { return false };
        let has = |name: &str| pmu.event_names().any(|one| one.eq_ignore_ascii_case(name));
        pmu.is_core()
            && ["armv8", "armv9"].iter().any(|architecture| pmu.name().starts_with(architecture))
            && COMMON.contains(&self.words.config())
            // Not a PMU whose kernel lists nothing.
            && has("cpu_cycles")
            && !has(event.name())
    }

    /// Whether the event names a node of an Arm mesh, and the driver counts the whole
    /// mesh nevertheless: it looks at the term `nodeid` only beside `bynodeid`
    /// (`arm_cmn_event_init` in `drivers/perf/arm-cmn.c`).
    #[must_use]
    pub fn ignores_node(&self) -> bool {
        self.ignores_node
    }

    /// Returns the PMU; `None` for a generic event, for which the kernel chooses
    /// the PMU.
    #[must_use]
    pub fn pmu(&self) -> Option<&Pmu> {
        self.pmu.as_ref()
    }

    /// Whether the value is not a count of the kernel: a [`tool`](Self::tool) event, a sensor
    /// ([`Pmu::has_sensors`]), or what processes use of a graphics driver
    /// ([`Pmu::has_clients`]). `open::Counters` reads it from where
    /// it is.
    #[must_use]
    pub fn is_without_counter(&self) -> bool {
        self.tool.is_some() || self.pmu().is_some_and(|pmu| pmu.has_sensors() || pmu.has_clients())
    }

    /// Returns a count of the event as a number, before its scale. Only a sensor has
    /// values below zero ([`Pmu::has_sensors`]): its count is in two's complement.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let cycles = System::at("/nonexistent").require("cycles")?;
    /// assert_eq!(cycles[0].number(u64::MAX), u64::MAX as f64);
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    #[must_use]
    pub fn number(&self, count: u64) -> f64 {
        match self.pmu().is_some_and(Pmu::has_sensors) {
            true => count.cast_signed() as f64,
            false => count as f64,
        }
    }

    /// Returns the event of a table that the text names: its description, its
    /// errata, and whether perf counts something different under its name. `None` if
    /// the text names none, or one that only the PMU's driver has.
    ///
    /// ```
    /// # #[cfg(feature = "x86")] {
    /// use pmu_events::{System, arch::x86};
    ///
    /// let zen4 = System::builtin("AuthenticAMD-25-61-2", x86::AMDZEN4);
    /// let events = zen4.resolve("ex_ret_instr:u,cpu/event=0xc0/")?;
    /// assert_eq!(events[0].table_event().map(|event| event.name()), Some("ex_ret_instr"));
    /// assert_eq!(events[1].table_event(), None);
    /// # }
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    #[must_use]
    pub fn table_event(&self) -> Option<Event> {
        self.table_event
    }

    /// Returns the unit of the scaled count, or an empty string; `s` for every event that
    /// measures time ([`clock`](Self::clock)).
    #[must_use]
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// Converts a count into the event's [unit](Self::unit).
    ///
    /// Divides where the factor is a decimal fraction such as 10⁻⁹, which no `f64` is
    /// exactly: the result has no more digits than the count.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let events = System::at("/nonexistent").require("task-clock,page-faults")?;
    /// assert_eq!((events[0].in_unit(23_148_579), events[0].unit()), (0.023148579, "s"));
    /// assert_eq!((events[1].in_unit(3), events[1].unit()), (3.0, ""));
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    #[must_use]
    pub fn in_unit(&self, count: u64) -> f64 {
        let divisor = (1.0 / self.scale).round();
        let number = self.number(count);
        if 1.0 / divisor == self.scale { number / divisor } else { number * self.scale }
    }

    /// Returns the clock, if the event measures time.
    #[must_use]
    pub fn clock(&self) -> Option<Clock> {
        self.clock
    }

    /// Returns the factor and the unit with which `perf stat` shows a count. They differ
    /// from [`scale`](Self::scale) and [`unit`](Self::unit) for times: perf has
    /// milliseconds for the kernel's clocks and nanoseconds for those of the program.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let all = System::at("/nonexistent").require("cpu-clock,duration_time,cycles")?;
    /// let units: Vec<_> = all.events().iter().map(|event| event.perf_unit()).collect();
    /// assert_eq!(units, [(1e-6, "msec"), (1.0, "ns"), (1.0, "")]);
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    #[must_use]
    pub fn perf_unit(&self) -> (f64, &str) {
        (self.perf_scale, &self.perf_unit)
    }

    /// Returns the CPUs on which to open the event: those of its PMU, of those to which
    /// the event is [limited](Self::limit); `None` if it can be opened on any CPU or task.
    ///
    /// # Errors
    ///
    /// Returns an error if the PMU's list of CPUs cannot be read ([`Pmu::cpus`]).
    pub fn cpus(&self) -> Result<Option<&CpuSet>, &Problem> {
        let of_pmu = self.pmu().map_or(Ok(None), Pmu::cpus)?;
        Ok(self.limit().or(of_pmu))
    }

    /// Returns the CPUs to which the event's `cpu` terms limit it, without those that its
    /// PMU does not count on; `None` without such a term. A task is then counted only
    /// while it runs on one of them.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let events = System::at("/nonexistent").resolve("task-clock/cpu=0-1,cpu=4/,cycles")?;
    /// assert_eq!(events[0].limit().map(ToString::to_string).as_deref(), Some("0-1,4"));
    /// assert_eq!(events[1].limit(), None);
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    #[must_use]
    pub fn limit(&self) -> Option<&CpuSet> {
        self.limit.as_deref()
    }

    /// Returns the part of `config2` that says which counters of the group this one
    /// reloads when it reaches its period: the effect of a term `ratio-to-prev`. It has
    /// no meaning without samples; a counting event must be opened without it.
    #[must_use]
    pub fn reload_mask(&self) -> u64 {
        self.reload
    }

    /// Returns the attributes that terms set in addition to the config words, such
    /// as the sampling period or frequency.
    #[must_use]
    pub fn attributes(&self) -> Attributes<'_> {
        let mut terms = Vec::with_capacity(self.terms.len());
        for OwnTerm { name, value, .. } in &self.terms {
            terms.push(Term::new(name, value.as_deref()));
        }
        // The terms were accepted when the event was resolved.
        let attributes = match encoded(&terms, &|_| None) {
            Ok(encoded) => encoded.attributes(),
            Err(_) => Attributes::default(),
        };
        attributes.with_sampling(self.sampling)
    }

    /// Returns `perf_event_attr.precise_ip` for sampling: the number of `p`
    /// modifiers, or for `P` the maximum that the PMU declares
    /// (`caps/max_precise`). For counting, `P` has no effect in perf: `perf stat`
    /// opens `settings().precise()`.
    ///
    /// If the PMU declares nothing, `P` is 3, where perf also starts; the program
    /// that opens the event then lowers it as long as the kernel refuses
    /// (`evsel__precise_ip_fallback` in `tools/perf/util/evsel.c`). The same
    /// fallback is useful with a declared maximum, as not every event supports it.
    ///
    /// ```
    /// use pmu_events::System;
    ///
    /// let resolved = System::at("/nonexistent").resolve("cycles:pp,cycles:P")?;
    /// assert_eq!((resolved[0].precise_ip(), resolved[1].precise_ip()), (2, 3));
    /// assert!(resolved[1].settings().precise_max());
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    #[must_use]
    pub fn precise_ip(&self) -> u8 {
        const MOST: u8 = 3;
        if !self.settings.precise_max() {
            return self.settings.precise();
        }
        self.max_precise.unwrap_or(MOST).min(MOST)
    }
}

/// Returns the terms from which [`Resolved::attributes`] is computed:
/// perf's own terms (`period`, `percore`, …), including those of the event's
/// description, in the order in which they apply. If a term is repeated, the
/// last one wins; for `name` and `metric-id`, the first.
///
/// ```
/// use pmu_events::System;
/// use pmu_events::__private::attribute_terms;
///
/// let system = System::at("/nonexistent");
/// let resolved = system.resolve("cycles/period=5,config1=1,period=7/")?;
/// let terms: Vec<String> =
///     attribute_terms(&resolved[0]).map(|term| term.term().to_string()).collect();
/// assert_eq!(terms, ["period=5", "period=7"]);
/// # Ok::<(), pmu_events::resolve::Error>(())
/// ```
pub fn attribute_terms(resolved: &Resolved) -> impl Iterator<Item = AttributeTerm<'_>> + Clone {
    resolved.terms.iter().map(|OwnTerm { name, value, is_default }| AttributeTerm {
        term: Term::new(name, value.as_deref()),
        is_default: *is_default,
    })
}
