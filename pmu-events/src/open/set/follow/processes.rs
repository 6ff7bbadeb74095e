//! The processes that exist.

use std::string::String;
use std::vec::Vec;

use crate::file;
use crate::open::Error;
use crate::system::System;

/// A process, which a later one of the same number does not equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) id: u32,
    pub(super) name: String,
    /// In clock ticks since the system was started.
    start: u64,
}

/// The processes whose names are wanted, sorted by name.
pub(super) fn wanted(
    system: &System,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<Vec<Process>, Error> {
    let proc = system.proc();
    let ids = file::numbers(proc).map_err(|problem| Error::of_file(&problem))?;
    let process = |id: u32| {
        let stat = file::of_procfs(&proc.join(std::format!("{id}/stat"))).ok()?;
        let (name, start) = parsed(&stat)?;
        is_wanted(name).then(|| Process { id, name: name.into(), start })
    };
    let mut found: Vec<Process> = ids.into_iter().filter_map(process).collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// The name and the start of a process, fields 2 and 22 of `stat` (proc_pid_stat(5)). The name may
/// have parentheses and blanks in it.
fn parsed(stat: &str) -> Option<(&str, u64)> {
    let (before, behind) = stat.rsplit_once(')')?;
    let (_, name) = before.split_once('(')?;
    let start = behind.split_whitespace().nth(22 - 3)?;
    Some((name, start.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_starts() {
        let line = |name: &str| {
            std::format!("7 ({name}) S 1 7 7 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 4242 11 12")
        };
        for name in ["nginx", "a b", "((x) y)", ""] {
            assert_eq!(parsed(&line(name)), Some((name, 4242)), "{name}");
        }
        for odd in ["", "7 nginx S", "7 (x) S 1 2"] {
            assert_eq!(parsed(odd), None, "{odd}");
        }
    }
}
