//! AMD's uncore PMUs, by family (`arch/x86/events/amd/uncore.c`).

use crate::format::Formats;

use super::format;

/// The formats of a PMU, by its name in trees.
pub(super) fn of_pmu(family: u64, model: u64, pmu: &str) -> Option<Formats<'static>> {
    // Version 2 of performance monitoring was introduced with Zen 4
    // (`X86_FEATURE_PERFMON_V2`).
    let is_v2 = family > 0x19
        || (family == 0x19 && matches!(model, 0x10..=0x1f | 0x60..=0x7f | 0x90..=0xaf));
    Some(match (family, pmu) {
        (0x19.., "amd_l3") => L3_19H,
        (0x17 | 0x18, "amd_l3") => L3_17H,
        (_, "amd_df") if is_v2 => DF_V2,
        (0x17.., "amd_df") => DF_17H,
        (_, "amd_umc") if is_v2 => UMC,
        _ => return None,
    })
}

formats! {
    pub(super),
    /// L3 of families 17h and 18h: Zen, Zen 2.
    L3_17H {
        "event": "config:0-7",
        "umask": "config:8-15",
        "slicemask": "config:48-51",
        "threadmask": "config:56-63",
    }

    /// L3 since family 19h: Zen 3.
    L3_19H {
        "event": "config:0-7",
        "umask": "config:8-15",
        "coreid": "config:42-44",
        "enallslices": "config:46",
        "enallcores": "config:47",
        "sliceid": "config:48-50",
        "threadmask": "config:56-57",
    }

    /// The data fabric since family 17h.
    DF_17H {
        "event": "config:0-7,32-35,59-60",
        "umask": "config:8-15",
    }

    /// The data fabric since Zen 4.
    DF_V2 {
        "event": "config:0-7,32-37",
        "umask": "config:8-15,24-27",
    }

    /// Unified memory controllers since Zen 4.
    UMC {
        "event": "config:0-7",
        "rdwrmask": "config:8-9",
    }
}
