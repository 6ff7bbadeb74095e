//! The NMI watchdog, which counts cycles on each CPU.

use std::format;

use super::Fact;
use crate::check::capacity;
use crate::system::System;

pub(super) fn of(system: &System) -> Option<Fact> {
    if !system.has_nmi_watchdog() {
        return None;
    }
    let core = system.sysfs().core_pmus().next();
    let costs = match core.and_then(|pmu| capacity::has_fixed_cycles(pmu, system)) {
        Some(true) => "the fixed counter of cycles, so that an event of cycles takes a general one",
        Some(false) => "one general counter",
        None => "one counter",
    };
    let text = format!(
        "the NMI watchdog is on and holds a counter of each CPU: {costs}; `sysctl \
         kernel.nmi_watchdog=0` frees it"
    );
    Some(Fact::new("watchdog", text))
}
