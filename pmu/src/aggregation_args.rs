//! What of a whole is shown by itself. The options are outside the commands' modules because
//! every system has them, so that help and completions are the same everywhere.

use clap::Args;

/// What has lines, or a tree, of its own.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct AggregationArgs {
    /// Show each CPU and each instance of a PMU separately; needs -a or -C
    #[arg(short = 'A', long, help_heading = "Output")]
    pub(crate) no_aggr: bool,

    /// Show the sum of each physical core; needs -a or -C, as all that follow
    #[arg(long, help_heading = "Output")]
    pub(crate) per_core: bool,

    /// Show the sum of the CPUs that share a cache: that of a LEVEL from L1 to L4, or the last
    #[arg(long, value_name = "LEVEL", value_parser = cache_level, num_args = 0..=1,
          require_equals = true, default_missing_value = "last", help_heading = "Output")]
    pub(crate) per_cache: Option<CacheLevel>,

    /// Show the sum of each cluster of cores
    #[arg(long, help_heading = "Output")]
    pub(crate) per_cluster: bool,

    /// Show the sum of each die
    #[arg(long, help_heading = "Output")]
    pub(crate) per_die: bool,

    /// Show the sum of each socket
    #[arg(long, help_heading = "Output")]
    pub(crate) per_socket: bool,

    /// Show the sum of each NUMA node
    #[arg(long, help_heading = "Output")]
    pub(crate) per_node: bool,

    /// Show each thread separately; needs -p, -t or -a
    #[arg(long, help_heading = "Output")]
    pub(crate) per_thread: bool,
}

/// A level of caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CacheLevel {
    Last,
    Number(u8),
}

/// `parse_cache_level` in `tools/perf/builtin-stat.c`; perf knows four levels.
fn cache_level(text: &str) -> Result<CacheLevel, String> {
    let number = text.strip_prefix(['L', 'l']).and_then(|number| number.parse().ok());
    match number {
        _ if text == "last" => Ok(CacheLevel::Last),
        Some(number @ 1..=4) => Ok(CacheLevel::Number(number)),
        _ => Err("expected L1, L2, L3 or L4".into()),
    }
}

/// Control groups, each of which is shown by itself.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct EachCgroupArgs {
    /// Count all events and metrics in each of these control groups, joined by commas; a name with any of * ? [
    /// \ is a shell pattern for whole names; needs -a or -C
    #[arg(long, value_name = "GROUPS", help_heading = "Target")]
    pub(crate) for_each_cgroup: Option<String>,
}
