//! The options of `perf script` (`options` in `tools/perf/builtin-script.c`) of Linux 6.12 and of
//! Linux 7.3, and what `pmu script` does with each.

use super::table::Verdict::{Accepted, Differs, Refused, Same};
use super::table::{PerfOption, flag, later, optional, with};

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
    flag("verbose", Some('v'), Accepted("symbols are shown as far as they are known")),
    flag(
        "Latency",
        Some('L'),
        Refused("what tracepoints say of interrupts and preemption is not shown"),
    ),
    flag("list", Some('l'), Refused("no scripts are run; the output is that which scripts read")),
    flag("list-dlfilters", None, Refused("no filters are loaded")),
    with(
        "script",
        Some('s'),
        "name",
        Refused("no scripts are run; the output is that which scripts read"),
    ),
    with(
        "gen-script",
        Some('g'),
        "lang",
        Refused("no scripts are run; the output is that which scripts read"),
    ),
    with("dlfilter", None, "file", Refused("no filters are loaded")),
    with("dlarg", None, "argument", Refused("no filters are loaded")),
    with("input", Some('i'), "file", Same),
    flag("debug-mode", Some('d'), Accepted("samples are always in order, and lost ones are reported")),
    flag(
        "header",
        None,
        Differs(
            "of caches, topologies and BPF programs, it says that they are there; perf shows them",
        ),
    ),
    flag(
        "header-only",
        None,
        Differs(
            "of caches, topologies and BPF programs, it says that they are there; perf shows them",
        ),
    ),
    with(
        "vmlinux",
        Some('k'),
        "file",
        Refused(
            "functions of the kernel come from /proc/kallsyms of the machine that was recorded",
        ),
    ),
    with(
        "kallsyms",
        None,
        "file",
        Refused(
            "functions of the kernel come from /proc/kallsyms of the machine that was recorded",
        ),
    ),
    flag("hide-call-graph", Some('G'), Same),
    with("symfs", None, "directory", Same),
    with(
        "fields",
        Some('F'),
        "str",
        Differs(
            "the fields are comm, pid, tid, cpu, time, period, event, trace, ip, sym, symoff and dso, for all events alike",
        ),
    ),
    flag("all-cpus", Some('a'), Refused("a recording is shown, and `pmu record -a` makes one")),
    with("dsos", None, "dso[,dso...]", Same),
    with("symbols", Some('S'), "symbol[,symbol...]", Same),
    with("addr-range", None, "n", Refused("addresses are not selected; `-S` selects functions")),
    optional(with(
        "insn-trace",
        None,
        "raw|disasm",
        Refused("the AUX areas of Intel PT and Arm SPE are not recorded"),
    )),
    optional(with(
        "xed",
        None,
        "options",
        Refused("the AUX areas of Intel PT and Arm SPE are not recorded"),
    )),
    optional(with(
        "call-trace",
        None,
        "options",
        Refused("the AUX areas of Intel PT and Arm SPE are not recorded"),
    )),
    optional(with(
        "call-ret-trace",
        None,
        "options",
        Refused("the AUX areas of Intel PT and Arm SPE are not recorded"),
    )),
    with(
        "graph-function",
        None,
        "symbol[,symbol...]",
        Refused("the AUX areas of Intel PT and Arm SPE are not recorded"),
    ),
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
    flag(
        "show-info",
        Some('I'),
        Refused("`--header` shows what the file says of the machine, except topologies and caches"),
    ),
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
    with(
        "max-blocks",
        None,
        "n",
        Refused("the AUX areas of Intel PT and Arm SPE are not recorded"),
    ),
    flag("ns", None, Same),
    optional(with(
        "itrace",
        None,
        "opts",
        Refused("the AUX areas of Intel PT and Arm SPE are not recorded"),
    )),
    flag("full-source-path", None, Accepted("lines of the source are not shown")),
    flag("demangle", None, Accepted("names are always demangled")),
    flag(
        "demangle-kernel",
        None,
        Accepted("names of the kernel's functions are those of /proc/kallsyms"),
    ),
    with("addr2line", None, "path", Accepted("lines are read by the program itself")),
    with("time", None, "str", Same),
    flag("inline", None, Accepted("on, unless --no-inline leaves inlined functions out")),
    with(
        "guestmount",
        None,
        "directory",
        Refused("the kernels of guests are not looked up in files"),
    ),
    with("guestvmlinux", None, "file", Refused("the kernels of guests are not looked up in files")),
    with(
        "guestkallsyms",
        None,
        "file",
        Refused("the kernels of guests are not looked up in files"),
    ),
    with("guestmodules", None, "file", Refused("the kernels of guests are not looked up in files")),
    flag("guest-code", None, Refused("the kernels of guests are not looked up in files")),
    flag(
        "stitch-lbr",
        None,
        Refused("call chains of branch registers are shown as they were recorded"),
    ),
    later(with(
        "unwind-style",
        None,
        "unwind style",
        Accepted("stacks are not unwound, in whatever style"),
    )),
    later(flag("merge-callchains", None, Accepted("call chains are shown as they were recorded"))),
];
