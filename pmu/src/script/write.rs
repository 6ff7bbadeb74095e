//! A sample as perf writes it.

use std::io::{self, Write};

use crate::profile::known::Known;
use crate::profile::reading::{Frame, Taken};
use crate::script::fields::Fields;
use crate::script::places::place;
use crate::script::{access, branches};

/// The event of a sample.
pub(super) struct Event<'e> {
    pub(super) name: &'e str,
    /// Of the longest name.
    pub(super) width: usize,
    pub(super) fields: Fields,
    /// Whether times are shown to the nanosecond.
    pub(super) has_nanoseconds: bool,
    /// Whether the address of data is where the event was.
    pub(super) is_at_data: bool,
}

/// What a line begins with.
pub(super) struct Start<'s> {
    pub(super) comm: &'s str,
    pub(super) pid: u32,
    pub(super) tid: u32,
    pub(super) cpu: Option<u32>,
    /// As it is shown.
    pub(super) time: Option<u64>,
    /// Whether a call chain follows.
    pub(super) has_chain: bool,
}

impl Start<'_> {
    /// `perf_sample__fprintf_start` in `tools/perf/builtin-script.c`
    pub(super) fn write(&self, out: &mut impl Write, event: &Event<'_>) -> io::Result<()> {
        let fields = event.fields;
        if fields.comm {
            match self.has_chain {
                true => write!(out, "{} ", self.comm)?,
                false => write!(out, "{:>16} ", self.comm)?,
            }
        }
        match (fields.pid, fields.tid) {
            (true, true) => write!(out, "{:>7}/{:<7} ", self.pid as i32, self.tid as i32)?,
            (true, false) => write!(out, "{:>7} ", self.pid as i32)?,
            (false, true) => write!(out, "{:>7} ", self.tid as i32)?,
            (false, false) => {}
        }
        if let (true, Some(cpu)) = (fields.cpu, self.cpu) {
            write!(out, "[{cpu:03}] ")?;
        }
        if let (true, Some(time)) = (fields.time, self.time) {
            let (seconds, rest) = (time / 1_000_000_000, time % 1_000_000_000);
            let time = match event.has_nanoseconds {
                true => format!("{seconds:5}.{rest:09}"),
                false => format!("{seconds:5}.{:06}", rest / 1_000),
            };
            write!(out, "{time:>12}: ")?;
        }
        Ok(())
    }
}

pub(super) fn sample(
    out: &mut impl Write,
    known: &Known,
    taken: &Taken,
    event: &Event<'_>,
    time: Option<u64>,
    most: Option<usize>,
    widest: &mut usize,
) -> io::Result<()> {
    let fields = event.fields;
    let start = Start {
        comm: known.name(taken.name),
        pid: taken.pid,
        tid: taken.tid,
        cpu: taken.cpu,
        time,
        has_chain: taken.has_chain,
    };
    start.write(out, event)?;
    if fields.period {
        write!(out, "{:>10} ", taken.period)?;
    }
    if fields.event {
        write!(out, "{:>width$}: ", event.name, width = event.width)?;
    }
    if let (true, Some(says)) = (fields.trace, &taken.says) {
        out.write_all(says.as_bytes())?;
    }
    access::before_code(out, known, taken, fields, event.is_at_data, widest)?;
    if fields.ip || fields.sym {
        code(out, known, taken, fields, most)?;
    }
    if fields.brstack {
        branches::write(out, known, &taken.branches, fields)?;
    }
    access::behind_code(out, taken, fields)?;
    writeln!(out)
}

/// Where the sample was, and the callers.
fn code(
    out: &mut impl Write,
    known: &Known,
    taken: &Taken,
    fields: Fields,
    most: Option<usize>,
) -> io::Result<()> {
    if !taken.has_chain {
        out.write_all(b" ")?;
        return match taken.frames.first() {
            Some(frame) => line(out, known, frame, fields),
            None => Ok(()),
        };
    }
    writeln!(out)?;
    let most = if taken.is_chain_empty { 0 } else { most.unwrap_or(usize::MAX) };
    for frame in taken.frames.iter().take(most) {
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
    Ok(())
}

fn line(out: &mut impl Write, known: &Known, frame: &Frame, fields: Fields) -> io::Result<()> {
    let location = known.location(frame.location);
    if fields.ip {
        write!(out, "{:16x}", frame.address)?;
    }
    place(out, known, location, fields)
}
