//! Formats of core PMUs with an architectural layout, and of Arm's CMN mesh, so
//! that events can be encoded without a running system, even in a `const`.
//!
//! Use it to encode events for a CPU that is not at hand, or where there is no sysfs.
//!
//! [`of_pmu`] also returns the formats of uncore PMUs, whose layout depends on
//! the CPU.
//!
//! They equal what the Linux drivers provide in
//! `/sys/bus/event_source/devices/<pmu>/format/`. If models differ (an old core
//! has no `in_tx`), the list is that of the model with the most terms, since
//! the events in a model's table only use the terms it has. On a running
//! system, prefer sysfs.
//!
//! ```
//! use pmu_events::{arch::x86, builtin};
//!
//! const WORD: u64 =
//!     x86::SILVERMONT.require("BR_MISP_RETIRED.ALL_BRANCHES").require_words(builtin::INTEL).config();
//! assert_eq!(WORD, 0xc5);
//! ```

use crate::format::{Format, Formats};

macro_rules! formats {
    ($vis:vis, $($(#[$doc:meta])* $name:ident { $($term:literal: $bits:literal,)+ })+) => {
        $(
            $(#[$doc])*
            $vis const $name: Formats<'static> =
                Formats::new(const { &[$(($term, format($bits))),+] });
        )+

        #[cfg(test)]
        pub(super) const ALL: &[(&str, Formats<'static>)] = &[$((stringify!($name), $name)),+];
    };
}

mod amd;
mod arm_system;
mod intel_client;
mod intel_server;
mod of_cpu;
mod x86_system;

pub use of_cpu::of_pmu;

const fn format(bits: &str) -> Format {
    match Format::parse(bits) {
        Ok(format) => format,
        Err(_) => panic!("no format"),
    }
}

formats! {
    pub,
    /// Intel cores with architectural performance monitoring up to version 5,
    /// from Core 2 to Meteor Lake (`arch/x86/events/intel/core.c`; Intel SDM,
    /// volume 3, “Architectural Performance Monitoring”).
    INTEL {
        "event": "config:0-7",
        "umask": "config:8-15",
        "edge": "config:18",
        "pc": "config:19",
        "any": "config:21",
        "inv": "config:23",
        "cmask": "config:24-31",
        "in_tx": "config:32",
        "in_tx_cp": "config:33",
        "offcore_rsp": "config1:0-63",
        "ldlat": "config1:0-15",
        "frontend": "config1:0-23",
        "snoop_rsp": "config1:0-63",
    }

    /// Intel cores with version 6, which has a second part of the unit mask and
    /// can count when the number of occurrences equals the counter mask
    /// (`format_attr_umask2` and `format_attr_eq` in
    /// `arch/x86/events/intel/core.c`).
    INTEL_V6 {
        "event": "config:0-7",
        "umask": "config:8-15,40-47",
        "edge": "config:18",
        "pc": "config:19",
        "inv": "config:23",
        "cmask": "config:24-31",
        "in_tx": "config:32",
        "in_tx_cp": "config:33",
        "eq": "config:36",
        "offcore_rsp": "config1:0-63",
        "ldlat": "config1:0-15",
        "frontend": "config1:0-23",
        "snoop_rsp": "config1:0-63",
    }

    /// AMD and Hygon cores since family 10h (`arch/x86/events/amd/core.c`; AMD64
    /// APM, volume 2, 13.2.1 “Performance Counters”).
    ///
    /// The event code consists of two separate parts.
    AMD {
        "event": "config:0-7,32-35",
        "umask": "config:8-15",
        "edge": "config:18",
        "inv": "config:23",
        "cmask": "config:24-31",
    }

    /// Zhaoxin cores (`arch/x86/events/zhaoxin/core.c`).
    ZHAOXIN {
        "event": "config:0-7",
        "umask": "config:8-15",
        "edge": "config:18",
        "inv": "config:23",
        "cmask": "config:24-31",
    }

    /// Arm cores with PMUv3 (`drivers/perf/arm_pmuv3.c`; Arm Architecture
    /// Reference Manual, “The Performance Monitors Extension”).
    ///
    /// `long` requests a 64-bit counter, `rdpmc` access from user space.
    ARMV8_PMUV3 {
        "event": "config:0-15",
        "long": "config1:0",
        "rdpmc": "config1:1",
        "threshold_count": "config1:2",
        "threshold_compare": "config1:3-4",
        "threshold": "config1:5-16",
    }

    /// Apple's M1 and M2 (`drivers/perf/apple_m1_cpu_pmu.c`).
    APPLE_M1 {
        "event": "config:0-7",
    }

    /// POWER8 (`arch/powerpc/perf/isa207-common.c`).
    POWER8 {
        "event": "config:0-49",
        "pmcxsel": "config:0-7",
        "mark": "config:8",
        "combine": "config:11",
        "unit": "config:12-15",
        "pmc": "config:16-19",
        "cache_sel": "config:20-23",
        "sample_mode": "config:24-28",
        "thresh_sel": "config:29-31",
        "thresh_stop": "config:32-35",
        "thresh_start": "config:36-39",
        "thresh_cmp": "config:40-49",
    }

    /// POWER9 (`arch/powerpc/perf/power9-pmu.c`).
    POWER9 {
        "event": "config:0-51",
        "pmcxsel": "config:0-7",
        "mark": "config:8",
        "combine": "config:10-11",
        "unit": "config:12-15",
        "pmc": "config:16-19",
        "cache_sel": "config:20-23",
        "sample_mode": "config:24-28",
        "thresh_sel": "config:29-31",
        "thresh_stop": "config:32-35",
        "thresh_start": "config:36-39",
        "thresh_cmp": "config:40-49",
        "sdar_mode": "config:50-51",
    }

    /// POWER10 and POWER11 (`arch/powerpc/perf/power10-pmu.c`).
    POWER10 {
        "event": "config:0-59",
        "pmcxsel": "config:0-7",
        "mark": "config:8",
        "radix_scope": "config:9",
        "combine": "config:10-11",
        "unit": "config:12-15",
        "pmc": "config:16-19",
        "cache_sel": "config:20-21",
        "sdar_mode": "config:22-23",
        "sample_mode": "config:24-28",
        "thresh_sel": "config:29-31",
        "thresh_stop": "config:32-35",
        "thresh_start": "config:36-39",
        "l2l3_sel": "config:40-44",
        "src_sel": "config:45-46",
        "invert_bit": "config:47",
        "src_mask": "config:48-53",
        "src_match": "config:54-59",
        "thresh_cmp": "config1:0-17",
    }

    /// RISC-V's supervisor binary interface (`drivers/perf/riscv_pmu_sbi.c`;
    /// RISC-V SBI specification, “Performance Monitoring Unit Extension”).
    ///
    /// `firmware` is 2 for the firmware's own events.
    RISCV_SBI {
        "event": "config:0-47",
        "firmware": "config:62-63",
    }

    /// Arm's coherent mesh networks (`arm_cmn_format_attrs` in
    /// `drivers/perf/arm-cmn.c`); the module `cmn` describes the
    /// meaning of the terms.
    ///
    /// Linux 7.3 has `filter`, which is another name of `occupid`, and `filter2`;
    /// Linux 6.12 has neither. Watchpoints have no filters, and their terms share
    /// the bits of these.
    ARM_CMN {
        "type": "config:0-15",
        "eventid": "config:16-26",
        "occupid": "config:27-30",
        "filter": "config:27-30",
        "bynodeid": "config:31",
        "nodeid": "config:32-47",
        "filter2": "config:48-51",
        "wp_dev_sel": "config:48-50",
        "wp_chn_sel": "config:51-55",
        "wp_grp": "config:56-57",
        "wp_exclusive": "config:58",
        "wp_combine": "config:27-30",
        "wp_val": "config1:0-63",
        "wp_mask": "config2:0-63",
    }

    /// s390's CPU-measurement counter facility
    /// (`arch/s390/kernel/perf_cpum_cf.c`).
    S390 {
        "event": "config:0-63",
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;

    #[test]
    fn names_are_unlike_and_bits_lie_in_the_event() {
        let lists =
            [ALL, amd::ALL, arm_system::ALL, intel_client::ALL, intel_server::ALL, x86_system::ALL];
        for (pmu, formats) in lists.concat() {
            for (n, (name, format)) in formats.as_slice().iter().enumerate() {
                assert_eq!(formats.find(name), Some(*format), "{pmu}: {name}");
                assert_ne!(format.mask(), 0, "{pmu}: {name}");
                let others = &formats.as_slice()[..n];
                assert!(others.iter().all(|(other, _)| other != name), "{pmu}: {name}");
            }
        }
        // A POWER event is one code that contains all its fields.
        for formats in [POWER8, POWER9, POWER10] {
            let event = formats.find("event").unwrap();
            for (name, format) in formats.as_slice() {
                let inside = format.mask() & !event.mask() == 0;
                assert!(inside || format.word() != event.word(), "{name}");
            }
        }
    }
}
