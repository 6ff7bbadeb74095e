//! The PMUs of a CPU, without its sysfs.

use std::string::String;
use std::vec::Vec;

use super::{Pmu, Sysfs};
use crate::Model;
use crate::builtin;
use crate::perf_type;
use crate::pmu::{self, DEFAULT_CORE};

/// The path used as `/sys` if there is none.
const NOWHERE: &str = "/nonexistent";

impl Sysfs {
    /// Creates the PMUs that a model's table and the sys tables of its tree name,
    /// with the formats that Linux's drivers define for a CPU
    /// ([`builtin::of_pmu`]): enough to encode events for a machine without its
    /// sysfs. There is one PMU, without a number, for several instances. PMUs of
    /// unknown drivers are omitted, and so is information that only a running
    /// system has, such as the events of drivers and the CPUs.
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
    /// assert_eq!((events[0].type_, events[0].config[0]), (4, 0x844));
    /// assert_eq!((events[1].type_, events[1].config[0]), (Pmu::DYNAMIC, 0x104));
    /// # }
    /// # Ok::<(), pmu_events::resolve::Error>(())
    /// ```
    #[must_use]
    pub fn builtin(cpuid: &str, model: Model) -> Self {
        let sysfs = Sysfs::at(NOWHERE);
        let tables = core::iter::once(model).chain(model.tree().sys_tables());
        let mut units: Vec<&str> =
            tables.flat_map(|table| table.pmus().map(|pmu| pmu.name())).collect();
        units.sort_unstable();
        units.dedup();
        let mut pmus: Vec<Pmu> = units.into_iter().filter_map(|unit| known(cpuid, unit)).collect();
        // Every CPU has a core PMU, whatever its table says.
        if !pmus.iter().any(Pmu::is_core) {
            pmus.extend(known(cpuid, DEFAULT_CORE));
        }
        pmus.push(Pmu::described(String::from("software"), perf_type::SOFTWARE, false, &[]));
        pmus.sort_by(|a, b| {
            b.is_core().cmp(&a.is_core()).then_with(|| pmu::cmp(a.name(), b.name()))
        });
        // Cannot fail: the cell of a new value is empty.
        let _ = sysfs.pmus.set((pmus, Vec::new()));
        sysfs
    }
}

fn known(cpuid: &str, unit: &str) -> Option<Pmu> {
    let formats = builtin::of_pmu(cpuid, unit)?;
    let is_core = pmu::is_core(unit);
    let is_arm = is_core && formats == builtin::ARMV8_PMUV3;
    let name = match unit {
        DEFAULT_CORE if is_arm => "armv8_pmuv3_0",
        DEFAULT_CORE => "cpu",
        unit => unit,
    };
    // The kernel registers these with a fixed number.
    let kind = if matches!(name, "cpu" | "cpu_core") { perf_type::RAW } else { Pmu::DYNAMIC };
    Some(Pmu::described(name.into(), kind, is_core, formats.as_slice()))
}
