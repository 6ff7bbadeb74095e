//! The perfect hash of a model's names.
//!
//! The upper half of a name's hash selects one of the model's buckets. The
//! bucket's displacement, a byte, together with the hash selects one of the
//! model's slots, which holds the only event that can have the name. The packer
//! tries displacements, fullest buckets first, until no two names of the model
//! share a slot. So a look-up reads one byte and one number, and compares one
//! name, whether or not it is found.
//!
//! A name that several PMUs of a model have is one key: its slot holds the core
//! PMU's event if there is one, otherwise the first PMU's.

/// Returns the bucket of a hash among `buckets`.
#[must_use]
#[inline]
pub const fn bucket(hash: u64, buckets: u32) -> u32 {
    reduce(low(hash >> 32), buckets)
}

/// Returns the slot of a hash among `slots`, given a displacement.
#[must_use]
#[inline]
pub const fn slot(hash: u64, displacement: u8, slots: u32) -> u32 {
    let step = low(hash >> 17) | 1;
    let start = low(hash);
    let mixed = start.wrapping_add((displacement as u32).wrapping_mul(step));
    // `reduce` uses the upper half of the product.
    reduce(mixed.wrapping_mul(0x9e37_79b9), slots)
}

/// Returns the number of buckets for a model with `names` distinct names.
#[must_use]
#[inline]
pub const fn buckets_for(names: usize) -> usize {
    names.div_ceil(3)
}

/// Returns the number of slots for a model with `names` distinct names: a tenth
/// more than names, so that a displacement of one byte suffices.
#[must_use]
#[inline]
pub const fn slots_for(names: usize) -> usize {
    names + names / 10 + 1
}

/// The lower half of a hash. All bits are equally good, so nothing is lost.
#[inline]
const fn low(hash: u64) -> u32 {
    (hash & 0xffff_ffff) as u32
}

/// Maps 32 random bits to `0..n` without division.
#[inline]
const fn reduce(bits: u32, n: u32) -> u32 {
    low((bits as u64 * n as u64) >> 32)
}
