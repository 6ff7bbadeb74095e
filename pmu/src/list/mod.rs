//! `pmu list`: events and metrics by topic, with search.

pub(crate) mod args;
pub(crate) mod json;
mod machine;
mod metrics;
mod place;
mod pmu_filter;
mod search;
pub(crate) mod text;

use std::env;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use pmu_events::__private::event_list::nearest_generic;
use pmu_events::__private::glob;
use pmu_events::__private::name::Nearest;
use pmu_events::model::Note;
use pmu_events::sysfs;
use pmu_events::{Event, System, host};

use crate::core_codes::CoreCodes;
use crate::failure::{Failure, SUCCESS, with_sources};
use crate::output::Output;
use crate::spelling;
use crate::subject;
use crate::system;
use crate::terminal::Page;
use crate::trees::{Table, Trees};
use args::{Kind, ListArgs, What};
use machine::Machine;
use pmu_filter::PmuFilter;
use search::{Found, Pattern};

pub(crate) fn run(args: &ListArgs) -> Result<u8, Failure> {
    let trees = args.subject.trees()?;
    let (what, words) = args.what(has_machine(args)).map_err(Failure::Missing)?;
    let patterns: Vec<Pattern> = words.map(|word| Pattern::new(word.clone())).collect();
    let system = system::machine(trees, args.subject.sysfs())?;
    let pmus = PmuFilter::new(args.unit.as_deref(), args.cputype.as_deref());
    let listing = Listing { args, trees, system, what, patterns, pmus };
    let mut out = destination(args.output.as_deref())?;
    let written = if args.models { listing.models(&mut out) } else { listing.entries(&mut out) };
    written.map_err(|failure| match (failure, &args.output) {
        (Failure::Write(_, error), Some(path)) => Failure::Write(path.display().to_string(), error),
        (failure, _) => failure,
    })
}

/// Whether the request includes the events of a machine, and not only
/// tables: there is no machine for another CPU, or for a tree that is not
/// the machine's.
fn has_machine(args: &ListArgs) -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    let ListArgs { subject, sys, models, .. } = args;
    let is_running_one = args.is_host()
        && env::var_os(host::OVERRIDE).is_none()
        && subject.cpu.tables.tree.tree.is_none();
    let has_tables_alone = subject.cpu.model.is_some() || *sys || *models;
    let is_chosen = subject.sysfs().is_some() || is_set(sysfs::OVERRIDE);
    is_running_one || is_chosen && !has_tables_alone
}

/// A file, or standard output without one.
pub(crate) fn destination(path: Option<&Path>) -> Result<Output, Failure> {
    let Some(path) = path else { return Ok(Output::stdout()) };
    let file = File::create(path);
    file.map(Output::file).map_err(|error| Failure::Write(path.display().to_string(), error))
}

fn complain(message: &str) {
    crate::failure::complain("list", message);
}

/// The request.
struct Listing<'a> {
    args: &'a ListArgs,
    trees: &'static Trees,
    system: System,
    what: What,
    patterns: Vec<Pattern>,
    pmus: Option<PmuFilter>,
}

