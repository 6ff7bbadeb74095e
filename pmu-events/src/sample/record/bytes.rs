//! Numbers in either order of bytes.

use core::fmt;

use super::error::ParseError;

/// The order of the bytes of a number.
///
/// ```
/// use pmu_events::sample::ByteOrder;
///
/// assert_eq!(ByteOrder::Big.u32([0, 0, 1, 2]), 0x102);
/// assert_eq!(ByteOrder::NATIVE.u32(7_u32.to_ne_bytes()), 7);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// The lowest byte comes first, as on x86, Arm, RISC-V and most POWER systems.
    Little,
    /// The highest byte comes first, as on s390.
    Big,
}

impl ByteOrder {
    /// The order of this machine, which its kernel writes.
    pub const NATIVE: Self =
        if cfg!(target_endian = "big") { ByteOrder::Big } else { ByteOrder::Little };

    /// Returns a number of two bytes.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub const fn u16(self, bytes: [u8; 2]) -> u16 {
        match self {
            ByteOrder::Little => u16::from_le_bytes(bytes),
            ByteOrder::Big => u16::from_be_bytes(bytes),
        }
    }

    /// Returns a number of four bytes.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub const fn u32(self, bytes: [u8; 4]) -> u32 {
        match self {
            ByteOrder::Little => u32::from_le_bytes(bytes),
            ByteOrder::Big => u32::from_be_bytes(bytes),
        }
    }

    /// Returns a number of eight bytes.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub const fn u64(self, bytes: [u8; 8]) -> u64 {
        match self {
            ByteOrder::Little => u64::from_le_bytes(bytes),
            ByteOrder::Big => u64::from_be_bytes(bytes),
        }
    }

    /// Takes a C bit field out of a number of 64 bits: C counts from the lowest bit on
    /// little-endian machines, and from the highest on big-endian ones.
    pub(super) const fn bit_field(self, word: u64, offset: u32, width: u32) -> u64 {
        let shift = match self {
            ByteOrder::Little => offset,
            ByteOrder::Big => u64::BITS - offset - width,
        };
        word >> shift & ((1 << width) - 1)
    }
}

/// Numbers of 64 bits, as they are in a record: a call chain, registers.
///
/// ```
/// use pmu_events::sample::Record;
///
/// fn frames(record: &Record<'_>) -> usize {
///     record.sample().and_then(|sample| sample.callchain()).map_or(0, |chain| chain.len())
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Numbers<'b> {
    words: &'b [[u8; 8]],
    order: ByteOrder,
}

impl<'b> Numbers<'b> {
    /// Returns how many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Returns one of them.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<u64> {
        self.words.get(index).map(|&word| self.order.u64(word))
    }

    /// Returns all of them, in their order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = u64> + ExactSizeIterator + use<'b> {
        let order = self.order;
        self.words.iter().map(move |&word| order.u64(word))
    }
}

impl fmt::Debug for Numbers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = f.debug_list();
        self.iter().for_each(|word| {
            list.entry(&format_args!("{word:#x}"));
        });
        list.finish()
    }
}

/// What is left of a record.
#[derive(Clone, Copy)]
pub(super) struct Rest<'b> {
    pub(super) bytes: &'b [u8],
    pub(super) order: ByteOrder,
}

impl<'b> Rest<'b> {
    #[inline]
    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], ParseError> {
        let (first, rest) = self.bytes.split_first_chunk().ok_or(ParseError::short(what))?;
        self.bytes = rest;
        Ok(*first)
    }

    #[inline]
    pub(super) fn u16(&mut self, what: &'static str) -> Result<u16, ParseError> {
        Ok(self.order.u16(self.array(what)?))
    }

    #[inline]
    pub(super) fn u32(&mut self, what: &'static str) -> Result<u32, ParseError> {
        Ok(self.order.u32(self.array(what)?))
    }

    #[inline]
    pub(super) fn u64(&mut self, what: &'static str) -> Result<u64, ParseError> {
        Ok(self.order.u64(self.array(what)?))
    }

    /// A number that is there if a bit says so.
    #[inline]
    pub(super) fn u64_if(
        &mut self,
        is_there: bool,
        what: &'static str,
    ) -> Result<Option<u64>, ParseError> {
        if is_there { self.u64(what).map(Some) } else { Ok(None) }
    }

    /// So many bytes as a record says.
    pub(super) fn take(&mut self, length: u64, what: &'static str) -> Result<&'b [u8], ParseError> {
        let length = usize::try_from(length).map_err(|_| ParseError::short(what))?;
        let (first, rest) = self.bytes.split_at_checked(length).ok_or(ParseError::short(what))?;
        self.bytes = rest;
        Ok(first)
    }

    /// So many numbers of 64 bits as a record says.
    pub(super) fn numbers(
        &mut self,
        number: u64,
        what: &'static str,
    ) -> Result<Numbers<'b>, ParseError> {
        let length = number.checked_mul(8).ok_or(ParseError::short(what))?;
        let (words, _) = self.take(length, what)?.as_chunks();
        Ok(Numbers { words, order: self.order })
    }

    /// A text up to its zero; what follows pads it.
    pub(super) fn text(&mut self) -> &'b [u8] {
        let end = self.bytes.iter().position(|&byte| byte == 0).unwrap_or(self.bytes.len());
        let text = &self.bytes[..end];
        self.bytes = &[];
        text
    }
}
