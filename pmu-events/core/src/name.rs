//! Names of events and metrics, which are compared without regard to ASCII case.
//!
//! perf compares them with `strcasecmp` (`tools/perf/util/pmu.c`,
//! `pmu_events_table__find_event`). Eight bytes are processed at a time: names are about
//! thirty bytes long, and a look-up does little more than hash and compare one.

pub(crate) mod index;
pub(crate) mod nearest;

pub(crate) use index::{cmp, hash};
pub(crate) use nearest::{Nearest, shared};

/// Whether two names are equal, ignoring ASCII case.
///
/// ```
/// use pmu_events::__private::name;
///
/// assert!(name::eq("INST_RETIRED.ANY", "inst_retired.any"));
/// assert!(!name::eq("INST_RETIRED.ANY", "inst_retired.any_p"));
/// ```
#[must_use]
#[inline]
pub const fn eq(a: &str, b: &str) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    // The last eight bytes overlap the previous ones.
    let (Some(x), Some(y)) = (a.last_chunk::<8>(), b.last_chunk::<8>()) else {
        return differ(tail(a), tail(b)) == 0;
    };
    let mut difference = differ(u64::from_le_bytes(*x), u64::from_le_bytes(*y));
    while a.len() > 8
        && let (Some((x, rest_a)), Some((y, rest_b))) =
            (a.split_first_chunk::<8>(), b.split_first_chunk::<8>())
    {
        difference |= differ(u64::from_le_bytes(*x), u64::from_le_bytes(*y));
        (a, b) = (rest_a, rest_b);
    }
    difference == 0
}

/// The bits in which two words of eight bytes differ, ignoring ASCII case: for
/// equality, this is less work than lowering both.
#[inline]
const fn differ(x: u64, y: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let low = (x | (ONES * 0x20)) & (ONES * 0x7f);
    let from_a = low + ONES * (0x80 - b'a' as u64);
    let beyond_z = low + ONES * (0x7f - b'z' as u64);
    let letter = (from_a ^ beyond_z) & !x & (ONES * 0x80);
    (x ^ y) & !(letter >> 2)
}

/// A name of fewer than eight bytes as one word.
#[inline]
const fn tail(bytes: &[u8]) -> u64 {
    let (mut word, mut rest) = (0, bytes);
    if let Some((chunk, more)) = rest.split_first_chunk::<4>() {
        word = u32::from_le_bytes(*chunk) as u64;
        rest = more;
    }
    while let Some((&byte, more)) = rest.split_first() {
        word = word << 8 | byte as u64;
        rest = more;
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_beyond_ascii_keep_their_case() {
        assert!(!eq("\u{c4}", "\u{e4}"));
        assert!(eq("x\u{c4}", "X\u{c4}"));
    }
}
