//! The packed form of a tree: what the macro writes and the look-ups read.
//!
//! A tree consists of two constants. `strings` is a `str` that contains all
//! names, event strings, scale units, expressions and the words of the texts,
//! overlapping where possible. `tables` is a byte string, little-endian and
//! unaligned:
//!
//! ```text
//! header     version u16 · flags u16 · short codes u16 · sections u16
//!            then, for each section, where it ends (u32); the first begins
//!            after the header, each other where the one before ends
//! pmus       a string reference each                    ordered as perf's tables
//! topics     a string reference each
//! traits     see `record::Traits`     properties shared by many events
//! extras     see `record::Extras`     properties that few events have
//! counts     see `record::CountRecord`  units and scopes of counts
//! events     see `record::EventRecord`, ordered by name  without duplicates
//! successors see `record::SuccessorRecord`, ordered by event
//! metrics    see `record::MetricRecord`, ordered by name without duplicates
//! metric traits  see `record::MetricTraits`  properties shared by many metrics
//! models     see `record::ModelRecord`
//! runs       see `record::RunRecord`  the events of a model on one PMU
//! entries    event numbers, model by model, each by PMU and name
//! buckets    u8 displacements, model by model   ┐ the perfect hash of a model's
//! slots      event numbers, model by model      ┘ names, see `index`
//! lists      for each model, its metric numbers by name; then a bit for each
//!            metric of the tree, whether the model has it, padded to whole
//!            numbers; then the number of the model's metric groups, and these
//!            by name. Eight zero bytes end the section
//! nodes      see `record::NodeRecord` the hierarchy of each model, by name
//! groups     name (string reference), description (text reference), by name
//! formulas   see `record::FormulaRecord`  distinct programs
//! programs   see `program`
//! constants  f64 each: the numbers of the programs
//! references see `record::ReferenceRecord`  the metrics of the programs
//! words      a string reference each: the dictionary of the texts
//! texts      descriptions as codes, see `text`
//! rows       see `record::RowRecord`  the rows of the map file, in its order
//! midrs      see `record::MidrRecord` the registers of these rows, for arm64 only
//! cpuid literals  see `record::LiteralRecord`, ordered by text: rows whose
//!            pattern is plain text, the first of equal ones, if they are many
//! cpuids     the automaton of the other rows, see `cpuid::Automaton`
//! compat literals, compats  the same for the `Compat` patterns
//! made rows  see `record::MadeRecord` the rows of `cpus.csv`, in its order
//! made midrs, made literals, made  registers and patterns of these rows, as of the
//!            map file's
//! fallback rows, fallback literals, fallbacks  the same for `fallback.csv`, whose rows
//!            are patterns for arm64, too
//! ```
//!
//! * A *string reference* is four bytes: offset in `strings` (24 bits), length
//!   (8 bits). A *long reference* is eight: offset and length, 32 bits each.
//! * A *text reference* is three bytes: offset in `texts`; 0 means no text.
//! * Numbers of events, entries, metrics and groups take two bytes, or four in
//!   a *wide* tree (flag bit 0), which has more than 65 534 of any of these.
//! * Flag bits 1 and 2: event and metric records have a brief or a public
//!   description. A tree without texts has shorter records.
//! * Flag bit 3: the map file uses x86's rule
//!   ([`MatchRule`](crate::cpuid::rule::MatchRule)).
//!
//! Equal events of different models share one record; properties shared by many
//! events (PMU, topic, counters, flags, …) are in one of a few hundred traits.
//! Readers never panic: invalid bytes read as zero, empty or absent.
//!
//! The format is not a public interface: it changes with [`VERSION`], which the
//! emitted code asserts.

// The size of a tree determines how large a number gets.
#![deny(clippy::cast_possible_truncation)]

mod bytes;
pub mod index;
mod layout;
#[cfg(test)]
pub(crate) mod made;
pub mod program;
pub mod record;
mod reference;
mod sections;
mod tables;
#[cfg(test)]
mod tests;
pub mod text;

pub use bytes::{read_u8, read_u16, read_u24, read_u32, read_u64};
pub use layout::{
    BRIEF, BROKEN, HEADER, PUBLIC, SECTIONS, STEPPINGS, Section, VERSION, WIDE, member_numbers,
    number_size,
};
pub use reference::{LongRef, StrRef};
pub use sections::Wire;
