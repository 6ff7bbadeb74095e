//! Resolving one event of a list on one system.

use std::format;
use std::vec::Vec;

use super::alias::{Description, Lookup};
use super::clock::{Clock, KERNEL_IN_PERF};
use super::draft::Draft;
use super::found::Found;
use super::generic::Generic;
use super::parsed::Written;
use super::terms::{self, AttributeTerm, ItsTerms};
use super::{Error, ErrorKind, tool, tracepoint};
use crate::config::Sampling;
use crate::format::{Word, Words};
use crate::perf_type;
use crate::pmu::DEFAULT_CORE;
use crate::sysfs::{Pmu, Sysfs, Tracepoint};
use crate::system::{GenericNames, System, Tables, Topology, drm};
use pmu_events_core::__private::event_list::{
    Breakpoint, Cache, EventKind, Hardware, Software, TermKind, TermRef, TermValue, Tool,
    cache_named, generic_named,
};
use pmu_events_core::__private::term::PerfTerm;

#[derive(Clone, Copy)]
pub(super) struct Resolver<'a> {
    pub(super) text: &'a str,
    pub(super) tables: &'a Tables,
    pub(super) sysfs: &'a Sysfs,
    pub(super) topology: &'a Topology,
    pub(super) system: &'a System,
    /// Whether errors contain suggestions, which requires a search among all names.
    pub(super) suggests: bool,
}

impl<'a> Resolver<'a> {
    /// Appends the drafts of an event, at least one unless there is an error.
    pub(super) fn event(&self, event: Written<'a, '_>, found: &mut Found<'a>) -> Result<(), Error> {
        self.of_kind(event, &self.text[event.event().head_span()], event.kind(), found)
    }

