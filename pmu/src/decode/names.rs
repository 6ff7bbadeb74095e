//! Names that are not the tables': those of LIKWID and libpfm4, and those of other CPUs.

use pmu_events::format::{Format, Formats, Words};
use pmu_events::sysfs::Pmu;
use pmu_events::{Event, config, term, term::Terms};

use super::coded::OfModel;
use super::codes::events_of;
use crate::system::System;
use crate::trees::{Table, Trees};

/// A name of another tool, as the words of events that a table has.
pub(crate) struct Spelt<'s> {
    pub(crate) pmu: &'s Pmu,
    pub(crate) words: Words,
    /// The events that are meant.
    pub(crate) events: Vec<OfModel>,
}

/// A name of other CPUs, which has a code there.
pub(crate) struct Elsewhere {
    pub(crate) words: Words,
    /// The tables that have the name with this code.
    pub(crate) tables: Vec<Table>,
}

/// A name in parts: `L2_RQSTS:MISS:c=1` of libpfm4, `L2_RQSTS_MISS:PMC0:THRESHOLD=1` of LIKWID.
struct Parts<'n> {
    name: &'n str,
    /// Names of unit masks, which libpfm4 has apart.
    umasks: Vec<&'n str>,
    /// Terms of perf with their values.
    terms: Vec<(&'static str, u64)>,
}

impl<'n> Parts<'n> {
    fn of(text: &'n str) -> Option<Self> {
        // libpfm4 may name the table first: `skl::L2_RQSTS:MISS`.
        let text = text.split_once("::").map_or(text, |(_, rest)| rest);
        let mut parts = text.split(':').map(str::trim);
        let name = parts.next().filter(|name| !name.is_empty())?;
        let (mut umasks, mut terms) = (Vec::new(), Vec::new());
        for part in parts {
            let (key, value) = part.split_once('=').unwrap_or((part, "1"));
            let value = term::number(value);
            let lower = key.to_ascii_lowercase();
            let perf = match lower.as_str() {
                "c" | "threshold" => "cmask",
                "i" | "invert" => "inv",
                "e" | "edgedetect" => "edge",
                "t" | "anythread" => "any",
                // They say when to count, or where.
                "u" | "k" | "h" | "g" | "kernel" => continue,
                _ if is_counter(part) => continue,
                _ => {
                    umasks.push(part);
                    continue;
                }
            };
            terms.push((perf, value?));
        }
        Some(Parts { name, umasks, terms })
    }

    /// The names of single events.
    fn names(&self) -> Vec<String> {
        match self.umasks.is_empty() {
            true => vec![self.name.to_string()],
            false => self.umasks.iter().map(|umask| format!("{}.{umask}", self.name)).collect(),
        }
    }
}

/// Whether a part of a name of LIKWID's is a counter: `PMC0`, `FIXC1`, `MBOX2C1`.
fn is_counter(part: &str) -> bool {
    let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
    letters.len() < part.len()
        && letters.starts_with(|c: char| c.is_ascii_uppercase())
        && letters.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
}

/// What is left of a name if case, dots, colons and underscores say nothing.
pub(crate) fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// The events that a name of another tool means.
pub(crate) fn spelt<'s>(system: &'s System, text: &str) -> Vec<Spelt<'s>> {
    let Some(parts) = Parts::of(text) else { return Vec::new() };
    let names: Vec<String> = parts.names().iter().map(|name| plain(name)).collect();
    let all = system.sysfs().pmus().iter();
    all.filter_map(|pmu| spelt_on(system, pmu, &names, &parts.terms)).collect()
}

