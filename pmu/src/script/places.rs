//! What is at an address.

use std::io::{self, Write};

use pmu_events::sample::Mode;

use crate::profile::known::{Known, Location, kernel_name};
use crate::script::fields::Fields;

/// The function or variable of a place, and the file that it is in.
pub(super) fn place(
    out: &mut impl Write,
    known: &Known,
    location: &Location,
    fields: Fields,
) -> io::Result<()> {
    if fields.sym {
        match &location.symbol {
            Some((name, into)) if fields.symoff => write!(out, " {name}+{into:#x}")?,
            Some((name, _)) => write!(out, " {name}")?,
            None => write!(out, " [unknown]")?,
        }
    }
    if fields.dso {
        module(out, known, location)?;
    }
    Ok(())
}

/// The file that a place is in.
pub(super) fn module(out: &mut impl Write, known: &Known, location: &Location) -> io::Result<()> {
    let module = match location.module {
        Some(module) => &known.modules.get(module).name,
        None if location.mode == Mode::Kernel && location.symbol.is_some() => kernel_name(),
        None => "[unknown]",
    };
    write!(out, " ({module})")
}
