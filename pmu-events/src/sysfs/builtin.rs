//! The PMUs of a CPU, without its sysfs.

use std::string::String;
use std::vec::Vec;

use super::alias::Alias;
use super::{Pmu, Sysfs};
use crate::Model;
use crate::builtin;
use crate::order::sort_by;
use crate::perf_type;
use pmu_events_core::__private::pmu::{self, DEFAULT_CORE};

/// The path used as `/sys` if there is none.
const NOWHERE: &str = "/nonexistent";

impl Sysfs {
    /// Creates the PMUs that a model's table and the sys tables of its tree name,
    /// with the formats that Linux's drivers define for a CPU
    /// ([`builtin::of_pmu`]): enough to encode events for a machine without its
    /// sysfs. There is one PMU, without a number, for several instances. PMUs of
    /// unknown drivers are omitted, and so is information that only a running
    /// system has, such as the CPUs. Of the events that drivers name, there are those that
    /// formulas need: of cores, of NXP's DDR controllers and, on x86, of `msr`, `cstate_core`,
    /// `cstate_pkg` and `power`.
    ///
    /// The running kernel assigns the type of most PMUs; here it is
    /// [`Pmu::DYNAMIC`].
    ///
    /// ```
    /// # #[cfg(feature = "x86")] {
    /// use pmu_events::{System, arch::x86, sysfs::Pmu};
    ///
    /// let zen4 = System::builtin("AuthenticAMD-25-61-2", x86::AMDZEN4);
    /// let events = zen4.resolve("cpu/event=0x44,umask=0x8/,l3_lookup_state.l3_miss")?;
    /// assert_eq!((events[0].type_(), events[0].words().config()), (4, 0x844));
    /// assert_eq!((events[1].type_(), events[1].words().config()), (Pmu::DYNAMIC, 0x104));
    /// # }
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    #[must_use]
    pub fn builtin(cpuid: &str, model: Model) -> Self {
        let sysfs = Sysfs::at(NOWHERE);
        let mut units: Vec<&str> = Vec::new();
        add_units(model, &mut units);
        for table in model.tree().sys_tables() {
            add_units(table, &mut units);
        }
        let (mut pmus, mut has_core) = (Vec::new(), false);
        let mut add = |unit: &str| {
            if let Some(pmu) = known(cpuid, unit, model) {
                has_core |= pmu.is_core();
                pmus.push(pmu);
            }
        };
        for unit in units {
            add(unit);
        }
        for (unit, _) in OF_X86 {
            add(unit);
        }
        // Every CPU has a core PMU, whatever its table says.
        if !has_core && let Some(core) = known(cpuid, DEFAULT_CORE, model) {
            pmus.push(core);
        }
        pmus.push(Pmu::described(
            String::from("software"),
            perf_type::SOFTWARE,
            false,
            &[],
            Vec::new(),
        ));
        sort_by(&mut pmus, |a, b| {
            b.is_core().cmp(&a.is_core()).then_with(|| pmu::cmp(a.name(), b.name()))
        });
        // Cannot fail: the cell of a new value is empty.
        let _ = sysfs.pmus.set((pmus, Vec::new()));
        sysfs
    }
}

/// Adds the names that are not there yet.
fn add_units(table: Model, units: &mut Vec<&str>) {
    for pmu in table.pmus() {
        if !units.contains(&pmu.name()) {
            units.push(pmu.name());
        }
    }
}

fn known(cpuid: &str, unit: &str, model: Model) -> Option<Pmu> {
    let formats = builtin::of_pmu(cpuid, unit)?;
    let is_core = pmu::is_core(unit);
    let is_arm = is_core && formats == builtin::ARMV8_PMUV3;
    let events = events(unit, model, is_arm);
    let name = match unit {
        DEFAULT_CORE if is_arm => "armv8_pmuv3_0",
        DEFAULT_CORE if formats == builtin::APPLE_M1 => of_apple(cpuid),
        DEFAULT_CORE => "cpu",
        unit => unit,
    };
    // The kernel registers these with a fixed number.
    let kind = if matches!(name, "cpu" | "cpu_core") { perf_type::RAW } else { Pmu::DYNAMIC };
    Some(Pmu::described(name.into(), kind, is_core, formats.as_slice(), events))
}

/// The name of the PMU of Apple's M1 and M2, whose parts have odd numbers for the larger
/// core of each chip (`drivers/perf/apple_m1_cpu_pmu.c`).
fn of_apple(cpuid: &str) -> &'static str {
    let midr = cpuid.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok());
    let part = midr.unwrap_or_default() >> 4 & 0xfff;
    match (part >> 4, part & 1) {
        (2, 0) => "apple_icestorm_pmu",
        (2, _) => "apple_firestorm_pmu",
        (_, 0) => "apple_blizzard_pmu",
        _ => "apple_avalanche_pmu",
    }
}

/// Names and event strings.
type Events = &'static [(&'static str, &'static str)];

