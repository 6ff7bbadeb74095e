//! What is compared.

use std::path::PathBuf;

const USAGE: &str = "usage: [PMU_EVENTS_PERFMON=DIR] [PMU_EVENTS_AS_PERF=DIR] \
                     pmu-events-perfmon-comparison [PERFMON AS_PERF [MODEL…]]\n\
                     PERFMON is a checkout of perfmon, AS_PERF the output of its \
                     scripts/create_perf_json.py";

/// The two directories, and which models are compared.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// A perfmon directory.
    pub perfmon: PathBuf,
    /// What perf's script makes of it.
    pub as_perf: PathBuf,
    /// Names of models; empty for all that `as_perf` has.
    pub models: Vec<String>,
}

impl Arguments {
    /// Reads the command line, and the environment for what it lacks.
    ///
    /// # Errors
    ///
    /// Says how the program is used.
    pub fn read() -> Result<Self, String> {
        let mut words = std::env::args().skip(1);
        let mut directory = |variable: &str| {
            let word = words.next().map(PathBuf::from);
            word.or_else(|| std::env::var_os(variable).map(PathBuf::from)).ok_or(USAGE)
        };
        let perfmon = directory("PMU_EVENTS_PERFMON")?;
        let as_perf = directory("PMU_EVENTS_AS_PERF")?;
        Ok(Arguments { perfmon, as_perf, models: words.collect() })
    }
}
