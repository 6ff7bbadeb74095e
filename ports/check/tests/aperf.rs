//! aperf's `perf_stat::collect`, in as much of `perf_stat` as it sees.
#![allow(dead_code, clippy::inherent_to_string, clippy::wrong_self_convention)]

extern crate self as chrono;

use indexmap::IndexMap;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

pub const UNGROUPED_PMU_MODE: &str = "ungrouped";

/// Of the crate chrono.
pub struct Utc;

impl Utc {
    pub fn now() -> std::time::SystemTime {
        std::time::SystemTime::now()
    }
}

mod data_collection {
    #[derive(Default)]
    pub struct InitParams {
        pub run_data_dir: std::path::PathBuf,
        pub pmu_config: Option<std::path::PathBuf>,
        pub pmu_counter_mode: String,
    }
}

mod data {
    use crate::data_collection::InitParams;

    pub enum TimeEnum {
        DateTime(std::time::SystemTime),
    }

    pub trait CollectData {
        fn prepare_data_collector(&mut self, init_params: &InitParams) -> anyhow::Result<()>;
        fn collect_data(&mut self, init_params: &InitParams) -> anyhow::Result<()>;
    }

    pub mod common {
        pub mod utils {
            pub fn get_online_cpu_ids() -> anyhow::Result<Vec<usize>> {
                let online = std::fs::read_to_string("/sys/devices/system/cpu/online")?;
                let cpus: pmu_events::sysfs::CpuSet = online.trim().parse()?;
                Ok(cpus.iter().map(|cpu| cpu as usize).collect())
            }

            pub fn raise_fd_limit(_number: u64) -> anyhow::Result<()> {
                Ok(())
            }
        }
    }
}

#[path = "../../aperf/files/src/data/perf_stat/collect.rs"]
mod collect;

pub struct PerfStatRaw {
    pub collector: Option<collect::Collector>,
    pub time: data::TimeEnum,
    pub data: String,
}

#[derive(serde::Serialize, serde::Deserialize)]
struct PmuConfig {
    events: IndexMap<String, String>,
    metrics: IndexMap<String, String>,
}

impl PmuConfig {
    fn from_file(path: &Path) -> anyhow::Result<Self> {
        Ok(serde_json::from_slice(&std::fs::read(path)?)?)
    }

    fn save_to_file(&self, path: &Path) -> anyhow::Result<()> {
        Ok(std::fs::write(path, serde_json::to_vec(self)?)?)
    }

    fn get_metric_expressions(&self) -> anyhow::Result<HashMap<String, exmex::FlatEx<f64>>> {
        let parsed =
            self.metrics.iter().map(|(name, text)| Ok((name.clone(), exmex::parse(text)?)));
        parsed.collect()
    }
}

pub struct PmuCollectedData {
    cpu_id: usize,
    identifier: String,
    counter_values: Vec<u64>,
    time_enabled: f64,
    time_running: f64,
}

impl PmuCollectedData {
    fn to_string(self) -> String {
        format!("{};{}", self.cpu_id, self.identifier)
    }
}

fn get_saved_pmu_config_path(run_data_dir: &Path) -> PathBuf {
    run_data_dir.join("pmu_config.json")
}
