//! Systems on which nothing is mapped.

use std::sync::Arc;

/// It cannot exist.
#[derive(Debug)]
pub(crate) enum Owner {}

impl Owner {
    pub(crate) fn new() -> Option<Arc<Self>> {
        None
    }

    // Regions ask, and here nobody else.
    #[cfg_attr(not(feature = "region"), allow(dead_code))]
    pub(crate) fn is_process(&self) -> bool {
        match *self {}
    }
}
