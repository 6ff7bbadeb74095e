//! The options of `perf stat` (`stat_options` in `tools/perf/builtin-stat.c`) of Linux 6.12 and of
//! Linux 7.3, and what `pmu stat` does with each.

use super::shared::{NOT_OF_LIBPFM4, OWN_TABLES};
use super::table::Verdict::{Accepted, Differs, Refused, Same};
use super::table::{PerfOption, flag, later, optional, with};

/// All of them, in the order of perf's source.
pub const ALL: &[PerfOption] = &[
    flag("transaction", Some('T'), Same),
    with("event", Some('e'), "event", OWN_TABLES),
    with(
        "filter",
        None,
        "filter",
        Refused("events of tracepoints are not filtered here; `perf stat --filter` does it"),
    ),
    flag("no-inherit", Some('i'), Same),
    with("pid", Some('p'), "pid", Same),
    with("tid", Some('t'), "tid", Same),
    with(
        "bpf-prog",
        Some('b'),
        "bpf-prog-id",
        Refused(
            "a BPF program is counted by others that are attached to it; -G counts what runs in a control group",
        ),
    ),
    flag(
        "bpf-counters",
        None,
        Refused("counters are not shared through BPF programs; without it, the same is counted"),
    ),
    with(
        "bpf-attr-map",
        None,
        "attr-map-path",
        Refused("counters are not shared through BPF programs"),
    ),
    flag("all-cpus", Some('a'), Same),
    flag("scale", None, Same),
    flag(
        "verbose",
        Some('v'),
        Differs("how each event is open is said in this program's words, and once"),
    ),
    with("repeat", Some('r'), "n", Same),
    flag("table", None, Same),
    flag("null", Some('n'), Same),
    later(flag(
        "hide-zero-events",
        None,
        Refused("a line that is missing tells nobody that its count is 0"),
    )),
    flag("detailed", Some('d'), Same),
    flag("sync", Some('S'), Same),
    flag(
        "big-num",
        Some('B'),
        Differs(
            "thousands are separated by commas if it is given, whatever the locale; without it \
             they are not",
        ),
    ),
    with("cpu", Some('C'), "cpu", Same),
    flag("no-aggr", Some('A'), Same),
    flag(
        "no-merge",
        None,
        Differs("without -a and -C, it shows the instances of a PMU separately; perf refuses that"),
    ),
    flag("hybrid-merge", None, Same),
    with("field-separator", Some('x'), "separator", Same),
    flag("json-output", Some('j'), Same),
    with("cgroup", Some('G'), "name", Same),
    with("for-each-cgroup", None, "name", Same),
    with(
        "output",
        Some('o'),
        "file",
        Differs("a file that cannot be written, as on a full disk, is an error"),
    ),
    flag("append", None, Same),
    with("log-fd", None, "n", Same),
    with(
        "pre",
        None,
        "command",
        Differs("if it fails, that is the end, where perf shows events that were not counted"),
    ),
    with(
        "post",
        None,
        "command",
        Differs("if it fails, the exit status is that of a failure, where perf's is 0"),
    ),
    with("interval-print", Some('I'), "n", Same),
    with("interval-count", None, "n", Same),
    flag("interval-clear", None, Same),
    with("timeout", None, "n", Same),
    flag("per-socket", None, Same),
    flag("per-die", None, Same),
    flag("per-cluster", None, Same),
    optional(with("per-cache", None, "cache level", Same)),
    flag("per-core", None, Same),
    flag("per-thread", None, Same),
    flag("per-node", None, Same),
    with("delay", Some('D'), "n", Same),
    flag("metric-only", None, Same),
    flag(
        "metric-no-group",
        None,
        Accepted("events of metrics are grouped by what the counters of the PMU permit"),
    ),
    flag("metric-no-merge", None, Accepted("metrics share events where the same is counted")),
    flag(
        "metric-no-threshold",
        None,
        Differs("thresholds are not shown; perf shows those that need no further event"),
    ),
    flag("topdown", None, Same),
    flag(
        "record-tpebs",
        None,
        Differs("what is counted is sampled; perf starts a `perf record` of whole CPUs for that"),
    ),
    later(with(
        "tpebs-mode",
        None,
        "tpebs-mode",
        Differs("it also chooses among the latencies of the tables"),
    )),
    with("td-level", None, "n", Same),
    flag(
        "smi-cost",
        None,
        Differs("freeze_on_smi of the machine is not set; who wants it sets it beforehand"),
    ),
    with("metrics", Some('M'), "metric/metric group list", Same),
    flag("all-kernel", None, Refused("a modifier says so of an event or a group: `-e cycles:k`")),
    flag("all-user", None, Refused("a modifier says so of an event or a group: `-e cycles:u`")),
    flag(
        "percore-show-thread",
        None,
        Refused("no event is counted for a core and shown for its threads; --per-core shows cores"),
    ),
    flag("summary", None, Same),
    flag("no-csv-summary", None, Same),
    flag("quiet", None, Same),
    later(flag("affinity", None, Accepted("the program does not move to the CPU that it reads"))),
    with(
        "cputype",
        None,
        "hybrid cpu type",
        Refused("an event names its kind of core: `-e cpu_core/cycles/`"),
    ),
    later(with("pmu-filter", None, "pmu", Refused("an event names its PMU: `-e PMU/EVENT/`"))),
    with("pfm-events", None, "event", NOT_OF_LIBPFM4),
    with(
        "control",
        None,
        "fd:ctl-fd[,ack-fd] or fifo:ctl-fifo[,ack-fifo]",
        Differs(
            "a descriptor that is not open or a file that is no FIFO is refused at once, where perf \
             waits for ever; all commands before the end of a pipe are obeyed, not only the first",
        ),
    ),
    optional(with(
        "iostat",
        None,
        "default",
        Refused("events of I/O stacks are counted by name: `pmu list iio` has them"),
    )),
];
