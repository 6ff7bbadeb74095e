//! The form of the output: what a line shows, and how it is written.

use crate::invocation::Invocation;
use crate::stat::aggregation::Level;
use crate::stat_output_args::OutputArgs;
use crate::time_args::Repeat;

/// How counts are written.
pub(crate) struct Form {
    pub(crate) invocation: Invocation,
    pub(crate) shape: Shape,
    /// What is shown as one line.
    pub(crate) level: Level,
    /// Whether instances of a PMU share a line.
    pub(crate) is_merged: bool,
    /// Whether the same event of several kinds of cores is one line.
    pub(crate) merges_cores: bool,
    /// Whether only the values of metrics are shown.
    pub(crate) is_metric_only: bool,
    /// Whether metrics are compared with their thresholds.
    pub(crate) has_thresholds: bool,
    /// Whether the sum of all intervals follows them.
    pub(crate) has_summary: bool,
    /// Whether the fields of a summary begin with that word.
    pub(crate) has_summary_word: bool,
    /// Whether the time of each run is shown.
    pub(crate) has_table: bool,
    /// Whether thousands are separated.
    pub(crate) is_big: bool,
    /// Whether nothing is written.
    pub(crate) is_quiet: bool,
    pub(crate) repeat: Repeat,
    pub(crate) has_intervals: bool,
    /// Whether threads that have not run have no line.
    pub(crate) hides_idle_threads: bool,
    /// Whether no event is counted.
    pub(crate) is_null: bool,
}

/// The syntax of the output.
#[derive(Debug, PartialEq)]
pub(crate) enum Shape {
    Text,
    Json,
    Fields(String),
}

impl Shape {
    pub(crate) fn new(json: bool, separator: Option<&str>) -> Self {
        match (json, separator) {
            (true, _) => Shape::Json,
            // A shell passes it so, and so does perf take it.
            (false, Some("\\t")) => Shape::Fields("\t".into()),
            (false, Some(separator)) => Shape::Fields(separator.into()),
            (false, None) => Shape::Text,
        }
    }
}

impl Form {
    pub(crate) fn new(
        args: &OutputArgs,
        is_of_cpus: bool,
        repeat: Repeat,
        intervals: bool,
    ) -> Self {
        let shape = Shape::new(args.json, args.field_separator.as_deref());
        let level = match Level::of(&args.aggregation) {
            Level::Cpu | Level::Everything if args.no_merge && is_of_cpus => Level::Cpu,
            level => level,
        };
        Form {
            invocation: Invocation::current(),
            shape,
            level,
            is_merged: !args.no_merge && !args.aggregation.no_aggr,
            merges_cores: args.hybrid_merge,
            is_metric_only: args.metric_only,
            has_thresholds: !args.metric_no_threshold,
            has_summary: args.summary,
            has_summary_word: args.summary && !args.no_csv_summary,
            has_table: args.table,
            is_big: args.big_num && !args.no_big_num,
            is_quiet: args.quiet,
            repeat,
            has_intervals: intervals,
            hides_idle_threads: level == Level::Thread && is_of_cpus,
            is_null: false,
        }
    }

    /// Whether the deviation of several runs is shown.
    pub(crate) fn has_noise(&self) -> bool {
        self.repeat.is_mean()
    }

    pub(crate) fn is_text(&self) -> bool {
        self.shape == Shape::Text
    }

    pub(crate) fn is_perf(&self) -> bool {
        self.invocation.is_perf()
    }
}
