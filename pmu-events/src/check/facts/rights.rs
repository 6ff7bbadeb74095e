//! What the user may count, and what raises that.

use std::format;
use std::string::String;
use std::vec::Vec;

use super::{Fact, setting};
use crate::file;
use crate::system::System;

/// What the status of a process says of its rights (`proc_pid_status(5)`).
struct Status {
    capabilities: u64,
    seccomp: u32,
}

impl Status {
    fn of(text: &str) -> Self {
        let field = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            line.map(str::trim)
        };
        let capabilities = field("CapEff:").and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let seccomp = field("Seccomp:").and_then(|mode| mode.parse().ok());
        Status { capabilities: capabilities.unwrap_or(0), seccomp: seccomp.unwrap_or(0) }
    }

    /// `perfmon_capable`: `CAP_PERFMON`, or `CAP_SYS_ADMIN` for older programs and kernels.
    fn is_capable(&self) -> Option<&'static str> {
        const CAPABILITIES: [(u32, &str); 2] = [(38, "CAP_PERFMON"), (21, "CAP_SYS_ADMIN")];
        let has = |&&(bit, _): &&(u32, &str)| self.capabilities >> bit & 1 == 1;
        CAPABILITIES.iter().find(has).map(|&(_, name)| name)
    }
}

pub(super) fn of(system: &System) -> Vec<Fact> {
    let status = file::of_procfs(&system.proc().join("self/status")).unwrap_or_default();
    let status = Status::of(&status);
    let level = setting(system, "sys/kernel/perf_event_paranoid");
    let mut facts = Vec::from([rights(&status, level)]);
    // `SECCOMP_MODE_FILTER`
    if status.seccomp == 2 {
        let text = "a filter of system calls (seccomp) is in force, as in most containers; where it \
                    forbids perf_event_open, allow that in the container's profile, or give the \
                    container the capability CAP_PERFMON";
        facts.push(Fact::new(SECCOMP, text));
    }
    facts
}

const SECCOMP: &str = "seccomp";

/// The filter, once it has refused an event.
pub(super) fn sandbox() -> Fact {
    let text = "a sandbox, such as a container's seccomp profile, forbids perf_event_open, so that \
                nothing can be counted; allow it there, or give the container the capability \
                CAP_PERFMON";
    Fact::finding(SECCOMP, text)
}

/// `Documentation/admin-guide/sysctl/kernel.rst`, `perf_event_paranoid`; levels above 2 are those
/// of distributions.
fn rights(status: &Status, level: Option<i32>) -> Fact {
    const RAISES: &str = "the capability CAP_PERFMON, or a lower level, allows more";
    let shown = level.map_or_else(
        || String::from("kernel.perf_event_paranoid is unknown"),
        |level| format!("kernel.perf_event_paranoid is {level}"),
    );
    if let Some(capability) = status.is_capable() {
        let text = format!("{shown}, and {capability} is held: everything may be counted");
        return Fact::new("rights", text);
    }
    let (is_finding, what) = match level {
        None => return Fact::new("rights", format!("{shown}; {RAISES}")),
        Some(3..) => (true, "nothing may be counted"),
        Some(2) => (false, "own tasks may be counted, in user space"),
        Some(1) => (false, "own tasks may be counted, also in the kernel"),
        Some(0) => (false, "tasks and whole CPUs may be counted, but not raw tracepoints"),
        Some(..0) => return Fact::new("rights", format!("{shown}: everything may be counted")),
    };
    let text = format!("{shown}: {what}; {RAISES}");
    if is_finding { Fact::finding("rights", text) } else { Fact::new("rights", text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn levels_and_capabilities() {
        let nobody = "CapEff:\t0000000000000000\nSeccomp:\t2\n";
        let perfmon = "CapEff:\t0000004000000000\n";
        let admin = "CapEff:\t0000000000200000\n";
        let cases = [
            (nobody, Some(4), true, "nothing may be counted"),
            (nobody, Some(2), false, "in user space; the capability CAP_PERFMON"),
            (nobody, Some(1), false, "also in the kernel"),
            (nobody, Some(0), false, "whole CPUs"),
            (nobody, Some(-1), false, "is -1: everything"),
            (nobody, None, false, "is unknown; the capability"),
            (perfmon, Some(4), false, "CAP_PERFMON is held: everything"),
            (admin, Some(2), false, "CAP_SYS_ADMIN is held"),
        ];
        for (status, level, is_finding, part) in cases {
            let fact = rights(&Status::of(status), level);
            assert_eq!(fact.is_finding(), is_finding, "{fact}");
            assert!(fact.to_string().contains(part), "{fact}");
        }
        assert_eq!(Status::of(nobody).seccomp, 2);
        assert_eq!(Status::of("").capabilities, 0);
    }
}
