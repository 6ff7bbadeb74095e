//! Scanning event strings eight bytes at a time: terms are about five bytes
//! long, and a loop over so few bytes is mostly mispredicted branches.

/// Up to eight leading bytes as one word, the first byte lowest; missing bytes
/// are zero.
#[inline]
const fn word(bytes: &[u8]) -> u64 {
    if let Some(chunk) = bytes.first_chunk::<8>() {
        return u64::from_le_bytes(*chunk);
    }
    let (mut word, mut shift, mut rest) = (0, 0, bytes);
    if let Some((chunk, more)) = rest.split_first_chunk::<4>() {
        word = u32::from_le_bytes(*chunk) as u64;
        (shift, rest) = (32, more);
    }
    if let Some((chunk, more)) = rest.split_first_chunk::<2>() {
        word |= (u16::from_le_bytes(*chunk) as u64) << shift;
        (shift, rest) = (shift + 16, more);
    }
    if let [byte, ..] = rest {
        word |= (*byte as u64) << shift;
    }
    word
}

const ONES: u64 = 0x0101_0101_0101_0101;

/// Sets the highest bit of the first byte equal to `byte`, and possibly bits of
/// later bytes.
#[inline]
const fn equal(word: u64, byte: u8) -> u64 {
    let differences = word ^ (ONES * byte as u64);
    differences.wrapping_sub(ONES) & !differences & (ONES << 7)
}

/// The position of the first of two bytes at or after `from`; the length of the
/// text if neither occurs.
#[inline]
pub(super) const fn first_of(text: &[u8], from: usize, a: u8, b: u8) -> usize {
    let mut at = from;
    while at < text.len() {
        let word = word(text.split_at(at).1);
        let found = equal(word, a) | equal(word, b);
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    text.len()
}

/// Term names, unlike event names, are case-sensitive.
#[inline]
pub const fn same(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    while let (Some((x, rest_a)), Some((y, rest_b))) =
        (a.split_first_chunk::<8>(), b.split_first_chunk::<8>())
    {
        if u64::from_le_bytes(*x) != u64::from_le_bytes(*y) {
            return false;
        }
        (a, b) = (rest_a, rest_b);
    }
    word(a) == word(b)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::{string::String, vec::Vec};

    use super::*;

    #[test]
    fn finds_what_a_loop_finds() {
        for length in 0..20_usize {
            for at in 0..=length {
                for (other, filler) in [(b',', b'x'), (b'=', 0), (b'-', b'+'), (b'<', 0xff)] {
                    let mut text: Vec<u8> = std::vec![filler; length];
                    if at < length {
                        text[at] = other;
                    }
                    for from in 0..=length {
                        let found = text[from..].iter().position(|&c| c == b'=' || c == b',');
                        let expected = found.map_or(length, |found| from + found);
                        assert_eq!(first_of(&text, from, b'=', b','), expected, "{text:?} {from}");
                    }
                }
            }
        }
    }

    #[test]
    fn names_are_the_same_when_all_bytes_are() {
        for length in 0..20 {
            let name: String = (b'a'..).take(length).map(char::from).collect();
            assert!(same(&name, &name.clone()));
            for at in 0..length {
                let mut other = name.clone().into_bytes();
                other[at] = b'_';
                assert!(!same(&name, &String::from_utf8(other).unwrap()));
            }
            assert!(!same(&name, &name[..length.saturating_sub(1)]) || length == 0);
        }
    }
}
