//! Shares for people, as wide as the terminal.

use std::io::{self, Write};

use crate::output::one_line;
use crate::report::shares::Table;
use crate::report_args::{Key, ReportArgs};
use crate::terminal::width_of_terminal;

pub(super) fn write(
    out: &mut impl Write,
    tables: &[Table<'_>],
    args: &ReportArgs,
) -> io::Result<()> {
    let most = width_of_terminal().unwrap_or(usize::MAX);
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
                let keys = args.keys().iter().zip(&line.values);
                keys.map(|(key, value)| shown(*key, value, line.level)).collect()
            })
            .collect();
        let width = |n: usize, key: &Key| {
            let widths = values.iter().map(|values| values[n].chars().count());
            widths.max().unwrap_or(0).max(key.name().len())
        };
        let widths: Vec<usize> =
            args.keys().iter().enumerate().map(|(n, key)| width(n, key)).collect();
        let heading = if args.children { "   total     self" } else { "   share" };
        let names: Vec<String> = args.keys().iter().map(|key| key.name().to_owned()).collect();
        writeln!(out, "{}", cut(&format!("{heading}{}", joined(&names, &widths)), most))?;
        for ((_, sum), values) in table.lines.iter().zip(&values) {
            let percent = |events| format!("{:>6.2} %", 100.0 * table.share(events));
            let shares = match args.children {
                true => format!("{} {}", percent(sum.with_callees), percent(sum.events)),
                false => percent(sum.events),
            };
            let line = format!("{shares}{}", joined(values, &widths));
            writeln!(out, "{}", cut(&line, most))?;
        }
    }
    Ok(())
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
