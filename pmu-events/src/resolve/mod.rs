//! From what a person writes to what the kernel wants: event strings resolved
//! on one system.
//!
//! [`resolve`] takes a list of events, the CPU's [`Model`](crate::Model) or
//! whatever else there are [`Tables`] of, and the system's PMUs ([`Sysfs`]),
//! and gives what each `perf_event_attr` would
//! hold: one for each PMU on which an event opens.
//!
//! ```
//! # mod test { pmu_events::pmu_events!("../arch/x86"); }
//! use pmu_events::{resolve::resolve, sysfs::Sysfs};
//!
//! // Nothing there: what is generic resolves on any machine.
//! let sysfs = Sysfs::at("/nonexistent");
//! let resolved = resolve("{cycles,instructions:u}:D,r1a8", None, &sysfs)?;
//! assert_eq!(resolved.len(), 3);
//! assert_eq!((resolved[1].kind, resolved[1].config[0]), (0, 1));
//! assert_eq!(resolved[1].leader, 0);
//! assert!(resolved[0].settings.pinned && resolved[1].settings.exclude_kernel);
//!
//! let error = resolve("cycles,instrutcions", test::model("GenuineIntel-6-37-8"), &sysfs)
//!     .unwrap_err();
//! assert_eq!(error.to_string(), "no PMU has an event `instrutcions`; did you mean `instructions`?");
//! assert_eq!(error.span(), 7..19);
//! # Ok::<(), pmu_events::resolve::Error>(())
//! ```
//!
//! # Rules
//!
//! They are perf's (`tools/perf/util/parse-events.c` and `pmu.c` of Linux
//! 6.12).
//!
//! - A name alone opens on every PMU that has the event: each core PMU of a
//!   hybrid CPU, each instance of an uncore PMU.
//! - A name before slashes is a PMU; else all PMUs that it means
//!   ([`pmu::matches`](crate::pmu::matches)); else an event with terms.
//! - An event of sysfs and one of the table that have one name are one: its
//!   terms are the table's, its scale and unit those of sysfs if there are any.
//! - System PMUs have the events of the tree's sys tables whose `Compat`
//!   matches their `identifier`.
//! - Among terms, a generic event (`cpu/cycles/`) is the PMU's own event of
//!   that name if it has one.
//! - Where there are several core PMUs, generic events open on each, whose type
//!   is in the upper half of config.
//! - A tracepoint has the number that tracefs says; `*` and `?` in its system
//!   or its name make it a pattern.
//! - A group holds events of one PMU; members on another PMU make another
//!   group. Software events stay with the others, and everything with a leader
//!   that traces into the AUX area (`intel_pt`, `cs_etm`, …).
//! - Intel's top-down events follow `slots`, which leads them: within a group,
//!   and where they stand alone they make one. Their names tell which they are.
//!
//! # Where this is not perf
//!
//! | text | perf 6.12 | here |
//! |---|---|---|
//! | `cpu/a,b/` with two events | refused for its scale; two generic ones are mixed up | [`ErrorKind::TwoEvents`] |
//! | `uncore_imc_1/x/` without `x` | is tried on `uncore_imc_10`, too | refused |
//! | several instances | in the order of the directory until all were asked for | always by number |
//! | a term whose format file makes no sense | sets no bits | [`ErrorKind::UnknownTerm`] |
//! | patterns of tracepoints | in the order of the directory; fails where one of several systems has no match | by name; fails where nothing matches |
//! | `intel_pt//` and other traces | defaults of `perf record` are added | just what is written |
//! | `P` | is `precise_ip` 3, less if the kernel refuses that | [`Resolved::precise_ip`] asks the PMU first |
//! | characters that perf drops, numbers that wrap | | see [`event_list`](crate::event_list) and [`config`](mod@crate::config) |

mod alias;
mod error;
mod group;
mod tables;
mod terms;
mod tracepoint;

use core::ops::Range;

use std::string::{String, ToString};
use std::vec::Vec;
use std::{format, vec};

pub use error::{Error, ErrorKind};
pub use tables::Tables;
pub use terms::AttributeTerm;
use terms::ItsTerms;

use crate::config::{self, Attributes, Sampling};
use crate::event_list::{
    Breakpoint, Cache, EventKind, EventList, EventRef, Hardware, Settings, Software, Term,
    TermKind, Tool, Value,
};
use crate::sysfs::{CpuSet, Pmu, Sysfs, Tracepoint};
use crate::term;
use alias::Lookup;