fn spelt_on<'s>(
    system: &System,
    pmu: &'s Pmu,
    names: &[String],
    terms: &[(&'static str, u64)],
) -> Option<Spelt<'s>> {
    let known = events_of(system, pmu);
    let formats: Vec<(&str, Format)> = pmu.formats().collect();
    let formats = Formats::new(&formats);
    let mut events = Vec::new();
    let mut words = Words::NONE;
    for name in names {
        let named = known.iter().find(|of| plain(of.event.name()) == *name)?;
        words = words.union(encoded(named.event, formats)?);
        events.push(*named);
    }
    for &(term, value) in terms {
        let format = formats.find(term)?;
        let bits = format.scatter(value).ok()?;
        let rest = words.get(format.word()) & !format.mask();
        words = words.with(format.word(), rest | bits);
    }
    Some(Spelt { pmu, words, events })
}

fn encoded(event: Event, formats: Formats<'_>) -> Option<Words> {
    config::encode(Terms::new(event.event_string()), formats).ok().map(|own| own.words())
}

/// The codes that a name has on other CPUs of the same vendor, that of most of them first.
pub(crate) fn elsewhere(
    trees: &'static Trees,
    of: &Table,
    name: &str,
    formats: Formats<'_>,
) -> Vec<Elsewhere> {
    let mut found: Vec<Elsewhere> = Vec::new();
    let is_kin = |table: &Table| !table.sys && table.vendor() == of.vendor();
    for table in trees.all().filter(is_kin) {
        let on_core = table.model.events_named(name);
        let Some(event) = on_core.into_iter().find(|event| is_of_core(*event)) else { continue };
        let Some(words) = encoded(event, formats) else { continue };
        match found.iter_mut().find(|known| known.words == words) {
            Some(known) => known.tables.push(table),
            None => found.push(Elsewhere { words, tables: vec![table] }),
        }
    }
    found.sort_by_key(|one| std::cmp::Reverse(one.tables.len()));
    found
}

/// A table of another vendor's CPU that has a name, if none of this vendor's has it.
pub(crate) fn of_other_vendor(system: &System, trees: &'static Trees, name: &str) -> Option<Table> {
    let core = system.sysfs().core_pmus().next()?;
    let vendor = trees.table_of(system.model_of(core)?)?.vendor();
    let has = |table: &Table| !table.sys && table.model.event(name).is_some();
    let mut with_name = trees.all().filter(has);
    let first = with_name.next()?;
    let is_of_others = first.vendor() != vendor && with_name.all(|table| table.vendor() != vendor);
    is_of_others.then_some(first)
}

fn is_of_core(event: Event) -> bool {
    pmu_events::__private::pmu::is_core(event.pmu())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_names() {
        let cases: &[(&str, &[&str], &[(&str, u64)])] = &[
            ("L2_RQSTS_MISS", &["L2_RQSTS_MISS"], &[]),
            ("L2_RQSTS:MISS", &["L2_RQSTS.MISS"], &[]),
            ("skl::L2_RQSTS:MISS:u:k", &["L2_RQSTS.MISS"], &[]),
            (
                "L2_RQSTS:DEMAND_DATA_RD_HIT:PF_HIT",
                &["L2_RQSTS.DEMAND_DATA_RD_HIT", "L2_RQSTS.PF_HIT"],
                &[],
            ),
            (
                "UOPS_ISSUED:ANY:c=1:i=1:t",
                &["UOPS_ISSUED.ANY"],
                &[("cmask", 1), ("inv", 1), ("any", 1)],
            ),
            (
                "UOPS_ISSUED_ANY:PMC0:THRESHOLD=0x2:EDGEDETECT",
                &["UOPS_ISSUED_ANY"],
                &[("cmask", 2), ("edge", 1)],
            ),
            ("CAS_COUNT_RD:MBOX0C1", &["CAS_COUNT_RD"], &[]),
        ];
        for (text, names, terms) in cases {
            let parts = Parts::of(text).expect("it is a name");
            assert_eq!(
                (parts.names(), &*parts.terms),
                (names.iter().map(|name| name.to_string()).collect(), *terms),
                "{text}"
            );
        }
        assert!(Parts::of(":u").is_none());
        assert_eq!(plain("MEM_LOAD_RETIRED.L3_MISS"), plain("mem_load_retired_l3_miss"));
    }
}
