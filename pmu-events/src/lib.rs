//! Performance-monitoring events by name.
//!
//! A CPU's performance-monitoring unit (PMU) counts hundreds of events, each
//! selected by bit patterns that differ from model to model. People know them
//! by name: `INST_RETIRED.ANY`, `l1d_cache_refill`. This crate has the events of
//! every CPU that Linux perf knows as constants, each architecture behind a
//! feature ([`arch`]); names are looked up at run time, on whatever machine the
//! program runs on, or while it is compiled. [`pmu_events!`] compiles a selection
//! of them, or an event tree of your own, in the format of Linux's
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
//! let system = System::new();
//! let mut counters = system.open("{instructions,cycles}:u,page-faults")?;
//! counters.enable()?;
//! let sum: u64 = (0..1_000_000).sum();
//! counters.disable()?;
//! println!("the sum is {sum}");
//! for event in counters.read() {
//!     match event.value() {
//!         Ok(value) => println!("{}: {value} {}", event.name(), event.unit()),
//!         Err(why) => println!("{}: {why}", event.name()),
//!     }
//! }
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The [`cookbook`] has a recipe for each common task, and the reference of the keys of
//! an event tree.
//!
//! [`Model`] and [`Event`] describe what can be asked of a table. With
//! `default-features = false`, the crate is `no_std` and needs no heap: what remains
//! is everything except [`host`], [`measure`], [`sysfs`], [`system`],
//! [`resolve`](mod@resolve), [`open`], the search for meshes in [`cmn`] and the
//! functions of [`ebb`] that open counters, all of which touch the running system.
//!
//! # Features
//!
//! | feature | adds | default |
//! |---|---|---|
//! | `std` | [`System`], [`host`], [`measure`], [`sysfs`], [`resolve`](mod@resolve), meshes in [`cmn`] | yes |
//! | `alloc` | [`metric::parse`], for formulas that a user writes | with `std` |
//! | `open` | [`open`] and what [`ebb`] opens: counters (on systems other than Linux, opening returns an error) | yes |
//! | `perf-event2` | events for the crate of that name, where it has bindings; elsewhere nothing | no |
//! | `x86`, `arm64`, `powerpc`, `riscv`, `s390`, `nds32`, `common` | the event tree of that name, compiled into a module of [`arch`] | no |
//! | `native`, `all-trees` | the tree of the target's own architecture; every tree | no |
//! | `builtin` | `pmu_events!(builtin "x86", …)`, a selection of a tree | with a tree |

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]
// These pages speak of modules that only `std` has.
#![cfg_attr(not(feature = "open"), allow(rustdoc::broken_intra_doc_links))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod arch;
// The core's module of that name, and what finds meshes.
#[cfg(feature = "std")]
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
pub mod cmn;
#[cfg(feature = "open")]
#[cfg_attr(docsrs, doc(cfg(feature = "open")))]
pub mod cookbook;
#[cfg(feature = "open")]
#[cfg_attr(docsrs, doc(cfg(feature = "open")))]
pub mod ebb;
#[cfg(feature = "std")]
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
pub mod host;
#[cfg(feature = "std")]
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
pub mod measure;
pub mod metric;
#[cfg(feature = "open")]
#[cfg_attr(docsrs, doc(cfg(feature = "open")))]
pub mod open;
#[cfg(all(
    feature = "perf-event2",
    target_os = "linux",
    any(
        target_arch = "x86",
        target_arch = "x86_64",
        target_arch = "aarch64",
        target_arch = "riscv64",
    ),
))]
#[cfg_attr(docsrs, doc(cfg(feature = "perf-event2")))]
pub mod perf_event2;
#[cfg(feature = "std")]
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
pub mod resolve;
#[cfg(feature = "std")]
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
pub mod sysfs;
#[cfg(feature = "std")]
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
pub mod system;

#[cfg(feature = "std")]
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
pub use system::{Scope, System};

pub use pmu_events_core::*;

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
/// * The directory of an architecture: `mapfile.csv`, architecture standard
///   events at the root, and a directory for each model, as jevents reads them.
///   A relative path is below the manifest of the crate (`CARGO_MANIFEST_DIR`).
///   `$NAME` and `${NAME}` are environment variables, and `${NAME:-default}` uses
///   the default if the variable is unset or empty.
/// * A directory of Intel's perfmon, which its `mapfile.csv` tells from the above;
///   models have the names that they have in the kernel's tree.
/// * `builtin` and the name of a tree that comes with this crate, which needs
///   the feature `builtin`. Use this form for a selection of a tree; for the whole
///   of one, enable its feature and use [`arch`].
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
/// | option | keeps | default |
/// |---|---|---|
/// | `models = ["glob", …]` | models whose directory matches one | all |
/// | `events = ["glob", …]` | events whose name matches one, in any case | all |
/// | `text = none`, `brief`, `full` | no descriptions, brief ones, public ones too | `full` |
/// | `metrics = true`, `false` | metrics or not | `true` |
/// | `unknown = allow`, `warn`, `deny` | what to do about unknown keys and other likely slips | `warn` |
/// | `arch = "name"` | says whose map-file rules hold where the directory's name does not: `x86`, `arm64`, or any other for whole matches | the directory's name |
/// | `encoding = correct`, `perf` | for perfmon: what the source says, or what perf makes of it (see [`Event::perf_differs`]) | `correct` |
/// | `crate = path` | the path to this crate, if it is renamed in `Cargo.toml` or re-exported by another crate | `::pmu_events` |
///
/// # What it expands to
///
/// Items, which are best kept in a module of their own:
///
/// * `pub static TREE:` [`Tree`];
/// * for each model a `pub static` [`Model`], its directory in capitals with
///   `_` for what no name can have: `arm/neoverse-n1` is `ARM_NEOVERSE_N1`; a
///   sys table's ends in `_SYS`;
/// * `pub const fn model(cpuid: &str) -> Option<Model>`, from CPUID to model:
///   the first row of the map file wins;
/// * with the feature `std`, `pub fn host() -> Result<Model, host::Error>`:
///   the model of this machine, looked up once.
///
/// # When it is compiled again
///
/// When a file that was read changes, or an environment variable of the path.
/// The compiler cannot see that a file is *new*; this `build.rs` of one line
/// makes Cargo look at the whole directory:
///
/// ```text
/// fn main() { println!("cargo::rerun-if-changed=arch/x86"); }
/// ```
///
/// # Errors
///
/// A tree with faults does not compile. All of them (twenty are shown) are in
/// one error, each as `path:line:column: what is wrong`, with the value and
/// often what was meant. Likely slips, such as unknown keys, are warnings.
pub use pmu_events_macros::pmu_events;

#[cfg(feature = "std")]
#[doc(hidden)]
#[macro_export]
macro_rules! __host {
    ($model:path) => {
        /// The model of this machine, looked up once.
        ///
        /// # Errors
        ///
        /// When the CPU cannot be identified, or is in no row of the map file.
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
