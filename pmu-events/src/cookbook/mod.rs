//! Recipes for common tasks, each a complete program.
//!
//! Every recipe compiles and runs as part of this crate's tests. A machine that
//! lacks an event prints the reason in place of the count, so the recipes run
//! anywhere; only Linux counts.
//!
//! * [Count what a closure does](#count-what-a-closure-does)
//! * [Compare two functions](#compare-two-functions)
//! * [Keep counters in a struct](#keep-counters-in-a-struct)
//! * [Count per thread](#count-per-thread)
//! * [Count the whole system, with uncore](#count-the-whole-system-with-uncore)
//! * [Hybrid CPUs](#hybrid-cpus)
//! * [A metric and its threshold](#a-metric-and-its-threshold)
//! * [Multiplexing, and what to do about it](#multiplexing-and-what-to-do-about-it)
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
//! ```
//! # fn recipe() -> Result<(), Box<dyn std::error::Error>> {
//! use pmu_events::System;
//!
//! let mut counters = System::new().open("instructions:u,task-clock,page-faults")?;
//!
//! counters.enable()?;
//! let primes = (2..1_000).filter(|n| (2..*n).all(|d| n % d != 0)).count();
//! counters.disable()?;
//!
//! println!("{primes} primes took");
//! for event in counters.read() {
//!     match event.value() {
//!         Ok(value) => println!("{value} {} {}", event.unit(), event.name()),
//!         Err(why) => println!("{}: {why}", event.name()),
//!     }
//! }
//! # Ok(())
//! # }
//! # check(recipe());
//! # fn check(result: Result<(), Box<dyn std::error::Error>>) {
//! #     // Some machines forbid counting.
//! #     if let Err(error) = result {
//! #         assert!(error.is::<pmu_events::open::Error>(), "{error}");
//! #     }
//! # }
//! ```
//!
//! # Compare two functions
//!
//! Leave the counters enabled and subtract readings: [`Reading::since`] returns
//! what was counted between two reads.
//!
//! ```
//! # fn recipe() -> Result<(), Box<dyn std::error::Error>> {
//! use pmu_events::System;
//!
//! let mut counters = System::new().open("{instructions,cycles}:u,task-clock")?;
//! counters.enable()?;
//! let measure = |name: &str, work: &dyn Fn() -> u64| {
//!     let before = counters.read();
//!     let result = work();
//!     let spent = counters.read().since(&before);
//!     println!("{name} = {result}");
//!     for event in spent {
//!         match event.value() {
//!             Ok(value) => println!("  {value:>14} {} {}", event.unit(), event.name()),
//!             Err(why) => println!("  {}: {why}", event.name()),
//!         }
//!     }
//! };
//! measure("loop", &|| (0..100_000u64).map(|n| n * n).fold(0, u64::wrapping_add));
//! measure("formula", &|| 99_999 * 100_000 * 199_999 / 6);
//! # Ok(())
//! # }
//! # check(recipe());
//! # fn check(result: Result<(), Box<dyn std::error::Error>>) {
//! #     if let Err(error) = result {
//! #         assert!(error.is::<pmu_events::open::Error>(), "{error}");
//! #     }
//! # }
//! ```
//!
//! # Keep counters in a struct
//!
//! [`Counters`] borrows nothing and is `Send`. Each [`read`](crate::open::Counters::read)
//! takes one system call for each group; [`reset`](crate::open::Counters::reset) starts again
//! from zero.
//!
//! ```
//! # fn recipe() -> Result<(), Box<dyn std::error::Error>> {
//! use pmu_events::System;
//! use pmu_events::open::{self, Counters};
//!
//! struct Profiler {
//!     counters: Counters,
//! }
//!
//! impl Profiler {
//!     fn new() -> Result<Self, open::Error> {
//!         Ok(Profiler { counters: System::new().open("page-faults,context-switches")? })
//!     }
//!
//!     fn phase<T>(&mut self, work: impl FnOnce() -> T) -> Result<T, Box<dyn std::error::Error>> {
//!         self.counters.reset();
//!         self.counters.enable()?;
//!         let result = work();
//!         self.counters.disable()?;
//!         for event in self.counters.read() {
//!             println!("{}: {:?}", event.name(), event.value());
//!         }
//!         Ok(result)
//!     }
//! }
//!
//! let mut profiler = Profiler::new()?;
//! let zeros = profiler.phase(|| vec![0u8; 1 << 20])?;
//! profiler.phase(|| zeros.iter().filter(|&&byte| byte == 0).count())?;
//! # Ok(())
//! # }
//! # check(recipe());
//! # fn check(result: Result<(), Box<dyn std::error::Error>>) {
//! #     if let Err(error) = result {
//! #         assert!(error.is::<pmu_events::open::Error>(), "{error}");
//! #     }
//! # }
//! ```
//!
//! # Count per thread
//!
//! Counters belong to the thread that opens them, so let each thread open its
//! own. To count the threads of another process, or threads that already run,
//! pass their ids.
//!
//! ```
//! # fn recipe() -> Result<(), Box<dyn std::error::Error>> {
//! use pmu_events::open::Options;
//! use pmu_events::{Scope, System};
//!
//! let system = System::new();
//! let workers: Vec<_> = (1..=2u64)
//!     .map(|n| {
//!         let system = system.clone();
//!         std::thread::spawn(move || {
//!             let mut counters = system.open("task-clock")?;
//!             counters.enable()?;
//!             let sum: u64 = (0..n * 100_000).sum();
//!             Ok::<_, pmu_events::open::Error>((sum, counters.read()))
//!         })
//!     })
//!     .collect();
//! for worker in workers {
//!     let (sum, reading) = worker.join().unwrap()?;
//!     for event in reading {
//!         println!("{sum}: {} {:?}", event.name(), event.value());
//!     }
//! }
//!
//! // All threads of a process, here of this one.
//! # #[cfg(target_os = "linux")] {
//! let threads = system.threads_of(std::process::id())?;
//! let counters = system.open_with("task-clock", &Options::new().scope(Scope::Threads(threads)))?;
//! println!("open in {} places", counters.targets(0).count());
//! # }
//! # Ok(())
//! # }
//! # check(recipe());
//! # fn check(result: Result<(), Box<dyn std::error::Error>>) {
//! #     if let Err(error) = result {
//! #         assert!(error.is::<pmu_events::open::Error>(), "{error}");
//! #     }
//! # }
//! ```
//!
//! # Count the whole system, with uncore
//!
//! [`Scope::AllCpus`] counts everything on every CPU. Events of memory
//! controllers, caches outside the cores and meshes can only be counted this
//! way; each opens on the CPUs that its PMU names. It needs the capability
//! `CAP_PERFMON`, root, or `kernel.perf_event_paranoid` at 0 or below.
//!
//! ```
//! # fn recipe() -> Result<(), Box<dyn std::error::Error>> {
//! use pmu_events::open::Options;
//! use pmu_events::{Scope, System};
//!
//! let system = System::new();
//! let everything = Options::new().scope(Scope::AllCpus);
//! let mut counters = system.open_with("cpu-clock,unc_m_cas_count.rd", &everything)?;
//! counters.enable()?;
//! std::thread::sleep(std::time::Duration::from_millis(10));
//! for event in counters.read() {
//!     // One entry for each instance of the memory controller.
//!     match event.value() {
//!         Ok(value) => println!("{}: {value} {}", event.name(), event.unit()),
//!         Err(why) => println!("{}: {why}", event.name()),
//!     }
//! }
//! # Ok(())
//! # }
//! # check(recipe());
//! # fn check(result: Result<(), Box<dyn std::error::Error>>) {
//! #     if let Err(error) = result {
//! #         assert!(error.is::<pmu_events::open::Error>(), "{error}");
//! #     }
//! # }
//! ```
//!
//! # Hybrid CPUs
//!
//! Where cores differ, an event without a PMU resolves once for each core PMU
//! that has it, from the table of that PMU's own CPUs. Name the PMU to choose
//! one; add up the counts if the thread may move between cores.
//!
//! ```
//! use pmu_events::System;
//!
//! let system = System::new();
//! let events = system.resolve("cycles,cpu_atom/cycles/")?;
//! for event in &events {
//!     println!("{} on {:?}", event.name(), event.pmu().map(|pmu| pmu.name()));
//! }
//! for missing in events.missing() {
//!     println!("{}: {}", missing.name(), missing.error());
//! }
//! for model in system.models() {
//!     println!("cores of {}", model.name());
//! }
//! # Ok::<(), pmu_events::resolve::Error>(())
//! ```
//!
//! # A metric and its threshold
//!
//! A [`Plan`] chooses the events that some metrics need and how to group them,
//! and computes the values from the counts.
//!
//! ```
//! # fn recipe() -> Result<(), Box<dyn std::error::Error>> {
//! use pmu_events::measure::Plan;
//! use pmu_events::{Scope, System, open::Options};
//!
//! let system = System::new();
//! // No metric on a CPU that is in no tree of this build.
//! let metrics = system.model().ok().into_iter().flat_map(|model| model.metric("ipc"));
//! let plan = Plan::new(metrics, &system, &Scope::ThisThread);
//!
//! let mut counters = plan.open(&Options::new())?;
//! counters.enable()?;
//! let sum: u64 = (0..1_000_000).sum();
//! counters.disable()?;
//!
//! println!("the sum is {sum}");
//! for metric in plan.values(&counters.read()) {
//!     let note = if metric.is_crossed == Some(true) { " (over its threshold)" } else { "" };
//!     println!("{}: {metric:.2}{note}", metric.request.name());
//! }
//! for missing in plan.missing() {
//!     println!("not counted: {}: {}", missing.name(), missing.error());
//! }
//! # Ok(())
//! # }
//! # check(recipe());
//! # fn check(result: Result<(), Box<dyn std::error::Error>>) {
//! #     if let Err(error) = result {
//! #         assert!(error.is::<pmu_events::open::Error>(), "{error}");
//! #     }
//! # }
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
//! ```
//! # fn recipe() -> Result<(), Box<dyn std::error::Error>> {
//! use pmu_events::System;
//! use pmu_events::open::Outcome;
//!
//! let mut counters = System::new().open("{instructions,cycles}:u,cache-misses:u,task-clock")?;
//! counters.enable()?;
//! for event in counters.read() {
//!     match event.outcome() {
//!         Outcome::Counted(total) if total.share() < 1.0 => {
//!             println!("{}: about {} ({:.0}%)", event.name(), total.value, total.share() * 100.0)
//!         }
//!         Outcome::Counted(total) => println!("{}: {}", event.name(), total.value),
//!         other => println!("{}: {other:?}", event.name()),
//!     }
//! }
//! # Ok(())
//! # }
//! # check(recipe());
//! # fn check(result: Result<(), Box<dyn std::error::Error>>) {
//! #     if let Err(error) = result {
//! #         assert!(error.is::<pmu_events::open::Error>(), "{error}");
//! #     }
//! # }
//! ```
//!
//! # A formula of your own
//!
//! [`Formulas`](crate::measure::Formulas) reads metrics that a user defines, from a
//! configuration file for instance, and finds out what their names mean on this
//! machine: other formulas, metrics of its tables, or events. They are planned and
//! counted as metrics of a tree are.
//!
//! ```
//! # fn recipe() -> Result<(), Box<dyn std::error::Error>> {
//! use pmu_events::measure::{Formulas, Plan};
//! use pmu_events::{Scope, System, open::Options};
//!
//! let formulas = Formulas::parse(r"
//!     fault_rate [1/s] = page\-faults / task\-clock
//!     busy [100%] = task\-clock / duration_time
//! ")?;
//!
//! let system = System::new();
//! let plan = Plan::new(formulas.bind(&system)?, &system, &Scope::ThisThread);
//! let mut counters = plan.open(&Options::new())?;
//! counters.enable()?;
//! let ones = vec![1u8; 1 << 20];
//! counters.disable()?;
//!
//! for value in plan.values(&counters.read()) {
//!     println!("{}: {value:.2} for {} bytes", value.request.name(), ones.len());
//! }
//! # Ok(())
//! # }
//! # check(recipe());
//! # fn check(result: Result<(), Box<dyn std::error::Error>>) {
//! #     if let Err(error) = result {
//! #         assert!(error.is::<pmu_events::open::Error>(), "{error}");
//! #     }
//! # }
//! ```
//!
//! Every time is in seconds, whatever clock it is of. A fault has its line and column: `3:20: no PMU has an event …`. Without an
//! operating system, [`metric::parse`](crate::metric::parse) reads one formula, and
//! takes the counts from a closure.
//!
//! # Drill down to a bottleneck
//!
//! [`topdown`](crate::topdown) says which metrics to measure next; a
//! [`Plan`](crate::measure::Plan) measures them. [`passes`](crate::topdown::passes)
//! are what the counters hold at once. A node with an event that is not counted has
//! no value and ends the walk: on a machine without a core PMU, nothing is printed.
//!
//! ```
//! # fn recipe() -> Result<(), Box<dyn std::error::Error>> {
//! use pmu_events::measure::Plan;
//! use pmu_events::topdown::{self, Drill, Hierarchy};
//! use pmu_events::{Scope, System, open::Options};
//!
//! let system = System::new();
//! let machine = system.machine(&Scope::ThisThread);
//! for tree in system.models().into_iter().flat_map(Hierarchy::of) {
//!     let pool = topdown::pool(tree.model(), tree.pmu(), system.has_nmi_watchdog());
//!     let mut drill = Drill::new(&tree);
//!     while let Some(step) = drill.next_step() {
//!         let mut measured = Vec::new();
//!         for pass in topdown::passes(tree.model(), step.metrics(), &machine, pool) {
//!             let metrics = pass.metrics.iter().copied();
//!             let plan = Plan::together(metrics, &system, &Scope::ThisThread);
//!             let mut counters = plan.open(&Options::new())?;
//!             counters.enable()?;
//!             let sum = (0..1_000_000u64).fold(0, |sum, n| sum ^ n.wrapping_mul(n));
//!             counters.disable()?;
//!             println!("{sum} after {} metrics", pass.metrics.len());
//!             measured.push((pass.metrics, plan, counters.read()));
//!         }
//!         drill.learn(&step, &machine, |metric, event| {
//!             let has = measured.iter().find(|(metrics, ..)| metrics.contains(&metric));
//!             let (_, plan, reading) = has.expect("every metric of a step is in a pass");
//!             plan.count(metric, event, reading)
//!         });
//!     }
//!     for leaf in drill.leaves() {
//!         println!("{}: {:.1}", leaf.node.metric().name(), leaf.finding.value);
//!         for sample in topdown::samples(&tree, leaf.number, &machine) {
//!             println!("  sample {}", sample.event);
//!         }
//!     }
//! }
//! # Ok(())
//! # }
//! # check(recipe());
//! # fn check(result: Result<(), Box<dyn std::error::Error>>) {
//! #     if let Err(error) = result {
//! #         assert!(error.is::<pmu_events::open::Error>(), "{error}");
//! #     }
//! # }
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
//! ```
//! # #[cfg(feature = "x86")] {
//! use pmu_events::{System, arch::x86};
//!
//! let zen4 = System::builtin("AuthenticAMD-25-61-2", x86::AMDZEN4);
//! for event in &zen4.require("ex_ret_brn_misp,l3_lookup_state.l3_miss")? {
//!     println!("{}: type {}, config {:#x}", event.name(), event.type_, event.config[0]);
//! }
//! # }
//! # Ok::<(), pmu_events::resolve::Error>(())
//! ```
//!
//! # An event tree of your own
//!
//! Describe the events of your SoC in JSON and let [`pmu_events!`] compile them.
//! A tree is a directory:
//!
//! ```text
//! arch/soc/
//!   mapfile.csv            CPUID pattern, version, directory, core
//!   acme/cache.json        events; the file name is the topic
//!   acme/metrics.json      metrics
//!   standard.json          architecture standard events, which others refer to
//! ```
//!
//! The first line of the map file is a header; of the rows, the first that
//! matches a CPUID wins. [`tree_format`] lists every key of the JSON objects.
//!
//! ```
//! mod soc {
//!     // Relative to the Cargo.toml of the crate.
//!     pmu_events::pmu_events!("tests/soc");
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use pmu_events::System;
//!
//! let event = soc::ACME.event("l1d.miss").unwrap();
//! assert_eq!(event.event_string(), "event=0x10");
//! // On a machine with that CPU.
//! let system = System::new().with_tree(&soc::TREE);
//! println!("{:?}", system.model().map(|model| model.name()));
//! # Ok(())
//! # }
//! ```
//!
//! Faults are errors of the compiler with file, line and column; `pmu lint DIR`
//! shows them without a crate.
//!
//! # Firmware
//!
//! With `default-features = false`, the crate is `no_std` and needs no heap. The
//! feature `register` turns events into values of registers: in `const`, so that the
//! program contains neither the name nor the table.
//!
//! ```
//! # #[cfg(all(feature = "x86", feature = "register"))] {
//! use pmu_events::arch::x86;
//! use pmu_events::register::Control;
//! use pmu_events::register::intel::{self, Program, ProgrammableCounter};
//!
//! // An unknown name, or one that this counter cannot count, does not compile.
//! const MISPREDICTED: Program = {
//!     let event = x86::SAPPHIRERAPIDS.require("BR_MISP_RETIRED.ALL_BRANCHES");
//!     intel::require(intel::program(event, ProgrammableCounter::General(0), Control::COUNT))
//! };
//! // IA32_PERFEVTSEL0, and the counter's bit in IA32_PERF_GLOBAL_CTRL.
//! let writes: Vec<_> = MISPREDICTED.as_slice().iter().map(|w| (w.register, w.value)).collect();
//! assert_eq!(writes, [(0x186, 0x43_00c5), (0x38f, 1)]);
//! # }
//! ```
//!
//! # Sampling with perf-event2
//!
//! With the feature `perf-event2`, a resolved event is an event of the crate
//! [perf-event2](https://docs.rs/perf-event2), whose builder samples.
//!
//! ```
//! # #[cfg(all(
//! #     feature = "perf-event2",
//! #     target_os = "linux",
//! #     any(target_arch = "x86_64", target_arch = "aarch64")
//! # ))] {
//! # fn recipe() -> Result<(), Box<dyn std::error::Error>> {
//! use perf_event::{Builder, SampleFlag};
//! use pmu_events::System;
//!
//! let events = System::new().require("task-clock")?;
//! let mut builder = Builder::new(&events[0]);
//! builder.sample_period(1_000_000).sample(SampleFlag::IP | SampleFlag::TID);
//! let mut sampler = builder.build()?.sampled(16)?;
//!
//! sampler.enable()?;
//! let sum: u64 = (0..10_000_000).filter(|n| n % 3 == 0).sum();
//! sampler.disable()?;
//!
//! let mut samples = 0;
//! while sampler.next_record().is_some() {
//!     samples += 1;
//! }
//! println!("{samples} samples for {sum}");
//! # Ok(())
//! # }
//! # // Some machines forbid sampling.
//! # if let Err(error) = recipe() {
//! #     assert!(error.is::<std::io::Error>(), "{error}");
//! # }
//! # }
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
//! [`Unreadable`]: crate::open::ErrorKind::Unreadable
//! [`Unresolved`]: crate::open::ErrorKind::Unresolved
//! [`Syntax`]: crate::open::ErrorKind::Syntax

pub mod tree_format;
