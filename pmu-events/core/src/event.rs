//! The events of a tree and their fields.
//!
//! Use it to show or to judge an event: what it counts, in which unit, on which counters.

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::ptr;
use core::str::FromStr;

pub use crate::count_unit::{CountScope, CountUnit, Quantity};
use crate::packed::Tree;
pub use crate::perf_differs::{Encoding, Evidence, PerfDiffers};
use crate::term::{Terms, number};
use crate::text::Text;
use crate::wire::record::{
    CountRecord, EventRecord, Traits, counters, differs, flag, quantity, repair, scope,
};
use crate::wire::{BRIEF, PUBLIC, Section, StrRef};
use crate::{located, name};

/// One event of a tree: a small `Copy` view.
///
/// It exposes the fields of the JSON object; perf's display text is derived from
/// them ([`Event::perf_description`], [`Event::perf_long_description`]).
///
/// ```
/// use pmu_events::arch::x86;
///
/// let event = x86::SKYLAKE.event("l2_rqsts.miss").unwrap();
/// assert_eq!((event.name(), event.topic()), ("L2_RQSTS.MISS", "cache"));
/// assert_eq!(event.event_string(), "event=0x24,period=200003,umask=0x3f");
/// println!("{}", event.description().unwrap());
/// ```
#[derive(Clone, Copy)]
pub struct Event {
    tree: &'static Tree,
    number: u32,
    /// What perf loses is left out ([`Encoding::Perf`]).
    as_perf: bool,
}

impl Event {
    #[inline]
    pub(crate) const fn new(tree: &'static Tree, number: usize) -> Self {
        Event { tree, number: number as u32, as_perf: false }
    }

    /// Returns the same event as its source has it, or as perf has it. Events that
    /// perf gets right are the same in both encodings. So is every event of a tree
    /// that was compiled with `encoding = perf`, which keeps nothing else.
    ///
    /// ```
    /// use pmu_events::{arch::x86, event::Encoding};
    ///
    /// let event = x86::HASWELLX.event("unc_q_rxl_flits_g1.drs").unwrap();
    /// assert_eq!(event.event_string(), "event=0x102,umask=0x18");
    /// let of_perf = event.with_encoding(Encoding::Perf);
    /// assert_eq!(of_perf.event_string(), "event=2,umask=0x18");
    /// ```
    #[must_use]
    pub const fn with_encoding(self, encoding: Encoding) -> Self {
        Event { as_perf: matches!(encoding, Encoding::Perf), ..self }
    }

    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    const fn record(self) -> EventRecord {
        self.tree.wire.event_record(self.number as usize)
    }

