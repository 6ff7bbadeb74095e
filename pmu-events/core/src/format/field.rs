use core::fmt;
use core::str::FromStr;

use super::error::{Error, Fault, TooLarge, error};

/// One of the config words of `perf_event_attr`.
///
/// ```
/// use pmu_events::format::{Format, Word};
///
/// assert_eq!(Format::parse("config1:0-63")?.word(), Word::Config1);
/// # Ok::<(), pmu_events::located::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Word {
    /// `config`.
    Config,
    /// `config1`.
    Config1,
    /// `config2`.
    Config2,
    /// `config3`, since Linux 6.3.
    Config3,
    /// `config4`, since Linux 6.19.
    Config4,
}

impl Word {
    /// All config words, `config` first.
    pub const ALL: &'static [Word] =
        &[Word::Config, Word::Config1, Word::Config2, Word::Config3, Word::Config4];

    const fn of(name: &[u8]) -> Option<Word> {
        match name {
            b"config" => Some(Word::Config),
            b"config1" => Some(Word::Config1),
            b"config2" => Some(Word::Config2),
            b"config3" => Some(Word::Config3),
            b"config4" => Some(Word::Config4),
            _ => None,
        }
    }

    /// Returns the name, as format files write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Word::Config => "config",
            Word::Config1 => "config1",
            Word::Config2 => "config2",
            Word::Config3 => "config3",
            Word::Config4 => "config4",
        }
    }
}

/// `config`, or `config1` to `config4`.
///
/// ```
/// use pmu_events::format::Word;
/// assert_eq!("config1".parse(), Ok(Word::Config1));
/// ```
impl FromStr for Word {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Word::of(name.as_bytes()).ok_or(Error::expected(name, "a config word"))
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The bits of one term in a config word.
///
/// ```
/// use pmu_events::format::{Format, Word};
/// // AMD's event code, whose upper four bits are separate.
/// const EVENT: Format = match Format::parse("config:0-7,32-35") {
///     Ok(format) => format,
///     Err(_) => panic!(),
/// };
/// assert_eq!(EVENT.word(), Word::Config);
/// assert_eq!(EVENT.scatter(0xfff), Ok(0xf_0000_00ff));
/// assert_eq!(EVENT.gather(0xf_0000_00ff), 0xfff);
/// assert_eq!(EVENT.scatter(0x1000).unwrap_err().max(), 0xfff);
/// assert_eq!(EVENT.to_string(), "config:0-7,32-35");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    mask: u64,
    word: Word,
}

impl Format {
    /// Makes a format from a mask of the word's bits. With an empty mask, only
    /// 0 fits.
    #[must_use]
    pub const fn new(word: Word, mask: u64) -> Self {
        Format { mask, word }
    }

    /// Parses a format file such as `config:0-7,32-35`. Bits may be in any
    /// order and may be repeated. White space is only allowed at the end, where
    /// sysfs has a line feed.
    ///
    /// perf ignores unknown characters, takes the last of several words, reads
    /// the range `3-0` as one bit and `9-3` as none (`tools/perf/util/pmu.l`,
    /// `pmu.y`). Here these are errors.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a format, with its position.
    pub const fn parse(text: &str) -> Result<Self, Error> {
        let text = text.as_bytes().trim_ascii_end();
        let mut at = 0;
        while at < text.len() && text[at] != b':' {
            at += 1;
        }
        let word = match Word::of(text.split_at(at).0) {
            Some(word) if at < text.len() => word,
            _ => return Err(error(Fault::UnknownWord, 0, at)),
        };
        let mut mask = 0;
        loop {
            at += 1;
            let start = at;
            let low = match bit(text, at) {
                Ok(found) => found,
                Err(error) => return Err(error),
            };
            at = low.end;
            let mut high = low.number;
            if at < text.len() && text[at] == b'-' {
                let found = match bit(text, at + 1) {
                    Ok(found) => found,
                    Err(error) => return Err(error),
                };
                high = found.number;
                at = found.end;
                if high < low.number {
                    return Err(error(Fault::Backwards, start, at - start));
                }
            }
            mask |= (u64::MAX >> (63 - (high - low.number))) << low.number;
            if at >= text.len() {
                return Ok(Format { mask, word });
            }
            if text[at] != b',' {
                return Err(error(Fault::ExpectedSeparator, at, character(text, at)));
            }
        }
    }

