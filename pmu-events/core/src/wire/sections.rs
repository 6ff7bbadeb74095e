//! The sections of a tree, located by its header.

use super::bytes::{read_u16, read_u32};
use super::layout::{BROKEN, HEADER, SECTIONS, Section, VERSION, WIDE, number_size, texts_size};
use super::record::{EventRecord, MetricRecord};
use super::reference::{LongRef, StrRef};

const EVENT_SIZE: u16 = small(EventRecord::SIZE);
const METRIC_SIZE: u16 = small(MetricRecord::SIZE);

/// The size of a record, which is a few dozen bytes.
const fn small(size: usize) -> u16 {
    assert!(size <= 0xff, "records are small");
    size.to_le_bytes()[0] as u16
}

/// A packed tree, ready to read.
#[derive(Clone, Copy, Debug)]
pub struct Wire<'a> {
    strings: &'a str,
    sections: [&'a [u8]; SECTIONS],
    pub(super) flags: u16,
    short_codes: u16,
    /// Cached, because every look-up multiplies by it.
    pub(super) event_size: u16,
    pub(super) metric_size: u16,
}

impl<'a> Wire<'a> {
    /// The stand-in for a tree that was not compiled.
    pub(crate) const BROKEN: Self = Wire::new("", [&[]; SECTIONS], BROKEN, 0);

    /// Locates the sections. `None` if the bytes have another version or are
    /// too short for their header.
    #[must_use]
    pub const fn read(strings: &'a str, tables: &'a [u8]) -> Option<Self> {
        if read_u16(tables, 0) != VERSION || read_u16(tables, 6) as usize != SECTIONS {
            return None;
        }
        let mut sections: [&[u8]; SECTIONS] = [&[]; SECTIONS];
        let mut start = HEADER;
        let mut i = 0;
        while i < SECTIONS {
            let end = read_u32(tables, 8 + 4 * i) as usize;
            if end < start {
                return None;
            }
            let Some((upto, _)) = tables.split_at_checked(end) else {
                return None;
            };
            let Some((_, section)) = upto.split_at_checked(start) else {
                return None;
            };
            sections[i] = section;
            start = end;
            i += 1;
        }
        Some(Self::new(strings, sections, read_u16(tables, 2), read_u16(tables, 4)))
    }

    const fn new(
        strings: &'a str,
        sections: [&'a [u8]; SECTIONS],
        flags: u16,
        short_codes: u16,
    ) -> Self {
        Wire {
            strings,
            sections,
            flags,
            short_codes,
            event_size: EVENT_SIZE + texts_size(flags),
            metric_size: METRIC_SIZE + texts_size(flags),
        }
    }

    /// Returns the size of the whole tree in bytes.
    #[must_use]
    pub const fn size(&self) -> usize {
        let mut size = HEADER + self.strings.len();
        let mut i = 0;
        while i < SECTIONS {
            size += self.sections[i].len();
            i += 1;
        }
        size
    }

    /// Returns the bytes of a section.
    #[must_use]
    #[inline]
    pub const fn section(&self, section: Section) -> &'a [u8] {
        self.sections[section as usize]
    }

    /// Whether a flag is set.
    #[must_use]
    #[inline]
    pub const fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    /// Returns the number of dictionary words with a code of one byte.
    #[must_use]
    #[inline]
    pub const fn short_codes(&self) -> usize {
        self.short_codes as usize
    }

    /// Reads a string.
    #[must_use]
    #[inline]
    pub const fn str(&self, at: StrRef) -> &'a str {
        slice(self.strings, at.offset as usize, at.len as usize)
    }

    /// Reads a long string.
    #[must_use]
    #[inline]
    pub const fn long(&self, at: LongRef) -> &'a str {
        slice(self.strings, at.offset as usize, at.len as usize)
    }

    /// Reads a string that may be missing.
    #[must_use]
    #[inline]
    pub const fn optional(&self, at: StrRef) -> Option<&'a str> {
        if at.is_none() { None } else { Some(self.str(at)) }
    }

    /// Reads string reference number `n` of a section, and the string.
    #[must_use]
    #[inline]
    pub const fn nth_str(&self, section: Section, n: usize) -> &'a str {
        self.str(StrRef::unpack(read_u32(self.section(section), n.saturating_mul(4))))
    }

    /// The size of the number of an event, entry or metric.
    #[must_use]
    #[inline]
    pub const fn number_size(&self) -> usize {
        number_size(self.flags)
    }

    /// Reads number `n` of a section of event, entry or metric numbers.
    #[must_use]
    #[inline]
    pub const fn number(&self, section: Section, n: usize) -> usize {
        let bytes = self.section(section);
        if self.has(WIDE) {
            read_u32(bytes, n.saturating_mul(4)) as usize
        } else {
            read_u16(bytes, n.saturating_mul(2)) as usize
        }
    }
}

#[inline]
const fn slice(text: &str, start: usize, len: usize) -> &str {
    match text.split_at_checked(start) {
        Some((_, rest)) => match rest.split_at_checked(len) {
            Some((found, _)) => found,
            None => "",
        },
        None => "",
    }
}