    #[cfg_attr(debug_assertions, inline)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    const fn traits(self) -> Traits {
        self.tree.wire.traits(self.record().traits)
    }

    /// Returns the name, in the letter case of its source (`EventName`).
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let event = x86::SILVERMONT.event("inst_retired.any").unwrap();
    /// assert_eq!(event.name(), "INST_RETIRED.ANY"); // as its source writes it
    /// ```
    #[must_use]
    #[inline]
    pub const fn name(self) -> &'static str {
        self.tree.wire.str(self.record().name)
    }

    /// Returns the terms that select the event, as `perf list --details` shows
    /// them: `event=0xc0,period=2000003,umask=0x1`.
    ///
    /// The order is that of jevents (`JsonEvent` in
    /// `tools/perf/pmu-events/jevents.py`): the code, then the other fields
    /// except those that are zero, then `Filter`, then the MSR term.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let event = x86::SILVERMONT.require("INST_RETIRED.ANY");
    /// assert_eq!(event.event_string(), "event=0xc0,period=2000003");
    /// ```
    #[must_use]
    #[inline]
    pub const fn event_string(self) -> &'static str {
        if self.as_perf {
            self.perf_event_string()
        } else {
            self.tree.wire.str(self.record().event)
        }
    }

    const fn perf_event_string(self) -> &'static str {
        match self.recorded() {
            Some(perf) => perf.event_string,
            None => self.tree.wire.str(self.record().event),
        }
    }

    /// Returns the terms by which the vendor selects the event: those of the tree's own
    /// fields. They are what a counter's register takes (`register`),
    /// and equal the [event string](Self::event_string) of all events but a few.
    ///
    /// For six names (`INST_RETIRED.ANY`, `INST_RETIRED.ANY_P`, `CPU_CLK_UNHALTED.REF`,
    /// `.THREAD`, `.CORE` and `.THREAD_ANY`), perf has one event string each on every
    /// CPU, whatever its tree says (`JsonEvent` in
    /// `tools/perf/pmu-events/jevents.py`). The event string is then perf's. An event of
    /// a fixed counter has no code that a register takes, so that perf's stands for it
    /// here, too. [`perf_differs`](Self::perf_differs) says of which events perf counts
    /// something else for this reason. With [perf's encoding](Self::with_encoding),
    /// these are the terms of the event string.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let event = x86::GOLDMONT.require("CPU_CLK_UNHALTED.REF");
    /// assert_eq!(event.event_string(), "event=0x0,umask=0x03,period=2000003");
    /// assert_eq!(event.vendor_event_string(), "event=0x3c,period=2000003,umask=1");
    /// ```
    #[must_use]
    pub const fn vendor_event_string(self) -> &'static str {
        if !self.as_perf
            && let Some(vendor) = self.vendor_event()
        {
            return vendor;
        }
        self.event_string()
    }

    /// The vendor's event string if perf's hides it, whatever the encoding.
    const fn vendor_event(self) -> Option<&'static str> {
        if self.has_bit(flag::VENDOR_EVENT) { self.other_event() } else { None }
    }

    /// The event string that is stored beside the event's.
    const fn other_event(self) -> Option<&'static str> {
        match self.tree.wire.extras(self.traits().extras) {
            Some(extras) => self.tree.wire.optional(extras.other_event),
            None => None,
        }
    }

    /// Returns the terms of the event string.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let event = x86::SAPPHIRERAPIDS.require("L2_LINES_IN.ALL");
    /// let umask = event.terms().last_named("umask").and_then(|term| term.number());
    /// assert_eq!(umask, Some(0x1f));
    /// ```
    #[must_use]
    #[inline]
    pub const fn terms(self) -> Terms<'static> {
        Terms::new(self.event_string())
    }

    /// Returns the PMU that counts the event, by its name in the tree:
    /// `default_core`, `uncore_cha`, `arm_cmn`.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// assert_eq!(x86::SKYLAKEX.require("INST_RETIRED.ANY").pmu(), "default_core");
    /// assert_eq!(x86::SKYLAKEX.require("UNC_CHA_CLOCKTICKS").pmu(), "uncore_cha");
    /// ```
    #[must_use]
    #[inline]
    pub const fn pmu(self) -> &'static str {
        self.tree.wire.nth_str(Section::Pmus, self.traits().pmu as usize)
    }

    /// Returns the topic: the name of the event's file, with spaces for dashes.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// assert_eq!(x86::SKYLAKEX.require("L2_LINES_IN.ALL").topic(), "cache");
    /// ```
    #[must_use]
    #[inline]
    pub const fn topic(self) -> &'static str {
        self.tree.wire.nth_str(Section::Topics, self.traits().topic as usize)
    }

    /// Returns the short description (`BriefDescription`), or `None` if the
    /// tree has none or was compiled without descriptions.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let event = x86::SAPPHIRERAPIDS.require("L2_LINES_IN.ALL");
    /// println!("{}", event.description().unwrap());
    /// ```
    #[must_use]
    #[inline]
    pub const fn description(self) -> Option<Text> {
        Text::new(self.tree, self.tree.wire.event_text(self.number as usize, BRIEF))
    }

    /// Returns the long description (`PublicDescription`), or `None` if the
    /// tree has none or was compiled without long descriptions.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let event = x86::SAPPHIRERAPIDS.require("INST_RETIRED.ANY");
    /// let (brief, long) = (event.description().unwrap(), event.long_description().unwrap());
    /// assert!(long.len() > brief.len());
    /// ```
    #[must_use]
    #[inline]
    pub const fn long_description(self) -> Option<Text> {
        Text::new(self.tree, self.tree.wire.event_text(self.number as usize, PUBLIC))
    }

    /// Returns the description as `perf list` prints it: without the final full
    /// stop, with notes on data addresses, errata and precision.
    ///
    /// The notes come from the JSON object that contains the text. For an event
    /// that inherits its text from an architecture standard event, they are the
    /// standard event's, which may differ from the event's own fields.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let event = x86::SKYLAKE.require("MEM_INST_RETIRED.ALL_LOADS");
    /// let text = event.perf_description().unwrap().to_string();
    /// assert!(text.contains("Supports address when precise"), "{text}");
    /// ```
    #[must_use]
    pub const fn perf_description(self) -> Option<PerfText> {
        PerfText::new(self, self.description(), self.traits().brief_notes)
    }

    /// Returns the long description as `perf list --long-desc` prints it.
    #[must_use]
    pub const fn perf_long_description(self) -> Option<PerfText> {
        PerfText::new(self, self.long_description(), self.traits().public_notes)
    }

    /// Returns the factor and unit of the count (`ScaleUnit`), such as
    /// `64Bytes`.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let with_unit = x86::SKYLAKEX.events().find_map(|event| event.scale_unit());
    /// println!("{}", with_unit.unwrap()); // `64Bytes`, say
    /// ```
    #[must_use]
    #[inline]
    pub const fn scale_unit(self) -> Option<&'static str> {
        self.tree.wire.optional(self.traits().scale_unit)
    }

    /// Returns what one count stands for, as far as it is known. In the order of
    /// precedence:
    ///
    /// 1. what the tree says (`CountUnit`, a key that Linux does not have);
    /// 2. the bytes of a [scale unit](Self::scale_unit) such as `64Bytes`;
    /// 3. cycles, if the event counts those in which something happens a number of
    ///    times (`cmask` without `edge`), and occurrences with `edge`.
    ///
    /// With [perf's encoding](Self::with_encoding), the first is left out.
    ///
    /// ```
    /// use pmu_events::{arch::x86, event::Quantity};
    ///
    /// let reads = x86::HASWELLX.event("unc_m_cas_count.rd").unwrap();
    /// let unit = reads.count_unit().unwrap();
    /// assert_eq!((unit.quantity(), unit.factor()), (Quantity::Bytes, 64.0));
    /// ```
    #[must_use]
    pub const fn count_unit(self) -> Option<CountUnit> {
        if let Some(count) = self.tree.wire.count(self.traits().count)
            && count.multiplier != 0
            && !self.as_perf
        {
            let quantity = match count.quantity {
                quantity::BYTES => Quantity::Bytes,
                quantity::CYCLES => Quantity::Cycles,
                _ => Quantity::Occurrences,
            };
            let CountRecord { multiplier, divisor, .. } = count;
            return Some(CountUnit { multiplier, divisor, quantity });
        }
        if let Some(scale) = self.scale_unit()
            && let Some(unit) = CountUnit::parse(scale)
        {
            return Some(unit);
        }
        if is_set(self.event_string(), "edge") {
            Some(CountUnit::one(Quantity::Occurrences))
        } else if is_set(self.event_string(), "cmask") {
            Some(CountUnit::one(Quantity::Cycles))
        } else {
            None
        }
    }

    /// Returns what a count covers, if it is known and differs from what its PMU
    /// counts for one CPU: what the tree says (`CountScope`, a key that Linux does not
    /// have); a package for [such events](Self::is_per_package); a core if the event
    /// counts for any thread of it (`any`).
    #[must_use]
    pub const fn count_scope(self) -> Option<CountScope> {
        if let Some(count) = self.tree.wire.count(self.traits().count) {
            match count.scope {
                scope::THREAD => return Some(CountScope::Thread),
                scope::CORE => return Some(CountScope::Core),
                scope::CLUSTER => return Some(CountScope::Cluster),
                scope::PACKAGE => return Some(CountScope::Package),
                _ => {}
            }
        }
        if self.is_per_package() {
            Some(CountScope::Package)
        } else if is_set(self.event_string(), "any") {
            Some(CountScope::Core)
        } else {
            None
        }
    }

    /// Returns the name of the event that counts the same and is not deprecated, for a
    /// deprecated event: the event of the same table, PMU and event string, apart from
    /// the sampling period. If there are several, it is the one whose name is most
    /// similar.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let old = x86::SKYLAKEX.event("unc_iio_payload_bytes_in.mem_read.part0").unwrap();
    /// assert_eq!(old.successor(), Some("UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.PART0"));
    /// ```
    #[must_use]
    pub const fn successor(self) -> Option<&'static str> {
        if !self.is_deprecated() {
            return None;
        }
        self.tree.wire.optional(self.tree.wire.successor(self.number as usize))
    }

    /// Returns the pattern that the whole `identifier` of the PMU must match
    /// (`Compat`).
    ///
    /// ```
    /// use pmu_events::arch::arm64;
    ///
    /// let mut events = arm64::TREE.sys_events("hisi_sicl2_cpa0", "0x00000030");
    /// assert_eq!(events.next().unwrap().compat(), Some("0x00000030"));
    /// ```
    #[must_use]
    #[inline]
    pub const fn compat(self) -> Option<&'static str> {
        self.tree.wire.optional(self.traits().compat)
    }

    /// Returns whether the event can be sampled precisely (`PEBS`).
    ///
    /// ```
    /// use pmu_events::{arch::x86, event::Precise};
    ///
    /// assert_ne!(x86::SKYLAKE.require("MEM_INST_RETIRED.ALL_LOADS").precise(), Precise::No);
    /// ```
    #[must_use]
    #[inline]
    pub const fn precise(self) -> Precise {
        if self.lacks_precision() {
            return Precise::No;
        }
        match (self.traits().flags >> flag::PRECISE_SHIFT) & 3 {
            0 => Precise::No,
            1 => Precise::Possible,
            _ => Precise::Required,
        }
    }

    /// Returns each MSR that refines the event together with its umask, for
    /// events that have several of both (`MSRIndex` and `UMask` of Intel's
    /// perfmon, `MSRUMask` of other trees). The event string contains the first
    /// umask.
    pub fn msr_umasks(self) -> impl Iterator<Item = (u32, u64)> {
        let extras = if self.as_perf { None } else { self.tree.wire.extras(self.traits().extras) };
        let pairs = extras.and_then(|extras| self.tree.wire.optional(extras.pairs));
        Terms::new(pairs.unwrap_or_default()).filter_map(|term| {
            let register = u32::try_from(number(term.name)?).ok()?;
            Some((register, term.number()?))
        })
    }

    /// Returns what perf has for this name if it is wrong. The event itself follows
    /// the source; Intel's perfmon and trees with the keys `PerfLoses` and `PerfEvent`
    /// record such differences. With perf's encoding
    /// ([`with_encoding`](Self::with_encoding)), nothing differs.
    ///
    /// A name with one event string on every CPU differs if the
    /// [vendor's code](Self::vendor_event_string) selects another event
    /// ([`PerfDiffers::has_fixed_string`]). `CPU_CLK_UNHALTED.REF` does: the vendor's
    /// code selects the reference cycles of a general counter, whose rate the
    /// architecture leaves to the core, and perf's the fixed counter, which runs at the
    /// rate of the TSC. (Silvermont, Tremont and Gracemont have the same rate for both.)
    /// Two codes of one event do not differ: Nehalem's `INST_RETIRED.ANY_P` is `0xc0`
    /// with the unit mask 1, and counts the retired instructions that perf counts with
    /// the unit mask 0.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// for event in x86::SKYLAKEX.events() {
    ///     if let Some(differs) = event.perf_differs() {
    ///         println!("{}: perf counts {}", event.name(), differs.event_string());
    ///     }
    /// }
    /// ```
    #[must_use]
    pub const fn perf_differs(self) -> Option<PerfDiffers> {
        if self.as_perf { None } else { self.recorded() }
    }

    /// What perf has instead, whatever the encoding.
    const fn recorded(self) -> Option<PerfDiffers> {
        let traits = self.traits();
        let reasons = (traits.repair >> repair::WHY_SHIFT) as u8 & differs::ALL;
        if reasons == 0 {
            return None;
        }
        let own = self.tree.wire.str(self.record().event);
        let vendor = if reasons & differs::FIXED_STRING != 0 { self.vendor_event() } else { None };
        let other = if self.has_bit(flag::VENDOR_EVENT) { None } else { self.other_event() };
        let (event_string, changes_count) = match other {
            Some(other) => (other, true),
            None => (own, vendor.is_some()),
        };
        let repair = traits.repair & repair::ALL;
        Some(PerfDiffers { event_string, changes_count, vendor, reasons, repair })
    }

    const fn lacks_precision(self) -> bool {
        self.as_perf && matches!(self.recorded(), Some(perf) if perf.loses_precision())
    }

    /// Returns the documented CPU errata that affect the event (`Errata`).
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let noted = x86::HASWELL.events().find_map(|event| event.errata().map(|errata| (event, errata)));
    /// let (event, errata) = noted.unwrap();
    /// println!("{}: see {errata}", event.name());
    /// ```
    #[must_use]
    #[inline]
    pub const fn errata(self) -> Option<&'static str> {
        self.tree.wire.optional(self.traits().errata)
    }

    /// Returns the counters that can count the event (`Counter`).
    ///
    /// ```
    /// use pmu_events::{arch::x86, event::CounterConstraint};
    ///
    /// let event = x86::SAPPHIRERAPIDS.require("INST_RETIRED.ANY");
    /// assert_eq!(event.counters(), CounterConstraint::Fixed(Some(0)));
    /// ```
    #[must_use]
    #[inline]
    pub const fn counters(self) -> CounterConstraint {
        let traits = self.traits();
        match traits.counter_kind {
            counters::GENERAL => CounterConstraint::General(CounterSet(traits.counters)),
            counters::FIXED => CounterConstraint::Fixed(Some(traits.counters as u8)),
            counters::FIXED_UNNUMBERED => CounterConstraint::Fixed(None),
            counters::FREE_RUNNING => CounterConstraint::FreeRunning,
            _ => CounterConstraint::Unstated,
        }
    }

    /// Returns the model-specific register that refines the event (`MSRIndex`,
    /// `MSRValue`).
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// assert_eq!(x86::SKYLAKE.require("FRONTEND_RETIRED.L1I_MISS").msr().unwrap().index(), 0x3f7);
    /// assert_eq!(x86::SKYLAKE.require("INST_RETIRED.ANY").msr(), None);
    /// ```
    #[must_use]
    pub const fn msr(self) -> Option<Msr> {
        let traits = self.traits();
        if traits.msr == 0 {
            return None;
        }
        let value = if traits.flags & flag::OWN_MSR_VALUE != 0 {
            match self.tree.wire.extras(traits.extras) {
                Some(extras) => Some(extras.msr_value),
                None => None,
            }
        } else {
            last_number(self.event_string(), msr_term(traits.msr))
        };
        Some(Msr {
            index: traits.msr,
            other: if traits.msr_other == 0 { None } else { Some(traits.msr_other) },
            value,
        })
    }

    /// Returns the default sampling period, in events (`SampleAfterValue`; for
    /// names with a fixed event string that state no period, that string's).
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// assert_eq!(x86::SILVERMONT.require("INST_RETIRED.ANY").sample_after(), Some(2_000_003));
    /// ```
    #[must_use]
    pub const fn sample_after(self) -> Option<u64> {
        let traits = self.traits();
        if traits.flags & flag::OWN_SAMPLE_AFTER != 0 {
            return match self.tree.wire.extras(traits.extras) {
                Some(extras) => Some(extras.sample_after),
                None => None,
            };
        }
        last_number(self.event_string(), "period")
    }

    /// Returns the number of cycles from the retirement of the instruction before to
    /// that of the instruction that caused the event, as measured by whoever made the
    /// tree (`RetirementLatencyMean`, `Min`, `Max`; newer than Linux 6.12).
    ///
    /// Formulas name it `EVENT:R` ([`LatencyOf`](crate::metric::LatencyOf)).
    ///
    /// ```
    /// use pmu_events::arch::x86;
    ///
    /// let latency = x86::GRANITERAPIDS.require("MEM_INST_RETIRED.LOCK_LOADS").retirement_latency();
    /// assert_eq!(latency.unwrap().mean(), Some("63.76"));
    /// ```
    #[must_use]
    pub const fn retirement_latency(self) -> Option<RetirementLatency> {
        match self.tree.wire.extras(self.traits().extras) {
            None => None,
            Some(extras) => {
                let wire = &self.tree.wire;
                let latency = RetirementLatency {
                    mean: wire.optional(extras.latency_mean),
                    min: wire.optional(extras.latency_min),
                    max: wire.optional(extras.latency_max),
                };
                match latency {
                    RetirementLatency { mean: None, min: None, max: None } => None,
                    stated => Some(stated),
                }
            }
        }
    }

    /// The number of this event's `Compat` pattern among those of the tree.
    #[inline]
    pub(crate) const fn compat_pattern(self) -> Option<u32> {
        (self.traits().compat_pattern as u32).checked_sub(1)
    }

    /// The bits of the record: those of `Flag`, and `wire::record::flag`.
    #[inline(always)]
    pub(crate) const fn flags(self) -> u16 {
        self.traits().flags
    }

    #[inline(always)]
    const fn has_bit(self, bit: u16) -> bool {
        self.flags() & bit != 0
    }

    /// Whether what perf loses is left out.
    #[inline]
    pub(crate) const fn is_as_perf(self) -> bool {
        self.as_perf
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event")
            .field("name", &self.name())
            .field("pmu", &self.pmu())
            .field("event_string", &self.event_string())
            .finish_non_exhaustive()
    }
}

