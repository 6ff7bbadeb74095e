//! How the tables of a tree order and hash names, ignoring ASCII case. The packer builds
//! the index of a model by the same rules by which the look-up reads it.

use super::tail;

/// Compares two names in the order of perf's tables: by their bytes in lower
/// case.
///
/// ```
/// use core::cmp::Ordering;
/// use pmu_events::__private::name;
/// assert_eq!(name::cmp("b", "A"), Ordering::Greater);
/// assert_eq!(name::cmp("cpi", "CPI"), Ordering::Equal);
/// ```
#[must_use]
pub const fn cmp(a: &str, b: &str) -> core::cmp::Ordering {
    use core::cmp::Ordering;
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    loop {
        match (a.split_first(), b.split_first()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some((x, rest_a)), Some((y, rest_b))) => {
                let (x, y) = (x.to_ascii_lowercase(), y.to_ascii_lowercase());
                if x < y {
                    return Ordering::Less;
                }
                if x > y {
                    return Ordering::Greater;
                }
                (a, b) = (rest_a, rest_b);
            }
        }
    }
}

/// Hashes a name in lower case, as the index of a model does.
#[must_use]
#[inline]
pub const fn hash(name: &str) -> u64 {
    let mut bytes = name.as_bytes();
    let mut h = (bytes.len() as u64).wrapping_mul(MULTIPLIER);
    let last = match bytes.last_chunk::<8>() {
        Some(last) => u64::from_le_bytes(*last),
        None => tail(bytes),
    };
    while bytes.len() > 8
        && let Some((chunk, rest)) = bytes.split_first_chunk::<8>()
    {
        h = mix(h ^ lower8(u64::from_le_bytes(*chunk)));
        bytes = rest;
    }
    mix(h ^ lower8(last))
}

/// Odd, with well-spread bits: 2⁶⁴ divided by the golden ratio.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline]
const fn mix(h: u64) -> u64 {
    let h = h.wrapping_mul(MULTIPLIER);
    h ^ (h >> 29)
}

/// Lowers eight ASCII bytes at once.
#[inline]
const fn lower8(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let low = word & (ONES * 0x7f);
    let from_a = low + ONES * (0x80 - b'A' as u64);
    let beyond_z = low + ONES * (0x7f - b'Z' as u64);
    let upper = (from_a ^ beyond_z) & !word & (ONES * 0x80);
    word | (upper >> 2)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::name::eq;
    use std::{string::String, vec::Vec};

    /// Compares every byte value at every position of a word with the standard
    /// library.
    #[test]
    fn equality_and_hash_follow_ascii_case() {
        for length in 0..20 {
            for at in 0..length {
                for c in 0..128u8 {
                    let mut bytes: Vec<u8> = (0..length).map(|i| b'a' + i as u8).collect();
                    bytes[at] = c;
                    let name = String::from_utf8(bytes).unwrap();
                    let upper = name.to_ascii_uppercase();
                    assert!(eq(&name, &upper), "{name:?}");
                    assert_eq!(hash(&name), hash(&upper), "{name:?}");
                    let other = name.replace(c as char, "~");
                    assert_eq!(eq(&name, &other), name.eq_ignore_ascii_case(&other));
                }
            }
        }
    }

    #[test]
    fn order_is_that_of_lower_case() {
        let names = ["", "A", "a.b", "B", "b_", "ba", "Z"];
        for a in names {
            for b in names {
                let expected = a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase());
                assert_eq!(cmp(a, b), expected, "{a} {b}");
            }
        }
    }
}
