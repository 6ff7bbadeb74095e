//! Literals and queries in metric formulas, answered for a machine.

use std::path::Path;
use std::string::ToString;

use super::{PROC, Scope, System, cpuid, tsc};
use crate::event_list::Tool;
use crate::expr::{Identifier, Machine};

/// Answers the literals and queries of formulas for a [`System`]
/// (`expr__get_literal` and its neighbours in `tools/perf/util/expr.c`).
///
/// Created by [`System::machine`].
///
/// ```
/// use pmu_events::event_list::Tool;
/// use pmu_events::expr::Machine;
/// use pmu_events::{Scope, System};
///
/// let machine = System::new().machine(&Scope::AllCpus);
/// println!("{} CPUs are online", machine.literal(Tool::NumCpusOnline));
/// # #[cfg(target_os = "linux")]
/// # assert!(machine.literal(Tool::NumCpusOnline) >= 1.0);
/// ```
///
/// | literal or query | answered from |
/// |---|---|
/// | `#num_cpus` | `devices/system/cpu/present`: its last CPU, plus one |
/// | `#num_cpus_online` | `devices/system/cpu/online` |
/// | `#num_cores`, `#num_dies`, `#num_packages` | the number of distinct CPU lists in `cpu*/topology` |
/// | `#smt_on` | `devices/system/cpu/smt/active`, otherwise the CPU lists of the cores |
/// | `#core_wide`, `#target_cpu` | the [`Scope`] |
/// | `#system_tsc_freq` | on Intel CPUs, CPUID leaf 0x15, otherwise `/proc/cpuinfo`; in hertz |
/// | `#slots` | `caps/slots` of the first core PMU |
/// | `#has_pmem` | whether `firmware/acpi/tables/NFIT` exists |
/// | `has_event` | whether [`System::resolve`] knows the event |
/// | `strcmp_cpuid_str` | the CPUID, by the rules of its architecture's map file |
///
/// `#core_wide` is true for a set of CPUs if they are whole cores; perf also
/// requires `-a`. Where perf answers 0 for a value that it does not know
/// (`#system_tsc_freq` of a non-Intel CPU, dies on an old kernel), this type
/// answers NaN.
#[derive(Clone, Debug)]
pub struct SystemMachine {
    system: System,
    scope: Scope,
}

impl SystemMachine {
    pub(super) fn new(system: &System, scope: &Scope) -> Self {
        SystemMachine { system: system.clone(), scope: scope.clone() }
    }

    /// The system that this machine describes.
    #[must_use]
    pub fn system(&self) -> &System {
        &self.system
    }

    fn is_core_wide(&self) -> Option<bool> {
        let topology = self.system.topology();
        match &self.scope {
            Scope::ThisThread | Scope::Threads(_) => Some(false),
            Scope::AllCpus => Some(true),
            Scope::Cpus(cpus) => match topology.is_smt_on() {
                Some(false) => Some(true),
                _ => topology.are_whole_cores(cpus),
            },
        }
    }

    /// `perf_pmu__cpu_slots_per_cycle` in `tools/perf/arch/arm64/util/pmu.c`
    fn slots(&self) -> Option<f64> {
        let written = self.system.sysfs().core_pmus().next()?.cap("slots")?;
        let slots = match written.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => written.parse().ok()?,
        };
        (slots > 0).then(|| slots.into())
    }

    fn tsc_frequency(&self) -> f64 {
        let proc = self.system.proc();
        let frequency = || {
            let is_own = proc == Path::new(PROC);
            tsc::frequency(if is_own { tsc::crystal() } else { None }, proc)
        };
        *self.system.shared.tsc_frequency.get_or_init(|| frequency().unwrap_or(f64::NAN))
    }
}

impl Machine for SystemMachine {
    fn literal(&self, literal: Tool) -> f64 {
        let topology = self.system.topology();
        let truth = |known: Option<bool>| known.map(f64::from);
        let known = match literal {
            Tool::NumCpus => topology.count(),
            Tool::NumCpusOnline => topology.online_count(),
            Tool::NumCores => topology.cores(),
            Tool::NumDies => topology.dies(),
            Tool::NumPackages => topology.packages(),
            Tool::SmtOn => truth(topology.is_smt_on()),
            Tool::CoreWide => truth(self.is_core_wide()),
            Tool::TargetCpu => truth(Some(self.scope.is_cpus())),
            Tool::SystemTscFreq => Some(self.tsc_frequency()),
            Tool::Slots => self.slots(),
            Tool::HasPmem => {
                Some(self.system.sysfs().root().join("firmware/acpi/tables/NFIT").exists().into())
            }
            _ => None,
        };
        known.unwrap_or(f64::NAN)
    }

    fn has_event(&self, event: Identifier<'_>) -> Option<bool> {
        let text = event.with_parameter(0).to_string();
        Some(self.system.knows(&text))
    }

    fn cpuid_matches(&self, cpuid: Identifier<'_>) -> Option<bool> {
        Some(cpuid::matches(&cpuid.to_string(), self.system.cpuid().ok()?))
    }
}
