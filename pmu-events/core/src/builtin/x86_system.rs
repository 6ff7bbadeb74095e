//! PMUs of x86 that are the same on all CPUs.

use crate::format::Formats;

use super::format;

/// The formats of a PMU, by its name in sysfs.
pub(super) fn of_pmu(pmu: &str) -> Option<Formats<'static>> {
    Some(match pmu {
        "msr" => MSR,
        "power" | "power_core" => POWER,
        _ => return None,
    })
}

/// Those of Intel alone.
pub(super) fn of_intel(pmu: &str) -> Option<Formats<'static>> {
    Some(match pmu {
        "cstate_core" | "cstate_pkg" => CSTATE,
        _ => return of_pmu(pmu),
    })
}

formats! {
    pub(super),
    /// Registers with free-running counts (`arch/x86/events/msr.c`).
    MSR {
        "event": "config:0-63",
    }

    /// Times in power states (`arch/x86/events/intel/cstate.c`).
    CSTATE {
        "event": "config:0-63",
    }

    /// Energies (`arch/x86/events/rapl.c`).
    POWER {
        "event": "config:0-7",
    }
}