/// PMUs of x86 without tables, and what their drivers call events
/// (`arch/x86/events/msr.c`, `intel/cstate.c`, `rapl.c`). A CPU has some of them.
const OF_X86: [(&str, Events); 4] = [
    (
        "msr",
        &[
            ("tsc", "event=0x00"),
            ("aperf", "event=0x01"),
            ("mperf", "event=0x02"),
            ("pperf", "event=0x03"),
            ("smi", "event=0x04"),
            ("ptsc", "event=0x05"),
            ("irperf", "event=0x06"),
        ],
    ),
    (
        "cstate_core",
        &[
            ("c1-residency", "event=0x00"),
            ("c3-residency", "event=0x01"),
            ("c6-residency", "event=0x02"),
            ("c7-residency", "event=0x03"),
        ],
    ),
    (
        "cstate_pkg",
        &[
            ("c2-residency", "event=0x00"),
            ("c3-residency", "event=0x01"),
            ("c6-residency", "event=0x02"),
            ("c7-residency", "event=0x03"),
            ("c8-residency", "event=0x04"),
            ("c9-residency", "event=0x05"),
            ("c10-residency", "event=0x06"),
        ],
    ),
    (
        "power",
        &[
            ("energy-cores", "event=0x01"),
            ("energy-pkg", "event=0x02"),
            ("energy-ram", "event=0x03"),
            ("energy-gpu", "event=0x04"),
            ("energy-psys", "event=0x05"),
        ],
    ),
];

/// Events of Intel's cores that have another in their table
/// (`arch/x86/events/intel/core.c`): slots and their parts in `PERF_METRICS`, transactions.
const OF_CORES: [(&str, Events); 3] = [
    (
        "TOPDOWN.SLOTS",
        &[
            ("slots", "event=0x00,umask=0x4"),
            ("topdown-retiring", "event=0x00,umask=0x80"),
            ("topdown-bad-spec", "event=0x00,umask=0x81"),
            ("topdown-fe-bound", "event=0x00,umask=0x82"),
            ("topdown-be-bound", "event=0x00,umask=0x83"),
        ],
    ),
    (
        "TOPDOWN.MEMORY_BOUND_SLOTS",
        &[
            ("topdown-heavy-ops", "event=0x00,umask=0x84"),
            ("topdown-br-mispredict", "event=0x00,umask=0x85"),
            ("topdown-fetch-lat", "event=0x00,umask=0x86"),
            ("topdown-mem-bound", "event=0x00,umask=0x87"),
        ],
    ),
    (
        "RTM_RETIRED.START",
        &[
            ("tx-start", "event=0xc9,umask=0x1"),
            ("el-start", "event=0xc8,umask=0x1"),
            ("cycles-t", "event=0x3c,in_tx=1"),
            ("cycles-ct", "event=0x3c,in_tx=1,in_tx_cp=1"),
        ],
    ),
];

/// PMUs of systems, and events that only their drivers name
/// (`drivers/perf/fsl_imx8_ddr_perf.c`, `fsl_imx9_ddr_perf.c`).
const OF_SYSTEMS: [(&str, Events); 2] = [
    ("imx8_ddr", &[("axid-read", "event=0x41"), ("axid-write", "event=0x42")]),
    (
        "imx9_ddr",
        &[
            ("ddrc_pm_0", "event=0x0f"),
            ("ddrc_pm_2", "event=0x11"),
            ("ddrc_pm_3", "event=0x12"),
            ("ddrc_pm_4", "event=0x13"),
            ("ddrc_pm_5", "event=0x16"),
            ("ddrc_pm_6", "event=0x17"),
            ("ddrc_pm_7", "event=0x18"),
            ("ddrc_pm_8", "event=0x19"),
            ("ddrc_pm_9", "event=0x1a"),
            ("eddrtq_pm_wr_beat_filt", "event=0x249"),
            ("eddrtq_pm_rd_beat_filt2", "event=0x349"),
            ("eddrtq_pm_rd_beat_filt1", "event=0x449"),
            ("eddrtq_pm_rd_beat_filt0", "event=0x549"),
        ],
    ),
];

/// Events of Arm's cores that not all tables have (`drivers/perf/arm_pmuv3.c`).
const OF_ARM: Events = &[
    ("inst_retired", "event=0x08"),
    ("br_mis_pred", "event=0x10"),
    ("cpu_cycles", "event=0x11"),
    ("inst_spec", "event=0x1b"),
    ("l2i_cache", "event=0x27"),
    ("l2i_cache_refill", "event=0x28"),
    ("l2i_tlb_refill", "event=0x2e"),
    ("l2i_tlb", "event=0x30"),
];

/// The events that the driver of a PMU names on a CPU of a model.
fn events(unit: &str, model: Model, is_arm: bool) -> Vec<Alias> {
    let mut all = Vec::new();
    let mut add = |events: Events| {
        for (name, terms) in events {
            all.push(Alias::described(name, terms));
        }
    };
    for pmus in [&OF_X86[..], &OF_SYSTEMS] {
        for (pmu, events) in pmus {
            if *pmu == unit {
                add(events);
            }
        }
    }
    let has = |other: &str| model.event_on(unit, other).is_some();
    for (other, events) in OF_CORES {
        if pmu::is_core(unit) && has(other) {
            add(events);
        }
    }
    for (n, (name, _)) in OF_ARM.iter().enumerate() {
        if is_arm && !has(name) {
            add(&OF_ARM[n..=n]);
        }
    }
    all
}
