//! The command line of `pmu list`.

use std::path::PathBuf;

use clap::Args;
use clap_complete::ArgValueCompleter;

use crate::completion;
use crate::machine_args::SubjectArgs;
use crate::terminal::Texts;

/// List events and metrics of this machine's CPU, or of any other
///
/// Lists the events and metrics of the CPU's table by topic, then what else this machine has:
/// generic events, those of its PMUs' drivers, and tracepoints. If no tree has the machine's CPU,
/// lists the models or, with a PATTERN, searches all of them. For another CPU (`--cpuid`,
/// `--model`, PERF_CPUID) or another tree, lists only the table.
///
/// First words may say what to list: `hw`, `sw`, `cache` and `tracepoint`, where the events of a
/// machine are listed, and `pmu`, as for `perf list`; `metrics`, by name, each with its groups;
/// `metricgroups`. To search for one of these words, write it after `--`.
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

    /// Use only what PMUs have whose names match a shell pattern
    #[arg(long, value_name = "PMU", overrides_with = "unit", conflicts_with = "models")]
    pub(crate) unit: Option<String>,

    /// The same for one PMU, whose name may do without `cpu_` or `uncore_`
    #[arg(long, value_name = "PMU", conflicts_with_all = ["unit", "models"])]
    pub(crate) cputype: Option<String>,

    /// Show everything that is known of each event or metric
    #[arg(long)]
    pub(crate) details: bool,

    /// Also show deprecated events, which are otherwise hidden unless a PATTERN is their name
    #[arg(long)]
    pub(crate) deprecated: bool,

    /// Show brief descriptions, as is the default
    #[arg(short, long, overrides_with_all = ["no_desc", "long_desc"], hide = true)]
    desc: bool,

    /// Show no descriptions
    #[arg(long, overrides_with_all = ["desc", "long_desc"])]
    no_desc: bool,

    /// Show long descriptions of what has one, instead of brief ones
    #[arg(short = 'v', long, overrides_with_all = ["desc", "no_desc"])]
    long_desc: bool,

    /// Write one JSON object for each event, metric, group or model, one per line; all descriptions
    /// are among the keys
    #[arg(short, long)]
    pub(crate) json: bool,

    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE", overrides_with = "output")]
    pub(crate) output: Option<PathBuf>,
}

/// A kind of what can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Hardware,
    Software,
    Caches,
    Tracepoints,
    /// Those of tables and drivers.
    Pmus,
    Metrics,
    MetricGroups,
}

impl Kind {
    /// perf's words, and those that list metrics.
    const WORDS: [(&str, Kind); 12] = [
        ("hw", Kind::Hardware),
        ("hardware", Kind::Hardware),
        ("sw", Kind::Software),
        ("software", Kind::Software),
        ("cache", Kind::Caches),
        ("hwcache", Kind::Caches),
        ("tracepoint", Kind::Tracepoints),
        ("pmu", Kind::Pmus),
        ("metric", Kind::Metrics),
        ("metrics", Kind::Metrics),
        ("metricgroup", Kind::MetricGroups),
        ("metricgroups", Kind::MetricGroups),
    ];

    fn of(word: &str, has_machine: bool) -> Option<Kind> {
        let known = Kind::WORDS.iter().find(|(own, _)| *own == word).map(|&(_, kind)| kind);
        known.filter(|kind| has_machine || kind.is_of_tables())
    }

    /// Whether tables have some; all others are a machine's.
    fn is_of_tables(self) -> bool {
        matches!(self, Kind::Pmus | Kind::Metrics | Kind::MetricGroups)
    }

    /// The words, for completion.
    pub(crate) fn words() -> impl Iterator<Item = &'static str> {
        Kind::WORDS.iter().map(|&(word, _)| word)
    }
}

/// What to list: some kinds, or all but groups.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct What(Vec<Kind>);

impl What {
    pub(crate) fn has(&self, kind: Kind) -> bool {
        match kind {
            Kind::MetricGroups => self.0.contains(&kind),
            _ => self.0.is_empty() || self.0.contains(&kind),
        }
    }

    /// Whether nothing else is listed.
    pub(crate) fn is_only(&self, kind: Kind) -> bool {
        !self.0.is_empty() && self.0.iter().all(|own| *own == kind)
    }
}

impl ListArgs {
    /// Whether the request is about this machine's CPU.
    pub(crate) fn is_host(&self) -> bool {
        let cpu = &self.subject.cpu;
        cpu.cpuid().is_none() && cpu.model.is_none() && !self.sys && !self.models
    }

    /// What to list, and the patterns; an error explains why a word is refused.
    pub(crate) fn what(
        &self,
        has_machine: bool,
    ) -> Result<(What, impl Iterator<Item = &String>), String> {
        let kinds = self.words.iter().map_while(|word| Kind::of(word, has_machine));
        let kinds: Vec<Kind> = kinds.collect();
        let (used, what) = (kinds.len(), What(kinds));
        if let Some("sdt") = self.words.get(used).map(String::as_str) {
            return Err("static probes (`sdt`) are not listed: they come from a cache that `perf \
                        buildid-cache` keeps; `pmu list -- sdt` searches for the word"
                .into());
        }
        Ok((what, self.words[used..].iter().chain(&self.literal)))
    }

    pub(crate) fn texts(&self) -> Texts {
        match (self.no_desc, self.long_desc) {
            (true, _) => Texts::None,
            (false, true) => Texts::Long,
            (false, false) => Texts::Brief,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Command {
        #[command(flatten)]
        list: ListArgs,
    }

    #[test]
    fn words_and_patterns() {
        use Kind::{Caches, Hardware, MetricGroups, Metrics, Software};
        for (words, kinds, patterns) in [
            ("", &[][..], ""),
            ("hw", &[Hardware], ""),
            ("sw cache misses", &[Software, Caches], "misses"),
            ("misses sw", &[], "misses sw"),
            ("metrics ipc", &[Metrics], "ipc"),
            ("metric metricgroup", &[Metrics, MetricGroups], ""),
            ("-- metrics", &[], "metrics"),
            ("hw -- sw", &[Hardware], "sw"),
        ] {
            let args = Command::parse_from(["list"].into_iter().chain(words.split_whitespace()));
            let (what, found) = args.list.what(true).expect("none is refused");
            let found: Vec<&str> = found.map(String::as_str).collect();
            assert_eq!((what, found.join(" ")), (What(kinds.to_vec()), patterns.into()), "{words}");
        }
        let of_table = Command::parse_from(["list", "pmu", "cache"]).list;
        let (what, found) = of_table.what(false).expect("none is refused");
        assert_eq!((what, found.count()), (What(vec![Kind::Pmus]), 1));
        let refused = Command::parse_from(["list", "hw", "sdt"]);
        assert!(refused.list.what(true).is_err_and(|why| why.contains("static probes")));
    }

    /// Of several options, the last counts.
    #[test]
    fn descriptions() {
        for (words, expected) in [
            ("", Texts::Brief),
            ("-v", Texts::Long),
            ("--long-desc --no-desc", Texts::None),
            ("--no-desc -v", Texts::Long),
            ("--no-desc -d", Texts::Brief),
        ] {
            let args = Command::parse_from(["list"].into_iter().chain(words.split_whitespace()));
            assert_eq!(args.list.texts(), expected, "{words}");
        }
    }
}
