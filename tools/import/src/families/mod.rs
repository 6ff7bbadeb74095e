//! Families: one sentence for all events whose names differ only in parts.
//!
//! | step | from → to | module |
//! |---|---|---|
//! | read | `overlay/<arch>/families/*.json` → families, glossaries, tables of bits | [`mod@read`] |
//! | parts | `UNC_C_TxR_STARVED.{ring}` and a name → the parts of the name | [`pattern`] |
//! | bits | fields of the encoding → the same parts | [`bits`] |
//! | apply | both → a sentence for each event, or a disagreement | [`mod@apply`] |
//!
//! What the bits say decides, since they are what the hardware counts. A name
//! that says something else is an error unless the family lists it under
//! `misnomers`, with the reason.

pub mod apply;
pub mod bits;
pub mod pattern;
pub mod read;

use std::collections::BTreeMap;

use crate::problem::Place;
use crate::sentence::Sentence;

pub use apply::apply;
pub use read::read;

/// The length that a composed brief description keeps to: what fits on a line
/// below a name.
pub const BRIEF: usize = 100;

/// Words for one part: the text, and shorter ones for where it is too long.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phrase(pub Vec<String>);

impl Phrase {
    /// The text, or the `n`th shorter one if there is one.
    #[must_use]
    pub fn at(&self, n: usize) -> &str {
        self.0.get(n).or(self.0.last()).map_or("", String::as_str)
    }

    /// Whether nothing is to be said of events with this part.
    #[must_use]
    pub fn is_left_out(&self) -> bool {
        self.0.is_empty()
    }
}

/// The words for the values of one part of a name, in upper case.
#[derive(Clone, Debug)]
pub struct Glossary {
    /// Words by part. That of `""` is for names without the part.
    pub words: BTreeMap<String, (Phrase, Place)>,
    /// Its own place.
    pub place: Place,
}

/// All files of one architecture.
#[derive(Clone, Debug, Default)]
pub struct Families {
    /// Glossaries by name.
    pub glossaries: BTreeMap<String, Glossary>,
    /// Tables of bits by name.
    pub tables: BTreeMap<String, bits::Table>,
    /// The families, in the order of files.
    pub all: Vec<Family>,
}

/// The events that a family is about, besides its pattern.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Globs of model directories, and the place of each.
    pub models: Vec<(String, Place)>,
    /// Globs of model directories that are excluded.
    pub except: Vec<(String, Place)>,
    /// Units, if not all; `core` means events without one.
    pub units: Option<Vec<String>>,
}

/// One sentence and the events to which it applies.
#[derive(Clone, Debug)]
pub struct Family {
    /// Of the name's pattern.
    pub place: Place,
    /// The pattern as it is written.
    pub written: String,
    /// The pattern.
    pub name: pattern::Pattern,
    /// Which models and units.
    pub scope: Scope,
    /// Slots whose words come from the encoding, and the table of each.
    pub bits: Vec<(String, String)>,
    /// The sentence with slots. Without one, the family only compares.
    pub brief: Option<Sentence>,
    /// The longer text with slots.
    pub public: Option<Sentence>,
    /// Whether the brief sentence replaces one that is about the event alone.
    pub replaces: bool,
    /// Names that do not say what their bits say, and why that is left so.
    pub misnomers: BTreeMap<String, (String, Place)>,
}
