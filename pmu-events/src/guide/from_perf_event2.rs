//! Moving from the crate [perf-event2](https://docs.rs/perf-event2): when you count by names.
//!
//! A `Builder` makes one counter of one event, which you name by a Rust type or a number. Here a
//! list of events, as `perf stat -e` takes it, becomes a set of counters:
//!
//! ```no_run
//! use pmu_events::System;
//!
//! // perf-event2:
//! //     let mut group = Group::new()?;
//! //     let instructions = group.add(&Builder::new(Hardware::INSTRUCTIONS))?;
//! //     let cycles = group.add(&Builder::new(Hardware::CPU_CYCLES))?;
//! //     group.enable()?;
//! //     …
//! //     let counts = group.read()?;
//! //     println!("{} of {}", counts[&instructions], counts[&cycles]);
//! let mut counters = System::new().open("{instructions:u,cycles:u}")?;
//! let (sum, reading) = counters.count(|| (0..1_000_000).filter(|n| n % 3 == 0).sum::<u64>())?;
//! println!("{sum}: {} of {}", reading["instructions:u"].value()?, reading["cycles:u"].value()?);
//! # Ok::<(), pmu_events::open::Error>(())
//! ```
//!
//! # What replaces what
//!
//! | perf-event2 | here |
//! |---|---|
//! | `Builder::new(event).build()` | [`System::open`]: `"instructions:u"` |
//! | `Group::new()`, `group.add(…)` | braces: `"{instructions:u,cycles:u}"` |
//! | `Hardware::…`, `Software::…`, `Cache { … }` | perf's generic names: `cycles`, `page-faults`, `L1-dcache-load-misses` |
//! | `Raw::new(0x3c)`, `x86::…` | the vendor's name, `cpu/event=0x3c/` or `r3c`; see [`from_raw_codes`](super::from_raw_codes) |
//! | `Dynamic::builder("msr")?.event("tsc")?` | `"msr/tsc/"` |
//! | `Tracepoint::with_name("sched:sched_switch")` | `"sched:sched_switch"` |
//! | `Breakpoint::…` | `"mem:0x1000/8:rw"` |
//! | `exclude_kernel(true)`, the default | the modifier `u`; **without a modifier, the kernel is counted, too** |
//! | `observe_self()`, the default | [`Scope::ThisThread`], the default |
//! | `observe_pid(pid)` | [`Scope::Threads`], with [`System::threads_of`] for all threads of a process |
//! | `any_pid().one_cpu(3)` | [`Scope::Cpus`]; [`Scope::AllCpus`] for all of them |
//! | `observe_cgroup(&file)` | [`Options::with_cgroup`] |
//! | `inherit(true)`, `enable_on_exec(true)` | [`Options::with_inherit`], [`Options::with_enable_on_exec`] |
//! | `pinned(true)`, `exclusive(true)` | the modifiers `D` and `e` |
//! | `counter.read()` | [`EventReading::value`]: scaled if the event shared its counter, in the event's unit |
//! | `read_full()`, `time_running()` | [`Total`]: the plain count and both times |
//! | `io::Error` with `EINVAL` | [`open::Error`]: a kind, and a sentence with the cure |
//!
//! Counters start disabled, in both crates.
//!
//! # Sampling
//!
//! The module `sample`, with the feature of that name, has buffers of records for events by name. With the crate
//! [`pmu-events-perf-event2`](https://docs.rs/pmu-events-perf-event2), a resolved event is an event
//! of perf-event2: [the cookbook](crate::cookbook#sampling-with-perf-event2) has the recipe. So a profiler that
//! keeps its builder gets its names from here.
//!
//! # A first step
//!
//! To move one event at a time, resolve it here and pass its words on. They are those of
//! `perf_event_attr`:
//!
//! ```
//! use pmu_events::System;
//!
//! let events = System::new().require("page-faults")?;
//! let (kind, config) = (events[0].type_(), events[0].words().config());
//! assert_eq!((kind, config), (1, 2)); // PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS
//! # Ok::<(), pmu_events::resolve::Error>(())
//! ```
//!
//! [`System::open`]: crate::System::open
//! [`System::threads_of`]: crate::System::threads_of
//! [`Scope::ThisThread`]: crate::Scope::ThisThread
//! [`Scope::Threads`]: crate::Scope::Threads
//! [`Scope::Cpus`]: crate::Scope::Cpus
//! [`Scope::AllCpus`]: crate::Scope::AllCpus
//! [`Options::with_cgroup`]: crate::open::Options::with_cgroup
//! [`Options::with_inherit`]: crate::open::Options::with_inherit
//! [`Options::with_enable_on_exec`]: crate::open::Options::with_enable_on_exec
//! [`EventReading::value`]: crate::open::EventReading::value
//! [`Total`]: crate::open::Total
//! [`open::Error`]: crate::open::Error
