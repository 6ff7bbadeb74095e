//! What an instruction accessed, and what it cost, as perf writes it (`process_event` in
//! `tools/perf/builtin-script.c`).

use std::io::{self, Write};

use crate::profile::known::Known;
use crate::profile::reading::Taken;
use crate::profile::{sizes, sources};
use crate::script::fields::Fields;
use crate::script::places::place;

/// What stands before the address of the instruction. A source of data is as wide as the widest so
/// far.
pub(super) fn before_code(
    out: &mut impl Write,
    known: &Known,
    taken: &Taken,
    fields: Fields,
    is_at_data: bool,
    widest: &mut usize,
) -> io::Result<()> {
    let access = &taken.access;
    if fields.addr {
        write!(out, "{:16x}", access.address)?;
        if let (true, Some(location)) = (is_at_data, access.location) {
            place(out, known, known.location(location), fields)?;
        }
    }
    if fields.data_src {
        let text = sources::all(access.source);
        *widest = text.len().max(*widest);
        write!(out, "{text:widest$}")?;
    }
    let (latency, retire_latency) = access.further_weights;
    for (is_shown, number) in [
        (fields.weight, access.weight),
        (fields.ins_lat, latency.into()),
        (fields.retire_lat, retire_latency.into()),
    ] {
        if is_shown {
            write!(out, "{number:16}")?;
        }
    }
    if let (true, Some(number)) = (fields.cgroup, taken.cgroup) {
        write!(out, " {}", known.cgroup(number).map_or("unknown", |path| path))?;
    }
    Ok(())
}

/// What stands behind it.
pub(super) fn behind_code(out: &mut impl Write, taken: &Taken, fields: Fields) -> io::Result<()> {
    let access = &taken.access;
    if fields.phys_addr {
        write!(out, "{:16x}", access.physical_address)?;
    }
    for (is_shown, size) in
        [(fields.data_page_size, access.page_size), (fields.code_page_size, access.code_page_size)]
    {
        if is_shown {
            write!(out, " {}", sizes::of_perf(size))?;
        }
    }
    Ok(())
}