/// What one `perf_event_attr` would hold, and what belongs to it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Resolved<'a> {
    /// What perf calls it: its `name` term, else its text.
    pub name: &'a str,
    /// The number of the event among the events of the list.
    pub event: usize,
    /// The PMU; `None` for a generic event that the kernel gives to whichever
    /// has it.
    pub pmu: Option<&'a Pmu>,
    /// `perf_event_attr.type`
    pub kind: u32,
    /// `config`, `config1`, `config2` and `config3`. For a breakpoint, its
    /// address and length are `config1` and `config2`.
    pub config: [u64; 4],
    /// A breakpoint, whose access is `bp_type`.
    pub breakpoint: Option<Breakpoint>,
    /// A tracepoint, whose number is the config.
    pub tracepoint: Option<&'a Tracepoint>,
    /// A number that the program has to measure itself: what would be opened
    /// is a software event that counts nothing.
    pub tool: Option<Tool>,
    /// What its modifiers and its group's come to.
    pub settings: Settings,
    /// What its terms say besides: the sampling period or frequency, and more.
    pub attributes: Attributes<'a>,
    /// Whether period or frequency are those of the event's description, which
    /// yield to what the user asks of the program (perf's `weak`).
    pub has_default_sampling: bool,
    /// The unit of the scaled count; empty without one.
    pub unit: &'a str,
    /// What the count is multiplied by.
    pub scale: f64,
    /// Whether the count is of the whole package.
    pub is_per_package: bool,
    /// Whether the value is one of now, not to be added up.
    pub is_snapshot: bool,
    /// The place of its group's leader among all; its own if it leads, or is
    /// in no group.
    pub leader: usize,
    /// How many the group has, itself included.
    pub group_len: usize,
    /// What the PMU says, or the core PMU for a generic event.
    max_precise: Option<u8>,
    terms: ItsTerms<'a>,
}

impl<'a> Resolved<'a> {
    /// The CPUs on which it is to be opened; `None` for all, or those of the
    /// task.
    #[must_use]
    pub fn cpus(&self) -> Option<&'a CpuSet> {
        self.pmu.and_then(Pmu::cpus)
    }

    /// `perf_event_attr.precise_ip` for taking samples: as many as there are
    /// `p`, and for `P` as much as the PMU says that it can do
    /// (`caps/max_precise`). For counting, `P` changes nothing in perf:
    /// `settings.precise` is what `perf stat` opens.
    ///
    /// Where the PMU says nothing, `P` is 3, as perf begins with: whoever opens
    /// the event lowers it as long as the kernel refuses it
    /// (`evsel__precise_ip_fallback` in `tools/perf/util/evsel.c`). So may
    /// anyone else: not every event can do what the PMU can.
    ///
    /// ```
    /// use pmu_events::{resolve::resolve, sysfs::Sysfs};
    ///
    /// let sysfs = Sysfs::at("/nonexistent");
    /// let resolved = resolve("cycles:pp,cycles:P", None, &sysfs)?;
    /// assert_eq!((resolved[0].precise_ip(), resolved[1].precise_ip()), (2, 3));
    /// assert!(resolved[1].settings.precise_max);
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    #[must_use]
    pub fn precise_ip(&self) -> u8 {
        const MOST: u8 = 3;
        if !self.settings.precise_max {
            return self.settings.precise;
        }
        self.max_precise.unwrap_or(MOST).min(MOST)
    }

    /// What `attributes` is made of: perf's own terms (`period`, `percore`, …)
    /// in the order in which they count, those of the event's description among
    /// them. Of several with one name, the last counts.
    ///
    /// ```
    /// use pmu_events::{resolve::resolve, sysfs::Sysfs};
    ///
    /// let sysfs = Sysfs::at("/nonexistent");
    /// let resolved = resolve("cycles/period=5,config1=1,period=7/", None, &sysfs)?;
    /// let terms: Vec<String> =
    ///     resolved[0].attribute_terms().map(|term| term.term.to_string()).collect();
    /// assert_eq!(terms, ["period=5", "period=7"]);
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    pub fn attribute_terms(&self) -> impl Iterator<Item = AttributeTerm<'a>> + use<'a> {
        self.terms.iter().filter(|term| Attributes::has(term.term.name))
    }
}

/// Resolves a text: perf's `-e` option.
///
/// # Errors
///
/// The first thing that is wrong, with its place in the text.
pub fn resolve<'a>(
    text: &'a str,
    tables: impl Into<Tables>,
    sysfs: &'a Sysfs,
) -> Result<Vec<Resolved<'a>>, Error> {
    let list = EventList::parse(text).map_err(|error| Error::syntax(error, text))?;
    resolve_list(list, tables, sysfs)
}