/// Two events are equal if they are the same event of the same tree, in any
/// encoding.
impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.tree, other.tree) && self.number == other.number
    }
}

impl Eq for Event {}

impl Hash for Event {
    fn hash<H: Hasher>(&self, state: &mut H) {
        ptr::hash(self.tree, state);
        self.number.hash(state);
    }
}

/// By name, PMU and event string; only then by place in memory.
impl Ord for Event {
    fn cmp(&self, other: &Self) -> Ordering {
        let text = |event: &Self| (event.name(), event.pmu(), event.event_string());
        let place = |event: &Self| (ptr::from_ref(event.tree), event.number);
        text(self).cmp(&text(other)).then_with(|| place(self).cmp(&place(other)))
    }
}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The name.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use pmu_events::arch::x86;
///
/// let names = ["longest_lat_cache.miss", "inst_retired.any_p"];
/// let events = names.map(|name| x86::SKYLAKE.require(name));
/// let counts = BTreeMap::from([(events[0], 7), (events[1], 2000)]);
/// let lines: Vec<String> = counts.iter().map(|(event, n)| format!("{event}: {n}")).collect();
/// assert_eq!(lines, ["INST_RETIRED.ANY_P: 2000", "LONGEST_LAT_CACHE.MISS: 7"]);
/// ```
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Returns the event-string term that carries an MSR's value, as jevents writes
/// it.
///
/// ```
/// use pmu_events::event::msr_term;
/// assert_eq!(msr_term(0x1a6), "offcore_rsp");
/// assert_eq!(msr_term(0x10), "");
/// ```
#[doc(hidden)]
#[must_use]
pub const fn msr_term(index: u32) -> &'static str {
    match index {
        0x3f6 => "ldlat",
        0x1a6 | 0x1a7 => "offcore_rsp",
        0x3f7 => "frontend",
        // Newer than Linux 6.12.
        0x3e0..=0x3e3 => "offmodule_rsp",
        _ => "",
    }
}

