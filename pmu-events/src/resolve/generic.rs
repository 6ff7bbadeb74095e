//! Generic events that replace a PMU's own type.

use super::terms::{self, AttributeTerm};
use crate::perf_type;
use crate::sysfs::Pmu;
use crate::term::Term;
use pmu_events_core::__private::config::assigns_config;

/// A generic event among terms. Written without a value (`cpu/cycles/`), it is
/// encoded as in the tables of later kernels: by a term that sets the type and
/// assigns `config` (`config_term_pmu` in `tools/perf/util/parse-events.c`).
#[derive(Clone, Copy)]
pub(super) struct Generic {
    pub(super) type_: u32,
    /// `None` if a later `config=…` overrides it.
    pub(super) config: Option<u64>,
    /// Its index among the terms.
    number: usize,
}

impl Generic {
    /// Whether a description stands for a code of the kernel.
    pub(super) fn is_in(description: &str, pmu: &Pmu) -> bool {
        for one in terms::described(description) {
            if of(one, pmu).is_some() {
                return true;
            }
        }
        false
    }

    /// Returns the last one, which is the one that counts.
    pub(super) fn among(terms: &[AttributeTerm<'_>], pmu: &Pmu) -> Option<Self> {
        let mut is_assigned = false;
        let mut number = terms.len();
        while number > 0 {
            number -= 1;
            if let Some((type_, config)) = of(terms[number], pmu) {
                let config = if is_assigned { None } else { Some(config) };
                return Some(Generic { type_, config, number });
            }
            is_assigned |= assigns(terms[number].term, pmu);
        }
        None
    }

    /// Whether this event replaces a term, which then sets no bits.
    pub(super) fn replaces(self, number: usize, one: AttributeTerm<'_>, pmu: &Pmu) -> bool {
        of(one, pmu).is_some() || (number < self.number && assigns(one.term, pmu))
    }
}

/// Returns type and config. On PMUs with such events, their expansion may also be
/// written directly.
fn of(one: AttributeTerm<'_>, pmu: &Pmu) -> Option<(u32, u64)> {
    let type_ = match one.term.name() {
        "legacy-hardware-config" => perf_type::HARDWARE,
        "legacy-cache-config" => perf_type::CACHE,
        _ => return None,
    };
    one.term.value()?;
    let config = one.term.number()?;
    (one.is_default || pmu.is_core()).then_some((type_, config))
}

fn assigns(term: Term<'_>, pmu: &Pmu) -> bool {
    assigns_config(term) && (term.name() == "config" || pmu.format(term.name()).is_none())
}
