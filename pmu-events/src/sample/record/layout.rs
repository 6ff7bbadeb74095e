//! What the attributes of an event say of its records.

use super::bytes::ByteOrder;
use super::fields::Fields;
use crate::open::{Attr, Flag, ReadFormat};

/// How the records of an event are laid out, which follows from its attributes.
///
/// Records have no tags: only the attributes with which an event was opened tell which fields
/// its samples have. Where several events share a buffer or a file, the
/// [identifier](Layout::identifier) of a record tells which event it is of.
///
/// ```
/// use pmu_events::open::Attr;
/// use pmu_events::sample::{Fields, Layout};
///
/// let fields = Fields::IP | Fields::TIME;
/// let layout = Layout::of(&Attr::default().with_sample_type(fields.bits()));
/// // A header (type 9, length 24), the address and the time.
/// let words = [(24_u64 << 48 | 9).to_le(), 0x1234, 5];
/// # #[cfg(target_endian = "little")] {
/// let bytes: Vec<u8> = words.iter().flat_map(|word: &u64| word.to_ne_bytes()).collect();
/// let record = layout.parse(&bytes)?;
/// let sample = record.sample().unwrap();
/// assert_eq!((sample.ip(), sample.time(), sample.cpu()), (Some(0x1234), Some(5), None));
/// # }
/// # Ok::<(), pmu_events::sample::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    pub(super) order: ByteOrder,
    pub(super) fields: Fields,
    pub(super) read_format: ReadFormat,
    pub(super) branches: u64,
    pub(super) user_registers: u64,
    pub(super) interrupted_registers: u64,
    /// `sample_id_all`
    pub(super) has_stamps: bool,
}

/// `sample_id_all`, among the bit fields of `perf_event_attr`.
const SAMPLE_ID_ALL: u32 = 18;

impl Layout {
    /// Returns the layout of an event that was opened on this machine.
    #[must_use]
    pub fn of(attr: &Attr) -> Self {
        Layout {
            order: ByteOrder::NATIVE,
            fields: Fields::from_bits(attr.sample_type()),
            read_format: attr.read_format(),
            branches: attr.branch_sample_type(),
            user_registers: attr.sample_regs_user(),
            interrupted_registers: attr.sample_regs_intr(),
            has_stamps: attr.has(Flag::SampleIdAll),
        }
    }

    /// Returns the layout of an event from the bytes of its attributes, in either order of bytes:
    /// those of a file from another machine. Fields that the bytes lack are 0.
    ///
    /// ```
    /// use pmu_events::open::Attr;
    /// use pmu_events::sample::{ByteOrder, Layout};
    ///
    /// let attr = Attr::default().with_sample_type(7);
    /// let bytes = attr.to_bytes();
    /// assert_eq!(Layout::of_bytes(bytes.as_ref(), ByteOrder::NATIVE), Layout::of(&attr));
    /// ```
    #[must_use]
    pub fn of_bytes(attr: &[u8], order: ByteOrder) -> Self {
        // The offsets of `struct perf_event_attr`.
        let word = |offset: usize| {
            let bytes = attr.get(offset..).and_then(|rest| rest.first_chunk());
            bytes.map_or(0, |&bytes| order.u64(bytes))
        };
        Layout {
            order,
            fields: Fields::from_bits(word(24)),
            read_format: ReadFormat::from_bits(word(32)),
            branches: word(72),
            user_registers: word(80),
            interrupted_registers: word(96),
            has_stamps: order.bit_field(word(40), SAMPLE_ID_ALL, 1) == 1,
        }
    }

    /// Returns the fields of the event's samples.
    #[must_use]
    pub const fn fields(&self) -> Fields {
        self.fields
    }
}