/// Whether the last term with this name is not 0.
const fn is_set(event_string: &str, term: &str) -> bool {
    match Terms::new(event_string).last_named(term) {
        Some(term) => match term.number() {
            Some(number) => number != 0,
            // Without a value, a term is 1.
            None => term.value.is_none(),
        },
        None => false,
    }
}

/// The number in the last term with this name.
const fn last_number(event_string: &str, term: &str) -> Option<u64> {
    match Terms::new(event_string).last_named(term) {
        Some(term) => match term.value {
            Some(value) => number(value),
            None => None,
        },
        None => None,
    }
}

/// Whether an event can be sampled precisely (Intel SDM, volume 3, “Processor
/// Event Based Sampling”).
///
/// ```
/// use pmu_events::{arch::x86, event::Precise};
///
/// let event = x86::SAPPHIRERAPIDS.require("MEM_TRANS_RETIRED.LOAD_LATENCY_GT_4");
/// assert_ne!(event.precise(), Precise::No);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Precise {
    /// The event cannot be sampled precisely, or the tree does not say.
    No,
    /// Precise sampling is possible.
    Possible,
    /// Counts are only correct with precise sampling.
    Required,
}

/// The counters that can count an event.
///
/// ```
/// use pmu_events::{arch::x86, event::CounterConstraint};
///
/// let event = x86::SAPPHIRERAPIDS.require("MEM_INST_RETIRED.ANY");
/// let CounterConstraint::General(counters) = event.counters() else { panic!("any of some") };
/// assert_eq!(counters.iter().collect::<Vec<u8>>(), [0, 1, 2, 3]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CounterConstraint {
    /// The tree does not say.
    Unstated,
    /// Any of these general-purpose counters.
    General(CounterSet),
    /// A fixed counter, with its number if the tree states it.
    Fixed(Option<u8>),
    /// A free-running counter, which cannot be programmed.
    FreeRunning,
}

