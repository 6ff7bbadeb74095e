//! Uncore PMUs of Intel's client CPUs, by model (`arch/x86/events/intel/uncore_snb.c`).

use crate::format::Formats;

use super::{format, intel_server};

/// The formats of a PMU of family 18 (Nova Lake), by its name in trees.
pub(super) fn of_family_18(model: u64, pmu: &str) -> Option<Formats<'static>> {
    match (model, pmu) {
        (_, "uncore_ia_core_bridge") => None,
        (1 | 3, pmu) => of_panther_lake(pmu),
        _ => None,
    }
}

/// Panther Lake's; some are known only from the hardware's discovery tables.
fn of_panther_lake(pmu: &str) -> Option<Formats<'static>> {
    Some(match pmu {
        "uncore_imc" | "uncore_sncu" | "uncore_hbo" => intel_server::DISCOVERED,
        "uncore_cbox" | "uncore_santa" | "uncore_ia_core_bridge" => ADL,
        "uncore_cncu" => CLOCK,
        "uncore_imc_free_running" | "uncore_imc_free_running_0" | "uncore_imc_free_running_1" => {
            FREE_RUNNING
        }
        _ => return None,
    })
}

/// The formats of a PMU of family 6, by its name in trees, which number some of them.
pub(super) fn of_pmu(model: u64, pmu: &str) -> Option<Formats<'static>> {
    Some(match model {
        // Sandy Bridge, Ivy Bridge, Haswell, Broadwell, Skylake and its
        // derivatives, Ice Lake, Rocket Lake, Tiger Lake
        0x2a | 0x3a | 0x3c | 0x45 | 0x46 | 0x3d | 0x47 | 0x4e | 0x5e | 0x8e | 0x9e | 0xa5
        | 0xa6 | 0x7d | 0x7e | 0x9d | 0xa7 | 0x8c | 0x8d => match pmu {
            "uncore_cbox" | "uncore_cbox_0" | "uncore_cbox_1" | "uncore_arb" => SNB,
            "uncore_clock" => CLOCK,
            "uncore_imc_free_running"
            | "uncore_imc_free_running_0"
            | "uncore_imc_free_running_1" => FREE_RUNNING,
            _ => return None,
        },
        // Alder and Raptor Lake; Meteor and Arrow Lake
        0x97 | 0x9a | 0xb7 | 0xba | 0xbf | 0xbe | 0xaa | 0xac | 0xc5 | 0xc6 | 0xb5 => {
            match (model, pmu) {
                (0x97 | 0x9a | 0xb7 | 0xba | 0xbf | 0xbe, "uncore_arb") => SNB,
                // The trees' name for `uncore_hac_cbox` differs from the
                // driver's.
                (
                    _,
                    "uncore_cbox" | "uncore_arb" | "uncore_hac_arb" | "uncore_hac_cbo"
                    | "uncore_hac_cbox",
                ) => ADL,
                (_, "uncore_clock" | "uncore_cncu" | "uncore_sncu") => CLOCK,
                (_, "uncore_imc") => ADL_IMC,
                (
                    _,
                    "uncore_imc_free_running"
                    | "uncore_imc_free_running_0"
                    | "uncore_imc_free_running_1",
                ) => FREE_RUNNING,
                _ => return None,
            }
        }
        // Lunar Lake
        0xbd => match pmu {
            "uncore_cbox" | "uncore_arb" => ADL,
            "uncore_hbo" | "uncore_sncu" => LNL,
            "uncore_imc" => ADL_IMC,
            "uncore_imc_free_running"
            | "uncore_imc_free_running_0"
            | "uncore_imc_free_running_1" => FREE_RUNNING,
            _ => return None,
        },
        // Panther and Wildcat Lake
        0xcc | 0xd5 | 0xe5 => return of_panther_lake(pmu),
        _ => return None,
    })
}

formats! {
    pub(super),
    /// CBOX and ARB from Sandy Bridge to Tiger Lake; ARB of Alder Lake.
    SNB {
        "event": "config:0-7",
        "umask": "config:8-15",
        "edge": "config:18",
        "inv": "config:23",
        "cmask": "config:24-28",
    }

    /// The clock since Ice Lake, and `cncu`.
    CLOCK {
        "event": "config:0-7",
    }

    /// CBOX since Alder Lake, all of Meteor Lake, and `santa`.
    ADL {
        "event": "config:0-7",
        "umask": "config:8-15",
        "edge": "config:18",
        "inv": "config:23",
        "threshold": "config:24-29",
    }

    /// The memory controller since Alder Lake.
    ADL_IMC {
        "event": "config:0-7",
        "chmask": "config:8-11",
        "edge": "config:18",
    }

    /// Free-running counters since Tiger Lake.
    FREE_RUNNING {
        "event": "config:0-7",
        "umask": "config:8-15",
    }

    /// Lunar Lake.
    LNL {
        "event": "config:0-7",
        "umask": "config:8-15",
        "edge": "config:18",
        "inv": "config:23",
        "threshold": "config:24-31",
    }
}
