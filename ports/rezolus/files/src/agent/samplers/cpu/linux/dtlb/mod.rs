//! Misses of each CPU's data TLB (`cpu_dtlb_miss`), of loads and stores apart where the CPU
//! tells them apart.

use super::counts::Counts;
use crate::agent::samplers::SamplerEntry;
use crate::agent::*;

mod stats;

use stats::*;

/// Of Intel, AMD and Arm. Newer CPUs of Intel count page walks only when they complete.
const MISSES: &[&str] = &[
    "dtlb_load_misses.miss_causes_a_walk,dtlb_store_misses.miss_causes_a_walk",
    "dtlb_load_misses.walk_completed,dtlb_store_misses.walk_completed",
    "ls_l1_d_tlb_miss.all",
    "l1d_tlb_refill",
];

const NAME: &str = "cpu_dtlb";

#[distributed_slice(SAMPLERS)]
static SAMPLER: SamplerEntry = SamplerEntry { name: NAME, module: module_path!(), init };

fn init(config: Arc<Config>) -> SamplerResult {
    Counts::sampler(&config, NAME, &CPU_DTLB_ACQ, MISSES, |cpu, counts| match *counts {
        [loads, stores] => {
            let _ = CPU_DTLB_MISS_LOAD.set(cpu, loads);
            let _ = CPU_DTLB_MISS_STORE.set(cpu, stores);
        }
        [misses] => {
            let _ = CPU_DTLB_MISS.set(cpu, misses);
        }
        _ => {}
    })
}

#[cfg(all(test, target_arch = "x86_64"))]
#[test]
fn misses_of_each_cpu() {
    use super::counts::tests::first;

    let causes = "dtlb_load_misses.miss_causes_a_walk";
    let completed = "dtlb_load_misses.walk_completed";
    for (cpuid, expected) in [
        ("GenuineIntel-6-55-4", causes),
        ("GenuineIntel-6-6A-6", completed),
        ("GenuineIntel-6-8F-4", completed),
        ("GenuineIntel-6-AD-1", completed),
        ("AuthenticAMD-23-31-0", "ls_l1_d_tlb_miss.all"),
        ("AuthenticAMD-26-2-1", "ls_l1_d_tlb_miss.all"),
    ] {
        assert_eq!(first(cpuid, MISSES).as_deref(), Some(expected), "{cpuid}");
    }
}