/// A set of general-purpose counters.
///
/// ```
/// use pmu_events::event::CounterSet;
/// let set = CounterSet::from_bits(0b1101);
/// assert!(set.contains(3) && !set.contains(1));
/// assert_eq!(set.iter().collect::<Vec<_>>(), [0, 2, 3]);
/// assert_eq!(set.to_string(), "0,2,3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CounterSet(pub(crate) u64);

impl CounterSet {
    /// Creates a set from a mask: bit `n` is counter `n`.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        CounterSet(bits)
    }

    /// Returns the mask.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the set without a counter.
    ///
    /// ```
    /// use pmu_events::event::CounterSet;
    /// assert_eq!(CounterSet::from_bits(0b1101).without(2), CounterSet::from_bits(0b1001));
    /// ```
    #[must_use]
    pub const fn without(self, counter: u8) -> Self {
        CounterSet(self.0 & if counter < 64 { !(1 << counter) } else { u64::MAX })
    }

    /// Whether the set contains a counter.
    #[must_use]
    pub const fn contains(self, counter: u8) -> bool {
        counter < 64 && self.0 >> counter & 1 == 1
    }

    /// Returns the number of counters in the set.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the counters in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..64).filter(move |&counter| self.contains(counter))
    }
}

impl fmt::Display for CounterSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, counter) in self.iter().enumerate() {
            write!(f, "{}{counter}", if n == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

/// A model-specific register that an event needs in addition to its selector.
///
/// ```
/// use pmu_events::arch::x86;
///
/// let event = x86::SKYLAKE.require("FRONTEND_RETIRED.L1I_MISS");
/// let msr = event.msr().unwrap();
/// assert_eq!((msr.index(), msr.value()), (0x3f7, Some(0x12)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Msr {
    pub(crate) index: u32,
    pub(crate) other: Option<u32>,
    pub(crate) value: Option<u64>,
}

impl Msr {
    /// Returns the register: `0x3f6` for load latency, `0x1a6` and `0x1a7` for offcore
    /// response, `0x3f7` for frontend events.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// Returns the alternative register, if there are two.
    #[must_use]
    pub const fn other(self) -> Option<u32> {
        self.other
    }

