//! The command line.

use std::ffi::OsString;

use crate::cli::{Word, Words, unknown, utf8};
use crate::search::Pattern;

pub(crate) const HELP: &str = "\
Usage: list [metrics | metricgroups] [--cpuid ID | --model NAME | --sys]
            [PATTERN…] [OPTION…]
       list --models [PATTERN…] [--json]

Lists the performance-monitoring events and metrics of this machine's CPU, or
of another one, by topic. Where no tree knows the machine's CPU, it lists the
models, or looks for the PATTERNs in all of them.

A PATTERN with any of * ? [ \\ is a shell pattern for whole names. Any other is
looked for within names, topics, metric groups and descriptions. Letter case
does not matter; of several patterns one is enough.

Without a first word, events and metrics are listed. `metrics` lists metrics by
name, each with its groups, `metricgroups` the groups; to look for one of these
words, write it behind `--`.

Whose events:
  --cpuid ID      those of the CPU that perf calls ID: GenuineIntel-6-37-8
  --model NAME    those of a directory of arch/: silvermont, arm/neoverse-n1,
                  or its last part alone
  --sys           those of system PMUs, which belong to no CPU model
  --models        none: lists the models

What is shown:
  --details       everything that is known of an event or metric
  --deprecated    also events that should no longer be used, which are else
                  left out unless a PATTERN is their name
  --json          one JSON array of objects

  -h, --help      shows this
  -V, --version   shows the version

Environment:
  PERF_CPUID      stands for the CPUID of this machine
  COLUMNS         the width of the terminal
  NO_COLOR        when not empty, turns emphasis off

Exit status: 0; 1 when nothing matches or a CPU that is asked for is unknown; 2
for bad usage.
";

const OPTIONS: [&str; 9] = [
    "--cpuid",
    "--model",
    "--sys",
    "--models",
    "--details",
    "--deprecated",
    "--json",
    "--help",
    "--version",
];

pub(crate) enum Command {
    Help,
    Version,
    List(Args),
}

/// What is listed.
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) enum What {
    /// Events and metrics.
    #[default]
    Entries,
    Metrics,
    MetricGroups,
}

impl What {
    /// What a first word asks for.
    fn named(word: &str) -> Option<Self> {
        match word {
            "metrics" => Some(What::Metrics),
            "metricgroups" => Some(What::MetricGroups),
            _ => None,
        }
    }
}

#[derive(Default)]
pub(crate) struct Args {
    pub(crate) what: What,
    pub(crate) subject: Subject,
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) details: bool,
    pub(crate) deprecated: bool,
    pub(crate) json: bool,
}

/// Whose events are asked for.
#[derive(Default, PartialEq)]
pub(crate) enum Subject {
    #[default]
    Host,
    Cpu(String),
    Named(String),
    Sys,
    Models,
}

impl Subject {
    /// The option that asks for it.
    fn option(&self) -> &'static str {
        match self {
            Subject::Host => "",
            Subject::Cpu(_) => "--cpuid",
            Subject::Named(_) => "--model",
            Subject::Sys => "--sys",
            Subject::Models => "--models",
        }
    }
}

impl Args {
    /// Of one option the last value counts, but two different ones contradict
    /// each other.
    fn ask_for(&mut self, subject: Subject) -> Result<(), String> {
        let (before, now) = (self.subject.option(), subject.option());
        if self.subject != Subject::Host && before != now {
            return Err(format!("`{before}` and `{now}` do not go together"));
        }
        self.subject = subject;
        Ok(())
    }
}

/// The message of an error says what is wrong with the usage.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Command, String> {
    let mut words = Words::new(words);
    let mut args = Args::default();
    while let Some(word) = words.next()? {
        let option = match word {
            Word::Operand(word) => {
                match What::named(&word) {
                    Some(what) if args.what == What::Entries && args.patterns.is_empty() => {
                        args.what = what;
                    }
                    _ => args.patterns.push(Pattern::new(word)),
                }
                continue;
            }
            Word::End => {
                for word in words.rest() {
                    args.patterns.push(Pattern::new(utf8(word)?));
                }
                break;
            }
            Word::Option(option) => option,
        };
        match option.as_str() {
            "--cpuid" => args.ask_for(Subject::Cpu(words.value()?))?,
            "--model" => args.ask_for(Subject::Named(words.value()?))?,
            "--sys" => words.flag().and_then(|()| args.ask_for(Subject::Sys))?,
            "--models" => words.flag().and_then(|()| args.ask_for(Subject::Models))?,
            "--details" => words.flag().map(|()| args.details = true)?,
            "--deprecated" => words.flag().map(|()| args.deprecated = true)?,
            "--json" => words.flag().map(|()| args.json = true)?,
            "-h" | "--help" => return words.flag().map(|()| Command::Help),
            "-V" | "--version" => return words.flag().map(|()| Command::Version),
            _ => return Err(unknown(words.whole(), &OPTIONS, "patterns")),
        }
    }
    Ok(Command::List(args))
}
