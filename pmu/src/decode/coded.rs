//! Events with their config words.

use pmu_events::format::Words;
use pmu_events::{Event, Model};

/// An event, and the model in whose table it was found: others may share it.
#[derive(Clone, Copy)]
pub(crate) struct OfModel {
    pub(crate) model: Model,
    pub(crate) event: Event,
}

/// An event with its config words.
#[derive(Clone, Copy)]
pub(crate) struct Coded {
    pub(crate) of: OfModel,
    pub(crate) words: Words,
}
