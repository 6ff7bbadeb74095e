//! `pmu list`: events and metrics by topic, with search.

pub(crate) mod args;
pub(crate) mod json;
mod metrics;
mod search;
pub(crate) mod text;

use std::env;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};

use pmu_events::{glob, host};

use crate::failure::{Failure, SUCCESS};
use crate::spelling;
use crate::subject;
use crate::terminal::Page;
use crate::trees::{Table, Trees};
use args::{ListArgs, What};
use search::{Found, Pattern};

pub(crate) fn run(args: &ListArgs) -> Result<u8, Failure> {
    let trees = Trees::new(args.tree.tree.as_deref())?;
    let (what, words) = args.what();
    let patterns: Vec<Pattern> = words.map(|word| Pattern::new(word.clone())).collect();
    let listing = Listing { args, trees, what, patterns };
    let out = BufWriter::new(io::stdout().lock());
    if args.subject.models { listing.models(out) } else { listing.entries(out) }
}

fn complain(message: &str) {
    crate::failure::complain("list", message);
}

/// What is asked for.
struct Listing<'a> {
    args: &'a ListArgs,
    trees: &'static Trees,
    what: What,
    patterns: Vec<Pattern>,
}

impl Listing<'_> {
    fn models(&self, mut out: impl Write) -> Result<u8, Failure> {
        let mut tables: Vec<Table> = self.trees.all().collect();
        tables.retain(|table| {
            let names = [table.directory(), &table.to_string()];
            let asked_for = |pattern: &Pattern| names.iter().any(|name| pattern.matches_name(name));
            self.patterns.is_empty() || self.patterns.iter().any(asked_for)
        });
        if self.args.json {
            json::models(&mut out, &tables)?;
        } else {
            text::models(&mut out, &tables)?;
        }
        out.flush()?;
        if tables.is_empty() {
            let message = "no model matches; `pmu list --models` shows all";
            return Err(Failure::Missing(message.into()));
        }
        Ok(SUCCESS)
    }

    fn entries(&self, mut out: impl Write) -> Result<u8, Failure> {
        let tables = match self.unknown_host() {
            None => self.tables()?,
            Some(why) if self.patterns.is_empty() => {
                complain(&format!("{why}; these are known, and `--model` chooses one"));
                return self.models(out);
            }
            Some(why) => {
                complain(&format!("{why}; searching all models"));
                self.trees.all().collect()
            }
        };
        if self.what == What::MetricGroups {
            return self.groups(&tables, out);
        }
        let args = self.args;
        let search = |&table: &Table| search::search(table, &self.patterns, args.deprecated);
        let mut found: Vec<Found> = tables.iter().map(search).collect();
        if self.what == What::Metrics {
            for found in &mut found {
                found.events.clear();
                found.hidden = 0;
            }
        }
        let hidden: usize = found.iter().map(|f| f.hidden).sum();
        let empty = found.iter().all(Found::is_empty);
        if args.json {
            json::entries(&mut out, &found)?;
        } else if self.what == What::Metrics {
            metrics::metrics(&mut Page::new(&mut out), &found, args.details)?;
        } else {
            text::entries(&mut Page::new(&mut out), &found, args.details)?;
        }
        out.flush()?;
        if empty {
            return Err(Failure::Missing(nothing(&tables, &self.patterns, hidden)));
        }
        if hidden > 0 {
            let events = spelling::count(hidden, "deprecated event");
            complain(&format!("{events}; `--deprecated` shows them"));
        }
        Ok(SUCCESS)
    }

    fn groups(&self, tables: &[Table], mut out: impl Write) -> Result<u8, Failure> {
        let of = |&table: &Table| (table, metrics::groups(table, &self.patterns));
        let found: Vec<_> = tables.iter().map(of).collect();
        if self.args.json {
            json::metric_groups(&mut out, &found)?;
        } else {
            metrics::group_list(&mut Page::new(&mut out), &found, self.args.details)?;
        }
        out.flush()?;
        if found.iter().all(|(_, groups)| groups.is_empty()) {
            return Err(Failure::Missing("no metric group matches".into()));
        }
        Ok(SUCCESS)
    }

    /// Why the machine's own events cannot be listed. Who sets `PERF_CPUID` asks
    /// for a CPU by name, and is told that it is unknown instead.
    fn unknown_host(&self) -> Option<host::Error> {
        if !self.args.subject.is_host() || env::var_os(host::OVERRIDE).is_some() {
            return None;
        }
        match host::cpuid() {
            _ if !self.trees.of_machine().is_empty() => None,
            Ok(cpuid) => Some(host::Error::Unknown(cpuid)),
            Err(error) => Some(error),
        }
    }

    /// The tables that are asked for.
    fn tables(&self) -> Result<Vec<Table>, Failure> {
        let subject = &self.args.subject;
        if subject.sys {
            return Ok(self.trees.all().filter(|table| table.sys).collect());
        }
        match (&subject.model, &subject.cpu.cpuid) {
            (Some(name), _) => subject::named(self.trees, name),
            (None, Some(cpuid)) => subject::of_cpu(self.trees, cpuid),
            (None, None) => subject::of_host(self.trees),
        }
    }
}

fn nothing(tables: &[Table], patterns: &[Pattern], hidden: usize) -> String {
    if hidden > 0 {
        return "only deprecated events match; `--deprecated` shows them".into();
    }
    let mut message = match tables {
        [table] => format!("{table} has nothing that matches"),
        _ => "nothing matches".into(),
    };
    for (n, pattern) in patterns.iter().map(Pattern::as_str).enumerate() {
        let _ = write!(message, "{} `{pattern}`", if n == 0 { "" } else { " or" });
    }
    let nearest = |pattern| tables.iter().find_map(|table| table.model.nearest(pattern));
    let plain = patterns.iter().map(Pattern::as_str).filter(|p| !glob::is_pattern(p));
    for near in plain.filter_map(nearest) {
        let _ = write!(message, "\nDid you mean `{near}`?");
    }
    message
}
