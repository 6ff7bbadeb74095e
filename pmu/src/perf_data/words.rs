//! Numbers and texts of a section.

use pmu_events::sample::ByteOrder;

/// Numbers of some bytes, one after the other.
pub(crate) struct Words<'b> {
    pub(crate) bytes: &'b [u8],
    pub(crate) order: ByteOrder,
}

impl<'b> Words<'b> {
    pub(crate) fn u16(&mut self) -> Option<u16> {
        let (first, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(self.order.u16(*first))
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        let (first, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(self.order.u32(*first))
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        let (first, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(self.order.u64(*first))
    }

    pub(crate) fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (first, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(first)
    }

    /// `struct perf_header_string`
    pub(crate) fn string(&mut self) -> Option<String> {
        let length = self.u32()? as usize;
        let text = self.take(length)?;
        let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
        Some(String::from_utf8_lossy(&text[..end]).into_owned())
    }
}
