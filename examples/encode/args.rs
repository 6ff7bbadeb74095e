//! The command line, in GNU style: `--option=value` or `--option value`, and
//! `--` before events that begin with a dash.

use std::ffi::OsString;
use std::path::PathBuf;

use pmu_events::name;

pub(crate) const HELP: &str = "\
Usage: encode [--cpuid ID] [--sysfs DIR] [--json] EVENT…

Turns events into what the kernel wants: one line for each perf_event_attr that
perf would open. Nothing is opened.

An EVENT is what `perf stat -e` takes, several of them joined by commas:
  cycles, faults, L1-dcache-load-misses   generic events
  inst_retired.any                        an event of the CPU's table or a PMU's
  cpu/event=0x3c,umask=1/u                terms of a PMU, with modifiers
  uncore_imc/cas_count_read/              on all instances of a PMU
  {cycles,instructions}:k                 a group
  r1a8, 4:0x1a8                           raw events
`-` reads events from standard input, a line each.

  --cpuid ID     takes the tables of the CPU that perf calls ID
  --sysfs DIR    takes the PMUs of DIR instead of /sys
  --json         one JSON object for each EVENT

  -h, --help     shows this
  -V, --version  shows the version

Environment:
  PERF_CPUID     stands for the CPUID of this machine
  SYSFS_PATH     stands for /sys

Exit status: 0; 1 when an event cannot be resolved; 2 for bad usage.
";

const OPTIONS: [&str; 5] = ["--cpuid", "--sysfs", "--json", "--help", "--version"];

pub(crate) enum Command {
    Help,
    Version,
    Encode(Args),
}

#[derive(Default)]
pub(crate) struct Args {
    pub(crate) cpuid: Option<String>,
    pub(crate) sysfs: Option<PathBuf>,
    pub(crate) json: bool,
    pub(crate) events: Vec<String>,
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
                    args.events.push(word?);
                }
                break;
            }
            "--cpuid" => args.cpuid = Some(required()?),
            "--sysfs" => args.sysfs = Some(required()?.into()),
            "--json" => flag().map(|()| args.json = true)?,
            "-h" | "--help" => return flag().map(|()| Command::Help),
            "-V" | "--version" => return flag().map(|()| Command::Version),
            _ if option.len() > 1 && option.starts_with('-') => return Err(unknown(option)),
            _ => args.events.push(word),
        }
    }
    if args.events.is_empty() {
        return Err("no event is given".into());
    }
    Ok(Command::Encode(args))
}

fn unknown(option: &str) -> String {
    let near = OPTIONS.iter().filter_map(|known| Some((name::distance(option, known, 3)?, known)));
    match near.min() {
        Some((_, known)) => format!("unknown option `{option}`; did you mean `{known}`?"),
        None => format!("unknown option `{option}`; events that begin with `-` go behind `--`"),
    }
}
