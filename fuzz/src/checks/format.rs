//! Format files: any text; and any bits with any value.

use pmu_events::format::{Format, Word};

use super::numbers::Numbers;

pub fn check(data: &[u8]) {
    if let Ok(text) = str::from_utf8(data) {
        match Format::parse(text) {
            Ok(format) => {
                assert_ne!(format.mask(), 0);
                assert_eq!(Format::parse(&format.to_string()), Ok(format));
            }
            Err(error) => assert!(text.get(error.span()).is_some(), "{error:?}"),
        }
    }
    let mut numbers = Numbers(data);
    let word = Word::ALL[usize::from(numbers.byte()) % Word::ALL.len()];
    moves_bits(Format::new(word, numbers.word()), numbers.word());
}

/// A value that fits goes to the format's bits, lowest to lowest, and comes
/// back; one that does not is refused with the largest that does.
fn moves_bits(format: Format, value: u64) {
    let mask = format.mask();
    let places: Vec<u32> = (0..64).filter(|bit| mask >> bit & 1 == 1).collect();
    assert_eq!(format.width() as usize, places.len());
    assert_eq!(u128::from(format.max()) + 1, 1 << places.len());
    let at_most = format.max();
    for value in [value, value & at_most, at_most] {
        let bits = places.iter().enumerate().map(|(n, &bit)| (value >> n & 1) << bit);
        match format.scatter(value) {
            Ok(word) => {
                assert!(value <= at_most);
                assert_eq!(word, bits.sum::<u64>(), "{mask:#x} {value:#x}");
                assert_eq!(format.gather(word | !mask), value, "{mask:#x}");
            }
            Err(error) => {
                assert!(value > at_most);
                assert_eq!((error.value(), error.max()), (value, at_most));
            }
        }
    }
    if mask != 0 {
        assert_eq!(Format::parse(&format.to_string()), Ok(format));
    }
}