/// Resolves a list that has been parsed.
///
/// # Errors
///
/// The first thing that is wrong, with its place in the list's text.
pub fn resolve_list<'a>(
    list: EventList<'a>,
    tables: impl Into<Tables>,
    sysfs: &'a Sysfs,
) -> Result<Vec<Resolved<'a>>, Error> {
    let tables = tables.into();
    let resolver = Resolver { text: list.text(), tables, sysfs };
    let mut all = Vec::new();
    let mut groups = Vec::new();
    let (mut group, mut number) = (0, 0);
    for event in list.events() {
        // Each event that stands alone is a group of its own.
        if event.membership().is_none_or(|membership| membership.index == 0) {
            group += 1;
        }
        for (n, mut resolved) in resolver.event(event)?.into_iter().enumerate() {
            resolved.event = number;
            resolved.settings = settings(event, n == 0);
            if resolved.settings.precise_max {
                resolved.max_precise = resolver.max_precise(&resolved);
            }
            // Instances of an event that stands alone are not scheduled
            // together.
            if event.membership().is_none() && n > 0 {
                group += 1;
            }
            groups.push(group);
            all.push(resolved);
        }
        number += 1;
    }
    Ok(group::regroup(all, &groups, tables, sysfs))
}

/// Only the first PMU's event leads the group as perf sees it here.
fn settings(event: EventRef<'_>, is_first: bool) -> Settings {
    let own = Settings::default().with_event(event.modifiers());
    match event.membership() {
        Some(group) => own.with_group(group.modifiers, group.index == 0 && is_first),
        None => own,
    }
}

struct Resolver<'a> {
    text: &'a str,
    tables: Tables,
    sysfs: &'a Sysfs,
}

