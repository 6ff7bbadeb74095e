//! The command line of `pmu audit`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::machine_args::ModelArgs;

/// Find event names and codes in files, and say whether they are right
///
/// Finds names and codes in source text of any language, and in the lists of LIKWID, nanoBench,
/// aperf, cadvisor, perf and scx. Compares each with the events of the CPU that it is meant for, which
/// the file says: in the line of the code or of the block around it, in its own name, or in that of a
/// directory. `--model` and `--cpuid` name the CPU of everything else. Names of metrics are compared,
/// too, where nothing else can be meant: behind -M of a command line of perf stat, in the output of
/// perf stat -j, and in toplev's CSV and JSON. What has no CPU, and what the tables say nothing about,
/// is listed, not judged.
#[derive(Args, Debug)]
#[command(after_help = "\
Findings:
  another-event    The code counts something else than the vendor's or the kernel's event of that name
  not-on-this-cpu  The CPU has no such event or metric, or nothing is known to have the code
  only-a-part      The code counts a part of what the name says
  another-model    A program reads a map file of perf so that it takes a CPU for another
  deprecated       The vendor has replaced the event

Exit status: 0 if there is no finding, 1 if there are findings or a file cannot be read, 2 on a \
usage error, 3 if all findings are deprecated events.")]
pub(crate) struct AuditArgs {
    /// Files, or directories whose files are read; hidden ones and links are left out
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) cpu: ModelArgs,

    /// How to write what is found
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Text)]
    pub(crate) format: Form,

    /// Also show each name and code that is right, and each that has no verdict
    #[arg(long)]
    pub(crate) all: bool,
}

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Lines for people
    Text,
    /// One JSON object a line
    Json,
    /// SARIF 2.1.0, which code hosts and editors show beside the lines
    Sarif,
}
