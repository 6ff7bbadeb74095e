//! The perfect hash of a model's names.
//!
//! The hash of a name chooses one of the model's buckets (by its upper half);
//! the bucket's displacement, a byte, together with the hash chooses one of
//! the model's slots; the slot holds the one event that can bear the name. The
//! packer tries displacements, fullest buckets first, until no two names of
//! the model share a slot. So a look-up reads one byte and one number, and
//! compares one name, whether it is found or not.
//!
//! A name that several PMUs of a model have is one key: its slot holds the
//! core PMU's event, else the first.

/// The bucket of a hash among `buckets`.
#[must_use]
#[inline]
pub const fn bucket(hash: u64, buckets: u32) -> u32 {
    reduce(low(hash >> 32), buckets)
}

/// The slot of a hash among `slots`, under a displacement.
#[must_use]
#[inline]
pub const fn slot(hash: u64, displacement: u8, slots: u32) -> u32 {
    let step = low(hash >> 17) | 1;
    let start = low(hash);
    let mixed = start.wrapping_add((displacement as u32).wrapping_mul(step));
    // The product's upper half is what `reduce` looks at.
    reduce(mixed.wrapping_mul(0x9e37_79b9), slots)
}

/// How many buckets a model with `names` distinct names gets.
#[must_use]
#[inline]
pub const fn buckets_for(names: usize) -> usize {
    names.div_ceil(3)
}

/// How many slots a model with `names` distinct names gets: a tenth more than
/// names, which lets a displacement of one byte suffice.
#[must_use]
#[inline]
pub const fn slots_for(names: usize) -> usize {
    names + names / 10 + 1
}

/// The lower half of a hash: its bits are all alike, so that none is missed.
#[inline]
const fn low(hash: u64) -> u32 {
    (hash & 0xffff_ffff) as u32
}

/// Maps 32 random bits to `0..n` without division.
#[inline]
const fn reduce(bits: u32, n: u32) -> u32 {
    low((bits as u64 * n as u64) >> 32)
}
