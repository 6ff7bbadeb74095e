//! What a machine says about the events that its architecture names.

use crate::Event;
use crate::cpuid::{self, Architectural};
use crate::sysfs::Pmu;
use crate::term::Terms;

/// Whether a core PMU has an event of the table of its architecture; `None` if nothing
/// tells. `of_cpu` is what the running CPU says itself.
pub(super) fn has(
    pmu: &Pmu,
    cpuid: &str,
    event: Event,
    of_cpu: Option<Architectural>,
) -> Option<bool> {
    if !pmu.is_core() {
        return None;
    }
    let architectural = match cpuid::architecture(cpuid)? {
        "arm64" => of_driver(pmu),
        "x86" => of_cpu,
        _ => None,
    };
    architectural?.has(event)
}

/// The registers PMCEID of an Arm core as its driver has read them: among the events that it
/// names are those common ones that the core implements, and no others
/// (`armv8pmu_event_attr_is_visible` in `drivers/perf/arm_pmuv3.c`). `None` if it names none.
fn of_driver(pmu: &Pmu) -> Option<Architectural> {
    /// The first event of the upper half of each register.
    const EXTENDED: u64 = 0x4000;
    let mut pmceid = [0; 2];
    for alias in pmu.events() {
        let term = Terms::new(&alias.terms).last_named("event");
        let (number, half) = match term.and_then(|term| term.number()) {
            Some(code @ 0..64) => (code, 0),
            Some(code) if (EXTENDED..EXTENDED + 64).contains(&code) => (code - EXTENDED, 32),
            _ => continue,
        };
        pmceid[usize::from(number >= 32)] |= 1 << (number % 32 + half);
    }
    (pmceid != [0; 2]).then(|| Architectural::of_pmceid(pmceid[0], pmceid[1]))
}
