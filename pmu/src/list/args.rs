//! The command line of `pmu list`.

use clap::Args;
use clap_complete::ArgValueCompleter;

use crate::completion;
use crate::machine_args::SubjectArgs;

/// List events and metrics of this machine's CPU, or of any other
///
/// Lists the events and metrics of the CPU's table by topic, then what else this machine has:
/// generic events, those of its PMUs' drivers, and tracepoints. If no tree has the machine's CPU,
/// lists the models or, with a PATTERN, searches all of them. For another CPU (`--cpuid`,
/// `--model`, PERF_CPUID) or another tree, lists only the table.
///
/// A first PATTERN `metrics` or `metricgroups` lists metrics by name, each with its groups, or the
/// groups. To search for one of these words, write it after `--`.
#[derive(Args, Debug)]
// Of a model, it lists only the tables, and reads no PMU.
#[command(mut_arg("model", |model| model.conflicts_with("sysfs")))]
#[command(after_help = "\
Environment:
  PERF_CPUID  Use this CPUID instead of the machine's
  SYSFS_PATH  Read PMUs below this directory instead of /sys
  COLUMNS     Width of the output
  NO_COLOR    Turn emphasis off if not empty

Exit status: 0 on success, 1 if nothing matches or the CPU is unknown, 2 on a usage error.")]
pub(crate) struct ListArgs {
    /// A shell pattern for whole names if it contains any of * ? [ \, otherwise a text to find in
    /// names, topics, metric groups and descriptions, or an event's raw code (r412e, 0x412e) or generic
    /// name (cache-misses). Letter case does not matter, and one match of several patterns is
    /// enough
    #[arg(value_name = "PATTERN", add = ArgValueCompleter::new(completion::list_words))]
    words: Vec<String>,

    /// The same, after `--`: words that are not commands
    #[arg(last = true, hide = true)]
    literal: Vec<String>,

    #[command(flatten)]
    pub(crate) subject: SubjectArgs,

    /// Use the tables of system PMUs, which belong to no CPU model
    #[arg(long, conflicts_with_all = ["cpuid", "model", "sysfs"], help_heading = "Select tables")]
    pub(crate) sys: bool,

    /// List the models instead of events
    #[arg(
        long,
        conflicts_with_all = ["cpuid", "model", "sys", "sysfs"],
        help_heading = "Select tables"
    )]
    pub(crate) models: bool,

    /// Show everything that is known of each event or metric
    #[arg(long)]
    pub(crate) details: bool,

    /// Also show deprecated events, which are otherwise hidden unless a PATTERN is their name
    #[arg(long)]
    pub(crate) deprecated: bool,

    /// Write one JSON object for each event, metric, group or model, one per line
    #[arg(long)]
    pub(crate) json: bool,
}

/// What to list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum What {
    /// Events and metrics.
    Entries,
    Metrics,
    MetricGroups,
}

impl ListArgs {
    /// Whether the request is about this machine's CPU.
    pub(crate) fn is_host(&self) -> bool {
        let cpu = &self.subject.cpu;
        cpu.cpuid().is_none() && cpu.model.is_none() && !self.sys && !self.models
    }

    /// What to list, and the patterns.
    pub(crate) fn what(&self) -> (What, impl Iterator<Item = &String>) {
        let (what, used) = match self.words.first().map(String::as_str) {
            Some("metrics") => (What::Metrics, 1),
            Some("metricgroups") => (What::MetricGroups, 1),
            _ => (What::Entries, 0),
        };
        (what, self.words[used..].iter().chain(&self.literal))
    }
}
