//! The event trees that come with the crate.
//!
//! Use it to look up names in the table of a CPU: of this machine, of another one, or in
//! `const`.
//!
//! Each has a feature, and comes packed: a build with a tree takes hardly longer than one
//! without.
//!
//! | feature and module | models |
//! |---|---|
//! | `x86` | Intel and AMD, with uncore |
//! | `arm64` | Arm, Ampere, Fujitsu, HiSilicon and others; system PMUs |
//! | `powerpc` | POWER8 to POWER10 |
//! | `riscv` | SiFive, T-Head, StarFive, Andes |
//! | `s390` | z10 to z17 |
//! | `nds32` | Andes N13 |
//! | `common` | software, hardware, cache and tool events, which every Linux has |
//!
//! `native` is the tree of the architecture that the program is compiled for, and
//! `all-trees` includes every tree. Each module contains the items that
//! [`pmu_events!`](crate::pmu_events!) expands to for a tree of your own: `TREE`, a static for each model,
//! the function `model`, which returns the model of a CPUID, and, with the feature
//! `std`, the function `host`.
//!
//! A program contains only the tables that it refers to: a program that looks up
//! events only in `const` contains none.
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
//! # }
//! ```

use crate::model::MadeFor;
use crate::{Model, Tree};

macro_rules! trees {
    ($($(#[$doc:meta])* $name:ident $text:literal $cfg:meta;)*) => {
        $(
            $(#[$doc])*
            #[cfg($cfg)]
            #[cfg_attr(docsrs, doc(cfg(feature = $text)))]
            pub mod $name {
                #[doc(inline)]
                pub use pmu_events_tables::$name::*;

                crate::__host! { model }
            }
        )*

        /// The trees that this build of the crate contains, by name.
        ///
        /// ```
        /// for (name, tree) in pmu_events::arch::TREES {
        ///     println!("{name}: {} models", tree.models().count());
        /// }
        /// ```
        pub const TREES: &[(&str, &Tree)] = &[
            $( #[cfg($cfg)] ($text, &$name::TREE), )*
        ];

        /// Returns the model of a CPUID of any architecture, from the trees that
        /// this build of the crate contains.
        ///
        /// ```
        /// assert!(pmu_events::arch::model("no CPU").is_none());
        /// ```
        #[must_use]
        pub fn model(cpuid: &str) -> Option<Model> {
            let trees: &[fn(&str) -> Option<Model>] = &[
                $( #[cfg($cfg)] $name::model, )*
            ];
            // A tree of another architecture may know the CPU that one only stands in for.
            let models = || trees.iter().filter_map(|model| model(cpuid));
            let is_own = |model: &Model| model.made_for(cpuid) != MadeFor::Architecture;
            models().find(is_own).or_else(|| models().next())
        }
    };
}

/// The tree of the architecture that the program is compiled for, which is also the feature
/// that adds it. `None` if there is no such tree.
///
/// ```
/// # #[cfg(target_arch = "x86_64")]
/// assert_eq!(pmu_events::arch::NATIVE, Some("x86"));
/// ```
#[cfg(feature = "std")]
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
pub const NATIVE: Option<&str> = if cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
    Some("x86")
} else if cfg!(target_arch = "aarch64") {
    Some("arm64")
} else if cfg!(any(target_arch = "powerpc", target_arch = "powerpc64")) {
    Some("powerpc")
} else if cfg!(any(target_arch = "riscv32", target_arch = "riscv64")) {
    Some("riscv")
} else if cfg!(target_arch = "s390x") {
    Some("s390")
} else {
    None
};

/// Returns the model of this machine, whatever its architecture. It is looked up
/// only once.
///
/// The environment variable `PERF_CPUID` overrides the machine's CPUID, as in perf.
///
/// The model may not have been made for this very CPU, and for a CPU that no tree has, it
/// has the events that the architecture names: [`Model::note`] says so.
///
/// # Errors
///
/// Returns an error if the CPU cannot be identified, if no tree has it, or if the
/// crate was compiled without the feature of the machine's architecture; in that
/// case the message names the feature.
///
/// ```
/// match pmu_events::arch::host() {
///     Ok(model) => {
///         println!("{}: {} events", model.name(), model.event_count());
///         if let Some(note) = model.note(&pmu_events::host::cpuid()?) {
///             println!("note: {note}");
///         }
///     }
///     Err(error) => println!("{error}"),
/// }
/// # Ok::<(), pmu_events::host::Error>(())
/// ```
#[cfg(feature = "std")]
#[cfg_attr(docsrs, doc(cfg(feature = "std")))]
pub fn host() -> Result<Model, crate::host::Error> {
    static HOST: crate::host::Once = crate::host::Once::new();
    HOST.model(model).map_err(|error| explained(error, NATIVE, TREES))
}

/// Turns an unknown CPU into a missing tree, if this build has no tree of its
/// architecture.
#[cfg(feature = "std")]
fn explained(
    error: crate::host::Error,
    native: Option<&'static str>,
    trees: &[(&str, &Tree)],
) -> crate::host::Error {
    use crate::host::Fault;

    match (error.fault(), native) {
        (Fault::UnknownCpu(cpuid), Some(feature))
            if trees.iter().all(|&(name, _)| name != feature) =>
        {
            crate::host::Error::new(Fault::NoTree { cpuid: cpuid.clone(), feature })
        }
        _ => error,
    }
}

/// Why no tree of this build has a CPU.
#[cfg(feature = "std")]
pub(crate) fn unknown(cpuid: std::string::String) -> crate::host::Error {
    explained(crate::host::Error::unknown_cpu(cpuid), NATIVE, TREES)
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::host::{Error, Fault};
    use std::string::{String, ToString};

    /// Which feature is missing, if one is.
    #[test]
    fn the_feature_of_the_architecture_may_be_missing() {
        let unknown = || Error::unknown_cpu("GenuineIntel-6-8F-4");
        let said = |native, trees: &[(&str, &Tree)]| -> String {
            explained(unknown(), native, trees).to_string()
        };
        let missing = "pmu-events is compiled without the events of CPU `GenuineIntel-6-8F-4`: enable \
                       its feature `x86` or `native`";
        let no_row = "no model is known for CPU `GenuineIntel-6-8F-4`";
        assert_eq!(said(Some("x86"), &[]), missing);
        // perf has no tree for the architecture.
        assert_eq!(said(None, &[]), no_row);
        #[cfg(feature = "x86")]
        assert_eq!(said(Some("x86"), &[("x86", &x86::TREE)]), no_row);
        #[cfg(feature = "arm64")]
        assert_eq!(said(Some("x86"), &[("arm64", &arm64::TREE)]), missing);
        let other = Error::new(Fault::Architecture("m68k"));
        assert_eq!(explained(other.clone(), Some("x86"), &[]), other);
    }
}

trees! {
    /// Arm: cores of Arm and of its architecture licensees, and system PMUs such as
    /// meshes and memory controllers.
    arm64 "arm64" any(feature = "arm64", all(feature = "native", target_arch = "aarch64"));
    /// CPU-independent events: the kernel's software, hardware and cache events,
    /// and those that perf itself measures.
    common "common" feature = "common";
    /// Andes N13.
    nds32 "nds32" feature = "nds32";
    /// POWER8, POWER9 and POWER10.
    powerpc "powerpc" any(
        feature = "powerpc",
        all(feature = "native", any(target_arch = "powerpc", target_arch = "powerpc64")),
    );
    /// RISC-V: SiFive, T-Head, StarFive and Andes cores, and the SBI's firmware
    /// events.
    riscv "riscv" any(
        feature = "riscv",
        all(feature = "native", any(target_arch = "riscv32", target_arch = "riscv64")),
    );
    /// IBM z10 to z17.
    s390 "s390" any(feature = "s390", all(feature = "native", target_arch = "s390x"));
    /// Intel and AMD, core and uncore.
    x86 "x86" any(
        feature = "x86",
        all(feature = "native", any(target_arch = "x86", target_arch = "x86_64")),
    );
}
