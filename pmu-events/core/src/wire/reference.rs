//! References to strings.

/// A reference to a string of at most 255 bytes in the first 16 MiB of
/// `strings`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct StrRef {
    /// The offset of the first byte.
    pub offset: u32,
    /// The length. 255 with an offset of 2²⁴−1 means that the string is
    /// missing.
    pub len: u8,
}

impl StrRef {
    /// The largest offset.
    pub const MAX_OFFSET: usize = (1 << 24) - 2;
    /// The longest string.
    pub const MAX_LEN: usize = 255;
    /// The reference of a missing string, which differs from that of an empty
    /// one.
    pub const NONE: Self = StrRef { offset: (1 << 24) - 1, len: 255 };

    /// Whether the string is missing.
    #[must_use]
    #[inline]
    pub const fn is_none(self) -> bool {
        self.offset == Self::NONE.offset && self.len == Self::NONE.len
    }

    /// Packs the reference into a word of the tables.
    #[must_use]
    pub const fn pack(self) -> u32 {
        self.offset | (self.len as u32) << 24
    }

    /// Unpacks a word of the tables.
    #[must_use]
    #[inline]
    pub const fn unpack(word: u32) -> Self {
        StrRef { offset: word & 0x00ff_ffff, len: (word >> 24) as u8 }
    }
}

/// A reference to a string in `strings` that may be long, such as an
/// expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct LongRef {
    /// The offset of the first byte.
    pub offset: u32,
    /// The length; zero if the string is missing.
    pub len: u32,
}
