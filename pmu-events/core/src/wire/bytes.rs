//! Reading little-endian numbers; missing bytes read as zero.

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
    u16::from_le_bytes(if has(bytes, at, 2) { [bytes[at], bytes[at + 1]] } else { [0; 2] })
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
    (read_u32(bytes, at + 4) as u64) << 32 | read_u32(bytes, at) as u64
}

/// Whether a number lies wholly in the bytes. The macro reads through these functions without
/// optimisation, where each method of a slice costs more than the whole number.
#[inline]
const fn has(bytes: &[u8], at: usize, size: usize) -> bool {
    bytes.len() >= size && at <= bytes.len() - size
}

#[inline]
pub(super) const fn chunk<const N: usize>(bytes: &[u8], at: usize) -> Option<&[u8; N]> {
    match bytes.split_at_checked(at) {
        Some((_, rest)) => rest.first_chunk::<N>(),
        None => None,
    }
}
