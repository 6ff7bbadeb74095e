//! Fills `arch/`: facts from a kernel tree, words from `overlay/`.
//!
//! Like the macro, a pipeline of plain values; only [`tree`], [`overlay`] and
//! [`mod@write`] touch the file system, and nothing is written before everything is
//! known to be right.
//!
//! | stage | from → to | module |
//! |---|---|---|
//! | read | directory of an architecture → its records, without a sentence | [`tree`], [`json`], [`record`] |
//! | overlay | `overlay/<arch>/*.json` → descriptions and metrics, with the models they apply to | [`overlay`] |
//! | merge | both → a complete architecture | [`merge`], [`deprecated`], [`metrics`], [`names`] |
//! | render | → texts of files | [`render`] |
//! | write | texts → files, all or none | [`mod@write`] |
//!
//! [`lint`] checks that a tree has the form in which these stages leave it;
//! [`share`] counts how much of it has a description.

pub mod deprecated;
pub mod json;
pub mod lint;
pub mod merge;
pub mod metrics;
pub mod names;
pub mod overlay;
pub mod problem;
pub mod record;
pub mod render;
pub mod share;
pub mod tree;
pub mod write;
