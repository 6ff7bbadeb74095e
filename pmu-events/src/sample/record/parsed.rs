//! A record as a whole: its header, its contents, and when and where it was made.

use super::bytes::Rest;
use super::error::ParseError;
use super::fields::Fields;
use super::header::{Header, SAMPLE};
use super::layout::Layout;
use super::sample::{self, Sample};
use super::side::{self, Body};
use super::stamp::Stamp;

/// A record, which borrows its texts and numbers from the buffer or file that it is in.
///
/// ```
/// use pmu_events::sample::{Body, Record};
///
/// fn show(record: &Record<'_>) {
///     match record.body() {
///         Body::Sample(sample) => println!("at {:#x?}", sample.ip()),
///         Body::Lost(lost) => println!("{} records are missing here", lost.lost()),
///         _ => println!("a record of kind {}", record.kind()),
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record<'b> {
    header: Header,
    body: Body<'b>,
    stamp: Stamp,
    bytes: &'b [u8],
}

/// The level of privilege at which something happened (`PERF_RECORD_MISC_CPUMODE_MASK`).
///
/// ```
/// use pmu_events::sample::{Mode, Record};
///
/// fn is_of_the_kernel(record: &Record<'_>) -> bool {
///     matches!(record.mode(), Mode::Kernel | Mode::GuestKernel)
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// Not known.
    Unknown,
    /// The kernel.
    Kernel,
    /// User space.
    User,
    /// A hypervisor.
    Hypervisor,
    /// The kernel of a guest.
    GuestKernel,
    /// User space of a guest.
    GuestUser,
}

impl<'b> Record<'b> {
    /// Returns `type`: what kind of record this is (`perf_event_type`). Kinds from 64 on are
    /// those of perf's tools.
    #[must_use]
    pub fn kind(&self) -> u32 {
        self.header.kind
    }

    /// Returns `misc`, whose meaning depends on the kind (`PERF_RECORD_MISC_*`).
    #[must_use]
    pub fn misc(&self) -> u16 {
        self.header.misc
    }

    /// Returns the level of privilege.
    #[must_use]
    pub fn mode(&self) -> Mode {
        match self.header.misc & 7 {
            1 => Mode::Kernel,
            2 => Mode::User,
            3 => Mode::Hypervisor,
            4 => Mode::GuestKernel,
            5 => Mode::GuestUser,
            _ => Mode::Unknown,
        }
    }

    /// Whether the address of a sample is exactly that of the instruction that caused the
    /// event (`PERF_RECORD_MISC_EXACT_IP`).
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.header.kind == SAMPLE && self.header.misc & 1 << 14 != 0
    }

    /// Returns the contents.
    #[must_use]
    pub fn body(&self) -> &Body<'b> {
        &self.body
    }

    /// Returns the sample, if it is one.
    #[must_use]
    pub fn sample(&self) -> Option<&Sample<'b>> {
        match &self.body {
            Body::Sample(sample) => Some(sample),
            _ => None,
        }
    }

    /// Returns when and where this was recorded, as far as the event records it.
    #[must_use]
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// Returns the whole record, with its header.
    #[must_use]
    pub fn bytes(&self) -> &'b [u8] {
        self.bytes
    }
}

impl Layout {
    /// Returns the id of the event that a record is of, if the event records it
    /// ([`Fields::IDENTIFIER`], as each does that shares a buffer). All events have it in the same
    /// place, so that the layout of any of them finds it.
    #[must_use]
    pub fn identifier(&self, record: &[u8]) -> Option<u64> {
        let header = Header::of(record, self.order).ok()?;
        let body = record.get(Header::LENGTH..usize::from(header.size))?;
        let is_there = self.fields.contains(Fields::IDENTIFIER);
        let bytes = match header.kind {
            SAMPLE if is_there => body.first_chunk(),
            // Those from 64 on are of perf's tools, and have none.
            0..64 if is_there && self.has_stamps => body.last_chunk(),
            _ => None,
        };
        bytes.map(|&bytes| self.order.u64(bytes))
    }

    /// Parses a record. What follows its length is ignored.
    ///
    /// # Errors
    ///
    /// Returns an error if the record is shorter than its header or its contents say.
    pub fn parse<'b>(&self, record: &'b [u8]) -> Result<Record<'b>, ParseError> {
        let header = Header::of(record, self.order)?;
        let bytes = record.get(..usize::from(header.size)).ok_or(ParseError::short("contents"))?;
        let mut rest = Rest { bytes: &bytes[Header::LENGTH..], order: self.order };
        if header.kind == SAMPLE {
            // A sample is large: it is parsed where it stays.
            let body = Body::Sample(Sample::default());
            let mut record = Record { header, body, stamp: Stamp::default(), bytes };
            if let Body::Sample(sample) = &mut record.body {
                sample::parse(self, &mut rest, sample)?;
                record.stamp = sample.stamp();
            }
            return Ok(record);
        }
        let stamp = match self.has_stamps && header.kind < 64 {
            true => Stamp::at_the_end_of(&mut rest, self.fields)?,
            false => Stamp::default(),
        };
        let body = side::parse(header, self, &mut rest)?;
        Ok(Record { header, body, stamp, bytes })
    }
}
