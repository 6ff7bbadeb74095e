//! What `perf report --stdio` writes (`tools/perf/ui/stdio/hist.c`).

use std::io::{self, Write};

use crate::output::one_line;
use crate::profile::reading::Summary;
use crate::report::shares::{Line, Sum, Table};
use crate::report_args::{Key, ReportArgs};

pub(super) fn write(
    out: &mut impl Write,
    tables: &[Table<'_>],
    args: &ReportArgs,
    summary: Summary,
) -> io::Result<()> {
    if !args.input.header {
        let hint =
            "To display the perf.data header info, please use --header/--header-only options.";
        writeln!(out, "# {hint}\n#")?;
    }
    writeln!(out, "#\n# Total Lost Samples: {}\n#", summary.lost)?;
    for table in tables {
        let event = one_line(table.event);
        writeln!(out, "# Samples: {} of event '{event}'", rounded(table.samples))?;
        if args.mem_mode {
            let order: Vec<_> = args.keys().iter().map(|key| named(*key)).collect();
            writeln!(out, "# Total weight : {}", table.events)?;
            writeln!(out, "# Sort order   : {}\n#", order.join(","))?;
        } else {
            writeln!(out, "# Event count (approx.): {}\n#", table.events)?;
        }
        let columns = Columns::of(table, args);
        columns.heading(out)?;
        for (line, sum) in &table.lines {
            columns.line(out, table, line, *sum)?;
        }
        writeln!(out, "\n")?;
    }
    Ok(())
}

fn percent(table: &Table<'_>, events: u64) -> f64 {
    100.0 * table.share(events)
}

/// `convert_unit` in `tools/perf/util/units.c`: a unit of one letter, or a space.
fn rounded(number: u64) -> String {
    let units = [" ", "K", "M", "G"];
    let (mut number, mut unit) = (number, 0);
    while number >= 1000 && unit + 1 < units.len() {
        (number, unit) = (number / 1000, unit + 1);
    }
    format!("{number}{}", units[unit])
}

struct Columns<'c> {
    args: &'c ReportArgs,
    widths: Vec<usize>,
    separator: Option<&'c str>,
}

impl<'c> Columns<'c> {
    fn of(table: &Table<'_>, args: &'c ReportArgs) -> Self {
        let width = |(n, key): (usize, &Key)| {
            let values =
                table.lines.iter().map(|(line, _)| shown(&line.values[n], *key, line.level));
            values.map(|value| value.chars().count()).max().unwrap_or(0).max(title(*key).len())
        };
        let widths = args.keys().iter().enumerate().map(width).collect();
        Columns { args, widths, separator: args.field_separator.as_deref() }
    }

    /// The columns of numbers, with their widths (`tools/perf/ui/hist.c`).
    fn numbers(&self) -> Vec<(&'static str, usize)> {
        let mut all = match self.args.children {
            true => vec![("Children", 8), ("Self", 8)],
            false => vec![("Overhead", 8)],
        };
        if self.args.show_nr_samples {
            all.push(("Samples", 12));
        }
        if self.args.show_total_period {
            all.push(("Period", 12));
        }
        all
    }

    fn heading(&self, out: &mut impl Write) -> io::Result<()> {
        let between = self.separator.unwrap_or("  ");
        let mut titles: Vec<String> = Vec::new();
        let mut dots: Vec<String> = Vec::new();
        for (title, width) in self.numbers() {
            titles.push(format!("{title:>width$}"));
            dots.push(".".repeat(width));
        }
        for (key, width) in self.args.keys().iter().zip(&self.widths) {
            titles.push(format!("{:width$}", title(*key)));
            dots.push(".".repeat(*width));
        }
        writeln!(out, "# {}", titles.join(between))?;
        match self.separator {
            Some(_) => Ok(()),
            None => writeln!(out, "# {}\n#", dots.join(between)),
        }
    }

    fn line(
        &self,
        out: &mut impl Write,
        table: &Table<'_>,
        line: &Line,
        sum: Sum,
    ) -> io::Result<()> {
        let percent = |events| format!("{:.2}%", percent(table, events));
        let mut numbers = vec![percent(sum.events)];
        if self.args.children {
            numbers.insert(0, percent(sum.with_callees));
        }
        if self.args.show_nr_samples {
            numbers.push(sum.samples.to_string());
        }
        if self.args.show_total_period {
            numbers.push(sum.events.to_string());
        }
        let numbers = self.numbers().into_iter().zip(numbers);
        let mut cells: Vec<String> = numbers
            .map(|((_, width), number)| match self.separator {
                // perf has a space before each number, and all that pads behind it.
                Some(_) => format!("{:width$}", format!(" {number}")),
                None => format!("{number:>width$}"),
            })
            .collect();
        let keys = self.args.keys().iter().zip(&self.widths).zip(&line.values);
        for (n, ((key, width), value)) in keys.enumerate() {
            let mut value = shown(value, *key, line.level);
            if let Some(first) = self.separator.and_then(|separator| separator.chars().next()) {
                value = value.replace(first, ".");
            }
            // Nothing behind the last one need be padded, but converters of perf's lines may count.
            let is_end = n + 1 == self.widths.len();
            match is_end && (self.separator.is_none() || *key == Key::Function) {
                true => cells.push(value),
                false => cells.push(format!("{value:width$}")),
            }
        }
        match self.separator {
            Some(separator) => writeln!(out, "{}", cells.join(separator)),
            None => writeln!(out, "  {}", cells.join("  ")),
        }
    }
}

fn shown(value: &str, key: Key, level: Option<char>) -> String {
    let value = one_line(value);
    match key {
        key if key.has_level() => format!("[{}] {value}", level.unwrap_or('.')),
        _ => value.into_owned(),
    }
}

fn title(key: Key) -> &'static str {
    match key {
        Key::Comm => "Command",
        Key::Pid => "Pid",
        Key::Tid => "Tid",
        Key::Cpu => "CPU",
        Key::Module => "Shared Object",
        Key::Function => "Symbol",
        Key::Line => "Source:Line",
        Key::Data => "Data Symbol",
        Key::DataModule => "Data Object",
        Key::CacheLine => "Data Cacheline",
        Key::PhysicalAddress => "Data Physical Address",
        Key::PageSize => "Data Page Size",
        Key::Memory => "Memory access",
        Key::Snoop => "Snoop",
        Key::Tlb => "TLB access",
        Key::Locked => "Locked",
        Key::Blocked => "Blocked",
        Key::Weight => "Local Weight",
        Key::Latency => "Local INSTR Latency",
        Key::RetireLatency => "Local Retire Latency",
    }
}

/// perf's name of a key.
fn named(key: Key) -> &'static str {
    match key {
        Key::Module => "dso",
        Key::Function => "sym",
        Key::Line => "srcline",
        Key::Data => "symbol_daddr",
        Key::DataModule => "dso_daddr",
        Key::CacheLine => "dcacheline",
        Key::PhysicalAddress => "phys_daddr",
        Key::PageSize => "data_page_size",
        Key::Memory => "mem",
        Key::Weight => "local_weight",
        Key::Latency => "local_ins_lat",
        Key::RetireLatency => "local_p_stage_cyc",
        other => other.name(),
    }
}
