//! Performance-monitoring events by name.
//!
//! A CPU's performance-monitoring unit (PMU) counts hundreds of events, each
//! selected by bit patterns that differ from model to model. People know them by
//! name: `INST_RETIRED.ANY`, `l1d_cache_refill`. This crate contains the events of
//! every CPU that Linux perf knows, as constants, with a feature for each
//! architecture ([`arch`]). Names are looked up at run time, on whatever machine
//! the program runs on, or at compile time. [`pmu_events!`] compiles a selection of
//! them, or an event tree of your own, in the format of Linux's
//! `tools/perf/pmu-events/arch`.
//!
//! ```toml
//! [dependencies]
//! pmu-events = { version = "0.1", features = ["x86"] }
//! ```
//!
//! ```
//! # #[cfg(feature = "x86")] {
//! use pmu_events::{Event, arch::x86};
//!
//! // An unknown name does not compile.
//! const INST: Event = x86::SILVERMONT.require("INST_RETIRED.ANY");
//! assert_eq!(INST.event_string(), "event=0xc0,period=2000003");
//!
//! let model = x86::model("GenuineIntel-6-37-8").unwrap();
//! assert_eq!(model.name(), "silvermont");
//! let event = model.event("br_misp_retired.all_branches").unwrap();
//! assert_eq!(event.topic(), "pipeline");
//! assert_eq!(model.nearest("br_misp_retird.all_branches"), Some(event.name()));
//! # }
//! ```
//!
//! Counting events by name, on the machine that the program runs on (Linux only; on
//! other systems the code compiles and opening returns an error):
//!
//! ```no_run
//! # #[cfg(feature = "open")] {
//! use pmu_events::System;
//!
//! let mut counters = System::new().open("{instructions,cycles}:u,page-faults")?;
//! let (sum, reading) = counters.count(|| (0..1_000_000).sum::<u64>())?;
//! println!("the sum is {sum}");
//! for event in &reading {
//!     println!("{event}"); // its value and unit, or why it has none
//! }
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to start
//!
//! * To count in a program: [`System::open`], as above. The [`cookbook`] has a recipe for
//!   each common task; its programs are complete.
//! * To know what your CPU has: the command `pmu list`, or [`System::model`].
//! * To move a program from perf-event2, from libpfm4 or from hand-typed codes: the
//!   [`guide`]. It also says what a [version][guide::compatibility] promises.
//! * Without an operating system: [the recipe for firmware][cookbook#firmware].
//!
//! # Modules by subject
//!
//! *Counting on Linux*
//!
//! | module | use it to |
//! |---|---|
//! | [`system`] | describe the machine: its PMUs, tables, CPUs; [`System`] is where everything begins |
//! | [`open`] | open, enable and read counters; choose tasks, CPUs and control groups |
//! | [`follow`] | count for as long as the program runs, while CPUs, control groups and processes come and go |
//! | [`region`] | count parts of your own code, by label and thread |
//! | [`sample`] | know where events occur: buffers of samples, and a parser of their records |
//! | [`check`] | know whether the counts of this machine are true, and which events fit its counters |
//! | [`resolve`] | know what an event name selects on this machine, before you open it |
//! | [`measure`] | count metrics such as `ipc`, and your own formulas |
//! | [`topdown`] | find out why a program is slow, step by step |
//! | [`planner`] | put events into groups that fit the counters |
//! | [`sysfs`], [`host`] | read the PMUs of a machine, and the CPUID of this one |
//!
//! *Tables: the events and metrics of CPUs*
//!
//! | module | use it to |
//! |---|---|
//! | [`arch`] | name a model or an event of a bundled tree; each has a feature |
//! | [`Tree`], [`model`], [`event`], [`metric`], [`text`] | look up and list what a tree contains, in `const`, too |
//! | [`cpuid`] | find the table of a CPU, or the CPUID behind a name such as `raptorlake` |
//! | [`encoded`] | find the event behind a raw code |
//! | [`pmu_events!`] | compile a selection, or an event tree of your own |
//!
//! *Texts and codes: the parts that the above are made of*
//!
//! | module | use it to |
//! |---|---|
//! | [`event_list`], [`term`] | name the events of every Linux; take an event string apart |
//! | [`mod@format`], [`config`], [`builtin`], [`perf_type`] | turn terms into the words of `perf_event_attr` |
//! | [`expr`] | give a formula the values of its events and the facts of the machine |
//! | [`pmu`], [`located`] | tell core PMUs from others; read the place of an error |
//!
//! *Together with other programs*
//!
//! | module | use it to |
//! |---|---|
//! | [`control`] | switch the counters of `perf stat` from a benchmark, or be switched |
//!
//! *For some machines*
//!
//! | module | use it to |
//! |---|---|
//! | [`register`], [`schedule`] | program counters without a kernel, and find out which events fit together |
//! | [`cmn`] | count on Arm's meshes |
//! | [`power`], [`ebb`] | read raw codes of POWER, and use its event-based branches |
//!
//! # Without `std`
//!
//! With `default-features = false`, the crate is `no_std` and needs no heap; it then
//! contains everything that is not a feature of its own, except what accesses the
//! running system: [`host`], [`measure`], [`sysfs`], [`system`],
//! [`resolve`], [`open`], the search for meshes in [`cmn`], and the
//! functions of [`ebb`] that open counters.
//!
//! # Features
//!
//! | feature | adds | default |
//! |---|---|---|
//! | `std` | [`System`], [`host`], [`sysfs`], [`resolve`], meshes in [`cmn`] | yes |
//! | `open` | counters: [`open`], and opening groups in [`ebb`] (on non-Linux systems, opening returns an error) | yes |
//! | `metrics` | [`topdown`], [`planner`], and [`metric::parse`], for formulas written by users, which need a heap; with `std`, [`measure`] | no |
//! | `region` | [`region`]: counts of parts of your own code, by label and thread | no |
//! | `check` | [`check`]: whether this machine counts truly | no |
//! | `follow` | [`follow`]: counters that follow CPUs, control groups and processes | no |
//! | `sample` | [`sample`]: events that sample, and their records | no |
//! | `cmn` | [`cmn`]: events of Arm's mesh; with `std`, the meshes of this machine | no |
//! | `ebb` | [`power`] and [`ebb`]: raw codes and event-based branches of POWER cores; with `open`, opening them | no |
//! | `control` | [`control`]: perf's control protocol, to switch the counters of others or be switched | no |
//! | `register` | [`register`]: register values, for use without a kernel | no |
//! | `serde` | `Serialize` of models, events and metrics; with `std`, of resolutions; with `open`, of readings | no |
//! | `x86`, `arm64`, `powerpc`, `riscv`, `s390`, `nds32`, `common` | the event tree of that name, as a module of [`arch`] | no |
//! | `native`, `all-trees` | the tree of the target's own architecture; every tree | no |
//! | `macros` | [`pmu_events!`], which compiles a tree of your own | no |
//! | `builtin` | `pmu_events!(builtin "x86", …)`, a selection of a tree | no |
//! | `perfmon`, `telemetry` | trees in the form of Intel's perfmon, of Arm's telemetry specifications | no |
//!
//! The trees come packed, in the crate `pmu-events-tables`. The compiler of trees is built only with a
//! feature that needs it: `macros`, `builtin`, `perfmon` or `telemetry`.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
#![doc(test(attr(deny(warnings), allow(dead_code, deprecated))))]
// The documentation refers to modules that are features, which this build may lack.
#![cfg_attr(
    not(all(
        feature = "check",
        feature = "cmn",
        feature = "control",
        feature = "ebb",
        feature = "follow",
        feature = "region",
        feature = "register",
        feature = "sample"
    )),
    doc = "

