//! Places of strings.

/// A place in `strings`: of at most 255 bytes, in the first 16 MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct StrRef {
    /// Where it begins.
    pub offset: u32,
    /// How long it is. 255 and offset 2²⁴−1 together mean that it is missing.
    pub len: u8,
}

impl StrRef {
    /// The largest offset.
    pub const MAX_OFFSET: usize = (1 << 24) - 2;
    /// The longest string.
    pub const MAX_LEN: usize = 255;
    /// The reference to nothing, which is not the one to an empty string.
    pub const NONE: Self = StrRef { offset: (1 << 24) - 1, len: 255 };

    /// Whether the string is missing.
    #[must_use]
    #[inline]
    pub const fn is_none(self) -> bool {
        self.offset == Self::NONE.offset && self.len == Self::NONE.len
    }

    /// As a word of the tables.
    #[must_use]
    pub const fn pack(self) -> u32 {
        self.offset | (self.len as u32) << 24
    }

    /// From a word of the tables.
    #[must_use]
    #[inline]
    pub const fn unpack(word: u32) -> Self {
        StrRef { offset: word & 0x00ff_ffff, len: (word >> 24) as u8 }
    }
}

/// A place in `strings` for what may be long: expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct LongRef {
    /// Where it begins.
    pub offset: u32,
    /// How long it is; zero for what is missing.
    pub len: u32,
}
