//! Words of the kernel in which each bit stands for itself.

/// Gives a type around such a word what all of them have.
macro_rules! bits {
    ($name:ident, $one:literal, $whole:literal) => {
        impl $name {
            #[doc = concat!("Creates ", $one, " from the kernel's word, keeping unknown bits.")]
            #[must_use]
            pub const fn from_bits(bits: u64) -> Self {
                Self(bits)
            }

            /// Returns the kernel's word.
            #[must_use]
            pub const fn bits(self) -> u64 {
                self.0
            }

            #[doc = $whole]
            #[must_use]
            pub const fn contains(self, other: Self) -> bool {
                self.0 & other.0 == other.0
            }
        }

        impl core::ops::BitOr for $name {
            type Output = Self;

            fn bitor(self, other: Self) -> Self {
                Self(self.0 | other.0)
            }
        }

        impl core::ops::BitOrAssign for $name {
            fn bitor_assign(&mut self, other: Self) {
                self.0 |= other.0;
            }
        }
    };
}

pub(crate) use bits;
