//! A PMU of known facts, which no file describes.

use std::boxed::Box;
use std::string::String;
use std::vec::Vec;

use super::aliases::Aliases;
use super::source::{DYNAMIC, Items, Source};
use crate::format::Format;
use crate::order::sort_by;
use crate::sysfs::alias::Alias;

pub(super) struct Described {
    name: String,
    type_: u32,
    is_core: bool,
    /// By name.
    formats: Vec<(String, Format)>,
    events: Aliases,
}

impl Described {
    pub(super) fn new(
        name: String,
        type_: u32,
        is_core: bool,
        formats: &[(&str, Format)],
        events: Vec<Alias>,
    ) -> Self {
        let mut formats: Vec<(String, Format)> =
            formats.iter().map(|&(name, format)| (name.into(), format)).collect();
        sort_by(&mut formats, |a, b| a.0.cmp(&b.0));
        Described { name, type_, is_core, formats, events: Aliases::new(events) }
    }
}

impl Source for Described {
    fn name(&self) -> &str {
        &self.name
    }

    fn type_(&self) -> Option<u32> {
        Some(self.type_)
    }

    fn is_core(&self) -> bool {
        self.is_core
    }

    fn is_uncore(&self) -> bool {
        self.type_ == DYNAMIC
    }

    fn formats(&self) -> Items<'_, (&str, Format)> {
        Box::new(self.formats.iter().map(|(name, format)| (&**name, *format)))
    }

    fn format(&self, term: &str) -> Option<Format> {
        // No binary search: there are few, and most differ in length.
        let (_, format) = self.formats.iter().find(|(name, _)| name == term)?;
        Some(*format)
    }

    fn aliases(&self) -> Option<&Aliases> {
        Some(&self.events)
    }
}
