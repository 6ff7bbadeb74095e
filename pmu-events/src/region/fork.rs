//! Whether this process is a child that `fork` made: its counters are still those of the parent.

use std::sync::Arc;

use crate::open::Owner;

/// Knows the process in which it was made.
#[derive(Debug)]
pub(super) struct ForkMark {
    owner: Option<Arc<Owner>>,
    process: u32,
}

impl ForkMark {
    pub(super) fn new() -> Self {
        ForkMark { owner: Owner::new(), process: std::process::id() }
    }

    pub(super) fn is_in_child(&self) -> bool {
        match &self.owner {
            Some(owner) => !owner.is_process(),
            // A system call, which the region counts.
            None => std::process::id() != self.process,
        }
    }
}
