//! The tables that the user asks for, or the reason why there are none and what
//! could be asked for instead.

use std::fmt::Write as _;

use pmu_events::{System, cpuid, host};

use crate::failure::Failure;
use crate::trees::{Named, Table, Trees};
use crate::unknown_cpu::what_remains;

/// The tables of a machine's CPUs.
pub(crate) fn of_host(trees: &'static Trees, machine: &System) -> Result<Vec<Table>, Failure> {
    let tables = trees.of_machine(machine);
    if !tables.is_empty() {
        return Ok(tables);
    }
    match machine.cpuid() {
        Ok(cpuid) => of_cpu(trees, cpuid),
        Err(error) => Err(Failure::Missing(format!("{error}\n{}", choice(trees, None)))),
    }
}

/// The table of a CPUID.
pub(crate) fn of_cpu(trees: &'static Trees, cpuid: &str) -> Result<Vec<Table>, Failure> {
    match trees.of_cpu(cpuid) {
        Some(table) => Ok(vec![table]),
        None => {
            let error = host::Error::unknown_cpu(cpuid);
            let hint = completed(trees, cpuid).unwrap_or_else(|| choice(trees, Some(cpuid)));
            Err(Failure::Missing(format!("{error}\n{hint}")))
        }
    }
}

/// The tables of a directory.
pub(crate) fn named(trees: &'static Trees, name: &str) -> Result<Vec<Table>, Failure> {
    let message = match trees.named(name) {
        Named::One(tables) => return Ok(tables),
        Named::Several(tables) => {
            let mut message = format!("model `{name}` is ambiguous:");
            for table in tables {
                let _ = write!(message, " {table}");
            }
            message
        }
        Named::None(similar) => {
            let similar: Vec<String> = similar.iter().map(|name| format!("`{name}`")).collect();
            let hint = match similar.is_empty() {
                true => String::new(),
                false => format!("did you mean {}? ", similar.join(" or ")),
            };
            format!("no model is named `{name}`\n{hint}`pmu list --models` shows all.")
        }
    };
    Err(Failure::Missing(message))
}

/// The processor version of a POWER core that has a table, if only `0x` or the zeros in front
/// are missing. Those of Arm are compared as numbers, so that they need neither.
fn completed(trees: &'static Trees, cpuid: &str) -> Option<String> {
    if cpuid::architecture(cpuid).is_some() {
        return None;
    }
    let digits = cpuid.strip_prefix("0x").or(cpuid.strip_prefix("0X")).unwrap_or(cpuid);
    let pvr = format!("0x{:08x}", u32::from_str_radix(digits, 16).ok()?);
    let table = trees.of_cpu(&pvr)?;
    Some(format!("did you mean `{pvr}`, a CPU of {table}?"))
}

fn choice(trees: &'static Trees, cpuid: Option<&str>) -> String {
    let mut choice = match cpuid.and_then(what_remains) {
        Some(remains) => format!("{remains}.\n"),
        None => String::new(),
    };
    choice.push_str("Choose one with `--model`:");
    for table in trees.choice(cpuid).iter().filter(|table| !table.sys) {
        let _ = write!(choice, "\n  {table}");
    }
    choice
}
