//! The command line, in GNU style: `--option=value` or `--option value`, and
//! `--` before patterns that begin with a dash.

use std::ffi::OsString;

use pmu_events::name;

use crate::search::Pattern;

pub(crate) const HELP: &str = "\
Usage: list [--cpuid ID | --model NAME | --sys] [PATTERN…] [OPTION…]
       list --models [PATTERN…] [--json]

Lists the performance-monitoring events and metrics of this machine's CPU, or
of another one, by topic. Where no tree knows the machine's CPU, it lists the
models, or looks for the PATTERNs in all of them.

A PATTERN with any of * ? [ \\ is a shell pattern for whole names. Any other is
looked for within names, topics, metric groups and descriptions. Letter case
does not matter; of several patterns one is enough.

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

#[derive(Default)]
pub(crate) struct Args {
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
    let mut words = words.into_iter().map(|word| {
        let shown = |w: OsString| format!("argument `{}` is not UTF-8", w.to_string_lossy());
        word.into_string().map_err(shown)
    });
    let mut args = Args::default();
    while let Some(word) = words.next().transpose()? {
        let (option, value) = match word.split_once('=') {
            Some((option, value)) if option.starts_with("--") => (option, Some(value.to_string())),
            _ => (word.as_str(), None),
        };
        let flag = || match value {
            None => Ok(()),
            Some(_) => Err(format!("`{option}` takes no value")),
        };
        let mut required = || {
            let value = value.clone().map_or_else(|| words.next().transpose(), |v| Ok(Some(v)))?;
            value.filter(|v| !v.is_empty()).ok_or_else(|| format!("`{option}` needs a value"))
        };
        match option {
            "--" => {
                for word in words {
                    args.patterns.push(Pattern::new(word?));
                }
                break;
            }
            "--cpuid" => args.ask_for(Subject::Cpu(required()?))?,
            "--model" => args.ask_for(Subject::Named(required()?))?,
            "--sys" => flag().and_then(|()| args.ask_for(Subject::Sys))?,
            "--models" => flag().and_then(|()| args.ask_for(Subject::Models))?,
            "--details" => flag().map(|()| args.details = true)?,
            "--deprecated" => flag().map(|()| args.deprecated = true)?,
            "--json" => flag().map(|()| args.json = true)?,
            "-h" | "--help" => return flag().map(|()| Command::Help),
            "-V" | "--version" => return flag().map(|()| Command::Version),
            _ if option.len() > 1 && option.starts_with('-') => return Err(unknown(option)),
            _ => args.patterns.push(Pattern::new(word)),
        }
    }
    Ok(Command::List(args))
}

fn unknown(option: &str) -> String {
    let near = OPTIONS.iter().filter_map(|known| Some((name::distance(option, known, 3)?, known)));
    match near.min() {
        Some((_, known)) => format!("unknown option `{option}`; did you mean `{known}`?"),
        None => format!("unknown option `{option}`; patterns that begin with `-` go behind `--`"),
    }
}