    fn of_kind(
        &self,
        event: Written<'a, '_>,
        name: &'a str,
        kind: EventKind<'a>,
        found: &mut Found<'a>,
    ) -> Result<(), Error> {
        let draft = match kind {
            EventKind::Name(name) => return self.named(event, name, found),
            EventKind::Pmu(written) => return self.on_pmus(event, written, found),
            EventKind::Hardware(hardware) => {
                let code = (perf_type::HARDWARE, hardware.config());
                return match self.system.generic_names() {
                    GenericNames::Kernel => self.on_cores(event, code, found),
                    GenericNames::Pmu => self.on_pmus_or_cores(event, name, code, found),
                };
            }
            EventKind::Cache { name, event: cache } => {
                return self.cache(event, name, cache, found);
            }
            EventKind::Tracepoint { system, event: name } => {
                let all = tracepoint::find(event.event(), (system, name), self.sysfs.tracing())?;
                for (tracepoint, id) in all {
                    found.push(self.tracepoint(event, tracepoint, id)?);
                }
                return Ok(());
            }
            EventKind::Software(software) => {
                self.numeric(event, perf_type::SOFTWARE, software.config())?
            }
            EventKind::Raw { config } => self.numeric(event, perf_type::RAW, config)?,
            EventKind::Numeric { r#type, config } => self.numeric(event, r#type, config)?,
            EventKind::Breakpoint(breakpoint) => self.breakpoint(event, breakpoint)?,
            EventKind::Tool(of) => {
                tool::only_named(event, None)?;
                tool::event(event, of)
            }
            // A variant of a later grammar: no PMU has it.
            _ => return Err(self.unknown(event.event(), "")),
        };
        found.push(draft);
        Ok(())
    }

    /// An event that any PMU may have (`parse_events_multi_pmu_add`).
    ///
    /// A generic event in another letter case is the generic event, unless a PMU has one
    /// that is spelled so: s390's `INSTRUCTIONS`.
    fn named(
        &self,
        event: Written<'a, '_>,
        name: &'a str,
        found: &mut Found<'a>,
    ) -> Result<(), Error> {
        let start = found.len();
        let lookup = Lookup::new(name, self.tables, self.sysfs);
        if let Some(generic) = generic_named(name) {
            let mut is_spelled_so = false;
            for pmu in self.sysfs.pmus() {
                is_spelled_so = is_spelled_so || lookup.is_spelled_so_on(pmu);
            }
            if !is_spelled_so {
                return self.of_kind(event, name, generic, found);
            }
        }
        let mut pmus = Vec::new();
        for all in [self.sysfs.pmus(), self.drivers(name)] {
            for pmu in all {
                if lookup.is_on(pmu) {
                    pmus.push(pmu);
                }
            }
        }
        match (self.on_each(event, Some(&lookup), pmus, found)?, name.parse::<Tool>().ok()) {
            _ if found.len() > start => Ok(()),
            (Some(error), _) => Err(error),
            (None, Some(of)) => self.of_kind(event, name, EventKind::Tool(of), found),
            (None, None) => Err(self.unknown(event.event(), name)),
        }
    }

    /// `parse_events_multi_pmu_add_or_add_pmu`
    fn on_pmus(
        &self,
        event: Written<'a, '_>,
        written: &'a str,
        found: &mut Found<'a>,
    ) -> Result<(), Error> {
        if let Some(pmu) = self.sysfs.pmu(written) {
            found.push(self.on_pmu(event, None, pmu, &mut Vec::new())?);
            return Ok(());
        }
        let start = found.len();
        let mut pmus = Vec::new();
        for pmu in self.sysfs.matching(written) {
            pmus.push(pmu);
        }
        if written == DEFAULT_CORE {
            // As perf of Linux 7.3, which takes the first of several core PMUs.
            for pmu in self.sysfs.core_pmus() {
                pmus.push(pmu);
            }
        }
        for pmu in self.drivers(written) {
            if pmu.is_meant_by(written) {
                pmus.push(pmu);
            }
        }
        match self.on_each(event, None, pmus, found)? {
            _ if found.len() > start => Ok(()),
            Some(error) => Err(error),
            None if written == tool::PMU => {
                found.push(tool::on_pmu(event, self.suggests)?);
                Ok(())
            }
            None => self.named(event, written, found),
        }
    }

    /// An event of several PMUs. perf opens the event wherever it can, if it can
    /// anywhere: the result is one of the refusals, which matters only without drafts.
    fn on_each(
        &self,
        event: Written<'a, '_>,
        named: Option<&Lookup<'a>>,
        pmus: Vec<&'a Pmu>,
        found: &mut Found<'a>,
    ) -> Result<Option<Error>, Error> {
        let mut all = Vec::new();
        let mut refused = None;
        for pmu in pmus {
            match self.suggesting(refused.is_none()).on_pmu(event, named, pmu, &mut all) {
                Ok(draft) => found.push(draft),
                // Without one of the instances, the sum would be too small.
                Err(error) if error.kind() == ErrorKind::Unreadable => return Err(error),
                // A PMU that has the term says more than one that lacks it.
                Err(error) => {
                    found.refuse(pmu, error.clone());
                    if refused.is_none() || error.kind() == ErrorKind::BesideCode {
                        refused = Some(error);
                    }
                }
            }
        }
        Ok(refused)
    }

    /// The graphics drivers, if a name may be one of them or of their events: finding them
    /// takes a look at all processes.
    fn drivers(&self, name: &str) -> &'a [Pmu] {
        if name.starts_with(drm::PREFIX) { self.system.drm_pmus() } else { &[] }
    }

    /// Only one of several refusals is shown, so only one needs suggestions.
    fn suggesting(self, suggests: bool) -> Self {
        Resolver { suggests: self.suggests && suggests, ..self }
    }