    /// Returns the value to write; `None` if the tree does not state it.
    #[must_use]
    pub const fn value(self) -> Option<u64> {
        self.value
    }
}

/// The cycles from one retirement to the next, as the tree writes them
/// ([`Event::retirement_latency`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RetirementLatency {
    pub(crate) mean: Option<&'static str>,
    pub(crate) min: Option<&'static str>,
    pub(crate) max: Option<&'static str>,
}

impl RetirementLatency {
    /// Returns the mean.
    #[must_use]
    pub const fn mean(self) -> Option<&'static str> {
        self.mean
    }

    /// Returns the minimum.
    #[must_use]
    pub const fn min(self) -> Option<&'static str> {
        self.min
    }

    /// Returns the maximum.
    #[must_use]
    pub const fn max(self) -> Option<&'static str> {
        self.max
    }

    /// Returns one of them as a number; `None` if the tree does not state it.
    ///
    /// ```
    /// use pmu_events::arch::x86;
    /// use pmu_events::event::LatencyStatistic;
    ///
    /// let event = x86::GRANITERAPIDS.event("MEM_LOAD_L3_MISS_RETIRED.LOCAL_DRAM").unwrap();
    /// let latency = event.retirement_latency().unwrap();
    /// assert_eq!(latency.mean(), Some("115.83"));
    /// assert_eq!(latency.cycles(LatencyStatistic::Mean), Some(115.83));
    /// ```
    #[must_use]
    pub fn cycles(self, statistic: LatencyStatistic) -> Option<f64> {
        let text = match statistic {
            LatencyStatistic::Mean => self.mean,
            LatencyStatistic::Min => self.min,
            LatencyStatistic::Max => self.max,
        };
        text?.parse().ok()
    }
}

