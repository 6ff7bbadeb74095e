//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::cli::{Word, Words, unknown, utf8};

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
    let mut words = Words::new(words);
    let mut args = Args::default();
    while let Some(word) = words.next()? {
        let option = match word {
            Word::Operand(event) => {
                args.events.push(event);
                continue;
            }
            Word::End => {
                for word in words.rest() {
                    args.events.push(utf8(word)?);
                }
                break;
            }
            Word::Option(option) => option,
        };
        match option.as_str() {
            "--cpuid" => args.cpuid = Some(words.value()?),
            "--sysfs" => args.sysfs = Some(words.value()?.into()),
            "--json" => words.flag().map(|()| args.json = true)?,
            "-h" | "--help" => return words.flag().map(|()| Command::Help),
            "-V" | "--version" => return words.flag().map(|()| Command::Version),
            _ => return Err(unknown(words.whole(), &OPTIONS, "events")),
        }
    }
    if args.events.is_empty() {
        return Err("no event is given".into());
    }
    Ok(Command::Encode(args))
}
