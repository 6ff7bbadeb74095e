//! Processes that have events open.

use std::format;
use std::path::Path;
use std::string::String;
use std::vec::Vec;
use std::{fs, process};

use super::Fact;
use crate::file;
use crate::system::System;

/// How many files are looked at: a check is to take milliseconds.
const MOST: usize = 20_000;

struct Holder {
    process: u32,
    name: String,
    events: usize,
}

/// Who has events open, as far as this user may see. Which of them are pinned, and on which
/// CPUs, is not shown.
pub(super) fn fact(system: &System) -> Fact {
    const SHOWN: usize = 5;
    let (mut holders, is_complete) = find(system.proc());
    holders.sort_by(|a, b| b.events.cmp(&a.events).then(a.process.cmp(&b.process)));
    let shown: Vec<String> = holders
        .iter()
        .take(SHOWN)
        .map(|Holder { process, name, events }| format!("{process} ({name}): {events}"))
        .collect();
    let more = if holders.len() > SHOWN { ", …" } else { "" };
    let rest = if is_complete { "" } else { "; not all processes were looked at" };
    let text = match shown.is_empty() {
        true => format!(
            "no process that this user may see has events open: others' processes, the kernel, or \
             a guest's virtual PMU hold the counters{rest}"
        ),
        false => {
            format!("processes with open events, and how many: {}{more}{rest}", shown.join(", "))
        }
    };
    Fact::new("holders", text)
}

fn find(proc: &Path) -> (Vec<Holder>, bool) {
    let mut holders = Vec::new();
    let mut seen = 0;
    let own = process::id();
    let processes = file::numbers(proc).unwrap_or_default();
    for process in processes.into_iter().filter(|&process| process != own) {
        let directory = proc.join(format!("{process}"));
        // Those of other users cannot be listed.
        let Ok(files) = file::numbers(&directory.join("fd")) else { continue };
        seen += files.len();
        if seen > MOST {
            return (holders, false);
        }
        let is_event = |number: &&u32| {
            let target = fs::read_link(directory.join("fd").join(format!("{number}")));
            target.is_ok_and(|target| target.as_os_str() == "anon_inode:[perf_event]")
        };
        let events = files.iter().filter(is_event).count();
        if events > 0 {
            let name = file::of_procfs(&directory.join("comm")).unwrap_or_default();
            holders.push(Holder { process, name: name.trim().into(), events });
        }
    }
    (holders, true)
}
