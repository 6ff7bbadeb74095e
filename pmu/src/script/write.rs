//! A sample as perf writes it.

use std::io::{self, Write};

use crate::profile::modules::Modules;
use crate::profile::reading::{Frame, Taken, kernel_name};
use crate::script::fields::Fields;
use pmu_events::sample::Mode;

/// The event of a sample.
pub(super) struct Event<'e> {
    pub(super) name: &'e str,
    /// Of the longest name.
    pub(super) width: usize,
    pub(super) fields: Fields,
}

pub(super) fn sample(
    out: &mut impl Write,
    modules: &Modules,
    taken: &Taken,
    event: &Event<'_>,
    most: Option<usize>,
) -> io::Result<()> {
    let fields = event.fields;
    if fields.comm {
        match taken.has_chain {
            true => write!(out, "{} ", taken.name)?,
            false => write!(out, "{:>16} ", taken.name)?,
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
        write!(out, "{:>12}: ", format!("{seconds:5}.{:06}", rest / 1_000))?;
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
            line(out, modules, frame, fields)?;
        }
        return writeln!(out);
    }
    writeln!(out)?;
    for frame in taken.frames.iter().take(most.unwrap_or(usize::MAX)) {
        // Functions that were put into the one of the symbol table come before it.
        let inlined = frame.found.places.len().saturating_sub(1);
        for place in &frame.found.places[..inlined] {
            let name = place.function.as_deref().unwrap_or("[unknown]");
            out.write_all(b"\t")?;
            if fields.ip {
                write!(out, "{:16x}", frame.address)?;
            }
            writeln!(out, " {name} (inlined)")?;
        }
        out.write_all(b"\t")?;
        line(out, modules, frame, fields)?;
        writeln!(out)?;
    }
    writeln!(out)
}

fn line(out: &mut impl Write, modules: &Modules, frame: &Frame, fields: Fields) -> io::Result<()> {
    if fields.ip {
        write!(out, "{:16x}", frame.address)?;
    }
    if fields.sym {
        match &frame.symbol {
            Some((name, into)) if fields.symoff => write!(out, " {name}+{into:#x}")?,
            Some((name, _)) => write!(out, " {name}")?,
            None => write!(out, " [unknown]")?,
        }
    }
    if fields.dso {
        let module = match frame.module {
            Some(module) => &modules.get(module).name,
            None if frame.mode == Mode::Kernel && frame.symbol.is_some() => kernel_name(),
            None => "[unknown]",
        };
        write!(out, " ({module})")?;
    }
    Ok(())
}
