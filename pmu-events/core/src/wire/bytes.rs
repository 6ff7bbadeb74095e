//! Reading little-endian numbers; missing bytes read as zero.
//!
//! By indices, for which an unoptimised macro needs a tenth of the time that
//! splitting a slice takes. With optimisation, each is one load after one comparison.

/// Reads the byte at a position, or zero beyond the end.
#[must_use]
#[inline]
pub const fn read_u8(bytes: &[u8], at: usize) -> u8 {
    if at < bytes.len() { bytes[at] } else { 0 }
}

/// Reads two bytes at a position, or zero beyond the end.
#[must_use]
#[inline]
pub const fn read_u16(bytes: &[u8], at: usize) -> u16 {
    if !has(bytes, at, 2) {
        return 0;
    }
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

/// Reads three bytes at a position, or zero beyond the end.
#[must_use]
#[inline]
pub const fn read_u24(bytes: &[u8], at: usize) -> u32 {
    if !has(bytes, at, 3) {
        return 0;
    }
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], 0])
}

/// Reads four bytes at a position, or zero beyond the end.
#[must_use]
#[inline]
pub const fn read_u32(bytes: &[u8], at: usize) -> u32 {
    if !has(bytes, at, 4) {
        return 0;
    }
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// Reads eight bytes at a position, or zero beyond the end.
#[must_use]
#[inline]
pub const fn read_u64(bytes: &[u8], at: usize) -> u64 {
    if !has(bytes, at, 8) {
        return 0;
    }
    let low = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
    let high = [bytes[at + 4], bytes[at + 5], bytes[at + 6], bytes[at + 7]];
    (u32::from_le_bytes(high) as u64) << 32 | u32::from_le_bytes(low) as u64
}

#[inline]
const fn has(bytes: &[u8], at: usize, count: usize) -> bool {
    bytes.len() >= count && at <= bytes.len() - count
}

#[inline]
pub(super) const fn chunk<const N: usize>(bytes: &[u8], at: usize) -> Option<&[u8; N]> {
    match bytes.split_at_checked(at) {
        Some((_, rest)) => rest.first_chunk::<N>(),
        None => None,
    }
}