    /// An event of one PMU (`parse_events_add_pmu`). `named` is an event whose name
    /// precedes the terms.
    fn on_pmu(
        &self,
        event: Written<'a, '_>,
        named: Option<&Lookup<'a>>,
        pmu: &'a Pmu,
        all: &mut Vec<AttributeTerm<'a>>,
    ) -> Result<Draft<'a>, Error> {
        all.clear();
        let (mut description, mut described) = (None, None);
        let written = |term: TermRef<'a>| AttributeTerm { term: term.plain(), is_default: false };
        for (number, &term) in event.terms.iter().enumerate() {
            let Some((terms, found)) = self.stands_for(term, pmu)? else {
                all.push(written(term));
                continue;
            };
            description = found.or(description);
            if described.replace((number, terms)).is_some() {
                return Err(Error::two_events(term.span()));
            }
            terms::add_described(terms, all);
        }
        if let Some(found) = named.and_then(|lookup| lookup.on(pmu)) {
            description = Some(found);
            if described.replace((usize::MAX, found.terms)).is_some() {
                return Err(Error::two_events(event.head_span()));
            }
            let written = all.len();
            terms::add_described(found.terms, all);
            // As for a word of the grammar, terms come after a code of the kernel.
            if Generic::is_in(found.terms, pmu) {
                all.rotate_left(written);
            }
        }
        let generic = Generic::among(all, pmu);
        let mut of_pmu = Vec::with_capacity(all.len());
        for (number, &one) in all.iter().enumerate() {
            if generic.is_none_or(|generic| !generic.replaces(number, one, pmu)) {
                of_pmu.push(one.term);
            }
        }
        let format = |name: &str| if generic.is_some() { None } else { pmu.format(name) };
        let encoded = match terms::encoded(&of_pmu, &format) {
            Ok(encoded) => encoded,
            Err(error) if generic.is_some() && pmu.format(error.term().name()).is_some() => {
                return Err(self.beside_code(event.event(), error));
            }
            Err(error) => return Err(self.refused(event.event(), pmu, error)),
        };
        if pmu.has_sensors() && pmu.event_of(encoded.words().config()).is_none() {
            return Err(Error::no_sensor(event.head_span(), pmu, encoded.words().config()));
        }
        let Some(own) = pmu.type_() else {
            let message = format!("the type of PMU `{}` is unknown", pmu.name());
            return Err(Error::new(ErrorKind::NoType, event.head_span(), message));
        };
        let mut resolved = Draft::start(
            event.name(),
            ItsTerms { written: event.event().terms(), described },
            Some(pmu),
            own,
            encoded.words(),
        );
        if let Some(generic) = generic {
            resolved.type_ = generic.type_;
            let config = generic.config.map_or(0, |config| config | self.extension(Some(pmu)));
            resolved.words = resolved.words.union(Words::new(config));
        }
        resolved.attributes = encoded.attributes();
        if all.is_empty() {
            clock_unit(&mut resolved);
        }
        output_period(&mut resolved);
        resolved.is_snapshot = pmu.has_sensors();
        if resolved.attributes.sampling().is_some() {
            for one in all.iter() {
                if matches!(one.term.name(), "period" | "freq") {
                    resolved.has_default_sampling = one.is_default;
                }
            }
        }
        if let Some(found) = description {
            found.check(event.head_span())?;
            resolved.table_event = found.event;
            (resolved.scale, resolved.unit) = (found.scale, found.unit);
            resolved.is_per_package = found.is_per_package;
            resolved.is_snapshot |= found.is_snapshot;
        }
        Ok(resolved)
    }

    /// The terms to which a term expands on a PMU if it names an event: one of the
    /// PMU's own, or a generic one.
    fn stands_for(
        &self,
        term: TermRef<'a>,
        pmu: &'a Pmu,
    ) -> Result<Option<(&'a str, Option<Description<'a>>)>, Error> {
        let name = match term.kind() {
            TermKind::Hardware(_) | TermKind::Cache | TermKind::Raw(_) => Some(term.name()),
            TermKind::Format => event_of_term(term, pmu),
            _ => None,
        };
        // As a value (`event=cycles`), a name is only that of one of the PMU's own events.
        let is_value = term.value() != TermValue::None;
        let found = name.and_then(|name| {
            let lookup = Lookup::new(name, self.tables, self.sysfs);
            if is_value && !lookup.is_own_of(pmu) { None } else { lookup.on(pmu) }
        });
        if let Some(found) = found {
            // A format takes precedence over an event of the same name.
            let is_format = !is_value && pmu.format(term.name()).is_some();
            return Ok((!is_format).then_some((found.terms, Some(found))));
        }
        let is_of_kernel = self.system.generic_names() == GenericNames::Kernel;
        // In any letter case.
        let is_word = match term.kind() {
            TermKind::Hardware(_) | TermKind::Cache => true,
            // Only to later perf, `event=cycles` is another spelling.
            TermKind::Format => !is_value || !is_of_kernel,
            _ => false,
        };
        let Some(name) = name.filter(|_| is_word) else { return Ok(None) };
        // To perf of Linux 6.12, any PMU has them.
        let has_hardware = pmu.is_core() || is_of_kernel;
        if let Some(hardware) = name.parse::<Hardware>().ok().filter(|_| has_hardware) {
            return Ok(Some((hardware.event_string(), None)));
        }
        match cache_named(name).filter(|_| pmu.is_core()) {
            Some(Ok(cache)) => Ok(Some((cache.event_string(), None))),
            Some(Err(error)) => Err(Error::cache(error, term)),
            None => Ok(None),
        }
    }

    /// A generic hardware event (`parse_events_add_numeric` with `wildcard`).
    fn on_cores(
        &self,
        event: Written<'a, '_>,
        (type_, config): (u32, u64),
        found: &mut Found<'a>,
    ) -> Result<(), Error> {
        if !self.has_extended_types() {
            found.push(self.generic(event, type_, config, None)?);
            return Ok(());
        }
        for pmu in self.sysfs.core_pmus() {
            found.push(self.generic(event, type_, config, Some(pmu))?);
        }
        Ok(())
    }

    /// A generic hardware event as an event of PMUs.
    fn on_pmus_or_cores(
        &self,
        event: Written<'a, '_>,
        name: &'a str,
        code: (u32, u64),
        found: &mut Found<'a>,
    ) -> Result<(), Error> {
        self.own_or_generic(event, name, code, event.name(), found)?;
        // Without a core PMU, the kernel may still count it.
        if self.sysfs.core_pmus().next().is_none() {
            found.push(self.generic(event, code.0, code.1, None)?);
        }
        Ok(())
    }

    /// A generic cache event (`parse_events_add_cache`).
    fn cache(
        &self,
        event: Written<'a, '_>,
        name: &'a str,
        cache: Cache,
        found: &mut Found<'a>,
    ) -> Result<(), Error> {
        let start = found.len();
        let is_word = self.system.generic_names() == GenericNames::Kernel;
        let is_named = !is_word || event.has(PerfTerm::Name);
        let shown = if is_named { event.name() } else { name };
        self.own_or_generic(event, name, (perf_type::CACHE, cache.config()), shown, found)?;
        if found.len() == start {
            let message = "this machine has no hardware PMU that counts caches";
            return Err(Error::new(ErrorKind::NoCorePmu, event.head_span(), message));
        }
        Ok(())
    }

    /// An event of the PMUs that have one of that name; the core PMUs that have none count the
    /// kernel's (`parse_events_multi_pmu_add` of Linux 7.3).
    fn own_or_generic(
        &self,
        event: Written<'a, '_>,
        name: &'a str,
        (type_, config): (u32, u64),
        shown: &'a str,
        found: &mut Found<'a>,
    ) -> Result<(), Error> {
        let mut all = Vec::new();
        let lookup = Lookup::new(name, self.tables, self.sysfs);
        for pmu in self.sysfs.pmus() {
            if lookup.is_own_of(pmu) {
                found.push(self.on_pmu(event, Some(&lookup), pmu, &mut all)?);
            } else if pmu.is_core() {
                let generic = self.generic(event, type_, config, Some(pmu))?;
                found.push(Draft { name: shown, ..generic });
            }
        }
        Ok(())
    }

    /// An event given by type and config.
    fn numeric(&self, event: Written<'a, '_>, type_: u32, config: u64) -> Result<Draft<'a>, Error> {
        let mut resolved = self.generic(event, type_, config, None)?;
        resolved.pmu = self.sysfs.of_type(type_);
        clock_unit(&mut resolved);
        output_period(&mut resolved);
        Ok(resolved)
    }

    /// `parse_events_add_breakpoint`
    fn breakpoint(
        &self,
        event: Written<'a, '_>,
        breakpoint: Breakpoint,
    ) -> Result<Draft<'a>, Error> {
        let mut resolved = self.generic(event, perf_type::BREAKPOINT, 0, None)?;
        let len = breakpoint.length().unwrap_or_else(|| default_length(breakpoint));
        // `config1=…` and `config2=…` override them.
        for (word, own, value) in [
            (Word::Config1, PerfTerm::Config1, breakpoint.address()),
            (Word::Config2, PerfTerm::Config2, len),
        ] {
            if !event.has(own) {
                resolved.words = resolved.words.with(word, value);
            }
        }
        resolved.breakpoint = Some(breakpoint);
        resolved.set_default_sampling(Sampling::Period(1));
        Ok(resolved)
    }

    /// `evsel__newtp_idx` in `tools/perf/util/evsel.c`
    fn tracepoint(
        &self,
        event: Written<'a, '_>,
        tracepoint: &'a Tracepoint,
        id: u64,
    ) -> Result<Draft<'a>, Error> {
        let mut resolved = self.generic(event, perf_type::TRACEPOINT, id, None)?;
        resolved.pmu = self.sysfs.of_type(resolved.type_);
        (resolved.name, resolved.is_tracepoint) = (tracepoint.name(), true);
        resolved.set_sampling(Sampling::Period(1));
        Ok(resolved)
    }

    /// An event without a PMU: only perf's own terms are allowed.
    fn generic(
        &self,
        event: Written<'a, '_>,
        type_: u32,
        config: u64,
        pmu: Option<&'a Pmu>,
    ) -> Result<Draft<'a>, Error> {
        let mut terms = Vec::with_capacity(event.terms.len());
        for term in event.terms {
            terms.push(term.plain());
        }
        let encoded = terms::encoded(&terms, &|_| None);
        let encoded = encoded.map_err(|error| self.beside_code(event.event(), error))?;
        let terms = ItsTerms { written: event.event().terms(), described: None };
        let mut resolved = Draft::start(event.name(), terms, pmu, type_, encoded.words());
        // `config=…` overrides it.
        if !event.has(PerfTerm::Config) {
            resolved.words = resolved.words.with(Word::Config, config | self.extension(pmu));
        }
        resolved.attributes = encoded.attributes();
        Ok(resolved)
    }

    /// On a machine with several kinds of cores, the upper half of a generic
    /// event's config selects one (`PERF_PMU_TYPE_SHIFT`).
    fn extension(&self, pmu: Option<&Pmu>) -> u64 {
        match pmu.and_then(Pmu::type_) {
            Some(type_) if self.has_extended_types() => u64::from(type_) << 32,
            _ => 0,
        }
    }

    fn has_extended_types(&self) -> bool {
        self.sysfs.core_pmus().nth(1).is_some()
    }

    pub(super) fn max_precise(&self, resolved: &Draft<'a>) -> Option<u8> {
        let is_generic = matches!(resolved.type_, perf_type::HARDWARE | perf_type::CACHE);
        let core = || self.sysfs.core_pmus().next().filter(|_| is_generic);
        resolved.pmu.or_else(core)?.cap("max_precise")?.parse().ok()
    }
}

