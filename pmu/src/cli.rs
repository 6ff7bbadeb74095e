//! The commands and their help, from which completions and the man page are made.

use std::ffi::OsString;
use std::io;

use clap::error::ErrorKind;
use clap::{Args as _, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use clap_complete::Shell;

use crate::completion;
use crate::failure::{Failure, SUCCESS};
use crate::output::Output;

use crate::audit::args::AuditArgs;
use crate::decode::args::DecodeArgs;
use crate::doctor::args::DoctorArgs;
use crate::ebb::args::EbbArgs;
use crate::encode::args::EncodeArgs;
use crate::export_args::ExportArgs;
use crate::lint::args::LintArgs;
use crate::list::args::ListArgs;
use crate::page::args::PageArgs;
use crate::perf_options;
use crate::perf_spelling;
use crate::record_args::RecordArgs;
use crate::report_args::ReportArgs;
use crate::script_args::ScriptArgs;
use crate::stat_args::StatArgs;
use crate::topdown_args::TopdownArgs;

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

impl Cli {
    /// Parses a command line, whose first word is the program.
    pub(crate) fn of_words(words: &[OsString]) -> Result<Self, clap::Error> {
        if let Some(cli) = Self::of_one_command(words) {
            return Ok(cli);
        }
        let error = match Cli::try_parse_from(words) {
            Err(error) if is_misuse(&error) => error,
            answer => return answer,
        };
        match perf_spelling::rewritten(&mut Cli::command(), words)? {
            Some(words) => Cli::try_parse_from(words),
            None => Err(error),
        }
    }

    /// Parses a command line by the definition of its command alone: those of all the others
    /// are a million instructions more. `None` if the line is wrong, or asks for
    /// help, as an answer may speak of the others.
    fn of_one_command(words: &[OsString]) -> Option<Self> {
        let name = words.get(1)?.to_str()?;
        let command = Command::definition(name)?;
        let program = clap::Command::new("pmu").subcommand(command);
        Cli::from_arg_matches(&program.try_get_matches_from(words).ok()?).ok()
    }
}

/// Whether the command line is wrong; help and version are errors of clap, too.
fn is_misuse(error: &clap::Error) -> bool {
    !matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion)
}

#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant)] // There is one, and it lives as long as the program.
pub(crate) enum Command {
    List(ListArgs),
    Stat(StatArgs),
    Topdown(TopdownArgs),
    Record(RecordArgs),
    Report(ReportArgs),
    Script(ScriptArgs),
    Export(ExportArgs),
    Doctor(DoctorArgs),
    Encode(EncodeArgs),
    Decode(DecodeArgs),
    Audit(AuditArgs),
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
    /// The definition of a command, for those that others start again and again.
    fn definition(name: &str) -> Option<clap::Command> {
        let define = |name: &'static str, arguments: fn(clap::Command) -> clap::Command| {
            Some(arguments(clap::Command::new(name)))
        };
        match name {
            "list" => define("list", ListArgs::augment_args),
            "stat" => define("stat", StatArgs::augment_args),
            "topdown" => define("topdown", TopdownArgs::augment_args),
            "record" => define("record", RecordArgs::augment_args),
            "report" => define("report", ReportArgs::augment_args),
            "script" => define("script", ScriptArgs::augment_args),
            "encode" => define("encode", EncodeArgs::augment_args),
            "decode" => define("decode", DecodeArgs::augment_args),
            _ => None,
        }
    }

    /// The name under which the command reports failures.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Command::List(_) => "list",
            Command::Stat(_) => "stat",
            Command::Topdown(_) => "topdown",
            Command::Record(_) => "record",
            Command::Report(_) => "report",
            Command::Script(_) => "script",
            Command::Export(_) => "export",
            Command::Doctor(_) => "doctor",
            Command::Encode(_) => "encode",
            Command::Decode(_) => "decode",
            Command::Audit(_) => "audit",
            Command::Page(_) => "page",
            Command::Lint(_) => "lint",
            Command::Ebb(_) => "ebb",
            Command::Completions { .. } => "completions",
            Command::Man => "man",
        }
    }
}

pub(crate) fn completions(shell: Shell) -> Result<u8, Failure> {
    write(&completion::script(shell)?)
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
        page.extend_from_slice(perf_options::roff(subcommand.get_name()).as_bytes());
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
    let mut out = Output::stdout();
    out.write_all(text)?;
    out.flush()?;
    Ok(SUCCESS)
}
