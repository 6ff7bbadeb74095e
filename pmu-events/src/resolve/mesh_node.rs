//! A node of an Arm mesh that an event names in vain.

use super::draft::Draft;
use crate::format::Words;
use crate::sysfs::Pmu;

/// The prefix of the PMU names of meshes, which is followed by a number
/// (`arm_cmn_probe` in `drivers/perf/arm-cmn.c`).
const PREFIX: &str = "arm_cmn_";

/// The type of the cycle counter, which is the same for all nodes
/// (`CMN_TYPE_DTC`).
const CYCLES: u64 = 3;

/// Whether an event has a `nodeid`, and no `bynodeid` without which the driver
/// ignores it (`arm_cmn_event_init` in `drivers/perf/arm-cmn.c`).
pub(super) fn is_ignored(draft: &Draft<'_>) -> bool {
    let Some(pmu) = draft.pmu.filter(|pmu| pmu.name().starts_with(PREFIX)) else {
        return false;
    };
    let bits = |term| bits(pmu, term, draft.words);
    // A node may have the id 0.
    let is_named = || {
        if bits("nodeid").is_some_and(|id| id != 0) {
            return true;
        }
        for one in draft.terms.all() {
            if one.term.name().eq_ignore_ascii_case("nodeid") {
                return true;
            }
        }
        false
    };
    bits("bynodeid") == Some(0) && bits("type") != Some(CYCLES) && is_named()
}

fn bits(pmu: &Pmu, term: &str, words: Words) -> Option<u64> {
    pmu.format(term).map(|format| format.value_in(words))
}
