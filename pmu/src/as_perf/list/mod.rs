//! `perf list`: the events and metrics of this machine, in perf's order and format
//! (`tools/perf/builtin-list.c` of Linux 6.12).
//!
//! It differs from perf 6.12 in that patterns and `--unit` also apply to JSON, as in later
//! versions, and in that static probes (`sdt`) are not listed: perf keeps a cache of those
//! that `perf buildid-cache` has found, and `pmu` does not.

mod args;
mod entry;
mod filter;
mod generic;
mod json;
mod metrics;
mod pmus;
mod text;
mod tracepoints;

use std::env;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::iter;

use clap::{CommandFactory as _, Parser as _};
use pmu_events::System;
use pmu_events::event::Encoding;

use super::usage;
use crate::failure::{Failure, SUCCESS, with_sources};
use crate::list;
use crate::output::{self, Output};
use crate::system;
use crate::terminal;
use crate::trees::Trees;
use args::Args;
use entry::{Entry, MetricEntry};
use filter::{Filter, What};
use json::Json;
use pmus::Instances;
use text::{Shown, Text};

/// The status that perf's -1 becomes.
const REFUSED: u8 = 255;

/// The definition of the command line, for its help.
pub(super) fn command() -> clap::Command {
    Args::command()
}

pub(super) fn run(words: &[OsString], by_pager: bool) -> Result<u8, Failure> {
    let program = OsString::from("perf list");
    let args = match Args::try_parse_from(iter::once(program).chain(args::ended(words))) {
        Ok(args) => args,
        Err(error) => return Ok(usage::misused(&error)),
    };
    let system = system::machine(Trees::new(None, Encoding::Correct)?, None)?;
    let pmu = match (&args.unit, &args.cputype) {
        (Some(unit), _) => Some(unit.clone()),
        (None, Some(cpu)) => match pmu_called(&system, cpu) {
            Some(name) => Some(name.into()),
            None => {
                output::tell(&format!("ERROR: no PMU is called `{cpu}`\n"));
                return Ok(REFUSED);
            }
        },
        (None, None) => None,
    };
    let mut out = match args.output.as_deref() {
        None => Output::paged(by_pager),
        path => list::destination(path)?,
    };
    let shown = Shown {
        names_only: args.raw_dump,
        brief: !args.no_desc,
        long: args.long_desc,
        details: args.details,
        deprecated: args.deprecated,
        width: width(),
    };
    let written = match args.json {
        true => Json::begin(&mut out).and_then(|json| {
            let mut listing = Listing::new(&system, Printer::Json(json), Instances::Each, pmu);
            listing.all_of(&args.words)?;
            listing.printer.end()
        }),
        false => {
            let instances = if shown.long { Instances::Each } else { Instances::AsOne };
            let printer = Printer::Text(Text::new(&mut out, shown));
            Listing::new(&system, printer, instances, pmu).all_of(&args.words)
        }
    };
    let written = written.and_then(|()| out.flush());
    written.map(|()| SUCCESS).map_err(|error| match &args.output {
        None => error.into(),
        Some(path) => Failure::Write(format!("{}", path.display()), error),
    })
}

/// `perf_pmus__pmu_for_pmu_filter` in `tools/perf/util/pmus.c`.
fn pmu_called<'s>(system: &'s System, wanted: &str) -> Option<&'s str> {
    let mut names = system.sysfs().pmus().iter().map(|pmu| pmu.name());
    names.find(|name| {
        let short = ["uncore_", "cpu_"].iter().filter_map(|prefix| name.strip_prefix(prefix));
        *name == wanted || short.into_iter().any(|short| short == wanted)
    })
}

/// `pager_get_columns` in `tools/lib/subcmd/pager.c`: two less than those of a terminal.
fn width() -> usize {
    let columns = env::var("COLUMNS").ok().map(|columns| columns.parse().unwrap_or_default());
    columns.unwrap_or_else(|| terminal::width_of_terminal().unwrap_or(80).saturating_sub(2))
}

