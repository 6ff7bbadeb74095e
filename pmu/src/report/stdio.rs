//! What `perf report --stdio` writes (`tools/perf/ui/stdio/hist.c`).

use std::io::{self, Write};

use crate::output::one_line;
use crate::profile::reading::Summary;
use crate::report::shares::Table;
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
            if args.children {
                write!(
                    out,
                    "{:>8.2}%  {:>6.2}%",
                    percent(table, sum.with_callees),
                    percent(table, sum.events)
                )?;
            } else {
                write!(out, "{:>9.2}%", percent(table, sum.events))?;
            }
            columns.values(out, &line.values, line.level)?;
        }
        writeln!(out, "\n")?;
    }
    Ok(())
}

fn percent(table: &Table<'_>, events: u64) -> f64 {
    100.0 * table.share(events)
}

/// `convert_unit` in `tools/perf/util/units.c`
fn rounded(number: u64) -> String {
    let units = ["", "K", "M", "G"];
    let (mut number, mut unit) = (number, 0);
    while number >= 1000 && unit + 1 < units.len() {
        (number, unit) = (number / 1000, unit + 1);
    }
    format!("{number}{}", units[unit])
}

struct Columns<'c> {
    keys: &'c [Key],
    widths: Vec<usize>,
    children: bool,
}

impl<'c> Columns<'c> {
    fn of(table: &Table<'_>, args: &'c ReportArgs) -> Self {
        let width = |(n, key): (usize, &Key)| {
            let values =
                table.lines.iter().map(|(line, _)| shown(&line.values[n], *key, line.level));
            values.map(|value| value.chars().count()).max().unwrap_or(0).max(title(*key).len())
        };
        let widths = args.keys().iter().enumerate().map(width).collect();
        Columns { keys: args.keys(), widths, children: args.children }
    }

    fn heading(&self, out: &mut impl Write) -> io::Result<()> {
        let (titles, dots) = match self.children {
            true => ("# Children     Self", "# ........  ......."),
            false => ("# Overhead", "# ........"),
        };
        write!(out, "{titles}")?;
        for (key, width) in self.keys.iter().zip(&self.widths) {
            write!(out, "  {:width$}", title(*key))?;
        }
        write!(out, "\n{dots}")?;
        for width in &self.widths {
            write!(out, "  {}", ".".repeat(*width))?;
        }
        writeln!(out, "\n#")
    }

    fn values(
        &self,
        out: &mut impl Write,
        values: &[std::rc::Rc<str>],
        level: Option<char>,
    ) -> io::Result<()> {
        for (n, ((key, width), value)) in self.keys.iter().zip(&self.widths).zip(values).enumerate()
        {
            let value = shown(value, *key, level);
            match n + 1 == values.len() {
                true => write!(out, "  {value}")?,
                false => write!(out, "  {value:width$}")?,
            }
        }
        writeln!(out)
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
