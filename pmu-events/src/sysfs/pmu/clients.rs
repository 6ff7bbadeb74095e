//! A graphics driver, whose events are what its clients use.

use std::string::String;
use std::vec::Vec;

use super::aliases::Aliases;
use super::source::{Source, Values};
use crate::sysfs::alias::Alias;

pub(super) struct Clients {
    name: String,
    type_: u32,
    events: Aliases,
}

impl Clients {
    pub(super) fn new(name: String, type_: u32, events: Vec<Alias>) -> Self {
        Clients { name, type_, events: Aliases::new(events) }
    }
}

impl Source for Clients {
    fn name(&self) -> &str {
        &self.name
    }

    fn type_(&self) -> Option<u32> {
        Some(self.type_)
    }

    fn values(&self) -> Values {
        Values::Clients
    }

    fn aliases(&self) -> Option<&Aliases> {
        Some(&self.events)
    }
}