    /// Returns the config word.
    #[must_use]
    #[inline]
    pub const fn word(self) -> Word {
        self.word
    }

    /// Returns the bits, as a mask of the word.
    #[must_use]
    #[inline]
    pub const fn mask(self) -> u64 {
        self.mask
    }

    /// Returns the number of bits.
    #[must_use]
    #[inline]
    pub const fn width(self) -> u32 {
        self.mask.count_ones()
    }

    /// Returns the largest value that fits.
    #[must_use]
    #[inline]
    pub const fn max(self) -> u64 {
        match self.width() {
            0 => 0,
            width => u64::MAX >> (64 - width),
        }
    }

    /// Distributes a value's bits over the format's bits, and returns a word
    /// with only this term set.
    ///
    /// # Errors
    ///
    /// Returns an error if the value has more bits than the format
    /// (`pmu_format_max_value` in `tools/perf/util/pmu.c`).
    #[inline]
    pub const fn scatter(self, value: u64) -> Result<u64, TooLarge> {
        let max = self.max();
        if value > max {
            return Err(TooLarge { value, max });
        }
        if self.mask == 0 {
            return Ok(0);
        }
        // One pass for each run of adjacent bits; most formats have one run.
        let (mut mask, mut value, mut word) = (self.mask, value, 0);
        loop {
            let low = mask.trailing_zeros();
            let length = (mask >> low).trailing_ones();
            let run = u64::MAX >> (64 - length);
            word |= (value & run) << low;
            mask &= !(run << low);
            if mask == 0 {
                return Ok(word);
            }
            value >>= length;
        }
    }

    /// Collects the term's value from a word, ignoring other bits. The inverse
    /// of [`Format::scatter`].
    #[must_use]
    #[inline]
    pub const fn gather(self, word: u64) -> u64 {
        let (mut mask, mut value, mut filled) = (self.mask, 0, 0);
        while mask != 0 {
            let low = mask.trailing_zeros();
            let length = (mask >> low).trailing_ones();
            let run = u64::MAX >> (64 - length);
            value |= (word >> low & run) << filled;
            mask &= !(run << low);
            filled += length;
        }
        value
    }
}

/// The same as [`Format::parse`], which a `const` can use.
impl FromStr for Format {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Format::parse(text)
    }
}

/// Displays the format as a format file writes it, with ranges in ascending
/// order.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word.name())?;
        let (mut mask, mut separator) = (self.mask, ':');
        while mask != 0 {
            let low = mask.trailing_zeros();
            let length = (mask >> low).trailing_ones();
            match length {
                1 => write!(f, "{separator}{low}")?,
                _ => write!(f, "{separator}{low}-{}", low + length - 1)?,
            }
            mask &= !((u64::MAX >> (64 - length)) << low);
            separator = ',';
        }
        Ok(())
    }
}

struct Bit {
    number: u32,
    end: usize,
}

/// Reads the bit number at a position.
const fn bit(text: &[u8], start: usize) -> Result<Bit, Error> {
    let (mut number, mut at) = (0, start);
    while at < text.len() && text[at].is_ascii_digit() {
        // All digits are read, so that an error covers the whole number.
        if number <= 63 {
            number = number * 10 + (text[at] - b'0') as u32;
        }
        at += 1;
    }
    if at == start {
        return Err(error(Fault::ExpectedBit, start, character(text, start)));
    }
    if number > 63 {
        return Err(error(Fault::NoSuchBit, start, at - start));
    }
    Ok(Bit { number, end: at })
}

/// The number of bytes in the character at a position; 0 at the end.
const fn character(text: &[u8], at: usize) -> usize {
    if at >= text.len() {
        return 0;
    }
    let mut end = at + 1;
    while end < text.len() && text[end] & 0xc0 == 0x80 {
        end += 1;
    }
    end - at
}
