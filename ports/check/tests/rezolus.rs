//! The counts of all CPUs that four samplers of rezolus publish.
#![allow(dead_code)]

extern crate self as core_affinity;
extern crate self as futures;

/// Of the crate core_affinity.
pub struct CoreId {
    pub id: usize,
}

pub fn set_for_current(_core: CoreId) -> bool {
    false
}

/// Of the crate futures.
pub mod future {
    pub async fn join_all<F: std::future::Future<Output = ()>>(all: impl Iterator<Item = F>) {
        for one in all {
            one.await;
        }
    }
}

mod agent {
    pub use async_trait::async_trait;

    #[async_trait]
    pub trait Sampler: Send + Sync {
        fn name(&self) -> &'static str;
        async fn refresh(&self);
    }

    pub type SamplerResult = anyhow::Result<Option<Box<dyn Sampler>>>;

    pub struct Config;

    impl Config {
        pub fn enabled(&self, _name: &str) -> bool {
            true
        }
    }

    #[derive(Clone)]
    pub struct SyncPrimitive;

    impl SyncPrimitive {
        pub fn new() -> Self {
            Self
        }
        pub fn trigger(&self) {}
        pub fn wait_trigger(&self) {}
        pub fn notify(&self) {}
        pub async fn wait_notify(&self) {}
    }

    pub fn is_virt() -> bool {
        false
    }

    pub fn cpus() -> std::io::Result<Vec<usize>> {
        Ok(vec![0])
    }

    pub mod bpf {
        pub fn possible_cpus() -> usize {
            1
        }
    }

    pub mod timing {
        pub struct AcquisitionGroup;
        pub struct AcquisitionGuard;

        impl AcquisitionGroup {
            pub fn set_member_bound(&self, _bound: usize) {}
            pub fn acquire(&self) -> AcquisitionGuard {
                AcquisitionGuard
            }
        }

        impl AcquisitionGuard {
            pub fn finish(self) {}
        }
    }
}

#[path = "../../rezolus/files/src/agent/samplers/cpu/linux/counts.rs"]
mod counts;
