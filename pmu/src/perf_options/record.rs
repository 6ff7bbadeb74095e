//! The options of `perf record` (`__record_options` in `tools/perf/builtin-record.c`) of Linux 6.12 and of
//! Linux 7.3, and what `pmu record` does with each.

use super::shared::{AUX, BUSY_CPUS, NOT_OF_LIBPFM4, OWN_TABLES};
use super::table::Verdict::{Accepted, Differs, Refused, Same};
use super::table::{PerfOption, Verdict, flag, later, optional, with};

const ONE_FILE: Verdict = Refused("a recording is one file");
const NO_BPF: Verdict = Refused("no BPF program is loaded");

/// All of them, in the order of perf's source.
pub const ALL: &[PerfOption] = &[
    with("event", Some('e'), "event", OWN_TABLES),
    with(
        "filter",
        None,
        "filter",
        Refused(
            "samples are not filtered when they are taken; `pmu script` and `pmu report` select them by --comms, --pid, --tid, --symbols and -C",
        ),
    ),
    flag(
        "exclude-perf",
        None,
        Accepted("of this program there are few samples: it sleeps until half of a buffer is full"),
    ),
    with("pid", Some('p'), "pid", Same),
    with("tid", Some('t'), "tid", Same),
    with("realtime", Some('r'), "n", Refused("`chrt -f N pmu record` gives it a priority")),
    flag(
        "no-buffering",
        None,
        Refused("buffers are read when half of them is full, or once a second"),
    ),
    flag("raw-samples", Some('R'), Same),
    flag("all-cpus", Some('a'), Same),
    with("cpu", Some('C'), "cpu", Same),
    with("count", Some('c'), "n", Same),
    with("output", Some('o'), "file", Same),
    flag("no-inherit", Some('i'), Same),
    flag(
        "tail-synthesize",
        None,
        Accepted(
            "what was there before the recording stands before its samples, which all readers understand",
        ),
    ),
    flag(
        "overwrite",
        None,
        Refused("what is in a buffer is never overwritten; -m makes buffers larger"),
    ),
    flag("no-bpf-event", None, Same),
    flag("strict-freq", None, Accepted("a frequency above the kernel's limit is always an error")),
    with(
        "freq",
        Some('F'),
        "freq or 'max'",
        Differs(
            "a frequency above the kernel's limit is an error, where perf lowers it with a warning",
        ),
    ),
    with(
        "mmap-pages",
        Some('m'),
        "pages[,pages]",
        Differs("there is one size, because AUX areas are not recorded"),
    ),
    with(
        "mmap-flush",
        None,
        "number",
        Accepted("what is in a buffer is written when half of it is full, or once a second"),
    ),
    flag("", Some('g'), Same),
    with(
        "call-graph",
        None,
        "record_mode[,record_size]",
        Differs(
            "`dwarf` is refused, or with a note becomes `fp` under the name perf, because nothing here unwinds stacks",
        ),
    ),
    flag("verbose", Some('v'), Accepted("what the kernel refuses is said in any case")),
    flag("quiet", Some('q'), Same),
    flag(
        "stat",
        Some('s'),
        Refused("threads are not counted beside the samples; `pmu stat --per-thread` counts them"),
    ),
    flag("data", Some('d'), Same),
    flag("phys-data", None, Same),
    flag("data-page-size", None, Same),
    flag("code-page-size", None, Same),
    flag("sample-cpu", None, Same),
    flag(
        "sample-identifier",
        None,
        Accepted("samples have an identifier where there are several events"),
    ),
    flag("timestamp", Some('T'), Accepted("samples always have a time")),
    flag("period", Some('P'), Same),
    flag(
        "no-samples",
        Some('n'),
        Refused("a recording without samples says nothing; `pmu stat` counts"),
    ),
    flag("no-buildid-cache", Some('N'), Accepted("there is no cache of files with symbols")),
    flag(
        "no-buildid",
        Some('B'),
        Accepted("build ids come with the mappings that the recording has; they cost little"),
    ),
    with("cgroup", Some('G'), "name", Same),
    with("delay", Some('D'), "ms", Same),
    flag(
        "kcore",
        None,
        Refused("the kernel's code is not copied; its functions come from /proc/kallsyms"),
    ),
    with(
        "uid",
        Some('u'),
        "user",
        Refused("`-p $(pgrep -d, -u USER)` samples the processes that a user has now"),
    ),
    flag("branch-any", Some('b'), Same),
    with("branch-filter", Some('j'), "branch filter mask", Same),
    flag(
        "weight",
        Some('W'),
        Differs(
            "the weight is one number; `pmu stat --retire-latency sampled` takes the structure of weights",
        ),
    ),
    flag("transaction", None, Same),
    flag(
        "per-thread",
        None,
        Accepted(
            "tasks have a buffer for each thread and CPU, so that what they start is recorded, too",
        ),
    ),
    optional(with(
        "intr-regs",
        Some('I'),
        "registers",
        Refused("registers are not shown by `pmu script`; perf records them"),
    )),
    optional(with(
        "user-regs",
        None,
        "registers",
        Refused("registers are not shown by `pmu script`; perf records them"),
    )),
    flag(
        "running-time",
        None,
        Accepted("groups that are read with a sample (:S) have these times in any case"),
    ),
    with(
        "clockid",
        Some('k'),
        "clockid",
        Differs("a clock that the kernel does not take for all events is an error of the event"),
    ),
    optional(with("snapshot", Some('S'), "opts", AUX)),
    optional(with("aux-sample", None, "opts", AUX)),
    with(
        "proc-map-timeout",
        None,
        "n",
        Accepted("mappings of tasks that exist are read as long as that takes"),
    ),
    flag("namespaces", None, Same),
    flag("all-cgroups", None, Same),
    flag("switch-events", None, Same),
    flag("all-kernel", None, Same),
    flag("all-user", None, Same),
    flag("kernel-callchains", None, Same),
    flag("user-callchains", None, Same),
    with("vmlinux", None, "file", Accepted("nothing is looked up in the kernel's file")),
    flag("buildid-all", None, Accepted("all mapped files have their build ids")),
    flag(
        "buildid-mmap",
        None,
        Accepted("mappings have build ids, as far as the kernel knows them"),
    ),
    flag("timestamp-filename", None, Refused("`-o` names the file: `-o perf.data.$(date +%s)`")),
    flag(
        "timestamp-boundary",
        None,
        Accepted("the file always has the times of the first and the last sample"),
    ),
    optional(with("switch-output", None, "when", ONE_FILE)),
    with("switch-output-event", None, "n", ONE_FILE),
    with("switch-max-files", None, "n", ONE_FILE),
    flag("dry-run", None, Same),
    optional(with("aio", None, "n", Accepted("a file is written while buffers are filled"))),
    with(
        "affinity",
        None,
        "node|cpu",
        Accepted("the program does not move to the CPU whose buffer it reads"),
    ),
    optional(with(
        "compression-level",
        Some('z'),
        "n",
        Refused(
            "records are not compressed; `zstd` compresses the file, which must be unpacked before it is read",
        ),
    )),
    with("max-size", None, "size", Same),
    with(
        "num-thread-synthesize",
        None,
        "n",
        Accepted("one thread reads the mappings of tasks that exist"),
    ),
    with("pfm-events", None, "event", NOT_OF_LIBPFM4),
    with(
        "control",
        None,
        "n",
        Differs(
            "`snapshot` is not acknowledged, because AUX areas are not recorded; all commands before the \
             end of a pipe are obeyed, not only the first",
        ),
    ),
    with(
        "synth",
        None,
        "no|all|task|mmap|cgroup",
        Accepted("what was there before is recorded as far as the samples need it"),
    ),
    optional(with("debuginfod", None, "urls", Accepted("nothing is fetched from servers"))),
    optional(with("threads", None, "spec", Refused("one thread reads all buffers, into one file"))),
    flag("off-cpu", None, NO_BPF),
    with("setup-filter", None, "pin|unpin", NO_BPF),
    later(flag("latency", None, BUSY_CPUS)),
    later(flag(
        "sample-mem-info",
        None,
        Refused("-d records the address of data, and where it was"),
    )),
    later(with("off-cpu-thresh", None, "ms", NO_BPF)),
    later(flag("data-mmap", None, Same)),
];
