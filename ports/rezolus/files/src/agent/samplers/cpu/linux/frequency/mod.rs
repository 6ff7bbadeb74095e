//! The registers of which the frequency of each CPU is made: cycles at its own and at its nominal
//! frequency while it does not sleep (`cpu_aperf`, `cpu_mperf`), and of its time stamp (`cpu_tsc`).

use super::counts::Counts;
use crate::agent::samplers::SamplerEntry;
use crate::agent::*;

mod stats;

use stats::*;

const NAME: &str = "cpu_frequency";

#[distributed_slice(SAMPLERS)]
static SAMPLER: SamplerEntry = SamplerEntry { name: NAME, module: module_path!(), init };

fn init(config: Arc<Config>) -> SamplerResult {
    Counts::sampler(
        &config,
        NAME,
        &CPU_FREQUENCY_ACQ,
        &["msr/tsc/,msr/aperf/,msr/mperf/"],
        |cpu, counts| {
            let _ = CPU_TSC.set(cpu, counts[0]);
            let _ = CPU_APERF.set(cpu, counts[1]);
            let _ = CPU_MPERF.set(cpu, counts[2]);
        },
    )
}