/// The event that a term may name: just `name`, unless it is a format, or
/// `event=name` (`pmu_find_alias` in `tools/perf/util/pmu.c`).
fn event_of_term<'a>(term: TermRef<'a>, pmu: &Pmu) -> Option<&'a str> {
    match term.value() {
        TermValue::None if pmu.format(term.name()).is_none() => Some(term.name()),
        TermValue::Text(value) if term.name().eq_ignore_ascii_case("event") => Some(value),
        _ => None,
    }
}

/// perf's unit of the kernel's clocks.
fn clock_unit(resolved: &mut Draft<'_>) {
    if Clock::of(resolved) == Some(Clock::Kernel) {
        (resolved.unit, resolved.scale) = KERNEL_IN_PERF;
    }
}

/// Each output of a BPF program is a sample (also `evsel__new_idx`).
fn output_period(resolved: &mut Draft<'_>) {
    let output = (perf_type::SOFTWARE, Software::BpfOutput.config());
    if (resolved.type_, resolved.words.config()) == output {
        resolved.set_default_sampling(Sampling::Period(1));
    }
}

/// `default_breakpoint_len` in `tools/perf/util/parse-events.c`
const fn default_length(breakpoint: Breakpoint) -> u64 {
    /// `HW_BREAKPOINT_X` (`include/uapi/linux/hw_breakpoint.h`).
    const EXECUTE: u32 = 4;
    if breakpoint.access() == EXECUTE && !cfg!(target_arch = "aarch64") {
        size_of::<usize>() as u64
    } else {
        4
    }
}