[`System`]: https://docs.rs/pmu-events/latest/pmu_events/struct.System.html
[`System::model`]: https://docs.rs/pmu-events/latest/pmu_events/struct.System.html#method.model
[`System::open`]: https://docs.rs/pmu-events/latest/pmu_events/struct.System.html#method.open
[guide::compatibility]: https://docs.rs/pmu-events/latest/pmu_events/guide/compatibility/
[cookbook#firmware]: https://docs.rs/pmu-events/latest/pmu_events/cookbook/#firmware
[`check`]: https://docs.rs/pmu-events/latest/pmu_events/check/
[`cmn`]: https://docs.rs/pmu-events/latest/pmu_events/cmn/
[`control`]: https://docs.rs/pmu-events/latest/pmu_events/control/
[`cookbook`]: https://docs.rs/pmu-events/latest/pmu_events/cookbook/
[`ebb`]: https://docs.rs/pmu-events/latest/pmu_events/ebb/
[`follow`]: https://docs.rs/pmu-events/latest/pmu_events/follow/
[`guide`]: https://docs.rs/pmu-events/latest/pmu_events/guide/
[`host`]: https://docs.rs/pmu-events/latest/pmu_events/host/
[`measure`]: https://docs.rs/pmu-events/latest/pmu_events/measure/
[`metric::parse`]: https://docs.rs/pmu-events/latest/pmu_events/metric/fn.parse.html
[`open`]: https://docs.rs/pmu-events/latest/pmu_events/open/
[`planner`]: https://docs.rs/pmu-events/latest/pmu_events/planner/
[`power`]: https://docs.rs/pmu-events/latest/pmu_events/power/
[`region`]: https://docs.rs/pmu-events/latest/pmu_events/region/
[`register`]: https://docs.rs/pmu-events/latest/pmu_events/register/
[`resolve`]: https://docs.rs/pmu-events/latest/pmu_events/resolve/
[`sample`]: https://docs.rs/pmu-events/latest/pmu_events/sample/
[`sysfs`]: https://docs.rs/pmu-events/latest/pmu_events/sysfs/
[`system`]: https://docs.rs/pmu-events/latest/pmu_events/system/
[`topdown`]: https://docs.rs/pmu-events/latest/pmu_events/topdown/"
)]

