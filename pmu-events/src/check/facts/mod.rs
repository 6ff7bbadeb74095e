//! What decides whether a machine counts truly, read without opening anything.

mod rights;
mod user_reads;
mod virtualization;
mod watchdog;

use core::fmt;

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use crate::sysfs::Pmu;
use crate::system::System;

/// Something that decides whether this machine counts truly: a setting, a right, a hypervisor. It
/// displays itself as a sentence, with a cure if something is wrong.
///
/// ```
/// use pmu_events::System;
///
/// let report = System::new().describe();
/// // Nobody may count without rights, so they are always among the facts.
/// let rights = report.facts().iter().find(|fact| fact.subject() == "rights");
/// println!("{}", rights.unwrap());
/// ```
#[derive(Debug)]
pub struct Fact {
    subject: &'static str,
    text: String,
    is_finding: bool,
}

impl Fact {
    pub(super) fn new(subject: &'static str, text: impl Into<String>) -> Self {
        Fact { subject, text: text.into(), is_finding: false }
    }

    /// One that something is wrong with.
    pub(super) fn finding(subject: &'static str, text: impl Into<String>) -> Self {
        Fact { is_finding: true, ..Fact::new(subject, text) }
    }

    /// Returns a word for what this is about, which stays the same in all versions: `rights`,
    /// `seccomp`, `watchdog`, `hypervisor`, `pmu`, `guests`, `cores`, `user-reads`, and after a
    /// [check](System::check) `counters` and `holders`.
    #[must_use]
    pub fn subject(&self) -> &'static str {
        self.subject
    }

    /// Whether it makes counts impossible or wrong. All other facts are there to be known.
    #[must_use]
    pub fn is_finding(&self) -> bool {
        self.is_finding
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What is known after a filter has refused an event, in place of what was only likely.
pub(super) fn tell_of_sandbox(facts: &mut Vec<Fact>) {
    let found = rights::sandbox();
    match facts.iter_mut().find(|fact| fact.subject == found.subject) {
        Some(known) => *known = found,
        None => facts.push(found),
    }
}

pub(super) fn of(system: &System) -> Vec<Fact> {
    let mut facts = rights::of(system);
    facts.extend(watchdog::of(system));
    facts.extend(virtualization::of(system));
    facts.extend(cores(system));
    facts.extend(user_reads::of(system));
    facts
}

/// The kinds of cores.
fn cores(system: &System) -> Option<Fact> {
    let cores: Vec<&Pmu> = system.sysfs().core_pmus().collect();
    let cpus = |pmu: &&Pmu| match pmu.cpus() {
        Ok(Some(cpus)) => format!("`{}` (CPUs {cpus})", pmu.name()),
        Ok(None) | Err(_) => format!("`{}`", pmu.name()),
    };
    match &cores[..] {
        [] => {
            let root = system.sysfs().root().display();
            let text = format!(
                "no hardware PMU: {root}/bus/event_source/devices has none of a core, so only what \
                 the kernel counts in software can be counted; a virtual machine needs one of its \
                 hypervisor"
            );
            Some(Fact::finding("pmu", text))
        }
        [_] => None,
        kinds => {
            let kinds: Vec<String> = kinds.iter().map(cpus).collect();
            let text = format!(
                "{} kinds of cores: {}; an event is counted by each kind for itself, and only \
                 while the task runs there",
                kinds.len(),
                kinds.join(" and ")
            );
            Some(Fact::new("cores", text))
        }
    }
}

/// A setting below procfs, if it is a number.
fn setting(system: &System, path: &str) -> Option<i32> {
    crate::file::of_procfs(&system.proc().join(path)).ok()?.trim().parse().ok()
}

/// A file below sysfs, if there is one.
fn file(system: &System, path: &str) -> Option<String> {
    let path = system.sysfs().root().join(path);
    crate::file::of_sysfs(&path, crate::file::Kind::Unknown, ToString::to_string).ok().flatten()
}
