//! What `perf report --stdio` writes (`tools/perf/ui/stdio/hist.c`).

use std::io::{self, Write};

use crate::output::one_line;
use crate::profile::reading::Summary;
use crate::report::Form;
use crate::report::chains::Trees;
use crate::report::columns::{self, Column};
use crate::report::graph::Graph;
use crate::report::shares::{Line, Sum, Table};
use crate::report_args::ReportArgs;
use crate::report_values::{Key, Number};

pub(super) fn write(
    out: &mut impl Write,
    tables: &mut [Table<'_>],
    args: &ReportArgs,
    form: &Form,
    summary: Summary,
) -> io::Result<()> {
    if !args.input.header {
        let hint =
            "To display the perf.data header info, please use --header/--header-only options.";
        writeln!(out, "# {hint}\n#")?;
    }
    writeln!(out, "#\n# Total Lost Samples: {}\n#", summary.lost)?;
    for table in tables.iter_mut().filter(|table| table.samples > 0) {
        columns::sort(table, args, form.with_callees);
        let event = one_line(table.event);
        writeln!(out, "# Samples: {} of event '{event}'", rounded(table.samples))?;
        if args.mem_mode {
            let order: Vec<_> = args.sorted().iter().map(|key| named(*key)).collect();
            writeln!(out, "# Total weight : {}", table.events)?;
            writeln!(out, "# Sort order   : {}\n#", order.join(","))?;
        } else {
            writeln!(out, "# Event count (approx.): {}\n#", table.events)?;
        }
        let columns = Columns::of(table, args, form);
        columns.heading(out)?;
        let trees = table.chains.as_ref().map(Trees::of);
        let graph = form.style.zip(trees.as_ref()).map(|(style, trees)| Graph {
            trees,
            style,
            total: table.events,
            separator: args.field_separator.as_deref().unwrap_or(";"),
            is_first_said: args.fields.is_none() && args.sort.first() == Some(&Key::Function),
        });
        let least = args.percent_limit.unwrap_or(0.0) / 100.0;
        for (line, sum) in &table.lines {
            let events = if form.with_callees { sum.with_callees } else { sum.events };
            if table.share(events) < least {
                continue;
            }
            columns.line(out, table, line, *sum)?;
            if let Some(graph) = &graph {
                graph.write(out, sum.tree, events)?;
            }
        }
        writeln!(out, "\n")?;
    }
    Ok(())
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
    all: Vec<(Column, usize)>,
    form: &'c Form,
    has_only_fields: bool,
    separator: Option<&'c str>,
}

impl<'c> Columns<'c> {
    fn of(table: &Table<'_>, args: &'c ReportArgs, form: &'c Form) -> Self {
        let (has_only_fields, separator) =
            (args.has_only_fields(), args.field_separator.as_deref());
        let mut columns = Columns { all: Vec::new(), form, has_only_fields, separator };
        let has_unknown = table.lines.iter().any(|(_, sum)| !sum.is_known);
        let columns_of = columns::all(args, form.with_callees).into_iter().map(|column| {
            let width = match column {
                Column::Number(number) => width(number),
                Column::Key(key, n) => {
                    let values =
                        table.lines.iter().map(|(line, _)| shown(&line.values[n], key, line.level));
                    let width = values.map(|value| value.chars().count()).max().unwrap_or(0);
                    // `hists__set_unres_dso_col_len` in `tools/perf/util/hist.c`
                    let is_wide = key == Key::Module
                        && has_unknown
                        && separator.is_none()
                        && args.dsos.is_empty();
                    width.max(title(key).len()).max(if is_wide { 16 } else { 0 })
                }
            };
            (column, width)
        });
        columns.all = columns_of.collect();
        columns
    }

    fn heading(&self, out: &mut impl Write) -> io::Result<()> {
        let between = self.separator.unwrap_or("  ");
        let mut titles: Vec<String> = Vec::new();
        let mut dots: Vec<String> = Vec::new();
        for &(column, width) in &self.all {
            titles.push(match column {
                Column::Number(number) => format!("{:>width$}", self.title(number)),
                Column::Key(key, _) => format!("{:width$}", title(key)),
            });
            dots.push(".".repeat(width));
        }
        writeln!(out, "# {}", titles.join(between))?;
        match self.separator {
            Some(_) => Ok(()),
            None => writeln!(out, "# {}\n#", dots.join(between)),
        }
    }

    /// `perf_hpp__format` in `tools/perf/ui/hist.c`
    fn title(&self, number: Number) -> &'static str {
        match number {
            Number::Overhead if self.form.with_callees && !self.has_only_fields => "Self",
            Number::Overhead => "Overhead",
            Number::OverheadSys => "sys",
            Number::OverheadUser => "usr",
            Number::OverheadGuestSys => "guest sys",
            Number::OverheadGuestUser => "guest usr",
            Number::OverheadChildren => "Children",
            Number::Samples => "Samples",
            Number::Period => "Period",
        }
    }

    fn line(
        &self,
        out: &mut impl Write,
        table: &Table<'_>,
        line: &Line,
        sum: Sum,
    ) -> io::Result<()> {
        let mut cells = Vec::new();
        for (n, &(column, width)) in self.all.iter().enumerate() {
            let (cell, is_padded) = match column {
                Column::Number(number) => (self.number(table, number, width, sum), false),
                Column::Key(key, n) => {
                    let mut value = shown(&line.values[n], key, line.level);
                    let first = self.separator.and_then(|separator| separator.chars().next());
                    if let Some(first) = first {
                        value = value.replace(first, ".");
                    }
                    (value, key != Key::Function)
                }
            };
            // Only functions have nothing behind them at the end of a line.
            match is_padded || n + 1 < self.all.len() {
                true => cells.push(format!("{cell:width$}")),
                false => cells.push(cell),
            }
        }
        match self.separator {
            Some(separator) => writeln!(out, "{}", cells.join(separator)),
            None => writeln!(out, "  {}", cells.join("  ")),
        }
    }

    fn number(&self, table: &Table<'_>, number: Number, width: usize, sum: Sum) -> String {
        let value = columns::number_of(number, sum);
        let text = match number {
            Number::Samples | Number::Period => value.to_string(),
            // This one has its width also with a separator.
            Number::OverheadChildren if !self.form.with_callees => {
                return format!("{:>width$}", "N/A");
            }
            _ => format!("{:.2}%", 100.0 * table.share(value)),
        };
        match self.separator {
            Some(_) => format!(" {text}"),
            None => format!("{text:>width$}"),
        }
    }
}

/// `perf_hpp__reset_width` in `tools/perf/ui/hist.c`
fn width(number: Number) -> usize {
    match number {
        Number::OverheadGuestSys | Number::OverheadGuestUser => 9,
        Number::Samples | Number::Period => 12,
        _ => 8,
    }
}

fn shown(value: &str, key: Key, level: Option<char>) -> String {
    let value = one_line(value);
    match key {
        key if key.has_level() => format!("[{}] {value}", level.unwrap_or('.')),
        Key::Cpu if value == "?" => "-001".into(),
        Key::Cpu => format!("{value:0>3}"),
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
