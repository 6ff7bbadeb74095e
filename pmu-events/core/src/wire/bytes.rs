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
    match chunk(bytes, at) {
        Some(chunk) => u16::from_le_bytes(*chunk),
        None => 0,
    }
}

/// Reads three bytes at a position, or zero beyond the end.
#[must_use]
#[inline]
pub const fn read_u24(bytes: &[u8], at: usize) -> u32 {
    match chunk::<3>(bytes, at) {
        Some(&[a, b, c]) => u32::from_le_bytes([a, b, c, 0]),
        None => 0,
    }
}

/// Reads four bytes at a position, or zero beyond the end.
#[must_use]
#[inline]
pub const fn read_u32(bytes: &[u8], at: usize) -> u32 {
    match chunk(bytes, at) {
        Some(chunk) => u32::from_le_bytes(*chunk),
        None => 0,
    }
}

/// Reads eight bytes at a position, or zero beyond the end.
#[must_use]
#[inline]
pub const fn read_u64(bytes: &[u8], at: usize) -> u64 {
    match chunk(bytes, at) {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => 0,
    }
}

#[inline]
pub(super) const fn chunk<const N: usize>(bytes: &[u8], at: usize) -> Option<&[u8; N]> {
    match bytes.split_at_checked(at) {
        Some((_, rest)) => rest.first_chunk::<N>(),
        None => None,
    }
}
