//! A graphics driver, whose events are what its clients use.

use std::boxed::Box;
use std::string::String;
use std::vec::Vec;

use super::Alias;
use super::aliases::Aliases;
use super::source::{Items, Source, Values};

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

    fn events(&self) -> Items<'_, &Alias> {
        Box::new(self.events.iter())
    }

    fn event_names(&self) -> Items<'_, &str> {
        Box::new(self.events.names())
    }

    fn event(&self, name: &str) -> Option<&Alias> {
        self.events.find(name)
    }
}
