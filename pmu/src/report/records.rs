//! Shares for programs: JSON and CSV.

use std::io::{self, Write};

use serde_json::Value;

use crate::csv;
use crate::json;
use crate::report::shares::Table;
use crate::report_args::ReportArgs;
use crate::report_values::Key;

pub(super) fn json(
    out: &mut impl Write,
    tables: &[Table<'_>],
    args: &ReportArgs,
) -> io::Result<()> {
    let columns = args.keys();
    for table in tables {
        for (line, sum) in &table.lines {
            let mut keys = json::Keys::new();
            keys.push(("event", table.event.into()));
            keys.push(("share", table.share(sum.events).into()));
            if args.children {
                keys.push(("share-with-callees", table.share(sum.with_callees).into()));
            }
            keys.push(("samples", sum.samples.into()));
            keys.push((total(args), sum.events.into()));
            for (key, value) in columns.iter().zip(&line.values) {
                keys.push((key.name(), typed(*key, value)));
            }
            keys.push(("level", line.level.map(level).into()));
            json::line(out, "share", keys)?;
        }
    }
    Ok(())
}

/// Numbers as such.
fn typed(key: Key, value: &str) -> Value {
    match key.is_number() {
        true => value.parse::<u64>().map_or(Value::Null, Value::from),
        false => value.into(),
    }
}

/// What samples stand for.
fn total(args: &ReportArgs) -> &'static str {
    if args.mem_mode { "weights" } else { "events" }
}

fn level(letter: char) -> &'static str {
    match letter {
        'k' => "kernel",
        'H' => "hypervisor",
        'g' => "guest-kernel",
        'u' => "guest-user",
        _ => "user",
    }
}

pub(super) fn csv(out: &mut impl Write, tables: &[Table<'_>], args: &ReportArgs) -> io::Result<()> {
    let mut heading = vec!["event", "share", "samples", total(args)];
    if args.children {
        heading.insert(2, "share-with-callees");
    }
    heading.extend(args.keys().iter().map(|key| key.name()));
    heading.push("level");
    writeln!(out, "{}", heading.join(","))?;
    for table in tables {
        for (line, sum) in &table.lines {
            write!(out, "{},{:.6}", csv::field(table.event, ","), table.share(sum.events))?;
            if args.children {
                write!(out, ",{:.6}", table.share(sum.with_callees))?;
            }
            write!(out, ",{},{}", sum.samples, sum.events)?;
            for value in &line.values {
                write!(out, ",{}", csv::field(value, ","))?;
            }
            writeln!(out, ",{}", line.level.map_or("", level))?;
        }
    }
    Ok(())
}
