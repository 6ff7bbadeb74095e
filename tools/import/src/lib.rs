//! Fills `arch/`: facts from kernel trees, Intel's perfmon and Arm's telemetry, words from
//! `overlay/`.
//!
//! Like the macro, a pipeline of plain values; only [`tree`], [`published`],
//! [`overlay`] and [`mod@write`] touch the file system, and nothing is written before everything is
//! known to be right.
//!
//! | stage | from → to | module |
//! |---|---|---|
//! | read | directory of an architecture → its records, without a sentence | [`tree`], [`json`], [`record`] |
//! | published | Intel's directory or one of Arm's → records, as a kernel tree would have them | [`published`] |
//! | Apple | the kernel's driver for Apple's cores → the same | [`apple`] |
//! | layers | trees of one architecture → one; each model from the first that has it | [`layers`], [`origin`] |
//! | part numbers | `overlay/cpus.csv` → rows of CPUs that no source's map file names | [`part_numbers`] |
//! | metrics | kernel trees and publications → the metrics of each model, in one form and corrected | [`sources`], [`formula`], [`corrected`] |
//! | overlay | `overlay/<arch>/*.json` → descriptions and metrics, with the models they apply to | [`overlay`] |
//! | families | `overlay/<arch>/families/*.json` → sentences for events whose names differ only in parts | [`families`] |
//! | merge | both → a complete architecture | [`merge`], [`count_units`], [`deprecated`], [`metrics`], [`parts`], [`texts`], [`names`] |
//! | bound | sentences at encodings → those that were accepted, and those that are refused | [`bound`], [`encoded`], [`sentence`] |
//! | news | the present tables and the new ones → what is new, and what has no words | [`news`] |
//! | CPUs | `overlay/<arch>/cpus.csv`, `fallback.csv`, `models/` → for which CPUs models were made, and models of our own | [`cpus`], [`made_for`] |
//! | quantities | `overlay/quantities.json`, `overlay/<arch>/quantities/` → metrics of one name on every model, or why a model lacks them | [`quantities`] |
//! | render | → texts of files | [`render`] |
//! | write | texts → files, all or none | [`mod@write`] |
//! | pack | the written tree → its packed form, which programs contain | [`packed`] |
//!
//! [`arch`] has the tables that the stages hand on. [`repairs`] lists the events that
//! perf gets wrong, with the evidence; [`lint`] checks that a tree has the form in which
//! these stages leave it; [`share`] counts how much of it has a description, [`counts`]
//! the metrics of each model.

pub mod apple;
pub mod arch;
pub mod bound;
mod core_data;
pub mod corrected;
pub mod count_units;
pub mod counts;
pub mod cpus;
mod csv_file;
pub mod deprecated;
pub mod encoded;
pub mod families;
pub mod formula;
pub mod json;
pub mod layers;
pub mod lint;
pub mod made_for;
pub mod merge;
pub mod metrics;
pub mod named_successors;
pub mod names;
pub mod news;
pub mod notes;
pub mod origin;
pub mod overlay;
pub mod packed;
pub mod part_numbers;
pub mod parts;
pub mod problem;
pub mod published;
pub mod quantities;
pub mod record;
pub mod render;
pub mod repairs;
pub mod sense;
pub mod sentence;
pub mod share;
pub mod sources;
pub mod standard;
pub mod texts;
pub mod tree;
pub mod write;
