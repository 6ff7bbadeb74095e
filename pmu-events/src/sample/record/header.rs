//! What each record begins with.

use super::bytes::{ByteOrder, Rest};
use super::error::ParseError;

/// `PERF_RECORD_SAMPLE`
pub(super) const SAMPLE: u32 = 9;

/// `struct perf_event_header`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sample) struct Header {
    pub(in crate::sample) kind: u32,
    pub(in crate::sample) misc: u16,
    /// Of the whole record, in bytes.
    pub(in crate::sample) size: u16,
}

impl Header {
    pub(in crate::sample) const LENGTH: usize = 8;

    #[inline]
    pub(in crate::sample) fn of(record: &[u8], order: ByteOrder) -> Result<Self, ParseError> {
        const WHAT: &str = "header";
        let mut rest = Rest { bytes: record, order };
        let header = Header { kind: rest.u32(WHAT)?, misc: rest.u16(WHAT)?, size: rest.u16(WHAT)? };
        match usize::from(header.size) < Self::LENGTH {
            true => Err(ParseError::short(WHAT)),
            false => Ok(header),
        }
    }
}
