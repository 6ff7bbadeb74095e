//! Generic events that take the place of a PMU's own type.

use super::terms::AttributeTerm;
use crate::config;
use crate::event_list::{Cache, Hardware};
use crate::sysfs::Pmu;
use crate::term::Term;

/// A generic event among terms. Written without value (`cpu/cycles/`) it is
/// described as the tables of later kernels do: by a term that gives the type
/// and assigns `config` (`config_term_pmu` in
/// `tools/perf/util/parse-events.c`).
#[derive(Clone, Copy)]
pub(super) struct Generic {
    pub(super) type_: u32,
    /// `None` where a `config=…` behind it counts.
    pub(super) config: Option<u64>,
    /// Its number among the terms.
    number: usize,
}

impl Generic {
    /// The one that counts: the last.
    pub(super) fn among(terms: &[AttributeTerm<'_>], pmu: &Pmu) -> Option<Self> {
        let generic = |(number, one): (usize, &_)| Some((number, of(*one, pmu)?));
        let (number, (type_, config)) = terms.iter().enumerate().rev().find_map(generic)?;
        let is_assigned = terms.iter().skip(number + 1).any(|one| assigns(one.term, pmu));
        Some(Generic { type_, config: (!is_assigned).then_some(config), number })
    }

    /// Whether a term is one that sets no bits because this one counts.
    pub(super) fn replaces(self, number: usize, one: AttributeTerm<'_>, pmu: &Pmu) -> bool {
        of(one, pmu).is_some() || (number < self.number && assigns(one.term, pmu))
    }
}

/// Type and config. What an event stands for may be written, too, of the PMUs
/// that have such events.
fn of(one: AttributeTerm<'_>, pmu: &Pmu) -> Option<(u32, u64)> {
    let type_ = match one.term.name {
        "legacy-hardware-config" => Hardware::TYPE,
        "legacy-cache-config" => Cache::TYPE,
        _ => return None,
    };
    one.term.value?;
    let config = one.term.number()?;
    (one.is_default || pmu.is_core()).then_some((type_, config))
}

fn assigns(term: Term<'_>, pmu: &Pmu) -> bool {
    config::assigns_config(term) && (term.name == "config" || pmu.format(term.name).is_none())
}
