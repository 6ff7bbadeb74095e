//! The options of `perf report` (`options` in `tools/perf/builtin-report.c`) of Linux 6.12 and of
//! Linux 7.3, and what `pmu report` does with each.

use super::table::Verdict::{Accepted, Differs, Refused, Same};
use super::table::{PerfOption, flag, later, optional, with};

/// All of them, in the order of perf's source.
pub const ALL: &[PerfOption] = &[
    with("input", Some('i'), "file", Same),
    flag("verbose", Some('v'), Accepted("symbols are shown as far as they are known")),
    flag("quiet", Some('q'), Same),
    flag(
        "dump-raw-trace",
        Some('D'),
        Refused("records are shown by `pmu script`, sample by sample; perf shows their bytes"),
    ),
    flag("stats", None, Refused("`--json` has the number of samples of each event")),
    flag("tasks", None, Refused("`--sort comm,pid,tid` shows the tasks that have samples")),
    flag(
        "mmaps",
        None,
        Refused("`pmu script -F comm,pid,ip,dso` shows which files samples are in"),
    ),
    with(
        "vmlinux",
        Some('k'),
        "file",
        Refused(
            "functions of the kernel come from /proc/kallsyms of the machine that was recorded",
        ),
    ),
    flag("ignore-vmlinux", None, Accepted("functions of the kernel do not come from its file")),
    with(
        "kallsyms",
        None,
        "file",
        Refused(
            "functions of the kernel come from /proc/kallsyms of the machine that was recorded",
        ),
    ),
    flag("force", Some('f'), Same),
    flag(
        "modules",
        Some('m'),
        Accepted("functions of the kernel's modules come from /proc/kallsyms"),
    ),
    flag(
        "show-nr-samples",
        Some('n'),
        Refused("`--json` and `--csv` have the number of samples of each line"),
    ),
    flag("threads", Some('T'), Refused("`--sort tid` shows each thread")),
    with("pretty", None, "key", Refused("counts of threads are not recorded")),
    flag("tui", None, Refused("there is no interface that fills the terminal; the report is text")),
    flag("gtk", None, Refused("there is no window; the report is text")),
    flag("stdio", None, Same),
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
        "sort",
        Some('s'),
        "key[,key2...]",
        Differs(
            "the keys are comm, pid, tid, cpu, dso, sym, srcline, and with --mem-mode those of data",
        ),
    ),
    with(
        "fields",
        Some('F'),
        "key[,keys...]",
        Refused("`--sort` says what shares a line; `--json` and `--csv` have all fields"),
    ),
    flag(
        "show-cpu-utilization",
        None,
        Refused("functions of the kernel are marked; `--csv` has the level of each line"),
    ),
    flag(
        "showcpuutilization",
        None,
        Refused("functions of the kernel are marked; `--csv` has the level of each line"),
    ),
    with(
        "parent",
        Some('p'),
        "regex",
        Refused("callers are not selected by a pattern; `--folded | grep` does that"),
    ),
    flag(
        "exclude-other",
        Some('x'),
        Accepted("callers are not selected by a pattern, so that there are no others"),
    ),
    optional(with(
        "call-graph",
        Some('g'),
        "style",
        Refused("call chains are shown by `--folded`, and what functions call by --children"),
    )),
    flag(
        "children",
        None,
        Differs("off unless it is asked for, also where the recording has call chains"),
    ),
    with(
        "max-stack",
        None,
        "n",
        Refused(
            "call chains are as long as they were recorded; `pmu script --max-stack` cuts them",
        ),
    ),
    flag(
        "inverted",
        Some('G'),
        Refused("call chains are shown by `--folded`, the outermost function first"),
    ),
    with(
        "ignore-callees",
        None,
        "regex",
        Refused("`--folded | sed` takes functions out of call chains"),
    ),
    with("dsos", Some('d'), "dso[,dso...]", Same),
    with("comms", Some('c'), "comm[,comm...]", Same),
    with("pid", None, "pid[,pid...]", Same),
    with("tid", None, "tid[,tid...]", Same),
    with("symbols", Some('S'), "symbol[,symbol...]", Same),
    with(
        "symbol-filter",
        None,
        "filter",
        Refused("`-S` takes whole names, and `| grep` parts of them"),
    ),
    with(
        "column-widths",
        Some('w'),
        "width[,width...]",
        Accepted("columns are as wide as what they have"),
    ),
    with(
        "field-separator",
        Some('t'),
        "separator",
        Refused("`--csv` has fields that any program can read"),
    ),
    flag(
        "hide-unresolved",
        Some('U'),
        Refused("a share of what is not known is part of the truth; `| grep -v unknown` hides it"),
    ),
    with("symfs", None, "directory", Same),
    with("cpu", Some('C'), "cpu", Same),
    flag(
        "show-info",
        Some('I'),
        Refused("`--header` shows what the file says of the machine, except topologies and caches"),
    ),
    flag("source", None, Accepted("no instructions are shown")),
    flag("asm-raw", None, Accepted("no instructions are shown")),
    with(
        "disassembler-style",
        Some('M'),
        "disassembler style",
        Accepted("no instructions are shown"),
    ),
    with("prefix", None, "prefix", Accepted("no instructions are shown")),
    with("prefix-strip", None, "N", Accepted("no instructions are shown")),
    flag(
        "show-total-period",
        None,
        Refused("`--json` and `--csv` have the number of events of each line"),
    ),
    flag("group", None, Accepted("each event has a table of its own")),
    with(
        "group-sort-idx",
        None,
        "n",
        Accepted("each event has a table of its own, which is sorted by that event"),
    ),
    flag(
        "branch-stack",
        Some('b'),
        Refused("branches are not what shares a line; call chains are shown by `--folded`"),
    ),
    flag("branch-history", None, Refused("branches are not added to call chains")),
    with("objdump", None, "path", Accepted("no instructions are shown")),
    with("addr2line", None, "path", Accepted("lines are read by the program itself")),
    flag("demangle", None, Accepted("names are always demangled")),
    flag(
        "demangle-kernel",
        None,
        Accepted("names of the kernel's functions are those of /proc/kallsyms"),
    ),
    flag(
        "mem-mode",
        None,
        Differs(
            "lines are those of what is shown, where perf takes samples of different numbers for one",
        ),
    ),
    with("samples", None, "n", Accepted("single samples are shown by `pmu script`")),
    with("percent-limit", None, "percent", Same),
    with(
        "percentage",
        None,
        "relative|absolute",
        Refused("a share is that of all samples of the event, also where some are left out"),
    ),
    optional(with(
        "itrace",
        None,
        "opts",
        Refused("the AUX areas of Intel PT and Arm SPE are not recorded"),
    )),
    flag("full-source-path", None, Accepted("lines have the path that the debug information has")),
    flag("show-ref-call-graph", None, Accepted("each event has its own call chains")),
    flag(
        "stitch-lbr",
        None,
        Refused("call chains of branch registers are shown as they were recorded"),
    ),
    with("socket-filter", None, "n", Refused("-C selects the CPUs of a socket")),
    flag("raw-trace", None, Accepted("fields of tracepoints are not shown")),
    flag("hierarchy", Some('H'), Refused("each line has all keys; `--folded` has a hierarchy")),
    optional(with(
        "stdio-color",
        None,
        "mode",
        Accepted("no colour is used where perf's form is asked for"),
    )),
    with("time", None, "str", Same),
    flag("inline", None, Accepted("on, unless --no-inline leaves inlined functions out")),
    with("percent-type", None, "local-period", Accepted("no instructions are shown")),
    flag("ns", None, Accepted("times are not what shares a line")),
    with("time-quantum", None, "time (ms|us|ns|s)", Accepted("times are not what shares a line")),
    flag("total-cycles", None, Refused("branches are not what shares a line")),
    flag("disable-order", None, Accepted("records are always in the order of time")),
    flag(
        "skip-empty",
        None,
        Accepted("an event without samples is shown, with a table without lines"),
    ),
    later(with(
        "parallelism",
        None,
        "parallelism",
        Refused("samples do not tell how many CPUs were busy at the same time"),
    )),
    later(with(
        "addr2line-style",
        None,
        "addr2line style",
        Accepted("lines are read by the program itself"),
    )),
    later(with(
        "unwind-style",
        None,
        "unwind style",
        Accepted("stacks are not unwound, in whatever style"),
    )),
    later(flag(
        "latency",
        None,
        Refused("samples do not tell how many CPUs were busy at the same time"),
    )),
];
