//! Hypervisors, above and below this kernel, and what they leave of the PMU.

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::{Fact, file};
use crate::check::capacity;
use crate::system::System;
use pmu_events_core::__private::pmu;

pub(super) fn of(system: &System) -> Vec<Fact> {
    let hypervisor = hypervisor(system);
    let mut facts = Vec::new();
    if let Some(name) = &hypervisor {
        let text = format!(
            "this is a virtual machine ({name}): counters are the hypervisor's, which may have \
             fewer for guests, and may itself be short of them"
        );
        facts.push(Fact::new("hypervisor", text));
        facts.extend(partial_pmu(system));
    }
    facts.extend(guests(system));
    facts
}

/// The hypervisor below this kernel, if something names it: on x86, a flag of the CPU that every
/// hypervisor sets; elsewhere, the firmware's name of the machine.
fn hypervisor(system: &System) -> Option<String> {
    const FIRMWARE: [&str; 4] = ["QEMU", "Amazon EC2", "Google", "KVM"];
    if let Some(own) = file(system, "hypervisor/type") {
        return Some(own);
    }
    let vendor = file(system, "class/dmi/id/sys_vendor");
    let product = file(system, "class/dmi/id/product_name");
    let is_metal = product.as_deref().is_some_and(|product| product.contains("metal"));
    let cpus = crate::file::of_procfs(&system.proc().join("cpuinfo")).unwrap_or_default();
    let flags = cpus.lines().find(|line| line.starts_with("flags"));
    let is_flagged = flags.is_some_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor"));
    let is_named = flags.is_none()
        && !is_metal
        && vendor.as_deref().is_some_and(|vendor| FIRMWARE.contains(&vendor));
    if !is_flagged && !is_named {
        return None;
    }
    let names: Vec<String> = [vendor, product].into_iter().flatten().collect();
    Some(if names.is_empty() { "nothing says whose".into() } else { names.join(" ") })
}

/// What the CPU has and this machine lacks.
fn partial_pmu(system: &System) -> Option<Fact> {
    // Without any, that is a fact of its own.
    let core = system.sysfs().core_pmus().next()?;
    let model = system.model_of(core)?;
    let mut lacks = Vec::new();
    let of_model = capacity::supply(core, system).and_then(|supply| supply.pool());
    if let (Some(of_model), Some([general, _])) = (of_model, system.counters_of_cpuid())
        && general < of_model.general().len()
    {
        let all = of_model.general().len();
        lacks.push(format!("{general} general counters where the CPU has {all}"));
    }
    let has_uncore = model.pmus().any(|table| !pmu::is_core(table.name()));
    if has_uncore && !system.sysfs().pmus().iter().any(|pmu| pmu.is_uncore()) {
        lacks.push("no PMU outside the cores".to_string());
    }
    if lacks.is_empty() {
        return None;
    }
    let text = format!("the virtual PMU is only a part of the CPU's: {}", lacks.join(", "));
    Some(Fact::new("pmu", text))
}

/// Guests to which KVM of this kernel gives the PMU as a whole (`enable_mediated_pmu` of
/// `kvm_intel` and `kvm_amd`).
fn guests(system: &System) -> Option<Fact> {
    let modules = ["kvm_intel", "kvm_amd"].into_iter();
    let mut settings = modules.filter_map(|module| {
        file(system, &format!("module/{module}/parameters/enable_mediated_pmu"))
    });
    if !settings.any(|setting| matches!(setting.as_str(), "Y" | "1")) {
        return None;
    }
    let text = "guests of this machine get the PMU as a whole while they run (mediated virtual PMU): \
                events that do not leave guests out (modifier `H`) may be refused, and nothing is \
                counted meanwhile";
    Some(Fact::new("guests", text))
}
