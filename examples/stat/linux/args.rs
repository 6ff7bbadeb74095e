//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use pmu_events::sysfs::CpuSet;

use crate::cli::{Word, Words, unknown, utf8};

pub(crate) const HELP: &str = "\
Usage: stat [OPTION…] [--] COMMAND [ARGUMENT…]
       stat [OPTION…] -p PID[,PID…] | -t TID[,TID…] | -a | -C CPUS

Counts events, as `perf stat` does: those of a COMMAND and all that it starts,
of tasks that run, or of whole CPUs. With both a COMMAND and one of -p, -t, -a
and -C, it counts until the COMMAND ends. Without it, until the tasks have
ended, or an interrupt (Ctrl-C).

What is counted:
  -e, --event EVENTS     what `perf stat -e` takes: names, pmu/terms/,
                         {groups}, modifiers, joined by commas; may be repeated.
                         Without it, clock, switches, migrations, page faults,
                         cycles, instructions, branches and mispredicted ones
  -M, --metrics METRICS  what `perf stat -M` takes: names of metrics or of
                         groups of them, joined by commas, in any letter case,
                         each with :modifiers if need be; may be repeated
  --cpuid ID             takes the tables of the CPU that perf calls ID
  --sysfs DIR            takes the PMUs of DIR instead of /sys

Whom:
  -p, --pid PID          processes, all their threads
  -t, --tid TID          threads
  -a, --all-cpus         all CPUs
  -C, --cpu CPUS         some CPUs: 0-3,8
  -i, --no-inherit       not what the tasks start

When:
  -r, --repeat N         runs the COMMAND N times: mean and deviation of it
  -I, --interval MS      what has come in each MS milliseconds
  --interval-count N     ends after N of them
  --timeout MS           ends after MS milliseconds, the COMMAND with SIGTERM
  -D, --delay MS         begins after MS milliseconds

How it is shown:
  -A, --no-aggr          each CPU for itself; needs -a or -C
  --no-merge             each instance of a PMU for itself
  -j, --json             one JSON object a line, with the keys of `perf stat -j`
  -x, --field-separator SEP
                         lines of fields, as `perf stat -x` has them
  -o, --output FILE      writes to FILE instead of standard error

  -h, --help             shows this
  -V, --version          shows the version

A count behind which a share stands, as (33.2%), had to share its counter and is
an estimate. <not counted> had no counter at any time; <not supported> is not
there on this machine, and a note says why.

A metric stands behind the `#` of its first event, its unit before its name. It
is nan where an event that it needs was not counted. Where it has a threshold,
what stands behind says whether that is crossed; with --json, \"metric-threshold\"
is \"bad\" then, else \"good\", and with -x these are a last field.

Environment:
  PERF_CPUID             stands for the CPUID of this machine
  SYSFS_PATH             stands for /sys

Exit status: that of the COMMAND, or 128 and the number of the signal that ended
it; 127 when it is not found, 126 when it cannot be run, and nothing is shown
then; 125 when stat itself fails or is used badly; else 0. A COMMAND that runs
is always waited for, also where its counts can no longer be written: the status
is 125 then, but its own where merely nobody reads them any more.
";

const OPTIONS: [&str; 21] = [
    "--event",
    "--metrics",
    "--cpuid",
    "--sysfs",
    "--pid",
    "--tid",
    "--all-cpus",
    "--cpu",
    "--no-inherit",
    "--repeat",
    "--interval",
    "--interval-count",
    "--timeout",
    "--delay",
    "--no-aggr",
    "--no-merge",
    "--json",
    "--field-separator",
    "--output",
    "--help",
    "--version",
];

pub(crate) enum Command {
    Help,
    Version,
    Stat(Box<Args>),
}

#[derive(Default)]
pub(crate) struct Args {
    pub(crate) events: Vec<String>,
    /// Lists of names.
    pub(crate) metrics: Vec<String>,
    pub(crate) cpuid: Option<String>,
    pub(crate) sysfs: Option<PathBuf>,
    pub(crate) subject: Subject,
    pub(crate) no_inherit: bool,
    pub(crate) repeat: usize,
    pub(crate) interval: Option<Duration>,
    pub(crate) interval_count: Option<u64>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) delay: Option<Duration>,
    pub(crate) no_aggr: bool,
    pub(crate) no_merge: bool,
    pub(crate) shape: Shape,
    pub(crate) output: Option<PathBuf>,
    /// The command with its arguments; empty without one.
    pub(crate) command: Vec<OsString>,
}

/// Whom it counts.
#[derive(Default, PartialEq)]
pub(crate) enum Subject {
    #[default]
    Command,
    Processes(Vec<u32>),
    Threads(Vec<u32>),
    AllCpus,
    Cpus(CpuSet),
}

impl Subject {
    /// The option that asks for it.
    fn option(&self) -> &'static str {
        match self {
            Subject::Command => "",
            Subject::Processes(_) => "--pid",
            Subject::Threads(_) => "--tid",
            Subject::AllCpus => "--all-cpus",
            Subject::Cpus(_) => "--cpu",
        }
    }

    pub(crate) fn is_cpus(&self) -> bool {
        matches!(self, Subject::AllCpus | Subject::Cpus(_))
    }
}

