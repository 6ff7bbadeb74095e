//! The command line, in GNU style.

use std::ffi::OsString;
use std::path::PathBuf;

use pmu_events_compiler::hint;
use pmu_events_import::sources::Given;

pub(crate) const HELP: &str = "\
Usage: pmu-events-import [OPTION]... [[NAME=]TREE]...

Fills arch/ with the facts of one or several trees and the words of overlay/.
TREE is a kernel tree, its tools/perf/pmu-events/arch, any directory of the same
form, a directory of Intel's perfmon, Arm's telemetry or ARM-software/data, or
the driver apple_m1_cpu_pmu.c within the sources of Linux;
without it, arch/ itself, whose facts stay as they are and whose words are brought up to date.
Each model comes from the first TREE that has it. NAME is a key of
overlay/sources.csv: arch/ says that the models of this TREE come from there.

  --arch NAME    takes over this architecture only; may be given several times
  --metrics [MODELS=]DIR
                 takes metrics from this kernel tree, or from a directory of
                 Intel's perfmon or Arm's telemetry, instead of TREE; may be
                 given several times, and the first that has a metric counts.
                 MODELS is a glob of models with their architecture, such as
                 x86/amd*, for which alone the directory counts
  --out DIR      the directory that is filled (default: arch)
  --overlay DIR  what is said of the events (default: overlay beside DIR)
  --accept GLOB  accepts that sentences of events with such names stand at new
                 encodings; may be given several times
  --pack         only packs arch/, as it is, for the crate pmu-events-tables: after
                 an edit of a file by hand. Takes no TREE. Every import packs, too
  --check        changes nothing; lists what would change, and fails if
                 anything would
  --missing N    also lists N names without description, those that most models
                 have first
  --findings N   also lists N descriptions that do not agree with the name or the
                 facts of their event, other than those in exceptions.csv
  -h, --help     shows this
  -V, --version  shows the version

A sentence is accepted for the encodings of the events that it describes, which
overlay/<arch>/accepted.txt lists. One that would stand at another encoding is an
error, with the words of TREE beside it, until --accept names the event.

Of a TREE, prints first which models and events are new, gone, or have another
encoding, and which of them nothing describes. Warns of each model of arch/ that no
TREE has, and is dropped; arch/ itself as the last TREE keeps it. One of our own
models is an error. Writes the tables of overlay/README.md
and arch/METRICS.md, too.

Then prints, for each architecture and for all, how many distinct names and how
many events of models there are, and how many of them have a description.

Exit status: 0; 1 when something is wrong or, with --check, not up to date, and
then nothing was written; 2 for bad usage.
";

const OPTIONS: [&str; 11] = [
    "--accept",
    "--arch",
    "--metrics",
    "--out",
    "--overlay",
    "--pack",
    "--check",
    "--missing",
    "--findings",
    "--help",
    "--version",
];

pub(crate) enum Command {
    Help,
    Version,
    Import(Args),
}

pub(crate) struct Args {
    /// The key of each tree's publication, if it is said, and the tree.
    pub(crate) trees: Vec<(Option<String>, PathBuf)>,
    pub(crate) archs: Vec<String>,
    pub(crate) metrics: Vec<Given>,
    pub(crate) out: PathBuf,
    pub(crate) overlay: Option<PathBuf>,
    /// Globs of the names of events.
    pub(crate) accept: Vec<String>,
    /// Nothing else is done.
    pub(crate) only_pack: bool,
    pub(crate) check: bool,
    pub(crate) missing: usize,
    pub(crate) findings: usize,
}

/// The message of an error explains the wrong usage.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Command, String> {
    let mut words = words.into_iter();
    let mut args = Args {
        trees: Vec::new(),
        archs: Vec::new(),
        metrics: Vec::new(),
        out: PathBuf::from("arch"),
        overlay: None,
        accept: Vec::new(),
        only_pack: false,
        check: false,
        missing: 0,
        findings: 0,
    };
    let mut only_trees = false;
    while let Some(word) = words.next() {
        let text = word.to_string_lossy().into_owned();
        if only_trees || !text.starts_with('-') || text == "-" {
            let named = text.split_once('=').filter(|(name, _)| !name.contains('/'));
            args.trees.push(match named {
                Some((name, tree)) => (Some(name.to_owned()), tree.into()),
                None => (None, word.into()),
            });
            continue;
        }
        let (option, given) = match text.split_once('=') {
            Some((option, value)) => (option.to_owned(), Some(OsString::from(value))),
            None => (text, None),
        };
        let flag = |given: &Option<OsString>| match given {
            None => Ok(()),
            Some(_) => Err(format!("`{option}` takes no value")),
        };
        let mut value = |given: Option<OsString>| {
            let value = given.or_else(|| words.next()).filter(|value| !value.is_empty());
            value.ok_or_else(|| format!("`{option}` needs a value"))
        };
        match option.as_str() {
            "--" => only_trees = true,
            "-h" | "--help" => return flag(&given).map(|()| Command::Help),
            "-V" | "--version" => return flag(&given).map(|()| Command::Version),
            "--check" => {
                flag(&given)?;
                args.check = true;
            }
            "--pack" => {
                flag(&given)?;
                args.only_pack = true;
            }
            "--arch" => args.archs.push(value(given)?.to_string_lossy().into_owned()),
            "--accept" => args.accept.push(value(given)?.to_string_lossy().into_owned()),
            "--metrics" => {
                let text = value(given)?.to_string_lossy().into_owned();
                let glob = text.split_once('=').filter(|(glob, _)| glob.contains(['*', '?', '[']));
                let (models, path) = glob.unwrap_or(("*", &text));
                args.metrics.push(Given { models: models.to_owned(), path: path.into() });
            }
            "--out" => args.out = value(given)?.into(),
            "--overlay" => args.overlay = Some(value(given)?.into()),
            "--missing" | "--findings" => {
                let text = value(given)?.to_string_lossy().into_owned();
                let number =
                    text.parse().map_err(|_| format!("invalid number `{text}` of {option}"))?;
                match option.as_str() {
                    "--missing" => args.missing = number,
                    _ => args.findings = number,
                }
            }
            _ => return Err(format!("unknown option `{option}`{}", hint(&option, OPTIONS))),
        }
    }
    match args.only_pack && !args.trees.is_empty() {
        true => Err("`--pack` takes no TREE: it packs what arch/ has".to_owned()),
        false => Ok(Command::Import(args)),
    }
}