enum Printer<'o> {
    Text(Text<'o>),
    Json(Json<'o>),
}

impl Printer<'_> {
    fn event(&mut self, entry: &Entry) -> io::Result<()> {
        match self {
            Printer::Text(text) => text.event(entry),
            Printer::Json(json) => json.event(entry),
        }
    }

    fn metric(&mut self, entry: &MetricEntry, what: What) -> io::Result<()> {
        match self {
            Printer::Text(text) => text.metric(entry, what),
            Printer::Json(json) => json.metric(entry),
        }
    }

    fn end(self) -> io::Result<()> {
        match self {
            Printer::Text(_) => Ok(()),
            Printer::Json(json) => json.end(),
        }
    }
}

struct Listing<'l> {
    system: &'l System,
    printer: Printer<'l>,
    instances: Instances,
    filter: Filter,
}

impl<'l> Listing<'l> {
    fn new(
        system: &'l System,
        printer: Printer<'l>,
        instances: Instances,
        pmu: Option<String>,
    ) -> Self {
        Listing { system, printer, instances, filter: Filter { pmu, name: None } }
    }

    fn all_of(&mut self, words: &[String]) -> io::Result<()> {
        if words.is_empty() {
            return self.everything();
        }
        words.iter().try_for_each(|word| self.word(word))
    }

    fn everything(&mut self) -> io::Result<()> {
        self.generic()?;
        self.events(pmus::events(self.system, self.instances))?;
        self.events([pmus::numbered()])?;
        self.events(pmus::raw(self.system, self.instances))?;
        self.events([pmus::breakpoint()])?;
        self.tracepoints()?;
        self.metrics(What::Both)
    }

    fn word(&mut self, word: &str) -> io::Result<()> {
        match word {
            "tracepoint" => self.tracepoints(),
            "hw" | "hardware" => self.events(generic::hardware()),
            "sw" | "software" => {
                self.events(generic::software().into_iter().chain(generic::tools()))
            }
            "cache" | "hwcache" => self.events(generic::caches(self.system)),
            "pmu" => self.events(pmus::events(self.system, self.instances)),
            "sdt" => {
                output::tell(
                    "perf list: static probes are not listed: they come from a cache that `perf \
                     buildid-cache` keeps, which pmu does not have\n",
                );
                Ok(())
            }
            "metric" | "metrics" => self.metrics(What::Metrics),
            "metricgroup" | "metricgroups" => self.metrics(What::Groups),
            word => self.matching(word),
        }
    }

    /// A word with a colon is the pattern of a tracepoint.
    fn matching(&mut self, word: &str) -> io::Result<()> {
        let is_tracepoint = word.contains(':');
        self.filter.name = Some(if is_tracepoint { word.into() } else { format!("*{word}*") });
        if !is_tracepoint {
            self.generic()?;
            self.events(pmus::events(self.system, self.instances))?;
        }
        self.tracepoints()?;
        self.metrics(What::Both)?;
        self.filter.name = None;
        Ok(())
    }

    fn generic(&mut self) -> io::Result<()> {
        self.events(generic::hardware())?;
        self.events(generic::software())?;
        self.events(generic::tools())?;
        self.events(generic::caches(self.system))
    }

    fn tracepoints(&mut self) -> io::Result<()> {
        match tracepoints::all(self.system) {
            Ok(entries) => self.events(entries),
            Err(problem) => {
                output::tell(&format!("Error: {}\n", with_sources(problem)));
                Ok(())
            }
        }
    }

    fn events(&mut self, entries: impl IntoIterator<Item = Entry>) -> io::Result<()> {
        for entry in entries {
            if self.filter.lists(&entry) {
                self.printer.event(&entry)?;
            }
        }
        Ok(())
    }

    fn metrics(&mut self, what: What) -> io::Result<()> {
        for entry in metrics::all(self.system) {
            if self.filter.lists_metric(&entry, what) {
                self.printer.metric(&entry, what)?;
            }
        }
        Ok(())
    }
}
