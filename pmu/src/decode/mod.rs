//! `pmu decode`: raw codes to the events that have them.

pub(crate) mod args;
mod code;
mod events;
mod output;

use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::failure::{FAILED, Failure, SUCCESS};
use crate::subject;
use crate::system::System;
use crate::trees::{Table, Trees};
use args::DecodeArgs;
use output::Decoded;

pub(crate) fn run(args: &DecodeArgs) -> Result<u8, Failure> {
    let trees = args.tables.trees()?;
    let sysfs = args.sysfs.sysfs.as_deref();
    let system = match &args.model {
        Some(name) => of_model(trees, name, sysfs)?,
        None => System::of_any_machine(trees, args.cpu.cpuid.as_deref(), sysfs)?,
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut decoded = Vec::new();
    let mut all_well = true;
    for code in &args.codes {
        match code::meanings(&system, code) {
            Ok(all) => {
                for meaning in all {
                    let found = events::find(&system, &meaning, args.nearest);
                    decoded.push(Decoded { code, meaning, found });
                }
            }
            Err(message) => {
                all_well = false;
                complain(&message);
            }
        }
        // It is enough if one PMU has it.
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

/// A machine of a model. A CPU of the model selects the formats.
fn of_model(trees: &'static Trees, name: &str, sysfs: Option<&Path>) -> Result<System, Failure> {
    let tables = subject::named(trees, name)?;
    let with_cpuid = |table: &Table| Some((*table, trees.cpuid_of(table)?));
    match (tables.iter().find_map(with_cpuid), sysfs) {
        (Some((table, cpuid)), _) => System::of_model(trees, table.model, &cpuid, sysfs),
        (None, Some(_)) => System::of_model(trees, tables[0].model, "", sysfs),
        (None, None) => Err(Failure::Missing(format!(
            "no formats are built in for the PMUs of model `{name}`; `--sysfs` names a machine's"
        ))),
    }
}