#[cfg(any(feature = "metrics", feature = "std"))]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod arch;
#[cfg(feature = "std")]
mod cause;
#[cfg(feature = "check")]
#[cfg_attr(docsrs, doc(cfg(feature = "check")))]
pub mod check;
// The crate `pmu-events-cmn`, and the search for meshes.
#[cfg(all(feature = "std", feature = "cmn"))]
#[cfg_attr(docsrs, doc(cfg(all(feature = "std", feature = "cmn"))))]
pub mod cmn;
#[cfg(all(feature = "metrics", feature = "region"))]
#[cfg_attr(docsrs, doc(cfg(all(feature = "metrics", feature = "region"))))]
pub mod cookbook;
#[cfg(feature = "check")]
mod digits;
#[cfg(all(feature = "open", feature = "ebb"))]
#[cfg_attr(docsrs, doc(cfg(all(feature = "open", feature = "ebb"))))]
pub mod ebb;
#[cfg(feature = "std")]
mod file;
#[cfg(all(feature = "open", feature = "metrics"))]
#[cfg_attr(docsrs, doc(cfg(all(feature = "open", feature = "metrics"))))]
pub mod guide;
#[cfg(feature = "std")]
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
pub mod host;
#[cfg(all(feature = "metrics", feature = "std"))]
#[cfg_attr(docsrs, doc(cfg(all(feature = "metrics", feature = "std"))))]
pub mod measure;
pub mod metric;
#[cfg(feature = "open")]
#[cfg_attr(docsrs, doc(cfg(feature = "open")))]
pub mod open;
#[cfg(feature = "std")]
mod order;
#[cfg(feature = "metrics")]
#[cfg_attr(docsrs, doc(cfg(feature = "metrics")))]
pub mod planner;
#[cfg(feature = "std")]
mod problem;
#[cfg(feature = "region")]
#[cfg_attr(docsrs, doc(cfg(feature = "region")))]
pub mod region;
#[cfg(feature = "std")]
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
pub mod resolve;
#[cfg(feature = "sample")]
#[cfg_attr(docsrs, doc(cfg(feature = "sample")))]
pub mod sample;
#[cfg(feature = "std")]
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
pub mod sysfs;
#[cfg(feature = "std")]
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
pub mod system;

#[cfg(feature = "metrics")]
#[cfg_attr(docsrs, doc(cfg(feature = "metrics")))]
pub mod topdown;

#[cfg(feature = "std")]
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
#[doc(inline)]
pub use system::{Scope, System};

#[cfg(feature = "follow")]
#[cfg_attr(docsrs, doc(cfg(feature = "follow")))]
#[doc(inline)]
pub use open::set::follow;

pub use pmu_events_core::*;

#[cfg(all(feature = "cmn", not(feature = "std")))]
#[doc(inline)]
pub use pmu_events_cmn as cmn;

#[cfg(feature = "control")]
#[cfg_attr(docsrs, doc(cfg(feature = "control")))]
#[doc(inline)]
pub use pmu_events_control as control;

#[cfg(all(feature = "ebb", not(feature = "open")))]
#[doc(inline)]
pub use pmu_events_ebb::ebb;

#[cfg(feature = "ebb")]
#[cfg_attr(docsrs, doc(cfg(feature = "ebb")))]
#[doc(inline)]
pub use pmu_events_ebb::power;

#[cfg(feature = "register")]
#[cfg_attr(docsrs, doc(cfg(feature = "register")))]
#[doc(inline)]
pub use pmu_events_register as register;

