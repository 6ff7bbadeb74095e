//! What becomes of options that several commands of perf have, so that each is said in one way.

use super::table::Verdict::{self, Accepted, Differs, Refused};

pub(super) const AUX: Verdict = Refused("the AUX areas of Intel PT and Arm SPE are not recorded");
pub(super) const KALLSYMS: Verdict =
    Refused("functions of the kernel come from /proc/kallsyms of the machine that was recorded");
pub(super) const OF_MACHINE: Verdict =
    Differs("of caches, topologies and BPF programs, it says that they are there; perf shows them");
pub(super) const SHOWN_BY_HEADER: Verdict =
    Refused("`--header` shows what the file says of the machine, except topologies and caches");
pub(super) const BUSY_CPUS: Verdict =
    Refused("samples do not tell how many CPUs were busy at the same time");
pub(super) const OWN_TABLES: Verdict =
    Differs("the tables are this program's own, so that it knows events that perf's lack");
pub(super) const NOT_OF_LIBPFM4: Verdict =
    Refused("events are not written as for libpfm4; `pmu list` has their names");
pub(super) const SYMBOLS: Verdict = Accepted("symbols are shown as far as they are known");
pub(super) const OWN_LINES: Verdict = Accepted("lines are read by the program itself");
pub(super) const DEMANGLED: Verdict = Accepted("names are always demangled");
pub(super) const DEMANGLED_KERNEL: Verdict =
    Accepted("names of the kernel's functions are those of /proc/kallsyms");
pub(super) const BRANCH_CHAINS: Verdict =
    Refused("call chains of branch registers are shown as they were recorded");
pub(super) const INLINED: Verdict = Accepted("on, unless --no-inline leaves inlined functions out");
pub(super) const NOT_UNWOUND: Verdict = Accepted("stacks are not unwound, in whatever style");
