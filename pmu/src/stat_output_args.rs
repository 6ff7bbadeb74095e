//! The options of `pmu stat` that say what shares a line of the output, and in which form it
//! is written.

use std::path::PathBuf;

use clap::{ArgAction, Args};

#[derive(Args, Debug)]
pub(crate) struct OutputArgs {
    /// Show each CPU and each instance of a PMU separately; needs -a or -C
    #[arg(short = 'A', long, help_heading = "Output")]
    pub(crate) no_aggr: bool,

    /// Show each instance of a PMU separately; with -a or -C, the same as -A
    #[arg(long, help_heading = "Output")]
    pub(crate) no_merge: bool,

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

    /// Show one sum of an event for all kinds of cores
    #[arg(long, help_heading = "Output")]
    pub(crate) hybrid_merge: bool,

    /// Show only the values of metrics, in one line
    #[arg(long, help_heading = "Output")]
    pub(crate) metric_only: bool,

    /// Do not compare metrics with their thresholds
    #[arg(long, help_heading = "Output")]
    pub(crate) metric_no_threshold: bool,

    /// Show the sum of all intervals at the end
    #[arg(long, help_heading = "Output")]
    pub(crate) summary: bool,

    /// Do not begin the lines of a summary with `summary` (-x)
    #[arg(long, help_heading = "Output")]
    pub(crate) no_csv_summary: bool,

    /// Show the time of each run (-r)
    #[arg(long, help_heading = "Output")]
    pub(crate) table: bool,

    /// Show an estimate for all the time where an event had a counter only for a part of it; the
    /// default
    #[arg(long, overrides_with = "no_scale", help_heading = "Output")]
    pub(crate) scale: bool,

    /// Show what was counted while an event had a counter
    #[arg(long, overrides_with = "scale", help_heading = "Output")]
    pub(crate) no_scale: bool,

    /// Separate thousands by commas
    #[arg(short = 'B', long, overrides_with = "no_big_num", help_heading = "Output")]
    pub(crate) big_num: bool,

    /// Do not separate thousands
    #[arg(long, help_heading = "Output")]
    pub(crate) no_big_num: bool,

    /// Report on standard error how each event is open: its perf_event_attr, the tasks or CPUs, and
    /// what the kernel refused at first
    #[arg(short, long, action = ArgAction::Count, help_heading = "Output")]
    pub(crate) verbose: u8,

    /// Write no counts and no notes, only the reason of a failure
    #[arg(long, help_heading = "Output")]
    pub(crate) quiet: bool,

    /// Write one JSON object per line, with the keys of `perf stat -j`
    #[arg(short, long = "json-output", visible_alias = "json", help_heading = "Output")]
    pub(crate) json: bool,

    /// Write lines of fields separated by SEP, as `perf stat -x` does; `\t` is a tab
    #[arg(short = 'x', long, value_name = "SEP", help_heading = "Output")]
    pub(crate) field_separator: Option<String>,

    /// Write to FILE instead of standard error
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Write to the open descriptor FD instead of standard error
    #[arg(long, value_name = "FD", allow_negative_numbers = true, help_heading = "Output")]
    pub(crate) log_fd: Option<i32>,

    /// Append to the FILE of -o instead of replacing its contents
    #[arg(long, help_heading = "Output")]
    pub(crate) append: bool,
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
