//! Systems on which nothing is mapped.

use std::sync::Arc;

/// It cannot exist.
#[derive(Debug)]
pub(crate) enum Owner {}

impl Owner {
    pub(crate) fn new() -> Option<Arc<Self>> {
        None
    }

    pub(crate) fn is_process(&self) -> bool {
        match *self {}
    }
}
