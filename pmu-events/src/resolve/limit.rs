//! The CPUs to which `cpu` terms limit an event.

use core::ops::Range;
use std::format;
use std::string::{String, ToString};
use std::sync::Arc;

use super::draft::Draft;
use super::found::Found;
use super::parsed::Written;
use super::resolver::Resolver;
use super::terms::AttributeTerm;
use super::{Error, ErrorKind};
use crate::sysfs::{CpuSet, Pmu, Problem};
use pmu_events_core::__private::name::Nearest;

impl<'a> Resolver<'a> {
    /// Limits an event to the CPUs that its `cpu` terms name, together
    /// (`get_config_cpu` in `tools/perf/util/parse-events.c` of Linux 6.17), and drops
    /// the PMUs that have none of them (`__perf_evlist__propagate_maps` in
    /// `tools/lib/perf/evlist.c`).
    pub(super) fn limited(
        &self,
        event: Written<'a, '_>,
        found: &mut Found<'a>,
        start: usize,
    ) -> Result<(), Error> {
        let mut is_limited = false;
        for draft in &found.drafts[start..] {
            is_limited |= draft.attributes.cpu().is_some();
        }
        if !is_limited {
            return Ok(());
        }
        let mut refused = None;
        for mut draft in found.drafts.split_off(start) {
            let named = self.named_cpus(event, &draft)?;
            // An invalid list of the PMU is reported when the event is opened.
            let of_pmu = draft.pmu.and_then(|pmu| Some((pmu, pmu.cpus().ok()??)));
            let limit = match of_pmu {
                Some((_, cpus)) => cpus.intersection(&named),
                None => named.clone(),
            };
            if let (true, Some((pmu, cpus))) = (limit.is_empty(), of_pmu) {
                let message = format!(
                    "PMU `{}` does not count on CPU {named}: its CPUs are {cpus}",
                    pmu.name()
                );
                refused.get_or_insert(Error::new(ErrorKind::NoCpu, event.span(), message));
            }
            if !limit.is_empty() {
                draft.limit = Some(Arc::new(limit));
                found.push(draft);
            }
        }
        match refused {
            Some(error) if found.len() == start => Err(error),
            _ => Ok(()),
        }
    }

    /// The union of all `cpu` terms of an event.
    fn named_cpus(&self, event: Written<'a, '_>, draft: &Draft<'a>) -> Result<CpuSet, Error> {
        let mut all = CpuSet::default();
        for AttributeTerm { term, .. } in draft.terms.all() {
            if term.name() != "cpu" {
                continue;
            }
            let value = term.value().unwrap_or_default();
            let span = self.place_of(value).unwrap_or(event.span());
            all = all.union(&match term.number() {
                Some(number) => self.cpus_of(&number.to_string(), span)?,
                None => self.cpus_of(value, span)?,
            });
        }
        Ok(all)
    }

    fn cpus_of(&self, value: &str, span: Range<usize>) -> Result<CpuSet, Error> {
        let refused = |message| Error::new(ErrorKind::NoCpu, span.clone(), message);
        let unreadable = |problem: &Problem| {
            Error::new(ErrorKind::Unreadable, span.clone(), problem.to_string())
        };
        if let Some(pmu) = self.sysfs.pmu(value) {
            return match pmu.cpus().map_err(unreadable)?.filter(|cpus| !cpus.is_empty()) {
                Some(cpus) => Ok(cpus.clone()),
                // Cores of one kind need no list.
                None if pmu.is_core() => Ok(self.topology.online().map_err(unreadable)?.clone()),
                None => Err(refused(format!("PMU `{value}` has no list of CPUs"))),
            };
        }
        let cpus = match value.parse::<CpuSet>() {
            Ok(cpus) if !cpus.is_empty() => cpus,
            _ => {
                let names = self.sysfs.pmus().iter().map(Pmu::name);
                let nearest =
                    if self.suggests { Nearest::instead_of(value).among(names) } else { None };
                let message = format!("`{value}` is neither a CPU, a range of CPUs, nor a PMU");
                return Err(refused(message).with_suggestion(nearest.map(String::from)));
            }
        };
        // Without the file, the machine is not at hand.
        if let Some(present) = self.topology.present().map_err(unreadable)?
            && let Some(absent) = cpus.iter().find(|&cpu| !present.contains(cpu))
        {
            let message = format!("this machine has no CPU {absent}: its CPUs are {present}");
            return Err(refused(message));
        }
        Ok(cpus)
    }

    /// The position of a part of the text; `None` for a part of a description.
    fn place_of(&self, part: &str) -> Option<Range<usize>> {
        let start = part.as_ptr().addr().checked_sub(self.text.as_ptr().addr())?;
        let span = start..start.checked_add(part.len())?;
        (span.end <= self.text.len()).then_some(span)
    }
}
