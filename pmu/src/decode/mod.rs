//! `pmu decode`: raw codes to the events that have them.

pub(crate) mod args;
mod code;
mod events;
mod output;

use std::io::{self, BufWriter, Write};

use crate::failure::{FAILED, Failure, SUCCESS};
use crate::subject;
use crate::system::System;
use crate::trees::Trees;
use args::DecodeArgs;
use output::Decoded;

pub(crate) fn run(args: &DecodeArgs) -> Result<u8, Failure> {
    let trees = Trees::new(args.tree.tree.as_deref())?;
    let cpuid = match &args.model {
        Some(name) => Some(cpuid_of(trees, name)?),
        None => args.cpu.cpuid.clone(),
    };
    let system = System::of_any_machine(trees, cpuid.as_deref(), args.sysfs.sysfs.as_deref())?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut decoded = Vec::new();
    let mut all_well = true;
    for code in &args.codes {
        match code::words(&system, code) {
            Ok(all) => {
                for words in all {
                    let found = events::find(&system, &words, args.nearest);
                    decoded.push(Decoded { code, words, found });
                }
            }
            Err(message) => {
                all_well = false;
                complain(&message);
            }
        }
        // One PMU that has it is enough.
        let mut own = decoded.iter().filter(|one| one.code == code);
        all_well &= own.any(Decoded::is_found);
    }
    if args.json {
        output::json(&mut out, trees, &decoded)?;
    } else {
        output::text(&mut out, &decoded)?;
    }
    out.flush()?;
    system.tell_of_builtin("decode");
    if !all_well {
        system.excuses().iter().for_each(|excuse| complain(&format!("note: {excuse}")));
    }
    Ok(if all_well { SUCCESS } else { FAILED })
}

fn complain(message: &str) {
    crate::failure::complain("decode", message);
}

/// A CPU of a model, by which formats are known.
fn cpuid_of(trees: &'static Trees, name: &str) -> Result<String, Failure> {
    let tables = subject::named(trees, name)?;
    tables.iter().find_map(|table| trees.cpuid_of(table)).ok_or_else(|| {
        let message = format!("no CPUID of model `{name}` is known: use `--cpuid` instead");
        Failure::Missing(message)
    })
}
