//! The event trees of [`pmu-events`](https://docs.rs/pmu-events), packed: what its features
//! `x86`, `arm64`, … put into a program.
//!
//! Programs do not name this crate: `pmu_events::arch` re-exports each module, and adds the
//! look-up of the machine that the program runs on. A tree of your own, or a selection of one
//! of these, is a matter of `pmu_events!`, which packs the same way when your crate is built.
//!
//! `tools/import` of the repository writes the files of each tree from those of
//! [`pmu-events-arch`](https://docs.rs/pmu-events-arch) with the same version. They have no
//! stable form: `pmu-events-core` reads those of its own format, and others do not compile.
//!
//! ```
//! # #[cfg(feature = "x86")] {
//! use pmu_events_tables::x86;
//!
//! let model = x86::model("GenuineIntel-6-37-8").unwrap();
//! assert_eq!(model.name(), x86::SILVERMONT.name());
//! # }
//! ```

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(any(feature = "arm64", all(feature = "native", target_arch = "aarch64")))]
#[cfg_attr(docsrs, doc(cfg(feature = "arm64")))]
pub mod arm64;
#[cfg(feature = "common")]
#[cfg_attr(docsrs, doc(cfg(feature = "common")))]
pub mod common;
#[cfg(feature = "nds32")]
#[cfg_attr(docsrs, doc(cfg(feature = "nds32")))]
pub mod nds32;
#[cfg(any(
    feature = "powerpc",
    all(feature = "native", any(target_arch = "powerpc", target_arch = "powerpc64"))
))]
#[cfg_attr(docsrs, doc(cfg(feature = "powerpc")))]
pub mod powerpc;
#[cfg(any(
    feature = "riscv",
    all(feature = "native", any(target_arch = "riscv32", target_arch = "riscv64"))
))]
#[cfg_attr(docsrs, doc(cfg(feature = "riscv")))]
pub mod riscv;
#[cfg(any(feature = "s390", all(feature = "native", target_arch = "s390x")))]
#[cfg_attr(docsrs, doc(cfg(feature = "s390")))]
pub mod s390;
#[cfg(any(
    feature = "x86",
    all(feature = "native", any(target_arch = "x86", target_arch = "x86_64"))
))]
#[cfg_attr(docsrs, doc(cfg(feature = "x86")))]
pub mod x86;
