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
        let mut own: Vec<(String, Format)> = Vec::with_capacity(formats.len());
        for &(name, format) in formats {
            own.push((name.into(), format));
        }
        sort_by(&mut own, |a, b| a.0.cmp(&b.0));
        Described { name, type_, is_core, formats: own, events: Aliases::new(events) }
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
        for (name, format) in &self.formats {
            if name == term {
                return Some(*format);
            }
        }
        None
    }

    fn aliases(&self) -> Option<&Aliases> {
        Some(&self.events)
    }
}
