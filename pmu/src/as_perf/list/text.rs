//! perf's list for people, which programs read, too (`tools/perf/builtin-list.c`).

use std::collections::BTreeSet;
use std::io::{self, Write};

use pmu_events::__private::pmu::DEFAULT_CORE;

use super::entry::{Entry, MetricEntry};
use super::filter::What;
use crate::output::{Output, one_line};

/// What of an event or a metric is shown below its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    pub(super) names_only: bool,
    pub(super) brief: bool,
    pub(super) long: bool,
    pub(super) details: bool,
    pub(super) deprecated: bool,
    /// Where descriptions are broken.
    pub(super) width: usize,
}

pub(super) struct Text<'o> {
    out: &'o mut Output,
    shown: Shown,
    topic: String,
    /// The last group, once there is one.
    group: Option<String>,
    metrics: BTreeSet<String>,
}

/// The column of what is known of an event.
const COLUMN: usize = 8;

impl<'o> Text<'o> {
    pub(super) fn new(out: &'o mut Output, shown: Shown) -> Self {
        Text { out, shown, topic: String::new(), group: None, metrics: BTreeSet::new() }
    }

    pub(super) fn event(&mut self, entry: &Entry) -> io::Result<()> {
        /// Where the kind of an event stands.
        const KIND: usize = 53;
        if entry.is_deprecated && !self.shown.deprecated {
            return Ok(());
        }
        let name = one_line(&entry.name);
        let alias = entry.alias.as_deref().map(one_line);
        if self.shown.names_only {
            return write!(self.out, "{} ", alias.unwrap_or(name));
        }
        let topic = entry.topic.as_deref().unwrap_or_default();
        if self.topic != topic {
            if entry.topic.is_some() {
                write!(self.out, "\n{topic}:\n")?;
            }
            self.topic = topic.into();
        }
        let name = match alias {
            Some(alias) => format!("  {name} OR {alias}"),
            None => format!("  {name}"),
        };
        match entry.topic {
            // perf counts bytes.
            None => {
                let space = KIND.saturating_sub(name.len());
                writeln!(self.out, "{name}{:space$}[{}]", "", entry.kind)?;
            }
            Some(_) => writeln!(self.out, "{name}")?,
        }
        if let Some(long) = entry.long.as_ref().filter(|_| self.shown.long) {
            self.bracketed(long)?;
        } else if let Some(brief) = entry.brief.as_ref().filter(|_| self.shown.brief) {
            match entry.pmu.as_deref().filter(|&unit| unit != DEFAULT_CORE) {
                Some(unit) => {
                    let stop = if brief.ends_with('.') { "" } else { "." };
                    self.bracketed(&format!("{brief}{stop} Unit: {unit}"))?;
                }
                None => self.bracketed(brief)?,
            }
        }
        match &entry.encoding {
            Some(encoding) if self.shown.details => {
                let encoding = self.wrapped(encoding);
                writeln!(self.out, "{:COLUMN$}{encoding}", "")
            }
            _ => Ok(()),
        }
    }

    pub(super) fn metric(&mut self, entry: &MetricEntry, what: What) -> io::Result<()> {
        let is_first = self.group.is_none();
        if is_first && !self.shown.names_only {
            let heading = match what {
                What::Both => "\nMetric Groups:\n",
                What::Groups => "\nMetric Groups:\n\n",
                What::Metrics => "\nMetrics:\n\n",
            };
            self.out.write_all(heading.as_bytes())?;
        }
        if self.group.as_deref() != Some(&*entry.group) {
            if what.has_groups() {
                self.heading(entry, what)?;
            }
            self.group = Some(entry.group.clone());
        }
        if !what.has_metrics() {
            return Ok(());
        }
        let name = one_line(&entry.name);
        if self.shown.names_only {
            if self.metrics.insert(entry.name.clone()) {
                write!(self.out, "{name} ")?;
            }
            return Ok(());
        }
        writeln!(self.out, "  {name}")?;
        if let Some(long) = entry.long.as_ref().filter(|_| self.shown.long) {
            self.bracketed(long)?;
        } else if let Some(brief) = entry.brief.as_ref().filter(|_| self.shown.brief) {
            self.bracketed(brief)?;
        }
        if !self.shown.details {
            return Ok(());
        }
        let formulas = [&entry.expression, &entry.threshold];
        formulas.into_iter().flatten().try_for_each(|formula| self.bracketed(formula))
    }

    fn heading(&mut self, entry: &MetricEntry, what: What) -> io::Result<()> {
        let group = one_line(&entry.group);
        if self.shown.names_only {
            return write!(self.out, "{group} ");
        }
        let (before, colon) = if what.has_metrics() { ("\n", ":") } else { ("", "") };
        match entry.about_group.as_ref().filter(|_| self.shown.brief) {
            Some(about) => writeln!(self.out, "{before}{group}{colon} [{}]", one_line(about)),
            None => writeln!(self.out, "{before}{group}{colon}"),
        }
    }

    fn bracketed(&mut self, text: &str) -> io::Result<()> {
        let text = self.wrapped(text);
        writeln!(self.out, "{:>COLUMN$}{text}]", "[")
    }

    /// Breaks a text between words and at commas, and where it has a line feed itself. What
    /// separated two words stands before the break if it is a comma, and is lost otherwise.
    fn wrapped(&self, text: &str) -> String {
        let mut lines = String::new();
        let (mut column, mut after_comma, mut after_feed) = (COLUMN, false, false);
        let mut rest = text;
        while !rest.is_empty() {
            let end = rest.find([' ', ',', '\t', '\n']).unwrap_or(rest.len());
            let (word, more) = rest.split_at(end);
            if column + word.len() >= self.shown.width && column > COLUMN || after_feed {
                lines.push_str(if after_comma { ",\n" } else { "\n" });
                lines.extend(std::iter::repeat_n(' ', COLUMN));
                column = COLUMN;
            }
            let separator = match column > COLUMN {
                true if after_comma => ",",
                true => " ",
                false => "",
            };
            if separator.is_empty() && word.is_empty() {
                // As perf does, which takes a text for ended that begins with a separator.
                break;
            }
            lines.push_str(separator);
            lines.push_str(word);
            column += separator.len() + word.len();
            after_feed = more.starts_with('\n');
            after_comma = more.starts_with(',');
            rest = more.trim_start_matches([' ', ',', '\t', '\n', '\r', '\u{b}', '\u{c}']);
        }
        lines
    }
}
