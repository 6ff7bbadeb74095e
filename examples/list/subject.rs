//! Whose events are asked for: the tables, or why there are none and what
//! could be asked for instead.

use std::fmt::Write as _;

use pmu_events::host;

use crate::trees::{self, Named, Table};

/// The tables of this machine's CPUs.
pub(crate) fn of_host() -> Result<Vec<Table>, String> {
    let tables = trees::of_machine();
    if !tables.is_empty() {
        return Ok(tables);
    }
    match host::cpuid() {
        Ok(cpuid) => of_cpu(&cpuid),
        Err(error) => Err(format!("{error}\n{}", choice())),
    }
}

/// The table of the CPU that perf calls so.
pub(crate) fn of_cpu(cpuid: &str) -> Result<Vec<Table>, String> {
    match trees::of_cpu(cpuid) {
        Some(table) => Ok(vec![table]),
        None => {
            let error = host::Error::Unknown(cpuid.into());
            Err(format!("{error}\n{}", choice()))
        }
    }
}

/// The tables of a directory.
pub(crate) fn named(name: &str) -> Result<Vec<Table>, String> {
    match trees::named(name) {
        Named::One(tables) => Ok(tables),
        Named::Several(tables) => {
            let mut message = format!("model `{name}` is ambiguous:");
            for table in tables {
                let _ = write!(message, " {table}");
            }
            Err(message)
        }
        Named::None(nearest) => {
            let hint = nearest.map(|n| format!("did you mean `{n}`? ")).unwrap_or_default();
            Err(format!("no model is named `{name}`\n{hint}`list --models` shows all."))
        }
    }
}

fn choice() -> String {
    let mut choice = String::from("Choose one with `--model`:");
    for table in trees::all().filter(|table| !table.sys) {
        let _ = write!(choice, "\n  {table}");
    }
    choice
}