/// What the output looks like.
#[derive(Default, PartialEq)]
pub(crate) enum Shape {
    #[default]
    Text,
    Json,
    Fields(String),
}

impl Args {
    /// `-a -C 0` are the CPUs that are named.
    fn ask_for(&mut self, subject: Subject) -> Result<(), String> {
        let (before, now) = (self.subject.option(), subject.option());
        match (&self.subject, &subject) {
            (Subject::Command, _) | (Subject::AllCpus, Subject::Cpus(_)) => {}
            (Subject::Cpus(_), Subject::AllCpus) => return Ok(()),
            _ if before == now => {}
            _ => return Err(format!("`{before}` and `{now}` do not go together")),
        }
        self.subject = subject;
        Ok(())
    }

    fn check(&self) -> Result<(), String> {
        let has_command = !self.command.is_empty();
        let refused = [
            (
                !has_command && self.subject == Subject::Command,
                "there is neither a command nor -p, -t, -a or -C to say what is counted",
            ),
            (
                self.no_aggr && !self.subject.is_cpus(),
                "`--no-aggr` needs whole CPUs: `--all-cpus` or `--cpu`",
            ),
            (self.repeat > 1 && !has_command, "`--repeat` needs a command"),
            (
                self.repeat > 1 && self.interval.is_some(),
                "`--repeat` and `--interval` do not go together",
            ),
            (
                self.interval_count.is_some() && self.interval.is_none(),
                "`--interval-count` needs `--interval`",
            ),
        ];
        match refused.iter().find(|(is_so, _)| *is_so) {
            Some((_, message)) => Err((*message).into()),
            None => Ok(()),
        }
    }
}

/// The message of an error says what is wrong with the usage.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Command, String> {
    let mut words = Words::new(words);
    let mut args = Args { repeat: 1, ..Args::default() };
    while let Some(word) = words.next()? {
        let option = match word {
            // All that follows is the command's.
            Word::Operand(program) => {
                args.command.push(program.into());
                args.command.extend(words.rest());
                break;
            }
            Word::End => {
                args.command.extend(words.rest());
                break;
            }
            Word::Option(option) => option,
        };
        match option.as_str() {
            "-e" | "--event" => args.events.push(words.value()?),
            "-M" | "--metrics" => args.metrics.push(words.value()?),
            "--cpuid" => args.cpuid = Some(words.value()?),
            "--sysfs" => args.sysfs = Some(words.value()?.into()),
            "-p" | "--pid" => args.ask_for(Subject::Processes(ids(&mut words)?))?,
            "-t" | "--tid" => args.ask_for(Subject::Threads(ids(&mut words)?))?,
            "-a" | "--all-cpus" => words.flag().and_then(|()| args.ask_for(Subject::AllCpus))?,
            "-C" | "--cpu" => {
                let cpus: CpuSet = words.value()?.parse()?;
                args.ask_for(Subject::Cpus(cpus))?;
            }
            "-i" | "--no-inherit" => words.flag().map(|()| args.no_inherit = true)?,
            "-r" | "--repeat" => args.repeat = at_least_one(&option, words.number()?)? as usize,
            "-I" | "--interval" => args.interval = Some(milliseconds(&option, &mut words)?),
            "--interval-count" => {
                args.interval_count = Some(at_least_one(&option, words.number()?)?);
            }
            "--timeout" => args.timeout = Some(milliseconds(&option, &mut words)?),
            "-D" | "--delay" => args.delay = Some(milliseconds(&option, &mut words)?),
            "-A" | "--no-aggr" => words.flag().map(|()| args.no_aggr = true)?,
            "--no-merge" => words.flag().map(|()| args.no_merge = true)?,
            "-j" | "--json" => words.flag().and_then(|()| shape(&mut args, Shape::Json))?,
            "-x" | "--field-separator" => {
                let separator = words.value()?;
                shape(&mut args, Shape::Fields(separator))?;
            }
            "-o" | "--output" => args.output = Some(words.value()?.into()),
            "-h" | "--help" => return words.flag().map(|()| Command::Help),
            "-V" | "--version" => return words.flag().map(|()| Command::Version),
            _ => return Err(unknown(words.whole(), &OPTIONS, "commands")),
        }
    }
    if let Some(program) = args.command.first() {
        utf8(program.clone()).map(drop)?;
    }
    args.check()?;
    Ok(Command::Stat(Box::new(args)))
}

fn shape(args: &mut Args, shape: Shape) -> Result<(), String> {
    if args.shape != Shape::Text && (args.shape == Shape::Json) != (shape == Shape::Json) {
        return Err("`--json` and `--field-separator` do not go together".into());
    }
    args.shape = shape;
    Ok(())
}

fn ids(words: &mut Words) -> Result<Vec<u32>, String> {
    let list = words.value()?;
    let id = |word: &str| match word.parse() {
        Ok(id) if id > 0 => Ok(id),
        _ => Err(format!("`{word}` is no id of a task")),
    };
    list.split(',').map(id).collect()
}

fn at_least_one(option: &str, number: u64) -> Result<u64, String> {
    if number == 0 { Err(format!("`{option}` needs 1 or more")) } else { Ok(number) }
}

fn milliseconds(option: &str, words: &mut Words) -> Result<Duration, String> {
    at_least_one(option, words.number()?).map(Duration::from_millis)
}