impl<'a> Resolver<'a> {
    fn event(&self, event: EventRef<'a>) -> Result<Vec<Resolved<'a>>, Error> {
        match event.kind() {
            EventKind::Name(name) => self.named(event, name),
            EventKind::Pmu(written) => self.on_pmus(event, written),
            EventKind::Hardware(hardware) => {
                self.on_cores(event, Hardware::TYPE, hardware.config())
            }
            EventKind::Cache { name, event: cache } => self.cache(event, name, cache),
            EventKind::Software(software) => self.numeric(event, Software::TYPE, software.config()),
            // Type 4 is that of the CPU's own PMU on most machines
            // (`PERF_TYPE_RAW`).
            EventKind::Raw { config } => self.numeric(event, 4, config),
            EventKind::Numeric { r#type, config } => self.numeric(event, r#type, config),
            EventKind::Breakpoint(breakpoint) => {
                let mut resolved = self.generic(event, Breakpoint::TYPE, 0, None)?;
                resolved.config[1] = breakpoint.address;
                resolved.config[2] = breakpoint.len.unwrap_or_else(|| default_length(breakpoint));
                resolved.breakpoint = Some(breakpoint);
                resolved.attributes.sampling.get_or_insert(Sampling::Period(1));
                Ok(vec![resolved])
            }
            EventKind::Tool(tool) => {
                let dummy = Software::Dummy.config();
                let mut resolved = self.generic(event, Software::TYPE, dummy, None)?;
                (resolved.tool, resolved.unit) = (Some(tool), "ns");
                Ok(vec![resolved])
            }
            EventKind::Tracepoint { system, event: name } => {
                let found = tracepoint::find(event, (system, name), self.sysfs.tracing())?;
                let one = |(tracepoint, id)| self.tracepoint(event, tracepoint, id);
                found.into_iter().map(one).collect()
            }
        }
    }

    /// An event that any PMU may have (`parse_events_multi_pmu_add`).
    fn named(&self, event: EventRef<'a>, name: &'a str) -> Result<Vec<Resolved<'a>>, Error> {
        let lookup = Lookup::new(name, self.tables);
        let mut found = Vec::new();
        let mut refused = None;
        for pmu in self.sysfs.pmus().iter().filter(|pmu| lookup.is_on(pmu)) {
            // perf opens it where it can, if it can anywhere.
            match self.on_pmu(event, Some(&lookup), pmu) {
                Ok(resolved) => found.push(resolved),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        match refused {
            _ if !found.is_empty() => Ok(found),
            Some(error) => Err(error),
            None => Err(self.unknown(event, name)),
        }
    }

    /// `parse_events_multi_pmu_add_or_add_pmu`
    fn on_pmus(&self, event: EventRef<'a>, written: &'a str) -> Result<Vec<Resolved<'a>>, Error> {
        if let Some(pmu) = self.sysfs.pmu(written) {
            return Ok(vec![self.on_pmu(event, None, pmu)?]);
        }
        let mut found = Vec::new();
        let mut refused = None;
        for pmu in self.sysfs.matching(written) {
            match self.on_pmu(event, None, pmu) {
                Ok(resolved) => found.push(resolved),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        match refused {
            _ if !found.is_empty() => Ok(found),
            Some(error) => Err(error),
            None => self.named(event, written),
        }
    }

    /// An event of one PMU (`parse_events_add_pmu`). `named` is an event whose
    /// name stands before the terms.
    fn on_pmu(
        &self,
        event: EventRef<'a>,
        named: Option<&Lookup<'a>>,
        pmu: &'a Pmu,
    ) -> Result<Resolved<'a>, Error> {
        let mut terms = ItsTerms::written(event, self.text);
        let mut description = None;
        // The generic event that takes the place of the PMU's type.
        let mut generic = None;
        for (number, term) in event.terms().iter().enumerate() {
            let found = match term.kind() {
                TermKind::Hardware(_) | TermKind::Cache | TermKind::Raw(_) => Some(term.name()),
                TermKind::Format => event_of_term(term, pmu),
                _ => None,
            };
            let found = found.and_then(|name| Lookup::new(name, self.tables).on(pmu));
            let replacement = match (found, term.kind()) {
                (Some(found), _) => {
                    description = Some(found);
                    found.terms
                }
                (None, TermKind::Hardware(hardware)) => {
                    generic = Some((Hardware::TYPE, hardware.config()));
                    term::Terms::new("")
                }
                (None, TermKind::Cache) if pmu.is_core() => {
                    let cache = Cache::find(term.name());
                    generic = cache.map(|cache| (Cache::TYPE, cache.config()));
                    term::Terms::new("")
                }
                _ => continue,
            };
            if !terms.replace(number, replacement) {
                return Err(two_events(term.span()));
            }
        }
        if let Some(lookup) = named
            && let Some(found) = lookup.on(pmu)
        {
            description = Some(found);
            if !terms.append(found.terms) {
                return Err(two_events(event.head_span()));
            }
        }
        let encoded =
            config::encode_with(terms.iter().map(|sourced| sourced.term), |name| pmu.format(name));
        let encoded = encoded.map_err(|error| self.refused(event, pmu, error))?;
        let Some(own) = pmu.kind() else {
            let message = format!("the type of PMU `{}` is unknown", pmu.name());
            return Err(Error::new(ErrorKind::NoType, event.head_span(), message));
        };
        let mut resolved = start(event, terms, Some(pmu), own, encoded.words);
        if let Some((kind, config)) = generic {
            resolved.kind = kind;
            resolved.config[0] |= config | self.extension(Some(pmu));
        }
        resolved.attributes = encoded.attributes;
        let sampling = terms.iter().filter(|one| matches!(one.term.name, "period" | "freq"));
        resolved.has_default_sampling = sampling.last().is_some_and(|last| last.is_default);
        if let Some(found) = description {
            (resolved.scale, resolved.unit) = (found.scale, found.unit);
            resolved.is_per_package = found.is_per_package;
            resolved.is_snapshot = found.is_snapshot;
        }
        Ok(resolved)
    }

    /// A generic hardware event (`parse_events_add_numeric` with `wildcard`).
    fn on_cores(
        &self,
        event: EventRef<'a>,
        kind: u32,
        config: u64,
    ) -> Result<Vec<Resolved<'a>>, Error> {
        if !self.has_extended_types() {
            return Ok(vec![self.generic(event, kind, config, None)?]);
        }
        let one = |pmu| self.generic(event, kind, config, Some(pmu));
        self.sysfs.core_pmus().map(one).collect()
    }

    /// A generic cache event (`parse_events_add_cache`).
    fn cache(
        &self,
        event: EventRef<'a>,
        name: &'a str,
        cache: Cache,
    ) -> Result<Vec<Resolved<'a>>, Error> {
        let lookup = Lookup::new(name, self.tables);
        let mut found = Vec::new();
        for pmu in self.sysfs.pmus() {
            if lookup.is_on(pmu) {
                found.push(self.on_pmu(event, Some(&lookup), pmu)?);
            } else if pmu.is_core() {
                found.push(self.generic(event, Cache::TYPE, cache.config(), Some(pmu))?);
            }
        }
        if found.is_empty() {
            let message = "this machine has no hardware PMU that counts caches";
            return Err(Error::new(ErrorKind::NoCorePmu, event.head_span(), message));
        }
        Ok(found)
    }

    /// Type and config as they are.
    fn numeric(
        &self,
        event: EventRef<'a>,
        kind: u32,
        config: u64,
    ) -> Result<Vec<Resolved<'a>>, Error> {
        let mut resolved = self.generic(event, kind, config, None)?;
        resolved.pmu = self.sysfs.pmus().iter().find(|pmu| pmu.kind() == Some(kind));
        // The clocks count nanoseconds, and perf shows milliseconds
        // (`evsel__new_idx` in tools/perf/util/evsel.c).
        let clocks = [Software::CpuClock, Software::TaskClock].map(Software::config);
        if kind == Software::TYPE && clocks.contains(&resolved.config[0]) {
            (resolved.unit, resolved.scale) = ("msec", 1e-6);
        }
        Ok(vec![resolved])
    }

