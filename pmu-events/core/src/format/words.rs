use core::fmt;

use super::field::{Format, Word};

/// The config words of `perf_event_attr`, which select an event on its PMU.
///
/// The kernel adds a word now and then (`config3` in Linux 6.3, `config4` in 6.19);
/// words that a program does not set are 0.
///
/// ```
/// use pmu_events::format::{Word, Words};
///
/// // `perf stat -e cpu/config=0x1b7,config1=0x10001/`
/// const WORDS: Words = Words::new(0x1b7).with(Word::Config1, 0x10001);
/// assert_eq!((WORDS.config(), WORDS.get(Word::Config1), WORDS.get(Word::Config2)), (0x1b7, 0x10001, 0));
/// // As an event string has them.
/// assert_eq!(WORDS.to_string(), "config=0x1b7,config1=0x10001");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Words {
    words: [u64; Word::ALL.len()],
}

impl Words {
    /// Words without a bit set.
    pub const NONE: Words = Words { words: [0; Word::ALL.len()] };

    /// Creates words of which only `config` is set.
    #[must_use]
    #[inline]
    pub const fn new(config: u64) -> Self {
        Words::NONE.with(Word::Config, config)
    }

    /// Returns one of the words.
    #[must_use]
    #[inline]
    pub const fn get(self, word: Word) -> u64 {
        self.words[word as usize]
    }

    /// Returns `config`, which selects most events on its own.
    #[must_use]
    #[inline]
    pub const fn config(self) -> u64 {
        self.get(Word::Config)
    }

    /// Replaces one of the words.
    #[must_use]
    #[inline]
    pub const fn with(mut self, word: Word, bits: u64) -> Self {
        self.words[word as usize] = bits;
        self
    }

    /// Returns the bits that are set here or in `other`.
    ///
    /// ```
    /// use pmu_events::format::Words;
    /// let edge = Words::new(1 << 18);
    /// assert_eq!(Words::new(0x3c).union(edge), Words::new(0x4003c));
    /// ```
    #[must_use]
    #[inline]
    pub const fn union(mut self, other: Self) -> Self {
        let mut n = 0;
        while n < self.words.len() {
            self.words[n] |= other.words[n];
            n += 1;
        }
        self
    }

    /// Returns the bits that are set here and not in `other`.
    #[must_use]
    pub const fn without(mut self, other: Self) -> Self {
        let mut n = 0;
        while n < self.words.len() {
            self.words[n] &= !other.words[n];
            n += 1;
        }
        self
    }

    /// Returns the bits that are set either here or in `other`.
    #[must_use]
    pub const fn difference(mut self, other: Self) -> Self {
        let mut n = 0;
        while n < self.words.len() {
            self.words[n] ^= other.words[n];
            n += 1;
        }
        self
    }

    /// Whether no bit is set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        let (mut any, mut n) = (0, 0);
        while n < self.words.len() {
            any |= self.words[n];
            n += 1;
        }
        any == 0
    }

    /// Returns the number of bits that are set.
    #[doc(hidden)]
    #[must_use]
    pub const fn count_ones(self) -> u32 {
        let (mut ones, mut n) = (0, 0);
        while n < self.words.len() {
            ones += self.words[n].count_ones();
            n += 1;
        }
        ones
    }

    /// Returns each word with its bits, `config` first.
    pub fn iter(self) -> impl ExactSizeIterator<Item = (Word, u64)> + DoubleEndedIterator {
        Word::ALL.iter().map(move |&word| (word, self.get(word)))
    }
}

impl Format {
    /// Collects the term's value from the words.
    #[must_use]
    #[inline]
    pub const fn value_in(self, words: Words) -> u64 {
        self.gather(words.get(self.word()))
    }
}

/// Displays the words as terms of an event string: `config`, and those of the others
/// that are not 0.
impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "config={:#x}", self.config())?;
        let mut others = self.iter().skip(1).filter(|(_, bits)| *bits != 0);
        others.try_for_each(|(word, bits)| write!(f, ",{word}={bits:#x}"))
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Words({self})")
    }
}
