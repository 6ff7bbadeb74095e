//! Retired branches of each CPU (`cpu_branch_instructions`), and those that were predicted
//! wrongly (`cpu_branch_misses`).

use super::counts::Counts;
use crate::agent::samplers::SamplerEntry;
use crate::agent::*;

mod stats;

use stats::*;

const NAME: &str = "cpu_branch";

#[distributed_slice(SAMPLERS)]
static SAMPLER: SamplerEntry = SamplerEntry { name: NAME, module: module_path!(), init };

fn init(config: Arc<Config>) -> SamplerResult {
    Counts::sampler(
        &config,
        NAME,
        &CPU_BRANCH_ACQ,
        &["branch-instructions,branch-misses"],
        |cpu, counts| {
            let _ = CPU_BRANCH_INSTRUCTIONS.set(cpu, counts[0]);
            let _ = CPU_BRANCH_MISSES.set(cpu, counts[1]);
        },
    )
}
