//! Stands in for the agent of rezolus around its samplers that read perf events.
#![allow(dead_code)]

use async_trait::async_trait;
use linkme::distributed_slice;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::Duration;
use tracing::{debug, error, warn};

pub mod agent {
    pub use super::*;
    pub use samplers::{Sampler, SamplerResult, SAMPLERS};

    pub const MAX_CPUS: usize = 1024;

    pub(crate) use super::timing;
    pub(crate) use bpf::SyncPrimitive;

    pub struct Config;

    impl Config {
        pub fn enabled(&self, _name: &str) -> bool {
            true
        }
    }

    pub mod bpf {
        pub(crate) use crate::sync_primitive::SyncPrimitive;

        pub(crate) fn possible_cpus() -> usize {
            crate::MAX_CPUS
        }
    }

    pub mod samplers {
        use super::*;

        pub struct SamplerEntry {
            pub name: &'static str,
            pub module: &'static str,
            pub init: fn(config: Arc<Config>) -> SamplerResult,
        }

        #[distributed_slice]
        pub static SAMPLERS: [SamplerEntry] = [..];

        #[distributed_slice]
        pub(crate) static ACQUISITION_GROUPS: [&'static timing::AcquisitionGroup] = [..];

        pub(crate) const fn bpf_sampler_name(name: &'static str) -> &'static str {
            name
        }

        #[async_trait]
        pub trait Sampler: Send + Sync {
            fn name(&self) -> &'static str;
            async fn refresh(&self);
        }

        pub type SamplerResult = anyhow::Result<Option<Box<dyn Sampler>>>;
    }
}
use agent::MAX_CPUS;

pub fn is_virt() -> bool {
    false
}

pub fn cpus() -> std::io::Result<Vec<usize>> {
    Ok(vec![0])
}

#[path = "../../src/agent/bpf/sync_primitive.rs"]
mod sync_primitive;
#[path = "../../src/agent/timing.rs"]
mod timing;

#[path = "../../src/agent/samplers/cpu/linux/branch/mod.rs"]
mod branch;
#[path = "../../src/agent/samplers/cpu/linux/dtlb/mod.rs"]
mod dtlb;
#[path = "../../src/agent/samplers/cpu/linux/frequency/mod.rs"]
mod frequency;
#[path = "../../src/agent/samplers/cpu/linux/l3/mod.rs"]
mod l3;
