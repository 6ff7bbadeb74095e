//! The options of `pmu stat` that say what shares a line of the output, and in which form it
//! is written.

use clap::{ArgAction, Args};

use crate::aggregation_args::AggregationArgs;
use crate::destination_args::DestinationArgs;

#[derive(Args, Debug)]
pub(crate) struct OutputArgs {
    #[command(flatten)]
    pub(crate) aggregation: AggregationArgs,

    /// Show each instance of a PMU separately; with -a or -C, the same as -A
    #[arg(long, help_heading = "Output")]
    pub(crate) no_merge: bool,

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

    #[command(flatten)]
    pub(crate) destination: DestinationArgs,
}
