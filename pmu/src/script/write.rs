//! A sample as perf writes it.

use std::io::{self, Write};

use crate::profile::known::{Known, kernel_name};
use crate::profile::reading::{Frame, Taken};
use crate::script::fields::Fields;
use pmu_events::sample::Mode;

/// The event of a sample.
pub(super) struct Event<'e> {
    pub(super) name: &'e str,
    /// Of the longest name.
    pub(super) width: usize,
    pub(super) fields: Fields,
    /// Whether times are shown to the nanosecond.
    pub(super) has_nanoseconds: bool,
}

pub(super) fn sample(
    out: &mut impl Write,
    known: &Known,
    taken: &Taken,
    event: &Event<'_>,
    most: Option<usize>,
) -> io::Result<()> {
    let fields = event.fields;
    if fields.comm {
        match taken.has_chain {
            true => write!(out, "{} ", known.name(taken.name))?,
            false => write!(out, "{:>16} ", known.name(taken.name))?,
        }
    }
    match (fields.pid, fields.tid) {
        (true, true) => write!(out, "{:>7}/{:<7} ", taken.pid as i32, taken.tid as i32)?,
        (true, false) => write!(out, "{:>7} ", taken.pid as i32)?,
        (false, true) => write!(out, "{:>7} ", taken.tid as i32)?,
        (false, false) => {}
    }
    if let (true, Some(cpu)) = (fields.cpu, taken.cpu) {
        write!(out, "[{cpu:03}] ")?;
    }
    if let (true, Some(time)) = (fields.time, taken.time) {
        let (seconds, rest) = (time / 1_000_000_000, time % 1_000_000_000);
        let time = match event.has_nanoseconds {
            true => format!("{seconds:5}.{rest:09}"),
            false => format!("{seconds:5}.{:06}", rest / 1_000),
        };
        write!(out, "{time:>12}: ")?;
    }
    if fields.period {
        write!(out, "{:>10} ", taken.period)?;
    }
    if fields.event {
        write!(out, "{:>width$}: ", event.name, width = event.width)?;
    }
    if !fields.ip && !fields.sym {
        return writeln!(out);
    }
    if !taken.has_chain {
        out.write_all(b" ")?;
        if let Some(frame) = taken.frames.first() {
            line(out, known, frame, fields)?;
        }
        return writeln!(out);
    }
    writeln!(out)?;
    for frame in taken.frames.iter().take(most.unwrap_or(usize::MAX)) {
        // Functions that were put into the one of the symbol table come before it.
        let places = &known.location(frame.location).places;
        for place in &places[..places.len().saturating_sub(1)] {
            let name = place.function.as_deref().unwrap_or("[unknown]");
            out.write_all(b"\t")?;
            if fields.ip {
                write!(out, "{:16x}", frame.address)?;
            }
            writeln!(out, " {name} (inlined)")?;
        }
        out.write_all(b"\t")?;
        line(out, known, frame, fields)?;
        writeln!(out)?;
    }
    writeln!(out)
}

fn line(out: &mut impl Write, known: &Known, frame: &Frame, fields: Fields) -> io::Result<()> {
    let location = known.location(frame.location);
    if fields.ip {
        write!(out, "{:16x}", frame.address)?;
    }
    if fields.sym {
        match &location.symbol {
            Some((name, into)) if fields.symoff => write!(out, " {name}+{into:#x}")?,
            Some((name, _)) => write!(out, " {name}")?,
            None => write!(out, " [unknown]")?,
        }
    }
    if fields.dso {
        let module = match location.module {
            Some(module) => &known.modules.get(module).name,
            None if location.mode == Mode::Kernel && location.symbol.is_some() => kernel_name(),
            None => "[unknown]",
        };
        write!(out, " ({module})")?;
    }
    Ok(())
}
