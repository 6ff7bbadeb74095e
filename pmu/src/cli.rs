//! The commands and their help, from which completions and the man page are made.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use pmu_events::event;

use crate::failure::{Failure, SUCCESS};
use crate::trees::Trees;

pub(crate) use crate::decode::args::DecodeArgs;
pub(crate) use crate::ebb::args::EbbArgs;
pub(crate) use crate::encode::args::EncodeArgs;
pub(crate) use crate::lint::args::LintArgs;
pub(crate) use crate::list::args::ListArgs;
pub(crate) use crate::page::args::PageArgs;
pub(crate) use crate::stat_args::StatArgs;
pub(crate) use crate::topdown_args::TopdownArgs;

/// Performance-monitoring events by name, for every CPU that Linux perf knows.
#[derive(Debug, Parser)]
#[command(
    name = "pmu",
    version,
    max_term_width = 100,
    propagate_version = true,
    infer_subcommands = true,
    after_help = "Run `pmu COMMAND --help` for the options of a command."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant)] // There is one, and it lives as long as the program.
pub(crate) enum Command {
    List(ListArgs),
    Stat(StatArgs),
    Topdown(TopdownArgs),
    Encode(EncodeArgs),
    Decode(DecodeArgs),
    Page(PageArgs),
    Lint(LintArgs),
    Ebb(EbbArgs),
    /// Write a completion script for a shell to standard output
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the man page, in roff, to standard output
    Man,
}

impl Command {
    /// The name under which the command reports failures.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Command::List(_) => "list",
            Command::Stat(_) => "stat",
            Command::Topdown(_) => "topdown",
            Command::Encode(_) => "encode",
            Command::Decode(_) => "decode",
            Command::Page(_) => "page",
            Command::Lint(_) => "lint",
            Command::Ebb(_) => "ebb",
            Command::Completions { .. } => "completions",
            Command::Man => "man",
        }
    }
}

/// Where the event tables come from.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct TreeArgs {
    /// Use the event trees below DIR instead of the built-in ones: an architecture's directory,
    /// a directory of such, or the root of a kernel source tree
    #[arg(long, value_name = "DIR", help_heading = "Select tables")]
    pub(crate) tree: Option<PathBuf>,
}

/// Selects the event trees and their encoding.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct TablesArgs {
    #[command(flatten)]
    pub(crate) tree: TreeArgs,

    #[command(flatten)]
    pub(crate) encoding: EncodingArgs,
}

impl TablesArgs {
    pub(crate) fn trees(&self) -> Result<&'static Trees, Failure> {
        Trees::new(self.tree.tree.as_deref(), self.encoding.into())
    }
}

/// Selects the machine whose events are meant, and its tables.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct MachineArgs {
    #[command(flatten)]
    pub(crate) cpu: CpuArgs,

    #[command(flatten)]
    pub(crate) sysfs: SysfsArgs,

    #[command(flatten)]
    pub(crate) tables: TablesArgs,
}

impl MachineArgs {
    pub(crate) fn cpuid(&self) -> Option<&str> {
        self.cpu.cpuid.as_deref()
    }

    pub(crate) fn sysfs(&self) -> Option<&Path> {
        self.sysfs.sysfs.as_deref()
    }
}

/// Selects one of two encodings of events that perf gets wrong.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct EncodingArgs {
    /// How to encode an event for which perf has something different: `pmu list --details` shows
    /// both
    #[arg(
        long,
        value_name = "WHOSE",
        value_enum,
        default_value_t = Encoding::Correct,
        overrides_with = "encoding",
        help_heading = "Select tables"
    )]
    pub(crate) encoding: Encoding,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum Encoding {
    /// As the vendor documents it
    #[default]
    Correct,
    /// As perf does, to compare with perf's counts
    Perf,
}

impl From<EncodingArgs> for event::Encoding {
    fn from(args: EncodingArgs) -> Self {
        match args.encoding {
            Encoding::Correct => event::Encoding::Correct,
            Encoding::Perf => event::Encoding::Perf,
        }
    }
}

/// Selects the CPU whose tables are used.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct CpuArgs {
    /// Use the event tables of the CPU with this CPUID, in perf's form: GenuineIntel-6-8F-4,
    /// 0x00000000410fd0c0
    #[arg(long, value_name = "ID", overrides_with = "cpuid", help_heading = "Select tables")]
    pub(crate) cpuid: Option<String>,
}

/// Where the descriptions of the system's PMUs are.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct SysfsArgs {
    /// Read PMUs below DIR instead of /sys
    #[arg(long, value_name = "DIR", overrides_with = "sysfs", help_heading = "Select tables")]
    pub(crate) sysfs: Option<PathBuf>,
}

pub(crate) fn completions(shell: Shell) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "pmu", &mut script);
    write(&script)
}

/// One page for all commands: each has a section, whose subsections would be the
/// sections of a separate page.
pub(crate) fn man() -> Result<u8, Failure> {
    let mut command = Cli::command();
    command.build();
    let man = clap_mangen::Man::new(command.clone());
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_options_section(&mut page)?;
    let is_documented = |command: &&clap::Command| command.get_name() != "help";
    for subcommand in command.get_subcommands().filter(is_documented) {
        let usage = subcommand.clone().render_usage().to_string();
        let usage = usage.trim_start_matches("Usage: ").replace('-', "\\-");
        let man = clap_mangen::Man::new(subcommand.clone());
        let mut sections = Vec::new();
        man.render_description_section(&mut sections)?;
        man.render_options_section(&mut sections)?;
        man.render_extra_section(&mut sections)?;
        let name = subcommand.get_name().to_uppercase();
        page.extend_from_slice(format!(".SH \"PMU {name}\"\n{usage}\n").as_bytes());
        page.extend_from_slice(subsections(&String::from_utf8_lossy(&sections)).as_bytes());
    }
    write(&page)
}

/// The same one level deeper. `EXTRA` is clap's name for the text that follows
/// the options.
fn subsections(sections: &str) -> String {
    let deeper = |line: &str| match line.strip_prefix(".SH ") {
        Some("EXTRA") => ".SS NOTES\n".to_string(),
        Some(heading) => format!(".SS {heading}\n"),
        None => format!("{line}\n"),
    };
    sections.lines().map(deeper).collect()
}

fn write(text: &[u8]) -> Result<u8, Failure> {
    use io::Write as _;
    let mut out = io::stdout().lock();
    out.write_all(text)?;
    out.flush()?;
    Ok(SUCCESS)
}
