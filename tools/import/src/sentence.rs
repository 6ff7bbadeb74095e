//! A sentence of the overlay, which the events that it describes carry along.

use std::sync::Arc;

use crate::problem::Place;

/// A sentence, or several, as one place of the overlay has them.
#[derive(Clone, Debug)]
pub struct Sentence(Arc<Written>);

#[derive(Debug)]
struct Written {
    text: String,
    place: Place,
    key: Key,
}

/// Stands for a text: the same for the same text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub u32);

impl Sentence {
    /// A text and its place.
    #[must_use]
    pub fn new(text: String, place: Place) -> Self {
        let key = Key::of(&text);
        Sentence(Arc::new(Written { text, place, key }))
    }

    /// The text; that of a family has slots.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Its place.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.0.place
    }

    /// What stands for it in a list.
    #[must_use]
    pub fn key(&self) -> Key {
        self.0.key
    }
}

impl Key {
    /// The key of a text (FNV-1a).
    #[must_use]
    pub fn of(text: &str) -> Key {
        Key(text
            .bytes()
            .fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)))
    }
}
