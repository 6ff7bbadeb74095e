//! `pmu decode`: raw codes to the events that have them.
//!
//! | module | from → to |
//! |---|---|
//! | [`notation`] | codes of manuals, logs and other tools → perf's notation |
//! | [`constants`], [`generic`] | constants of the kernel's header, and libpfm4's names → types and numbers |
//! | [`names`] | names of other tools and CPUs → config words |
//! | [`code`] | a text → PMUs and config words, without the bits of [`control`] |
//! | [`codes`] | config words → events, through [`registers`], [`counter`], [`restriction`] and [`sum`] |
//! | [`architecture`] | config words → events that the table of the CPU lacks |
//! | [`output`] | all of this → text or JSON |

pub(crate) mod architecture;
pub(crate) mod args;
mod code;
pub(crate) mod coded;
pub(crate) mod codes;
pub(crate) mod constants;
pub(crate) mod control;
pub(crate) mod counter;
pub(crate) mod generic;
pub(crate) mod names;
pub(crate) mod notation;
mod output;
pub(crate) mod registers;
pub(crate) mod restriction;
pub(crate) mod sum;

use std::collections::HashMap;
use std::io::Write;

use pmu_events::perf_type;
use pmu_events::sysfs::Pmu;

use crate::failure::{FAILED, Failure, SUCCESS};
use crate::output::Output;
use crate::system::System;
use crate::trees::{Table, Trees};
use args::DecodeArgs;
use codes::{Codes, Found};
use output::Decoded;

pub(crate) fn run(args: &DecodeArgs) -> Result<u8, Failure> {
    let trees = args.subject.trees()?;
    let system = System::of_subject(trees, &args.subject)?;
    let mut out = Output::stdout();
    let mut decoded = Vec::new();
    let mut of_pmus: HashMap<&str, Codes<'_>> = HashMap::new();
    let mut all_well = true;
    for code in &args.codes {
        let read = code::read(&system, trees, code);
        if let Some(message) = &read.error {
            all_well = false;
            complain(message);
        }
        for mut meaning in read.meanings {
            let (type_, words) = (meaning.type_, meaning.words());
            let mut found = match meaning.pmu {
                Some(pmu) if !meaning.is_generic() => {
                    let codes =
                        of_pmus.entry(pmu.name()).or_insert_with(|| Codes::new(&system, pmu));
                    codes.find(type_, words, args.nearest)
                }
                _ => Found::generic(type_, words.config()),
            };
            let lacked = match (meaning.pmu, &of_cpu_table(&system, trees, meaning.pmu)) {
                (Some(pmu), Some(table)) if !meaning.is_generic() && !found.is_known() => {
                    architecture::events(trees, table, &of_pmus[pmu.name()], words)
                }
                _ => None,
            };
            if let Some((table, events)) = lacked {
                let of_architecture = format!("the CPU's table lacks this event of {table}");
                meaning.remarks.push(of_architecture);
                found = Found { events, ..Found::default() };
            }
            if found.is_without_counter {
                meaning
                    .remarks
                    .push("without a counter: it depends on the one that it gets".into());
            }
            // The kernel's own PMU is no CPU's.
            let of_cpu = meaning.pmu.filter(|_| type_ != perf_type::SOFTWARE);
            let model = of_cpu.and_then(|pmu| system.model_of(pmu));
            decoded.push(Decoded { code, meaning, model, found });
        }
        // It is enough if one PMU has it.
        let mut own = decoded.iter().filter(|one| one.code == code);
        all_well &= own.any(|one| one.found.is_known());
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

/// The table of the CPU whose core a PMU is.
fn of_cpu_table(system: &System, trees: &'static Trees, pmu: Option<&Pmu>) -> Option<Table> {
    let core = pmu.filter(|pmu| pmu.is_core())?;
    trees.table_of(system.model_of(core)?)
}

fn complain(message: &str) {
    crate::failure::complain("decode", message);
}
