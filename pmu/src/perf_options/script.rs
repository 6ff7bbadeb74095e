//! The options of `perf script` (`options` in `tools/perf/builtin-script.c`) of Linux 6.12 and of
//! Linux 7.3, and what `pmu script` does with each.

use super::shared::{
    AUX, BRANCH_CHAINS, DEMANGLED, DEMANGLED_KERNEL, INLINED, KALLSYMS, NOT_UNWOUND, OF_MACHINE,
    OWN_LINES, SHOWN_BY_HEADER, SYMBOLS,
};
use super::table::Verdict::{Accepted, Differs, Refused, Same};
use super::table::{PerfOption, Verdict, flag, later, optional, with};

const NO_GUESTS: Verdict = Refused("the kernels of guests are not looked up in files");
const NO_SCRIPTS: Verdict = Refused("no scripts are run; the output is that which scripts read");
const NO_FILTERS: Verdict = Refused("no filters are loaded");

/// All of them, in the order of perf's source.
pub const ALL: &[PerfOption] = &[
    flag(
        "dump-raw-trace",
        Some('D'),
        Refused(
            "records are shown as lines (`--show-mmap-events` and others); perf shows their bytes",
        ),
    ),
    flag("dump-unsorted-raw-trace", None, Refused("records are shown in the order of time")),
    flag("verbose", Some('v'), SYMBOLS),
    flag(
        "Latency",
        Some('L'),
        Refused("what tracepoints say of interrupts and preemption is not shown"),
    ),
    flag("list", Some('l'), NO_SCRIPTS),
    flag("list-dlfilters", None, NO_FILTERS),
    with("script", Some('s'), "name", NO_SCRIPTS),
    with("gen-script", Some('g'), "lang", NO_SCRIPTS),
    with("dlfilter", None, "file", NO_FILTERS),
    with("dlarg", None, "argument", NO_FILTERS),
    with("input", Some('i'), "file", Same),
    flag(
        "debug-mode",
        Some('d'),
        Accepted("samples are always in order, and lost ones are reported"),
    ),
    flag("header", None, OF_MACHINE),
    flag("header-only", None, OF_MACHINE),
    with("vmlinux", Some('k'), "file", KALLSYMS),
    with("kallsyms", None, "file", KALLSYMS),
    flag("hide-call-graph", Some('G'), Same),
    with("symfs", None, "directory", Same),
    with(
        "fields",
        Some('F'),
        "str",
        Differs(
            "the fields are comm, pid, tid, cpu, time, period, event, trace, ip, sym, symoff, dso, addr, data_src, weight, ins_lat, retire_lat, phys_addr, data_page_size, code_page_size, cgroup and brstack, for all events alike",
        ),
    ),
    flag("all-cpus", Some('a'), Refused("a recording is shown, and `pmu record -a` makes one")),
    with("dsos", None, "dso[,dso...]", Same),
    with("symbols", Some('S'), "symbol[,symbol...]", Same),
    with("addr-range", None, "n", Refused("addresses are not selected; `-S` selects functions")),
    optional(with("insn-trace", None, "raw|disasm", AUX)),
    optional(with("xed", None, "options", AUX)),
    optional(with("call-trace", None, "options", AUX)),
    optional(with("call-ret-trace", None, "options", AUX)),
    with("graph-function", None, "symbol[,symbol...]", AUX),
    with(
        "stop-bt",
        None,
        "symbol[,symbol...]",
        Refused("call chains are shown to their end, or to --max-stack"),
    ),
    with("cpu", Some('C'), "cpu", Same),
    with("comms", Some('c'), "comm[,comm...]", Same),
    with("pid", None, "pid[,pid...]", Same),
    with("tid", None, "tid[,tid...]", Same),
    with("max-stack", None, "n", Same),
    flag("reltime", None, Same),
    flag("deltatime", None, Same),
    flag("show-info", Some('I'), SHOWN_BY_HEADER),
    flag("show-kernel-path", None, Accepted("the kernel is shown as [kernel.kallsyms]")),
    flag("show-task-events", None, Same),
    flag("show-mmap-events", None, Same),
    flag("show-switch-events", None, Same),
    flag("show-namespace-events", None, Same),
    flag("show-cgroup-events", None, Same),
    flag("show-lost-events", None, Same),
    flag(
        "show-round-events",
        None,
        Refused("records are shown in the order of time, which rounds do not have"),
    ),
    flag("show-bpf-events", None, Same),
    flag("show-text-poke-events", None, Same),
    flag(
        "per-event-dump",
        None,
        Refused("all events are shown together; their names tell them apart"),
    ),
    flag("force", Some('f'), Same),
    with("max-blocks", None, "n", AUX),
    flag("ns", None, Same),
    optional(with("itrace", None, "opts", AUX)),
    flag("full-source-path", None, Accepted("lines of the source are not shown")),
    flag("demangle", None, DEMANGLED),
    flag("demangle-kernel", None, DEMANGLED_KERNEL),
    with("addr2line", None, "path", OWN_LINES),
    with("time", None, "str", Same),
    flag("inline", None, INLINED),
    with("guestmount", None, "directory", NO_GUESTS),
    with("guestvmlinux", None, "file", NO_GUESTS),
    with("guestkallsyms", None, "file", NO_GUESTS),
    with("guestmodules", None, "file", NO_GUESTS),
    flag("guest-code", None, NO_GUESTS),
    flag("stitch-lbr", None, BRANCH_CHAINS),
    later(with("unwind-style", None, "unwind style", NOT_UNWOUND)),
    later(flag("merge-callchains", None, Accepted("call chains are shown as they were recorded"))),
];
