//! Accesses to each L3 cache (`cpu_l3_access`) and those that miss (`cpu_l3_miss`), which all CPUs
//! that share the cache have.

use super::counts::Counts;
use crate::agent::samplers::SamplerEntry;
use crate::agent::*;

use pmu_events::sysfs::CpuSet;

mod stats;

use stats::*;

/// Of AMD, from Zen 4 on and before; of Intel's servers. Arm's cores count only their own share.
const L3: &[&str] = &[
    "l3_lookup_state.all_coherent_accesses_to_l3,l3_lookup_state.l3_miss",
    "l3_lookup_state.all_l3_req_typs,amd_l3/event=4,umask=1/",
    "unc_cha_llc_lookup.all,unc_cha_tor_inserts.ia_miss",
    "unc_cha_llc_lookup.any,unc_cha_tor_inserts.ia_miss",
];

const NAME: &str = "cpu_l3";

#[distributed_slice(SAMPLERS)]
static SAMPLER: SamplerEntry = SamplerEntry { name: NAME, module: module_path!(), init };

fn init(config: Arc<Config>) -> SamplerResult {
    Counts::sampler(&config, NAME, &CPU_L3_ACQ, L3, |cpu, counts| {
        for cpu in sharing(cpu) {
            let _ = CPU_L3_ACCESS.set(cpu, counts[0]);
            let _ = CPU_L3_MISS.set(cpu, counts[1]);
        }
    })
}

/// The CPUs that share the L3 cache of one; none if the kernel does not tell.
fn sharing(cpu: usize) -> Vec<usize> {
    let read = |index: u32, file: &str| {
        std::fs::read_to_string(format!(
            "/sys/devices/system/cpu/cpu{cpu}/cache/index{index}/{file}"
        ))
        .ok()
    };
    let l3 = (0..8).find(|&index| read(index, "level").is_some_and(|level| level.trim() == "3"));
    let cpus: Option<CpuSet> =
        l3.and_then(|index| read(index, "shared_cpu_list")?.trim().parse().ok());
    cpus.map_or_else(Vec::new, |cpus| cpus.iter().map(|cpu| cpu as usize).collect())
}

#[cfg(all(test, target_arch = "x86_64"))]
#[test]
fn accesses_of_each_cpu() {
    use super::counts::tests::first;

    for (cpuid, expected) in [
        ("GenuineIntel-6-55-4", Some("unc_cha_llc_lookup.any")),
        ("GenuineIntel-6-6A-6", Some("unc_cha_llc_lookup.all")),
        ("GenuineIntel-6-8F-4", Some("unc_cha_llc_lookup.all")),
        ("AuthenticAMD-23-31-0", Some("l3_lookup_state.all_l3_req_typs")),
        ("AuthenticAMD-25-11-1", Some("l3_lookup_state.all_coherent_accesses_to_l3")),
        ("GenuineIntel-6-37-8", None),
    ] {
        assert_eq!(first(cpuid, L3).as_deref(), expected, "{cpuid}");
    }
}