impl Listing<'_> {
    fn page<'o>(&self, out: &'o mut Output) -> Page<'o> {
        let page = Page::new(out).with_texts(self.args.texts());
        if self.args.output.is_some() { page.of_file() } else { page }
    }

    /// What is listed of the tables' events and metrics.
    fn restrict(&self, found: &mut Found) {
        let has = |pmu: &str| self.pmus.as_ref().is_none_or(|pmus| pmus.has(pmu, &self.system));
        let is_listed = |kind: Kind, pmu: &str| self.what.has(kind) && has(pmu);
        found.events.retain(|event| is_listed(Kind::Pmus, event.pmu()));
        found.metrics.retain(|metric| is_listed(Kind::Metrics, metric.pmu()));
        if !self.what.has(Kind::Metrics) || self.pmus.is_some() {
            found.lacks.clear();
        }
        if !self.what.has(Kind::Pmus) || self.pmus.is_some() {
            found.hidden = 0;
        }
    }

    /// The same of what is in no table.
    fn restrict_machine(&self, found: &mut Machine<'_>) {
        let has = |pmu: &str| self.pmus.as_ref().is_none_or(|pmus| pmus.has(pmu, &self.system));
        let is_listed = |kind: Kind, pmu: &str| self.what.has(kind) && has(pmu);
        let kind = |event: &Event| match (event.pmu(), event.topic()) {
            ("software" | "tool", _) => Kind::Software,
            (_, "legacy cache") => Kind::Caches,
            _ => Kind::Hardware,
        };
        found.generic.retain(|event| is_listed(kind(event), event.pmu()));
        found.of_drivers.retain(|one| is_listed(Kind::Pmus, one.pmu));
        if !is_listed(Kind::Tracepoints, "tracepoint") {
            found.tracepoints.clear();
            found.untraceable = None;
        }
    }

    fn models(&self, out: &mut Output) -> Result<u8, Failure> {
        let tables = self.write_models(out, self.trees.all())?;
        out.flush()?;
        if tables == 0 {
            let message = "no model matches; `pmu list --models` shows all";
            return Err(Failure::Missing(message.into()));
        }
        Ok(SUCCESS)
    }

    /// How many there are.
    fn write_models(
        &self,
        out: &mut Output,
        tables: impl IntoIterator<Item = Table>,
    ) -> io::Result<usize> {
        let mut tables: Vec<Table> = tables.into_iter().collect();
        tables.retain(|table| {
            let directory = table.to_string();
            let mut names = vec![table.directory(), table.last_part(), &directory];
            names.extend(self.trees.cpus_of(table));
            let asked_for = |pattern: &Pattern| names.iter().any(|name| pattern.matches_name(name));
            self.patterns.is_empty() || self.patterns.iter().any(asked_for)
        });
        if self.args.json {
            json::models(out, self.trees, &tables)?;
        } else {
            text::models(&mut self.page(out), &tables)?;
        }
        Ok(tables.len())
    }

    /// The events that are in no table.
    fn write_machine(&self, out: &mut Output, machine: &Machine<'_>) -> io::Result<()> {
        if machine.len() == 0 {
            return Ok(());
        }
        if self.args.json {
            return json::machine(out, machine);
        }
        let root = self.system.sysfs().root();
        let heading = match root == Path::new("/sys") {
            true => "this machine".into(),
            false => root.display().to_string(),
        };
        text::machine(&mut self.page(out), &heading, machine, self.args.details)
    }

    fn entries(&self, out: &mut Output) -> Result<u8, Failure> {
        let tables = match self.unknown_host() {
            None => self.tables()?,
            Some(why) if self.patterns.is_empty() => {
                complain(&format!(
                    "{}; these are known, and `--model` chooses one",
                    with_sources(&why)
                ));
                self.write_models(out, self.choice())?;
                if !self.args.json {
                    writeln!(out)?;
                }
                if has_machine(self.args) {
                    let mut machine = machine::search(&self.system, &[], &[]);
                    self.restrict_machine(&mut machine);
                    self.write_machine(out, &machine)?;
                }
                out.flush()?;
                self.tell_of_problems();
                return Ok(SUCCESS);
            }
            Some(why) => {
                // The machine determines which generic events there are.
                let mut choice = self.choice();
                let what = match choice.first() {
                    Some(first) if choice.len() < self.trees.all().count() => {
                        format!("the models of {}", first.architecture)
                    }
                    _ => "all models".into(),
                };
                choice.retain(|table| table.architecture != "common");
                complain(&format!("{}; searching {what}", with_sources(&why)));
                choice
            }
        };
        if self.what.is_only(Kind::MetricGroups) {
            self.tell_of_cpus(&tables, out)?;
            return self.groups(&tables, out);
        }
        let args = self.args;
        let search = |&table: &Table| {
            search::search(table, self.codes_of(&table), &self.patterns, args.deprecated)
        };
        let mut found: Vec<Found> = tables.iter().map(search).collect();
        if self.args.is_host() {
            for Found { table, events, .. } in &mut found {
                events.retain(|&event| !machine::lacks(&self.system, table.model, event));
            }
        }
        self.tell_of_cpus(&tables, out)?;
        found.iter_mut().for_each(|found| self.restrict(found));
        let is_of_metrics = self.what.is_only(Kind::Metrics);
        let mut machine = match !is_of_metrics && has_machine(self.args) {
            true => machine::search(&self.system, &self.patterns, &tables),
            false => Machine::default(),
        };
        self.restrict_machine(&mut machine);
        let hidden: usize = found.iter().map(|f| f.hidden).sum();
        let is_none_of_tables = found.iter().all(Found::is_empty);
        if args.json {
            json::entries(out, &found)?;
        } else if is_of_metrics {
            metrics::metrics(&mut self.page(out), &found, args.details)?;
        } else {
            text::entries(&mut self.page(out), &found, args.details)?;
        }
        if machine.len() > 0 && !is_none_of_tables && !args.json {
            writeln!(out)?;
        }
        self.write_machine(out, &machine)?;
        let has_groups = self.what.has(Kind::MetricGroups);
        if has_groups {
            if !args.json {
                writeln!(out)?;
            }
            self.groups(&tables, out)?;
        }
        out.flush()?;
        self.tell_of_problems();
        // A user who may not see tracepoints, and asks for none, need not be
        // told.
        let is_of_tracepoint = |pattern: &Pattern| pattern.as_str().contains(':');
        if let Some(why) = machine.untraceable.as_ref().filter(|_| {
            machine.len() == 0 && is_none_of_tables || self.patterns.iter().any(is_of_tracepoint)
        }) {
            complain(&format!("note: tracepoints cannot be listed: {why}"));
        }
        if is_none_of_tables && machine.len() == 0 && !has_groups {
            return Err(Failure::Missing(self.nothing(&tables, hidden)));
        }
        if hidden > 0 {
            let events = spelling::count(hidden, "deprecated event");
            complain(&format!("{events}; `--deprecated` shows them"));
        }
        Ok(SUCCESS)
    }

    /// The codes of a table's events, where anything is found or shown by them.
    fn codes_of(&self, table: &Table) -> CoreCodes {
        match self.args.details || self.patterns.iter().any(Pattern::needs_codes) {
            true => CoreCodes::of(self.trees, table),
            false => CoreCodes::default(),
        }
    }

    /// The models from which to choose if none is the machine's: those of its architecture.
    fn choice(&self) -> Vec<Table> {
        let cpuid = self.system.cpuid().ok();
        self.trees.choice(cpuid)
    }

    /// Reports tables that were not made for the CPUs whose events are listed.
    fn tell_of_cpus(&self, tables: &[Table], out: &mut Output) -> io::Result<()> {
        let cpu = &self.args.subject.cpu;
        let of_cpuid = cpu.cpuid().filter(|_| cpu.model.is_none());
        let notes: Vec<Note<'_>> = match of_cpuid {
            Some(cpuid) if !self.args.sys => {
                tables.iter().filter_map(|table| table.model.note(cpuid)).collect()
            }
            None if self.args.is_host() => self.system.notes(),
            _ => Vec::new(),
        };
        for note in notes {
            complain(&format!("note: {note}"));
            if self.args.json {
                crate::json::note(out, &note)?;
            }
        }
        Ok(())
    }

    /// Reports what could not be read of the machine, whose events may be incomplete.
    fn tell_of_problems(&self) {
        const MOST: usize = 5;
        let problems = self.system.sysfs().problems();
        for problem in problems.iter().take(MOST) {
            complain(&format!("note: {}", with_sources(problem)));
        }
        if let Some(others @ 1..) = problems.len().checked_sub(MOST) {
            complain(&format!("note: {} more like these", spelling::count(others, "problem")));
        }
    }

    fn groups(&self, tables: &[Table], out: &mut Output) -> Result<u8, Failure> {
        let of = |&table: &Table| (table, metrics::groups(table, &self.patterns));
        let found: Vec<_> = tables.iter().map(of).collect();
        if self.args.json {
            json::metric_groups(out, &found)?;
        } else {
            metrics::group_list(&mut self.page(out), &found, self.args.details)?;
        }
        out.flush()?;
        if found.iter().all(|(_, groups)| groups.is_empty()) {
            return Err(Failure::Missing("no metric group matches".into()));
        }
        Ok(SUCCESS)
    }

    /// Why the machine's own events cannot be listed. With `PERF_CPUID` set, the
    /// user asks for a CPU by name, and is told that it is unknown instead.
    fn unknown_host(&self) -> Option<host::Error> {
        if !self.args.is_host() || env::var_os(host::OVERRIDE).is_some() {
            return None;
        }
        match self.system.cpuid() {
            _ if !self.trees.of_machine(&self.system).is_empty() => None,
            Ok(cpuid) => Some(host::Error::unknown_cpu(cpuid)),
            Err(error) => Some(error),
        }
    }

    /// The requested tables.
    fn tables(&self) -> Result<Vec<Table>, Failure> {
        if self.args.sys {
            return Ok(self.trees.all().filter(|table| table.sys).collect());
        }
        let cpu = &self.args.subject.cpu;
        match (&cpu.model, cpu.cpuid()) {
            (Some(name), _) => subject::named(self.trees, name),
            (None, Some(cpuid)) => subject::of_cpu(self.trees, cpuid),
            (None, None) => subject::of_host(self.trees, &self.system),
        }
    }

    fn nothing(&self, tables: &[Table], hidden: usize) -> String {
        if hidden > 0 {
            return "only deprecated events match; `--deprecated` shows them".into();
        }
        let mut message = match tables {
            [table] if !has_machine(self.args) => format!("{table} has nothing that matches"),
            _ => "nothing matches".into(),
        };
        for (n, pattern) in self.patterns.iter().map(Pattern::as_str).enumerate() {
            let _ = write!(message, "{} `{pattern}`", if n == 0 { "" } else { " or" });
        }
        let nearest = |pattern: &str| {
            let of_tables = tables.iter().find_map(|table| table.model.nearest(pattern));
            let generic = nearest_generic(pattern).filter(|_| has_machine(self.args));
            Nearest::instead_of(pattern).among([of_tables, generic].into_iter().flatten())
        };
        let plain = self.patterns.iter().map(Pattern::as_str).filter(|p| !glob::is_pattern(p));
        for near in plain.filter_map(nearest) {
            let _ = write!(message, "\nDid you mean `{near}`?");
        }
        message
    }
}