    /// `evsel__newtp_idx` in `tools/perf/util/evsel.c`
    fn tracepoint(
        &self,
        event: EventRef<'a>,
        tracepoint: &'a Tracepoint,
        id: u64,
    ) -> Result<Resolved<'a>, Error> {
        let mut resolved = self.generic(event, group::TRACEPOINT, id, None)?;
        resolved.pmu = self.sysfs.pmus().iter().find(|pmu| pmu.kind() == Some(resolved.kind));
        (resolved.name, resolved.tracepoint) = (tracepoint.name(), Some(tracepoint));
        resolved.attributes.sampling = Some(Sampling::Period(1));
        Ok(resolved)
    }

    /// An event that is no PMU's: its terms can be none but perf's own.
    fn generic(
        &self,
        event: EventRef<'a>,
        kind: u32,
        config: u64,
        pmu: Option<&'a Pmu>,
    ) -> Result<Resolved<'a>, Error> {
        let terms = ItsTerms::written(event, self.text);
        let encoded = config::encode_with(terms.iter().map(|sourced| sourced.term), |_| None);
        let encoded = encoded.map_err(|error| {
            let span = error.span_in(self.text).unwrap_or(event.span());
            Error::new(ErrorKind::Term(error.kind()), span, error.to_string())
        })?;
        let mut resolved = start(event, terms, pmu, kind, encoded.words);
        // `config=…` replaces it.
        if event.terms().last(TermKind::Config).is_none() {
            resolved.config[0] = config | self.extension(pmu);
        }
        resolved.attributes = encoded.attributes;
        Ok(resolved)
    }

    /// Where there are several kinds of cores, the upper half of a generic
    /// event's config says which (`PERF_PMU_TYPE_SHIFT`).
    fn extension(&self, pmu: Option<&Pmu>) -> u64 {
        match pmu.and_then(Pmu::kind) {
            Some(kind) if self.has_extended_types() => u64::from(kind) << 32,
            _ => 0,
        }
    }

    fn has_extended_types(&self) -> bool {
        self.sysfs.core_pmus().nth(1).is_some()
    }

    fn max_precise(&self, resolved: &Resolved<'a>) -> Option<u8> {
        let is_generic = matches!(resolved.kind, Hardware::TYPE | Cache::TYPE);
        let core = || self.sysfs.core_pmus().next().filter(|_| is_generic);
        resolved.pmu.or_else(core)?.cap("max_precise")?.parse().ok()
    }

    /// A term that cannot be encoded.
    fn refused(&self, event: EventRef<'a>, pmu: &Pmu, error: config::Error<'_>) -> Error {
        let written = error.span_in(self.text);
        let span = written.clone().unwrap_or(event.span());
        let what = match (written, error.kind()) {
            // A parameter is there to be filled by who writes the event.
            (Some(_), _) | (None, config::ErrorKind::Unfilled) => error.to_string(),
            (None, _) => format!("the description of this event does not fit: {error}"),
        };
        let message = format!("{what} (PMU `{}`)", pmu.name());
        let wrong = error.term();
        let terms: Vec<&str> = pmu.formats().map(|(name, _)| name).collect();
        // The word that may have been meant for the name of an event.
        let (near_to, may_be_event) = match wrong.value {
            None => (wrong.name, true),
            Some(value) if wrong.name.eq_ignore_ascii_case("event") => (value, true),
            Some(_) => (wrong.name, false),
        };
        let mut near = error::Nearest::to(near_to);
        if may_be_event {
            self.offer_events(pmu, &mut near);
            let of_table = self.tables.model().and_then(|model| model.nearest(near_to));
            of_table.into_iter().for_each(|name| near.offer(name));
        }
        match error.kind() {
            config::ErrorKind::UnknownTerm => {
                terms.iter().for_each(|term| near.offer(term));
                Error::new(ErrorKind::UnknownTerm, span, message)
                    .with_suggestion(near.found())
                    .with_known(terms.into_iter().map(String::from).collect())
            }
            kind @ config::ErrorKind::NotANumber if may_be_event => {
                Error::new(ErrorKind::Term(kind), span, message).with_suggestion(near.found())
            }
            kind => Error::new(ErrorKind::Term(kind), span, message),
        }
    }

    /// The names that a PMU has of itself, and from the sys tables.
    fn offer_events(&self, pmu: &Pmu, near: &mut error::Nearest<'_>) {
        // One in mixed case would not be found.
        let is_found = |name: &&str| {
            let has = |case: fn(&u8) -> bool| name.as_bytes().iter().any(case);
            !(has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase))
        };
        pmu.event_names().filter(is_found).for_each(|name| near.offer(name));
        if let (Some(tree), Some(identifier)) = (self.tables.tree(), pmu.identifier()) {
            tree.sys_events(pmu.name(), identifier).for_each(|event| near.offer(event.name()));
        }
    }

    /// Neither an event nor a PMU.
    fn unknown(&self, event: EventRef<'a>, name: &str) -> Error {
        let span = event.head_span();
        if self.sysfs.matching(name).next().is_some() {
            let message = format!("`{name}` is a PMU, not an event");
            let suggestion = Some(format!("{name}//"));
            return Error::new(ErrorKind::UnknownEvent, span, message).with_suggestion(suggestion);
        }
        let mut near = error::Nearest::to(name);
        let of_table = self.tables.model().and_then(|model| model.nearest(name));
        let generic = crate::event_list::nearest_generic(name);
        generic.into_iter().chain(of_table).for_each(|name| near.offer(name));
        for pmu in self.sysfs.pmus() {
            self.offer_events(pmu, &mut near);
            if event.has_slashes() {
                near.offer(crate::pmu::base_name(pmu.name()));
            }
        }
        let (kind, message) = if event.has_slashes() {
            (ErrorKind::UnknownPmu, format!("there is neither a PMU nor an event `{name}`"))
        } else {
            (ErrorKind::UnknownEvent, format!("no PMU has an event `{name}`"))
        };
        Error::new(kind, span, message).with_suggestion(near.found())
    }
}