#[doc(hidden)]
pub mod __private;

/// Compiles a tree of PMU event descriptions.
///
/// ```
/// mod soc {
///     pmu_events::pmu_events!("tests/soc");
/// }
/// assert!(soc::TREE.models().any(|model| model.name() == "acme"));
/// ```
///
/// The first argument is one of these:
///
/// * The directory of an architecture: `mapfile.csv`, architecture standard events
///   at the root, and a directory for each model, as perf's jevents reads them. A
///   relative path starts at the directory of the crate's manifest
///   (`CARGO_MANIFEST_DIR`). `$NAME` and `${NAME}` are environment variables, and
///   `${NAME:-default}` uses the default if the variable is unset or empty.
/// * With the feature `perfmon`, a directory of Intel's perfmon, recognized by its
///   `mapfile.csv`; models have the same names as in the kernel's tree.
/// * With the feature `telemetry`, a directory of Arm's telemetry specifications,
///   recognized by their `product_configuration`: `data/pmu/cpu` of telemetry-solution,
///   or one of the families in it. The models are named after the products (`arm/c1-ultra`);
///   later revisions with a specification of their own have theirs at the end
///   (`arm/c1-pro-r1p1`).
/// * `builtin` and the name of a tree that comes with this crate; this needs the
///   feature `builtin`. Use this form for a selection of a tree; for the whole of
///   one, enable its feature and use [`arch`].
///
/// ```
/// # #[cfg(feature = "builtin")]
/// mod x86 {
///     pmu_events::pmu_events!(
///         builtin "x86",
///         models = ["silvermont", "amdzen*"],
///         text = brief,
///         metrics = false,
///         events = ["inst_retired.*", "ex_ret_*"],
///     );
/// }
/// # #[cfg(feature = "builtin")]
/// assert!(x86::AMDZEN5.event("ex_ret_instr").is_some());
/// ```
///
/// # Options
///
/// | option | effect | default |
/// |---|---|---|
/// | `models = ["glob", …]` | keeps models whose directory matches one | all |
/// | `events = ["glob", …]` | keeps events whose name matches one, ignoring case | all |
/// | `text = none`, `brief`, `full` | keeps no descriptions, brief ones, public ones too | `full` |
/// | `metrics = true`, `false` | keeps metrics or drops them | `true` |
/// | `unknown = allow`, `warn`, `deny` | what to do about unknown keys and other likely mistakes | `warn` |
/// | `arch = "name"` | sets which architecture's map-file rules apply: `x86`, `arm64`; any other value selects whole-string matching | the directory's name |
/// | `encoding = correct`, `perf` | encodes events as the source says, or as perf of Linux 6.17 and 7.3 does where it is wrong (see [`Event::perf_differs`]) | `correct` |
/// | `crate = path` | the path to this crate, if it is renamed in `Cargo.toml` or re-exported by another crate | `::pmu_events` |
///
/// # What it expands to
///
/// The macro expands to these items, which are best kept in a module of their own:
///
/// * `pub static TREE:` [`Tree`];
/// * for each model a `pub static` [`Model`], named after its directory in
///   capitals, with `_` for characters that an identifier cannot have:
///   `arm/neoverse-n1` becomes `ARM_NEOVERSE_N1`; the names of sys tables end in
///   `_SYS`;
/// * `pub const fn model(cpuid: &str) -> Option<Model>`, which returns the model of
///   a CPUID: the first matching row of the map file wins (see below);
/// * with the feature `std`, `pub fn host() -> Result<Model, host::Error>`, which
///   returns the model of this machine and looks it up only once.
///
/// # CPUs that the tree does not know
///
/// Rows of map files are often open-ended: they match all CPUs of a family, or all later
/// revisions of a core, and so CPUs that are newer than the table. Two optional files
/// beside the map file tell them apart; perf ignores both. Their columns are a pattern of
/// CPUIDs and a directory; further columns are for readers.
///
/// * `cpus.csv` lists the CPUs for which each model was made. A pattern is like one of
///   the map file (for x86, a range such as `[0-9]` has a dash too many: write
///   `[[:digit:]]`); for arm64 it is the latest variant and revision, as a MIDR.
///   [`Model::made_for`] and [`Model::note`] tell whether a CPU is among them; if the file
///   does not name a model, that is unknown. The documentation of a model's static lists
///   its CPUs.
/// * `fallback.csv` names the models of CPUs that no row of the map file matches: tables
///   with the events that the architecture names. These are patterns for arm64, too.
///   AMD's architecture names none: on a family of AMD's that no table has, the events
///   that the kernel has for every CPU remain, such as `cycles` and `instructions`.
///
/// ```
/// use pmu_events::model::MadeFor;
///
/// mod later {
///     pmu_events::pmu_events!("tests/later");
/// }
/// // The row is `Acme-[0-9]+`, and the table was made for the first two.
/// let acme = later::model("Acme-3").unwrap();
/// assert_eq!(acme.made_for("Acme-2"), MadeFor::This);
/// assert_eq!(acme.made_for("Acme-3"), MadeFor::Others);
/// println!("note: {}", acme.note("Acme-3").unwrap());
/// // No row of the map file matches this one.
/// let fallback = later::model("Acme-X").unwrap();
/// assert_eq!(fallback.made_for("Acme-X"), MadeFor::Architecture);
/// ```
///
/// # Former names
///
/// Programs contain the names of models and events. `former.csv`, beside the map file, keeps
/// a name that has changed; perf ignores the file.
///
/// ```csv
/// Former name,Models,Name,Since
/// oldlake,,newlake,0.2.0
/// OLD.EVENT,*lake,NEW.EVENT,0.2.0
/// GONE.EVENT,newlake,"/event=0x77,umask=0x3/",0.2.0
/// ```
///
/// * A row without *Models* is about a model's directory: the static of the former name
///   remains, `#[deprecated]` since that version.
/// * A row with a glob of models is about an event: where a table has the present name and
///   lacks the former one, that is a deprecated event, and the present name is its
///   [successor](Event::successor).
/// * `pmu/terms/` in the place of the name is an event that nobody lists any longer: it
///   keeps its code, and has no successor. Without a PMU, it is an event of the core.
///
/// # Metrics that a model lacks
///
/// Where many models have a metric of one name, a tree can say why others have none:
/// [`Model::lacking`] has the rows of `lacks.csv`, beside the map file, which perf ignores.
///
/// ```csv
/// Metric,Models,Reason
/// common.energy,newlake old*,"The CPU has no energy counter, nor has the kernel."
/// ```
///
/// The second column has globs of models, with spaces between them. A model that has the
/// metric must not be among them.
///
/// # When the tree is recompiled
///
/// The trees behind features come packed. A tree that your crate names in the macro is
/// compiled with it, after each edit of that crate, so give the macro a small crate of its
/// own, and depend on that. With the whole x86 tree, a rebuild takes 1.2 s on two
/// processors. Macros run unoptimised in the dev profile, unless your workspace says
/// otherwise; then it takes 0.4 s, and the first build some 20 s more:
///
/// ```toml
/// [profile.dev.build-override]
/// opt-level = 3
/// ```
///
/// The tree is recompiled when a file that was read changes, or an environment
/// variable in the path. The compiler cannot detect *new* files; this one-line
/// `build.rs` makes Cargo watch the whole directory:
///
/// ```text
/// fn main() { println!("cargo::rerun-if-changed=arch/x86"); }
/// ```
///
/// # Errors
///
/// A tree with errors does not compile. One compiler error lists all of them
/// (twenty are shown), each as `path:line:column: what is wrong`, with the
/// offending value and often a suggestion. Likely mistakes, such as unknown keys,
/// are warnings.
#[cfg(feature = "macros")]
#[cfg_attr(docsrs, doc(cfg(feature = "macros")))]
pub use pmu_events_macros::pmu_events;

/// Compiles a tree of PMU event descriptions, with the feature `macros`, which this build
/// lacks.
#[cfg(not(feature = "macros"))]
#[macro_export]
macro_rules! pmu_events {
    ($($input:tt)*) => {
        ::core::compile_error!(
            "`pmu_events!` needs the feature `macros`: add `macros` to the features of pmu-events"
        );
    };
}

#[cfg(feature = "std")]
#[doc(hidden)]
#[macro_export]
macro_rules! __host {
    ($model:path) => {
        /// Returns the model of this machine, which is looked up only once. It may not
        /// have been made for this very CPU: `Model::note`, with the CPUID of
        /// `host::cpuid`, says so.
        ///
        /// # Errors
        ///
        /// Returns an error if the CPU cannot be identified, or if no row of the
        /// map file matches it.
        pub fn host() -> ::core::result::Result<$crate::Model, $crate::host::Error> {
            static HOST: $crate::host::Once = $crate::host::Once::new();
            HOST.model($model)
        }
    };
}

#[cfg(not(feature = "std"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __host {
    ($model:path) => {};
}