/// One of the numbers of a [`RetirementLatency`].
///
/// ```
/// use pmu_events::{arch::x86, event::LatencyStatistic};
///
/// let mut latencies = x86::GRANITERAPIDS.events().filter_map(|event| event.retirement_latency());
/// let latency = latencies.next().unwrap();
/// let [mean, max] = [LatencyStatistic::Mean, LatencyStatistic::Max].map(|one| latency.cycles(one));
/// assert!(mean <= max);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LatencyStatistic {
    /// The mean.
    #[default]
    Mean,
    /// The minimum.
    Min,
    /// The maximum.
    Max,
}

impl LatencyStatistic {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Mean, Self::Min, Self::Max];

    /// Returns its name: `mean`, `min` or `max`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Min => "min",
            Self::Max => "max",
        }
    }
}

/// `mean`, `min` or `max`.
impl FromStr for LatencyStatistic {
    type Err = located::Error;

    fn from_str(name: &str) -> Result<Self, located::Error> {
        let statistic = Self::ALL.iter().copied().find(|statistic| statistic.name() == name);
        statistic.ok_or(located::Error::expected(name, "`mean`, `min` or `max`"))
    }
}

/// A description as perf prints it: without the final full stop, with notes.
///
/// ```
/// use pmu_events::arch::x86;
///
/// let event = x86::SKYLAKE.require("MEM_INST_RETIRED.ALL_LOADS");
/// let (brief, long) = (event.perf_description(), event.perf_long_description());
/// println!("{}", long.or(brief).unwrap());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PerfText {
    text: Text,
    notes: &'static str,
}

impl PerfText {
    const fn new(event: Event, text: Option<Text>, notes: StrRef) -> Option<Self> {
        let mut notes = match event.tree.wire.optional(notes) {
            Some(notes) => notes,
            None => "",
        };
        if event.lacks_precision() {
            notes = without_suffix(without_suffix(notes, " (Precise event)"), " (Must be precise)");
        }
        match text {
            Some(text) => Some(PerfText { text: text.trimmed(), notes }),
            None => None,
        }
    }
}

/// `strip_suffix`, in `const`.
const fn without_suffix<'t>(text: &'t str, suffix: &str) -> &'t str {
    let Some(at) = text.len().checked_sub(suffix.len()) else {
        return text;
    };
    if !text.is_char_boundary(at) {
        return text;
    }
    let (rest, end) = text.split_at(at);
    if name::eq(end, suffix) { rest } else { text }
}

impl fmt::Display for PerfText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)?;
        f.write_str(self.notes)
    }
}