fn two_events(span: Range<usize>) -> Error {
    let message = "two events between one pair of slashes: a counter has one";
    Error::new(ErrorKind::TwoEvents, span, message)
}

/// The event that a term may name: `name` alone, unless it is a format, or
/// `event=name` (`pmu_find_alias` in `tools/perf/util/pmu.c`).
fn event_of_term<'a>(term: Term<'a>, pmu: &Pmu) -> Option<&'a str> {
    match term.value() {
        Value::None if pmu.format(term.name()).is_none() => Some(term.name()),
        Value::Text(value) if term.name().eq_ignore_ascii_case("event") => Some(value),
        _ => None,
    }
}

fn start<'a>(
    event: EventRef<'a>,
    terms: ItsTerms<'a>,
    pmu: Option<&'a Pmu>,
    kind: u32,
    config: [u64; 4],
) -> Resolved<'a> {
    Resolved {
        name: event.name(),
        event: 0,
        pmu,
        kind,
        config,
        breakpoint: None,
        tracepoint: None,
        tool: None,
        settings: Settings::default(),
        attributes: Attributes::default(),
        has_default_sampling: false,
        unit: "",
        scale: 1.0,
        is_per_package: false,
        is_snapshot: false,
        leader: 0,
        group_len: 1,
        max_precise: None,
        terms,
    }
}

/// `default_breakpoint_len` in `tools/perf/util/parse-events.c`
const fn default_length(breakpoint: Breakpoint) -> u64 {
    let only_execute = breakpoint.execute && !breakpoint.read && !breakpoint.write;
    if only_execute && !cfg!(target_arch = "aarch64") { size_of::<usize>() as u64 } else { 4 }
}

#[cfg(test)]
mod tests;
