//! Performance-monitoring events by name.
//!
//! A CPU's performance-monitoring unit (PMU) counts hundreds of events, each
//! selected by bit patterns that differ from model to model. People know them
//! by name: `INST_RETIRED.ANY`, `l1d_cache_refill`. One macro line compiles a
//! tree of event descriptions, in the format of Linux's
//! `tools/perf/pmu-events/arch`, into constants; names are looked up in them on
//! whatever machine the program lands on, or while it is compiled.
//!
//! ```
//! mod x86 {
//!     pmu_events::pmu_events!("../arch/x86");
//! }
//! use pmu_events::Event;
//!
//! // An unknown name does not compile.
//! const INST: Event = x86::SILVERMONT.expect("INST_RETIRED.ANY");
//! assert_eq!(INST.event_string(), "event=0xc0,period=2000003");
//!
//! let model = x86::model("GenuineIntel-6-37-8").unwrap();
//! assert_eq!(model.name(), "silvermont");
//! let event = model.event("br_misp_retired.all_branches").unwrap();
//! assert_eq!(event.topic(), "pipeline");
//! assert_eq!(model.nearest("br_misp_retird.all_branches"), Some(event.name()));
//! ```
//!
//! [`pmu_events!`] says what the line accepts and what it expands to;
//! [`Model`] and [`Event`] what can be asked. Everything but [`host`], [`machine`],
//! [`measure`], [`sysfs`], [`resolve`](mod@resolve), [`open`], the search for meshes in [`cmn`]
//! and what [`ebb`] opens, which touch the running system, is `no_std` and needs no heap;
//! with `default-features = false` that is all there is.
//!
//! # Features
//!
//! | feature | adds | default |
//! |---|---|---|
//! | `std` | [`host`], [`machine`], [`measure`], [`sysfs`], [`resolve`](mod@resolve), meshes in [`cmn`] | yes |
//! | `alloc` | [`metric::parse`], for formulas that a user writes | with `std` |
//! | `open` | [`open`] and what [`ebb`] opens: counters, on Linux; elsewhere it is there and says so | yes |
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
pub mod cmn;
#[cfg(feature = "open")]
pub mod ebb;
#[cfg(feature = "std")]
pub mod host;
#[cfg(feature = "std")]
pub mod machine;
#[cfg(feature = "std")]
pub mod measure;
pub mod metric;
#[cfg(feature = "open")]
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
pub mod perf_event2;
#[cfg(feature = "std")]
pub mod resolve;
#[cfg(feature = "std")]
pub mod sysfs;

pub use pmu_events_core::*;

/// Compiles a tree of PMU event descriptions.
///
/// ```
/// mod x86 {
///     pmu_events::pmu_events!(
///         "../arch/x86",
///         models = ["silvermont", "amdzen*"],
///         text = brief,
///         metrics = false,
///         events = ["inst_retired.*", "ex_ret_*"],
///     );
/// }
/// assert!(x86::AMDZEN5.event("ex_ret_instr").is_some());
/// ```
///
/// The first argument is one of these:
///
/// * The directory of an architecture: `mapfile.csv`, architecture standard
///   events at the root, and a directory for each model, as jevents reads them.
///   A relative path is below the manifest of the crate (`CARGO_MANIFEST_DIR`).
///   `$NAME` and `${NAME}` are environment variables, and `${NAME:-default}` uses
///   the default if the variable is unset or empty.
/// * `builtin` and the name of a tree that comes with this crate, which needs
///   the feature `builtin`. Use this form for a selection of a tree; for the whole
///   of one, enable its feature and use [`arch`].
///
/// ```
/// # #[cfg(feature = "builtin")]
/// mod skylake {
///     pmu_events::pmu_events!(builtin "x86", models = ["skylake*"], text = none);
/// }
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
/// * `pub const fn model(cpuid: &str) -> Option<&'static Model>`, the generated
///   `match` from CPUID to model: the first row of the map file wins;
/// * with the feature `std`, `pub fn host() -> Result<&'static Model,
///   host::Error>`: the model of this machine, looked up once.
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
        pub fn host() -> ::core::result::Result<&'static $crate::Model, $crate::host::Error> {
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
