//! What the command line says of samples.

use std::fs::File;
use std::io;
use std::os::fd::FromRawFd as _;
use std::path::PathBuf;
use std::time::Duration;

use clap::parser::ValueSource;
use clap::{Args as _, Command, FromArgMatches as _};
use pmu_events::Scope;
use pmu_events::sample::Options;

use crate::record::Settings;
use crate::record_args::RecordArgs;
use crate::stat::Failure;
use crate::topdown_args::TopdownArgs;

/// How samples are taken.
pub(crate) struct How {
    settings: Settings,
    /// The recording that the user wants to keep.
    path: Option<PathBuf>,
}

/// Where the recording is read.
pub(super) enum Recorded {
    Named(PathBuf),
    /// A file without a name, which ends with this program.
    Nameless(File),
}

/// The arguments of `pmu record` that say how to sample. The others say what, which is that of
/// `pmu topdown`.
const OF_SAMPLES: [&str; 25] = [
    "count",
    "freq",
    "callchains",
    "call_graph",
    "data",
    "phys_data",
    "weight",
    "branch_any",
    "branch_filter",
    "clockid",
    "period",
    "sample_cpu",
    "raw_samples",
    "transaction",
    "data_page_size",
    "code_page_size",
    "kernel_callchains",
    "user_callchains",
    "namespaces",
    "all_cgroups",
    "switch_events",
    "no_bpf_event",
    "mmap_pages",
    "output",
    "quiet",
];

impl How {
    /// `longest` is how long tasks and CPUs are counted.
    pub(crate) fn new(args: &TopdownArgs, longest: Option<Duration>) -> Result<Self, Failure> {
        let text = args.sample_args.as_deref().unwrap_or_default();
        let (mut record, names_file) = parsed(text).map_err(|why| {
            Failure::Usage(format!("`--sample-args` takes options of `pmu record`: {why}"))
        })?;
        record.target = args.target.clone();
        record.command = args.command.clone();
        record.quiet = true;
        let path = names_file.then(|| record.output.clone());
        let settings = Settings::new(record)?.within("topdown", longest);
        Ok(How { settings, path })
    }

    /// How the events are opened.
    pub(super) fn options(&self, scope: Scope) -> Options {
        self.settings.options(scope)
    }

    /// The settings of the recording, and where that is found.
    pub(super) fn into_settings(self) -> Result<(Settings, Recorded), Failure> {
        if let Some(path) = self.path {
            return Ok((self.settings, Recorded::Named(path)));
        }
        let cannot = |error: io::Error| {
            Failure::Cannot(format!("there is no memory for samples: {error}; nothing was sampled"))
        };
        let file = nameless().map_err(cannot)?;
        let own = file.try_clone().map_err(cannot)?;
        Ok((self.settings.into_file(own), Recorded::Nameless(file)))
    }
}

fn nameless() -> io::Result<File> {
    // SAFETY: the name ends with NUL.
    let descriptor = unsafe { libc::memfd_create(c"samples".as_ptr(), libc::MFD_CLOEXEC) };
    if descriptor < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it was just made, and nobody else knows it.
    Ok(unsafe { File::from_raw_fd(descriptor) })
}

/// Options of `pmu record`, separated by spaces; `+g` is `-g`, as for toplev.
fn parsed(text: &str) -> Result<(RecordArgs, bool), String> {
    let words = text.split_whitespace().map(|word| match word.strip_prefix('+') {
        Some(rest) => format!("-{rest}"),
        None => word.to_owned(),
    });
    let command = Command::new("record").no_binary_name(true).disable_help_flag(true);
    let command = RecordArgs::augment_args(command);
    let others: Vec<String> = command
        .get_arguments()
        .map(|arg| arg.get_id().to_string())
        .filter(|id| !OF_SAMPLES.contains(&id.as_str()))
        .collect();
    let said = |error: clap::Error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        first.strip_prefix("error: ").unwrap_or(first).to_owned()
    };
    let matches = command.try_get_matches_from(words).map_err(said)?;
    let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    if let Some(other) = others.iter().find(|id| is_given(id)) {
        let other = other.replace('_', "-");
        return Err(format!("`{other}` has no place there: the findings say what is sampled"));
    }
    let names_file = is_given("output");
    RecordArgs::from_arg_matches(&matches).map(|args| (args, names_file)).map_err(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_record() {
        for (text, expected) in [
            ("", Ok((None, false, false))),
            ("-c 1000", Ok((Some(1000), false, false))),
            ("  +g   +c 7 ", Ok((Some(7), true, false))),
            ("-g -o kept.data", Ok((None, true, true))),
            ("-e cycles", Err("`events` has no place there: the findings say what is sampled")),
            ("-a", Err("`all-cpus` has no place there: the findings say what is sampled")),
            ("true", Err("`command` has no place there: the findings say what is sampled")),
            ("-c", Err("a value is required for '--count <N>' but none was supplied")),
            ("--nonsense", Err("unexpected argument '--nonsense' found")),
        ] {
            let found = parsed(text);
            let found = found.map(|(args, is_kept)| (args.count, args.callchains, is_kept));
            assert_eq!(found, expected.map_err(String::from), "{text}");
        }
    }
}
