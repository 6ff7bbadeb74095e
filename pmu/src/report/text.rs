//! Shares for people, as wide as the terminal.

use std::io::{self, Write};

use crate::output::one_line;
use crate::report::shares::{Sum, Table};
use crate::report_args::ReportArgs;
use crate::report_values::Key;
use crate::terminal::width_of_terminal;

pub(super) fn write(
    out: &mut impl Write,
    tables: &[Table<'_>],
    args: &ReportArgs,
) -> io::Result<()> {
    let most = width_of_terminal().unwrap_or(usize::MAX);
    let keys = args.keys();
    for (n, table) in tables.iter().enumerate() {
        if n > 0 {
            writeln!(out)?;
        }
        let event = one_line(table.event);
        let stand_for = if args.mem_mode { "weights of" } else { "which stand for" };
        let unit = if args.mem_mode { "" } else { " events" };
        let (samples, events) = (table.samples, table.events);
        writeln!(out, "{samples} samples of {event}, {stand_for} {events}{unit}")?;
        if table.lines.is_empty() {
            continue;
        }
        writeln!(out)?;
        let values: Vec<Vec<String>> = table
            .lines
            .iter()
            .map(|(line, _)| {
                let keys = keys.iter().zip(&line.values);
                keys.map(|(key, value)| shown(*key, value, line.level)).collect()
            })
            .collect();
        let width = |n: usize, key: &Key| {
            let widths = values.iter().map(|values| values[n].chars().count());
            widths.max().unwrap_or(0).max(key.name().len())
        };
        let widths: Vec<usize> = keys.iter().enumerate().map(|(n, key)| width(n, key)).collect();
        let counts = Counts::of(table, args);
        let heading = if args.children { "   total     self" } else { "   share" };
        let heading = format!("{heading}{}", counts.heading());
        let names: Vec<String> = keys.iter().map(|key| key.name().to_owned()).collect();
        writeln!(out, "{}", cut(&format!("{heading}{}", joined(&names, &widths)), most))?;
        for ((_, sum), values) in table.lines.iter().zip(&values) {
            let percent = |events| format!("{:>6.2} %", 100.0 * table.share(events));
            let shares = match args.children {
                true => format!("{} {}", percent(sum.with_callees), percent(sum.events)),
                false => percent(sum.events),
            };
            let line = format!("{shares}{}{}", counts.shown(*sum), joined(values, &widths));
            writeln!(out, "{}", cut(&line, most))?;
        }
    }
    Ok(())
}

/// The columns of samples and events that are asked for, each with its title and its width.
struct Counts(Vec<(&'static str, usize, fn(Sum) -> u64)>);

impl Counts {
    fn of(table: &Table<'_>, args: &ReportArgs) -> Self {
        let total = if args.mem_mode { "weights" } else { "events" };
        let all: [(bool, &str, fn(Sum) -> u64); 2] = [
            (args.show_nr_samples, "samples", |sum| sum.samples),
            (args.show_total_period, total, |sum| sum.events),
        ];
        let asked = all.into_iter().filter(|(is_asked, ..)| *is_asked);
        let column = |(_, title, of): (bool, &'static str, fn(Sum) -> u64)| {
            let widths = table.lines.iter().map(|(_, sum)| of(*sum).to_string().len());
            (title, widths.max().unwrap_or(0).max(title.len()), of)
        };
        Counts(asked.map(column).collect())
    }

    fn heading(&self) -> String {
        self.0.iter().map(|(title, width, _)| format!("  {title:>width$}")).collect()
    }

    fn shown(&self, sum: Sum) -> String {
        self.0.iter().map(|(_, width, of)| format!("  {:>width$}", of(sum))).collect()
    }
}

fn shown(key: Key, value: &str, level: Option<char>) -> String {
    let value = one_line(value);
    match (key, level) {
        (Key::Function, Some('k')) => format!("{value} [kernel]"),
        (Key::Function, Some('g' | 'u')) => format!("{value} [guest]"),
        (Key::Function, Some('H')) => format!("{value} [hypervisor]"),
        _ => value.into_owned(),
    }
}

fn joined(values: &[String], widths: &[usize]) -> String {
    let last = values.len().saturating_sub(1);
    let columns =
        values.iter().zip(widths).enumerate().map(|(n, (value, width))| match n == last {
            true => format!("  {value}"),
            false => format!("  {value:width$}"),
        });
    columns.collect()
}

/// A line that is longer than the terminal ends with a mark.
fn cut(line: &str, most: usize) -> String {
    if line.chars().count() <= most {
        return line.to_owned();
    }
    line.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}
