//! Systems other than Linux: nothing can be opened, so no value of these types
//! exists.

use super::HasCores;
use crate::open::{Attr, Cgroup, Error, Target};

/// An open counter, which cannot exist.
#[derive(Debug)]
pub(in crate::open) enum Handle {}

impl Handle {
    pub(in crate::open) fn open(
        _attr: &Attr,
        _target: Target,
        _cgroup: Option<&Cgroup>,
        _leader: Option<&Handle>,
        _has_cores: &HasCores,
    ) -> Result<Self, Error> {
        Err(Error::unsupported())
    }

    pub(in crate::open) fn ioctl(&self, _request: u32, _argument: u64) -> Result<(), Error> {
        match *self {}
    }

    pub(in crate::open) fn set_period(&self, _period: u64) -> Result<(), Error> {
        match *self {}
    }

    pub(in crate::open) fn set_filter(&self, _filter: &core::ffi::CStr) -> Result<(), Error> {
        match *self {}
    }

    pub(in crate::open) fn id(&self) -> Result<u64, Error> {
        match *self {}
    }

    pub(in crate::open) fn read_once(&self, _words: &mut [u64]) -> usize {
        match *self {}
    }

    pub(in crate::open) fn read(&self, _words: &mut [u64]) -> Result<Option<usize>, Error> {
        match *self {}
    }
}
