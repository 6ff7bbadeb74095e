//! Moving from hand-typed codes: when your program has `0x01c2` and a comment.
//!
//! A raw code is right on the CPUs that its author had in mind, and counts something else on
//! others, without an error. A name is looked up in the table of the CPU that the program runs on.
//!
//! # Find the name
//!
//! `pmu decode` names the events of a CPU that have a code, or the nearest ones and how they
//! differ:
//!
//! ```text
//! $ pmu decode --model sapphirerapids r1f25
//! r1f25: pmu=cpu of sapphirerapids config=0x1f25
//!   L2_LINES_IN.ALL               event=0x25,period=100003,umask=0x1f
//!       Lines filled into the L2, for any reason
//! ```
//!
//! It also reads values of registers, such as `0x5301c4`, and says what a counter mask, `inv`, `edge`
//! or a sum of unit masks makes of an event. The library finds events by their words, without a heap:
//! [`Events::encoded_as`](crate::model::Events::encoded_as).
//!
//! `pmu audit src` finds the codes of a whole source tree, and says which of them are wrong.
//!
//! # Use the name
//!
//! ```
//! # #[cfg(feature = "x86")] {
//! use pmu_events::{Event, arch::x86, builtin};
//!
//! // Before: const L2_FILLS: u64 = 0x1f25; // L2_LINES_IN.ALL, Sapphire Rapids
//! const L2_FILLS: Event = x86::SAPPHIRERAPIDS.require("L2_LINES_IN.ALL");
//!
//! // The table is not part of the program: these are numbers.
//! const CONFIG: u64 = L2_FILLS.require_words(builtin::INTEL).config();
//! assert_eq!(CONFIG, 0x1f25);
//! # }
//! ```
//!
//! An unknown name does not compile. To count on whatever CPU the program runs on, look the name up
//! at run time, by [`System::open`](crate::System::open): it also checks the code against the
//! formats that the kernel has for the PMU.
//!
//! # What replaces what
//!
//! | code | here |
//! |---|---|
//! | `config = 0x01c2` and `PERF_TYPE_RAW` | the name; `r1c2` where there is none |
//! | bits of a unit mask, edge, threshold in `config` | terms: `cpu/event=0xc2,umask=0x1,cmask=1,edge/` |
//! | `config1 = 0x3f80400001` (off-core, load latency, filter registers) | `cpu/event=0xb7,offcore_rsp=0x3f80400001/`, or the name, which has it |
//! | the number in `/sys/bus/event_source/devices/*/type` | the name of the PMU: `uncore_imc_0/…/` |
//! | a table of codes per model, and a match on family and model | the feature of the architecture; [`arch`](crate::arch) |
//! | `wrmsr` to `IA32_PERFEVTSEL0` | the feature `register` |
//! | a JSON or CSV file of your own | [`pmu_events!`](crate::pmu_events!), a tree of your own |
//!
//! # Codes that no list has
//!
//! A code from a manual or a colleague is an event string: `cpu/event=0xc2,umask=0x1,name=mine/`. To
//! name it once, make [a tree of your own](crate::cookbook#an-event-tree-of-your-own).
