//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::cli::{Word, Words, unknown, utf8};

pub(crate) const HELP: &str = "\
Usage: metrics [--cpuid ID | --model NAME] --html FILE

Writes a page for a browser: the metrics of this machine's CPU, or of another
one, as the tree that they form, and its events by topic. Formulas link to what
they name; a search narrows all as you type. The page needs nothing beside it:
no network, no other file.

  --html FILE     where the page goes; `-` is standard output

  --cpuid ID      takes the CPU that perf calls ID: GenuineIntel-6-8F-4
  --model NAME    takes a directory of arch/: sapphirerapids, arm/neoverse-n1,
                  or its last part alone

  -h, --help      shows this
  -V, --version   shows the version

Environment:
  PERF_CPUID      stands for the CPUID of this machine

Exit status: 0; 1 when the CPU is unknown or the page cannot be written; 2 for
bad usage.
";

const OPTIONS: [&str; 5] = ["--html", "--cpuid", "--model", "--help", "--version"];

pub(crate) enum Command {
    Help,
    Version,
    Write(Args),
}

pub(crate) struct Args {
    pub(crate) subject: Subject,
    pub(crate) to: Destination,
}

/// Whose metrics are asked for.
pub(crate) enum Subject {
    Host,
    Cpu(String),
    Named(String),
}

pub(crate) enum Destination {
    Output,
    File(PathBuf),
}

/// The message of an error says what is wrong with the usage.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Command, String> {
    let mut words = Words::new(words);
    let (mut cpuid, mut model, mut to) = (None, None, None);
    while let Some(word) = words.next()? {
        let option = match word {
            Word::Operand(word) => return Err(superfluous(&word)),
            Word::End => match words.rest().into_iter().next() {
                Some(word) => return Err(superfluous(&utf8(word)?)),
                None => break,
            },
            Word::Option(option) => option,
        };
        match option.as_str() {
            "--html" => to = Some(words.value()?),
            "--cpuid" => cpuid = Some(words.value()?),
            "--model" => model = Some(words.value()?),
            "-h" | "--help" => return words.flag().map(|()| Command::Help),
            "-V" | "--version" => return words.flag().map(|()| Command::Version),
            _ => return Err(unknown(words.whole(), &OPTIONS, "there are no operands")),
        }
    }
    let subject = match (cpuid, model) {
        (None, None) => Subject::Host,
        (Some(cpuid), None) => Subject::Cpu(cpuid),
        (None, Some(model)) => Subject::Named(model),
        (Some(_), Some(_)) => return Err("`--cpuid` and `--model` do not go together".into()),
    };
    let to = match to.as_deref() {
        None => return Err("`--html FILE` says where the page goes; it is missing".into()),
        Some("-") => Destination::Output,
        Some(file) => Destination::File(file.into()),
    };
    Ok(Command::Write(Args { subject, to }))
}

fn superfluous(word: &str) -> String {
    format!("`{word}` is no option; a model is chosen with `--model`")
}
