//! Systems other than Linux, and processors without numbers of 64 bits: nothing is mapped.

use std::io;
use std::sync::Arc;

use super::Ready;
use crate::open::{Counter, Owner};

#[derive(Debug)]
pub(in crate::sample) enum Mapped {}

impl Mapped {
    pub(in crate::sample) fn new(
        _counter: &Counter,
        _pages: usize,
        _owner: &Arc<Owner>,
    ) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(in crate::sample) fn ready(&self) -> Option<Ready<'_>> {
        match *self {}
    }

    pub(in crate::sample) fn release(&mut self, _length: usize) {
        match *self {}
    }
}
