//! Recipes for common tasks, each a complete program.
//!
//! Use it to start from a program that works.
//!
//! Every recipe is part of the project's tests, which check the numbers that it prints. A
//! machine that lacks an event prints the reason in place of the count, so the recipes run
//! anywhere; only Linux counts.
//!
//! * [Count what a closure does](#count-what-a-closure-does)
//! * [Compare two functions](#compare-two-functions)
//! * [Measure short regions](#measure-short-regions)
//! * [Keep counters in a struct](#keep-counters-in-a-struct)
//! * [Count parts of a program](#count-parts-of-a-program)
//! * [Benchmarks](#benchmarks)
//! * [Switch the counters of `perf stat`](#switch-the-counters-of-perf-stat)
//! * [Count per thread](#count-per-thread)
//! * [Count the whole system, with uncore](#count-the-whole-system-with-uncore)
//! * [Hybrid CPUs](#hybrid-cpus)
//! * [A metric and its threshold](#a-metric-and-its-threshold)
//! * [One name on every CPU](#one-name-on-every-cpu)
//! * [Multiplexing, and what to do about it](#multiplexing-and-what-to-do-about-it)
//! * [Is this number true here?](#is-this-number-true-here)
//! * [A formula of your own](#a-formula-of-your-own)
//! * [Drill down to a bottleneck](#drill-down-to-a-bottleneck)
//! * [An event of another CPU](#an-event-of-another-cpu)
//! * [An event tree of your own](#an-event-tree-of-your-own)
//! * [Firmware](#firmware)
//! * [Sampling with perf-event2](#sampling-with-perf-event2)
//! * [When a count is missing](#when-a-count-is-missing)
//!
//! # Count what a closure does
//!
//! [`System::open`] resolves a list of events, as `perf stat -e` takes it, and
//! opens a counter for each on the calling thread. Nothing counts before
//! [`enable`].
//!
//! ```no_run
#![doc = include_str!("recipes/closure.rs")]
//! ```
//!
//! # Compare two functions
//!
//! Leave the counters enabled and subtract readings: [`Reading::since`] returns
//! what was counted between two reads.
//!
//! ```no_run
#![doc = include_str!("recipes/two_functions.rs")]
//! ```
//!
//! # Measure short regions
//!
//! Where a region is entered many times, keep the readings:
//! [`read_into`](crate::open::Counters::read_into) and [`subtract`](crate::open::Reading::subtract) then
//! allocate nothing. With [`with_user_space_reads`](crate::open::Options::with_user_space_reads), a
//! counter of the CPU is read without a system call where the kernel allows it; what the kernel
//! counts itself, such as `task-clock`, belongs in another group.
//!
//! ```no_run
#![doc = include_str!("recipes/short_regions.rs")]
//! ```
//!
//! # Keep counters in a struct
//!
//! [`Counters`] borrows nothing and is `Send`. Each [`read`](crate::open::Counters::read)
//! takes one system call for each group; [`reset`](crate::open::Counters::reset) starts again
//! from zero.
//!
//! ```no_run
#![doc = include_str!("recipes/in_a_struct.rs")]
//! ```
//!
//! # Count parts of a program
//!
//! With the feature `region`, [`Regions`](crate::region::Regions) add up what happens in regions of
//! your code, by label, over all threads. A region is a guard or a closure; one within another
//! counts for both.
//!
//! ```no_run
#![doc = include_str!("recipes/regions.rs")]
//! ```
//!
//! # Benchmarks
//!
//! The crate [`pmu-criterion`](https://docs.rs/pmu-criterion) makes any event or metric a measurement
//! of criterion. Its example
//! [`by_name`](https://docs.rs/crate/pmu-criterion/latest/source/benches/by_name.rs) measures
//! instructions and IPC beside time, and prints the reason where a machine cannot. divan has no such way in: its counters are sealed. Count regions within its
//! benchmarks, and print the report after them:
//!
//! ```text
//! let regions = Regions::open(&System::new(), "{instructions,cycles}:u")?;
//! // In a benchmark of divan, on its thread:
//! let thread = regions.thread()?;
//! bencher.bench_local(|| thread.count("parse", || parse(&text)));
//! // After `divan::main()`:
//! print!("{}", regions.report().without_overhead());
//! ```
//!
//! # Switch the counters of `perf stat`
//!
//! A program that runs under `perf stat` or `pmu stat` has its counters enabled around the part that
//! matters, and need not count by itself. The feature `control` has the protocol
//! ([`control`](https://docs.rs/pmu-events/latest/pmu_events/control/)):
//!
//! ```text
//! $ mkfifo ctl ack
//! $ CONTROL=fifo:ctl,ack pmu stat --delay=-1 --control fifo:ctl,ack ./program
//! ```
//!
//! ```no_run
//! # #[cfg(all(unix, feature = "control"))]
//! # mod recipe {
#![doc = include_str!("recipes/switched.rs")]
//! # }
//! # fn main() {}
//! ```
//!
//! A benchmark of criterion does so by `iter_custom`: the region is the loop of a sample, and criterion's own
//! work is left out. The example
//! [`switched`](https://docs.rs/crate/pmu-criterion/latest/source/benches/switched.rs) of
//! [`pmu-criterion`](https://docs.rs/pmu-criterion) is one; its time is criterion's, and its counts are those that
//! `pmu stat` prints at the end.
//!
//! # Count per thread
//!
//! Counters belong to the thread that opens them, so let each thread open its
//! own. To count the threads of another process, or threads that already run,
//! pass their ids.
//!
//! ```no_run
#![doc = include_str!("recipes/threads.rs")]
//! ```
//!
//! # Count the whole system, with uncore
//!
//! [`Scope::AllCpus`] counts everything on every CPU. Events of memory
//! controllers, caches outside the cores and meshes can only be counted this
//! way; each opens on the CPUs that its PMU names. It needs the capability
//! `CAP_PERFMON`, root, or `kernel.perf_event_paranoid` at 0 or below.
//!
//! ```no_run
#![doc = include_str!("recipes/whole_system.rs")]
//! ```
//!
//! # Hybrid CPUs
//!
//! Where cores differ, an event without a PMU resolves once for each core PMU
//! that has it, from the table of that PMU's own CPUs. Name the PMU to choose
//! one; add up the counts if the thread may move between cores.
//!
//! ```no_run
#![doc = include_str!("recipes/hybrid_cpus.rs")]
//! ```
//!
//! # A metric and its threshold
//!
//! With the feature `metrics`, a [`Plan`] chooses the events that some metrics need and
//! how to group them, and computes the values from the counts. The two recipes on formulas
//! and on bottlenecks need the same feature.
//!
//! ```no_run
#![doc = include_str!("recipes/metric.rs")]
//! ```
//!
//! Some metrics of Intel's cores take a retirement latency, which no counter counts
//! ([`LatencyOf`](crate::metric::LatencyOf)). With the number of the tables, the value is an
//! [estimate](crate::measure::Value::is_estimate);
//! [`with_latencies`](crate::measure::Request::with_latencies) takes what you have from samples, and
//! [`LatencySampler`](https://docs.rs/pmu-events/latest/pmu_events/sample/struct.LatencySampler.html)
//! takes samples while events are counted.
//!
//! # One name on every CPU
//!
//! Quantities such as `common.ipc` have one name, one unit and one definition on every model of
//! the bundled trees. Each model counts them from its own events. Where the value is not quite
//! what the definition says, [`Metric::difference`](crate::Metric::difference) says how it differs; what a CPU cannot count
//! is in [`Model::lacking`](crate::Model::lacking) with the reason, and never something else under the same name.
//! The [table](https://docs.rs/crate/pmu-events-arch/latest/source/QUANTITIES.md) has all
//! quantities and models.
//!
//! ```no_run
#![doc = include_str!("recipes/portable.rs")]
//! ```
//!
//! # Multiplexing, and what to do about it
//!
//! When a program opens more events than the PMU has counters, the kernel lets
//! them take turns, and each count is extrapolated from the time in which its
//! event had a counter. [`Total::share`] is that part of the time: 1 is an exact
//! count, anything less an estimate.
//!
//! * Count fewer events at a time, or repeat the work with other events.
//! * Put events whose ratio you need into one group (`{a,b}`): both count at the
//!   same times, so that the ratio is sound even if the counts are estimates.
//! * Pin what must never be an estimate (`cycles:D`); it has
//!   [`Outcome::PinnedOut`] if no counter is left for it.
//!
//! ```no_run
#![doc = include_str!("recipes/multiplexing.rs")]
//! ```
//!
//! # Is this number true here?
//!
//! On a virtual machine, an event may open and count nothing, or next to nothing. Beside an agent
//! that holds the counters, an event may never have one. With the feature `check`,
//! [`System::check`](crate::System#method.check) counts loops whose counts are known, and
//! [`Report::budget`](crate#modules-by-subject) says which of your events the free counters have
//! room for. `pmu doctor` shows the same.
//!
//! ```no_run
//! # #[cfg(feature = "check")]
//! # mod recipe {
#![doc = include_str!("recipes/trust.rs")]
//! # }
//! # fn main() {}
//! ```
//!
//! # A formula of your own
//!
//! [`Formulas`](crate::measure::Formulas) reads metrics that a user defines, from a
//! configuration file for instance, and finds out what their names mean on this
//! machine: other formulas, metrics of its tables, or events. They are planned and
//! counted as metrics of a tree are.
//!
//! ```no_run
#![doc = include_str!("recipes/formula.rs")]
//! ```
//!
//! Every time is in seconds, whatever clock it is of. A fault has its line and column:
//! `3:20: no PMU has an event …`. Without an operating system,
//! [`metric::parse`](crate::metric::parse) reads one formula, and takes the counts from a
//! closure.
//!
//! # Drill down to a bottleneck
//!
//! [`topdown`](crate::topdown) says which metrics to measure next; a
//! [`Plan`](crate::measure::Plan) measures them. A
//! [pass](crate::measure::Plan::passes) is what the counters hold at once. A node with an event that is not counted has
//! no value and ends the walk: on a machine without a core PMU, nothing is printed.
//!
//! ```no_run
#![doc = include_str!("recipes/drill_down.rs")]
//! ```
//!
//! # An event of another CPU
//!
//! [`System::builtin`] describes a CPU that is not at hand: its table, and the
//! formats that Linux's drivers define for its PMUs. A type that the kernel assigns
//! when it boots, as that of Arm's cores, is
//! [`Pmu::DYNAMIC`](crate::sysfs::Pmu::DYNAMIC). For a recorded sysfs, use
//! [`System::at`] and [`with_cpuid`](crate::System::with_cpuid).
//!
//! ```no_run
//! # #[cfg(feature = "x86")]
//! # mod recipe {
#![doc = include_str!("recipes/another_cpu.rs")]
//! # }
//! # fn main() {}
//! ```
//!
//! # An event tree of your own
//!
//! Describe the events of your SoC in JSON and let [`pmu_events!`], which needs the feature
//! `macros`, compile them.
//! A tree is a directory. This one has four files, each of which is shown whole.
//!
//! `mapfile.csv` says which CPUs have which model: a pattern of CPUIDs, a version, the
//! directory, and `core`. The first line is a header; of the rows, the first that matches
//! wins. (`pmu list` shows the CPUID of a machine.)
//!
//! ```text
#![doc = include_str!("../../tests/acme/mapfile.csv")]
//! ```
//!
//! Each JSON file in the directory of a model is a topic. `acme/w1/cache.json` has its
//! events:
//!
//! ```json
#![doc = include_str!("../../tests/acme/acme/w1/cache.json")]
//! ```
//!
//! `standard.json`, beside the map file, has the architecture standard events, to which
//! `ArchStdEvent` refers. A tree without references needs no such file.
//!
//! ```json
#![doc = include_str!("../../tests/acme/standard.json")]
//! ```
//!
//! `acme/w1/metrics.json` has the metrics:
//!
//! ```json
#![doc = include_str!("../../tests/acme/acme/w1/metrics.json")]
//! ```
//!
//! [`tree_format`] lists every key of the JSON objects. The program:
//!
//! ```no_run
//! # #[cfg(feature = "macros")]
//! # mod recipe {
#![doc = include_str!("recipes/own_tree.rs")]
//! # }
//! # fn main() {}
//! ```
//!
//! Faults are errors of the compiler with file, line and column; `pmu lint DIR`
//! shows them without a crate.
//!
//! # Firmware
//!
//! With `default-features = false`, the crate is `no_std` and needs no heap. The
//! feature `register` turns events into values of registers: in `const`, so that the
//! program contains neither the name nor the table. With whole trees (`x86`, `arm64`), a
//! build has four crates and no macro; only a selection (`builtin`) or a tree of your own
//! (`macros`) takes the compiler of trees.
//!
//! ```no_run
//! # #[cfg(all(feature = "x86", feature = "register"))]
//! # mod recipe {
#![doc = include_str!("recipes/firmware.rs")]
//! # }
//! # fn main() {}
//! ```
//!
//! # Sampling with perf-event2
//!
//! With the crate [`pmu-events-perf-event2`](https://docs.rs/pmu-events-perf-event2), a
//! resolved event is an event of the crate [perf-event2](https://docs.rs/perf-event2),
//! whose builder samples.
//!
//! ```no_run
//! # #[cfg(any())] // It needs perf-event2; the example `cookbook` runs it.
//! # mod recipe {
#![doc = include_str!("recipes/sampling.rs")]
//! # }
//! # fn main() {}
//! ```
//!
//! # When a count is missing
//!
//! An event that this machine does not have costs nothing but its own count: the
//! others are counted, and [`value`](crate::open::EventReading::value) returns
//! the reason. Its [`kind`](crate::open::Error::kind) tells the cases apart:
//!
//! | kind | cause | cure |
//! |---|---|---|
//! | [`Unsupported`] | the system is not Linux | run on Linux |
//! | [`NotPermitted`] | `kernel.perf_event_paranoid`, a sandbox, or another user's task | `cycles:u` leaves the kernel out; `sysctl kernel.perf_event_paranoid=1`; `CAP_PERFMON`; allow `perf_event_open` in the container |
//! | [`NoHardwarePmu`] | a virtual machine without a PMU | enable the virtual PMU; count software events such as `task-clock` |
//! | [`NoSuchEvent`] | the kernel or the PMU does not know the code | choose another event: `pmu list` shows those of the CPU |
//! | [`NotSupported`] | the PMU cannot sample, be as precise, or exclude what was asked for | remove the modifier that the message names |
//! | [`Invalid`] | the attributes, or a group that does not fit the PMU | make the group weak (`{a,b}:W`) or smaller; check the bits of a raw code |
//! | [`NoDevice`] | the CPU is offline | choose from `/sys/devices/system/cpu/online` |
//! | [`NoSuchTask`] | the thread has ended | read the list of threads again |
//! | [`TooManyFiles`] | each event takes a file for each CPU or thread | raise `ulimit -n`; count fewer events |
//! | [`TooBig`] | the kernel is older than a field that is set, or the group is too large | leave out the term that the message names; split the group |
//! | [`NoSpace`] | all counters or breakpoints are taken | count fewer events at a time |
//! | [`Busy`] | another program has the PMU for itself | end that program |
//! | [`NoSystemCall`] | the kernel or a sandbox has no `perf_event_open` | a kernel with `CONFIG_PERF_EVENTS`; another sandbox profile |
//! | [`PinnedOut`] | a pinned event lost its counter | pin fewer events |
//! | [`NeverScheduled`] | the event never had a counter while it was enabled | count longer or fewer events; disable the NMI watchdog, which holds a counter |
//! | [`Partial`] | a task, a CPU or an instance of the PMU could not be counted | the message names it; [`Outcome::known`] is the sum of the others |
//! | [`Reset`] | the set was reset between two reads | subtract reads of the time since |
//! | [`Unreadable`] | a file of sysfs or procfs is unreadable or makes no sense | see the path in the message |
//! | [`Unresolved`] | the name is unknown, or its PMU is not in this machine | the message says which, and suggests a name |
//! | [`Syntax`] | the text is not a list of events | [`span`](crate::open::Error::span) says where it goes wrong |
//!
//! Names are resolved before anything is opened; [`resolve::ErrorKind`](crate::resolve::ErrorKind)
//! has those cases. [`System::require`] refuses the whole list if one name
//! cannot be resolved:
//!
//! ```
//! use pmu_events::System;
//!
//! let system = System::new();
//! let error = system.require("task-clock,page-fautls").unwrap_err();
//! assert_eq!(error.span(), 11..22);
//! assert_eq!(error.suggestion(), Some("page-faults"));
//! ```
//!
//! [`System::open`]: crate::System::open
//! [`System::at`]: crate::System::at
//! [`System::builtin`]: crate::System::builtin
//! [`System::require`]: crate::System::require
//! [`Scope::AllCpus`]: crate::Scope::AllCpus
//! [`Counters`]: crate::open::Counters
//! [`enable`]: crate::open::Counters::enable
//! [`Reading::since`]: crate::open::Reading::since
//! [`Total::share`]: crate::open::Total::share
//! [`Outcome::PinnedOut`]: crate::open::Outcome::PinnedOut
//! [`Plan`]: crate::measure::Plan
//! [`pmu_events!`]: crate::pmu_events!
//! [`Unsupported`]: crate::open::ErrorKind::Unsupported
//! [`NotPermitted`]: crate::open::ErrorKind::NotPermitted
//! [`NoHardwarePmu`]: crate::open::ErrorKind::NoHardwarePmu
//! [`NoSuchEvent`]: crate::open::ErrorKind::NoSuchEvent
//! [`NotSupported`]: crate::open::ErrorKind::NotSupported
//! [`Invalid`]: crate::open::ErrorKind::Invalid
//! [`NoDevice`]: crate::open::ErrorKind::NoDevice
//! [`NoSuchTask`]: crate::open::ErrorKind::NoSuchTask
//! [`TooManyFiles`]: crate::open::ErrorKind::TooManyFiles
//! [`TooBig`]: crate::open::ErrorKind::TooBig
//! [`NoSpace`]: crate::open::ErrorKind::NoSpace
//! [`Busy`]: crate::open::ErrorKind::Busy
//! [`NoSystemCall`]: crate::open::ErrorKind::NoSystemCall
//! [`PinnedOut`]: crate::open::ErrorKind::PinnedOut
//! [`NeverScheduled`]: crate::open::ErrorKind::NeverScheduled
//! [`Partial`]: crate::open::ErrorKind::Partial
//! [`Reset`]: crate::open::ErrorKind::Reset
//! [`Outcome::known`]: crate::open::Outcome::known
//! [`Unreadable`]: crate::open::ErrorKind::Unreadable
//! [`Unresolved`]: crate::open::ErrorKind::Unresolved
//! [`Syntax`]: crate::open::ErrorKind::Syntax

pub mod tree_format;
