//! What events and metrics have in common.

use std::collections::HashMap;

use pmu_events_core::__private::wire::text::Step;
use pmu_events_core::__private::wire::{LongRef, Section, StrRef, Wire};

use crate::cost::intern::Interner;
use crate::entry::fields::Value;
use crate::entry::full_stop::full_stop;
use crate::formula::Program;
use crate::options::Text;
use crate::validate::Patterns;

/// Reads the packed constants.
pub(super) struct Reader<'w, 't> {
    pub(super) wire: &'w Wire<'w>,
    pub(super) patterns: &'w Patterns<'w>,
    level: Text,
    /// The places of texts, and what each is: most texts appear in many models.
    places: Interner<[u32; 1]>,
    pmus: Vec<&'w str>,
    topics: Vec<&'w str>,
    texts: Vec<&'t str>,
    /// The formula found under each number: most formulas appear in many models.
    pub(super) formulas: HashMap<u16, &'t Program>,
}

impl<'w, 't> Reader<'w, 't> {
    pub(super) fn new(wire: &'w Wire<'w>, patterns: &'w Patterns<'w>, level: Text) -> Self {
        Reader {
            wire,
            patterns,
            level,
            places: Interner::new(),
            texts: Vec::new(),
            formulas: HashMap::new(),
            pmus: Vec::new(),
            topics: Vec::new(),
        }
    }

    /// The name of a PMU; few PMUs have all events.
    pub(super) fn pmu(&mut self, number: u16) -> &'w str {
        nth(self.wire, Section::Pmus, number, &mut self.pmus)
    }

    pub(super) fn topic(&mut self, number: u16) -> &'w str {
        nth(self.wire, Section::Topics, number, &mut self.topics)
    }

    /// Whether an optional string reads back.
    pub(super) fn is(&self, at: StrRef, meant: &Option<Value<'_>>) -> bool {
        self.wire.optional(at) == meant.as_ref().map(|value| &*value.text)
    }

    /// Whether a long text reads back that is kept like a brief description.
    pub(super) fn is_kept(&self, at: LongRef, meant: &Option<Value<'_>>) -> bool {
        self.is_long(at, meant.as_ref().map_or("", |text| &*text.text))
    }

    /// The same for one that is empty if there is none.
    pub(super) fn is_long(&self, at: LongRef, meant: &str) -> bool {
        match self.level == Text::None || meant.is_empty() {
            true => at == LongRef::default(),
            false => self.wire.long(at) == meant,
        }
    }

    /// Whether notes read back, which are kept from a level on.
    pub(super) fn are_notes(&self, at: StrRef, meant: &str, from: Text) -> bool {
        let kept = self.keeps(from) && !meant.is_empty();
        self.wire.optional(at) == kept.then_some(meant)
    }

    /// Whether the number of a `Compat` pattern, plus one, is that of a value.
    pub(super) fn is_compat(&self, number: u16, compat: &Option<Value<'_>>) -> bool {
        let text = number.checked_sub(1).map(|number| {
            self.patterns.compat_texts.get(usize::from(number)).copied().unwrap_or_default()
        });
        text == compat.as_ref().map(|compat| &*compat.text)
    }

    /// Whether texts that are kept from a level on are kept.
    pub(super) fn keeps(&self, from: Text) -> bool {
        self.level == from || self.level == Text::Full
    }

    /// Whether a description reads back, which is kept from a level on.
    pub(super) fn is_text(&mut self, at: u32, meant: &'t Option<Value<'_>>, from: Text) -> bool {
        match meant {
            Some(meant) if self.keeps(from) => self.is_this(at, &meant.text),
            _ => at == 0,
        }
    }

    /// Whether a description that is kept reads back.
    pub(super) fn is_this(&mut self, at: u32, meant: &'t str) -> bool {
        let number = self.places.number([at]) as usize;
        if let Some(&known) = self.texts.get(number) {
            return known == meant;
        }
        self.texts.push(meant);
        at != 0 && self.decodes(at, meant)
    }

    /// Whether the text at a place is this, with its full stop stored
    /// separately.
    fn decodes(&self, at: u32, meant: &str) -> bool {
        let (mut at, mut rest) = (at as usize, meant);
        let mut stop = 0;
        loop {
            match self.wire.text_step(at) {
                Step::Piece(piece, next) => match rest.strip_prefix(piece) {
                    Some(behind) if !piece.is_empty() => (at, rest) = (next, behind),
                    _ => return false,
                },
                Step::Stop(_) if stop != 0 || rest.is_empty() => return false,
                Step::Stop(next) => (at, stop) = (next, rest.len()),
                Step::End => return rest.is_empty() && stop == full_stop(meant),
            }
        }
    }
}

/// A string of a section, which is read up to that one once.
fn nth<'w>(wire: &Wire<'w>, section: Section, number: u16, read: &mut Vec<&'w str>) -> &'w str {
    let number = usize::from(number);
    while read.len() <= number {
        read.push(wire.nth_str(section, read.len()));
    }
    read[number]
}
