//! The meaning of a code: the config words, and the PMUs whose events may have
//! them.

use pmu_events::__private::event_list::{Cache, Hardware, Software, generic_names};
use pmu_events::__private::pmu;
use pmu_events::format::Words;
use pmu_events::perf_type;
use pmu_events::sysfs::Pmu;

use crate::pointer::pointed_out;
use crate::system::System;

/// Config words, and the PMU that they are for.
pub(crate) struct Meaning<'s> {
    /// `None` for a generic event, which the kernel encodes.
    pub(crate) pmu: Option<&'s Pmu>,
    pub(crate) type_: u32,
    pub(crate) words: Words,
}

/// The meaning of a code, once for each PMU with events of its own.
pub(crate) fn meanings<'s>(system: &'s System, code: &str) -> Result<Vec<Meaning<'s>>, String> {
    let mut found: Vec<Meaning<'s>> = Vec::new();
    for text in event_strings(system, code) {
        let resolved = system.require(&text);
        let resolved = resolved.map_err(|error| pointed_out(&text, &error))?;
        for one in &resolved {
            let (type_, words) = (one.type_(), one.words());
            // The same PMU, as one of the system instead of the resolution.
            let named = one.pmu().and_then(|pmu| system.sysfs().pmu(pmu.name()));
            let pmus: Vec<Option<&Pmu>> = match (type_, named) {
                (perf_type::RAW, None) => system.sysfs().core_pmus().map(Some).collect(),
                (_, Some(pmu)) if pmu.type_() == Some(type_) => vec![Some(pmu)],
                _ => vec![None],
            };
            for pmu in pmus {
                let is_same = |other: &Meaning<'_>| {
                    let bases =
                        [other.pmu, pmu].map(|pmu| pmu.map(|pmu| pmu::base_name(pmu.name())));
                    other.words == words && other.type_ == type_ && bases[0] == bases[1]
                };
                if !found.iter().any(is_same) {
                    found.push(Meaning { pmu, type_, words });
                }
            }
        }
    }
    Ok(found)
}

/// A code in perf's notation for events. Bare terms and words apply to each core
/// PMU, or to the one that `pmu=` names.
fn event_strings(system: &System, code: &str) -> Vec<String> {
    let code = code.trim();
    if let Some(digits) = code.strip_prefix("0x").or_else(|| code.strip_prefix("0X")) {
        return vec![format!("r{digits}")];
    }
    if code.contains('/') || !code.contains('=') {
        return vec![code.into()];
    }
    let terms = code.split([',', ' ']).filter(|term| !term.is_empty());
    let (pmus, terms): (Vec<&str>, Vec<&str>) = terms.partition(|term| term.starts_with("pmu="));
    let terms = terms.join(",");
    let on = |pmu: &str| format!("{pmu}/{terms}/");
    match pmus.last() {
        Some(pmu) => vec![on(&pmu["pmu=".len()..])],
        None => system.sysfs().core_pmus().map(|pmu| on(pmu.name())).collect(),
    }
}

/// The names of the generic events of a type and a number.
pub(crate) fn generic(type_: u32, config: u64) -> Vec<&'static str> {
    // With several kinds of cores, the upper half says which one.
    let number = if type_ == perf_type::SOFTWARE { config } else { config & 0xffff_ffff };
    let is_it = |name: &&str| {
        let hardware =
            name.parse::<Hardware>().ok().map(|event| (perf_type::HARDWARE, event.config()));
        let software =
            || name.parse::<Software>().ok().map(|event| (perf_type::SOFTWARE, event.config()));
        let cache = || name.parse::<Cache>().ok().map(|event| (perf_type::CACHE, event.config()));
        hardware.or_else(software).or_else(cache) == Some((type_, number))
    };
    generic_names().filter(is_it).collect()
}
