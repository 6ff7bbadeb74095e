//! `pmu decode`: raw codes to the events that have them.

pub(crate) mod args;
mod code;
mod events;
mod output;

use std::io::Write;

use crate::failure::{FAILED, Failure, SUCCESS};
use crate::output::Output;
use crate::system::System;
use args::DecodeArgs;
use output::Decoded;

pub(crate) fn run(args: &DecodeArgs) -> Result<u8, Failure> {
    let trees = args.subject.trees()?;
    let system = System::of_subject(trees, &args.subject)?;
    let mut out = Output::stdout();
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
        system.notes().iter().try_for_each(|note| crate::json::note(&mut out, note))?;
        output::json(&mut out, trees, &decoded)?;
    } else {
        output::text(&mut out, &decoded)?;
    }
    out.flush()?;
    system.tell_of_builtin("decode");
    system.tell_of_cpus("decode");
    if !all_well {
        system.excuses().iter().for_each(|excuse| complain(&format!("note: {excuse}")));
    }
    Ok(if all_well { SUCCESS } else { FAILED })
}

fn complain(message: &str) {
    crate::failure::complain("decode", message);
}
