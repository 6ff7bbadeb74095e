//! Where an event is published, as far as rules depend on it.

use super::layout::Kind;

/// What the rules ask of an event's file and model.
pub(super) struct Context<'m> {
    pub(super) short: &'m str,
    pub(super) kind: Kind,
    pub(super) is_hybrid: bool,
}

impl Context<'_> {
    pub(super) fn is_experimental(&self) -> bool {
        self.kind == Kind::UncoreExperimental
    }
}
