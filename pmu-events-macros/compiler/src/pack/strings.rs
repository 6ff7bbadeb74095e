//! All strings of a tree in one, overlapping where they can.

use super::limit::{LENGTHS, fit};
use crate::cost::intern::Interner;

/// Strings to be laid out. Each has a number from the start and gets a place at
/// the end.
pub(crate) struct Strings<'t> {
    interner: Interner<&'t str>,
}

/// Strings laid out.
pub(crate) struct Layout {
    pub(crate) text: String,
    /// Where each number's string begins.
    pub(crate) offsets: Vec<u32>,
    /// How long it is.
    pub(crate) lengths: Vec<u32>,
}

/// Length of the pieces by which strings within others are found. Shorter
/// strings are merged only where one begins or ends another.
const GRAM: usize = 8;

impl<'t> Strings<'t> {
    pub(crate) fn new() -> Self {
        Strings { interner: Interner::new() }
    }

    pub(crate) fn number(&mut self, text: &'t str) -> u32 {
        self.interner.number(text)
    }

    /// Lays the strings out: one that ends, begins or (from eight bytes on)
    /// lies within another is not stored.
    pub(crate) fn layout(&self) -> Result<Layout, String> {
        let strings = self.interner.items();
        // The string that contains each, and its position there; stored strings
        // contain themselves.
        let mut holder: Vec<(u32, u32)> = (0..).zip(strings).map(|(n, _)| (n, 0)).collect();
        let lengths = strings.iter().map(|s| fit(s.len(), LENGTHS));
        let lengths: Vec<u32> = lengths.collect::<Result<_, String>>()?;
        merge_suffixes(strings, &lengths, &mut holder);
        merge_prefixes(strings, &mut holder);
        merge_inner(strings, &mut holder);
        let mut layout = Layout {
            text: String::with_capacity(strings.iter().map(|s| s.len()).sum()),
            offsets: vec![0; strings.len()],
            lengths,
        };
        for (number, string) in strings.iter().enumerate() {
            if holder[number].0 as usize == number {
                layout.offsets[number] = fit(layout.text.len(), LENGTHS)?;
                layout.text.push_str(string);
            }
        }
        for number in 0..strings.len() {
            let (mut at, mut within) = (number, 0);
            while holder[at].0 as usize != at {
                within += holder[at].1;
                at = holder[at].0 as usize;
            }
            layout.offsets[number] = layout.offsets[at] + within;
        }
        Ok(layout)
    }
}

/// Numbers of the strings that are still to be stored.
fn stored(holder: &[(u32, u32)]) -> Vec<u32> {
    let own = (0..).zip(holder).filter(|&(n, &(by, _))| by == n);
    own.map(|(n, _)| n).collect()
}

fn merge_suffixes(strings: &[&str], lengths: &[u32], holder: &mut [(u32, u32)]) {
    // Read backwards and sorted, a suffix comes before the string that it ends.
    let mut reversed: Vec<(Vec<u8>, u32)> = Vec::with_capacity(strings.len());
    for number in stored(holder) {
        let mut bytes = strings[number as usize].as_bytes().to_vec();
        bytes.reverse();
        reversed.push((bytes, number));
    }
    reversed.sort_unstable();
    for pair in reversed.windows(2) {
        let ((shorter, number), (longer, by)) = (&pair[0], &pair[1]);
        if longer.starts_with(shorter) {
            holder[*number as usize] = (*by, lengths[*by as usize] - lengths[*number as usize]);
        }
    }
}

fn merge_prefixes(strings: &[&str], holder: &mut [(u32, u32)]) {
    let mut sorted: Vec<(&str, u32)> =
        stored(holder).into_iter().map(|n| (strings[n as usize], n)).collect();
    sorted.sort_unstable();
    for pair in sorted.windows(2) {
        let ((shorter, number), (longer, by)) = (pair[0], pair[1]);
        if longer.starts_with(shorter) {
            holder[number as usize] = (by, 0);
        }
    }
}

/// Finds strings within others by their rarest piece of eight bytes: a string
/// whose rarest piece occurs once in all lies within no other, and nearly all
/// are so.
fn merge_inner(strings: &[&str], holder: &mut [(u32, u32)]) {
    const BITS: u32 = 20;
    // What is left are `BITS` bits.
    let bucket = |gram: u64| {
        usize::try_from(gram.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)).unwrap_or(0)
    };
    let stored = stored(holder);
    let mut counts = vec![0u8; 1 << BITS];
    for &number in &stored {
        each_gram(strings[number as usize], &mut |_, gram| {
            let count = &mut counts[bucket(gram)];
            *count = count.saturating_add(1);
        });
    }
    // Where a string's rarest piece occurs elsewhere too: by bucket, the
    // strings to look for there and the position of the piece in them.
    let mut wanted: std::collections::HashMap<usize, Vec<(u32, usize)>> = Default::default();
    for &number in &stored {
        let mut rarest = (u8::MAX, 0, 0);
        let mut grams = 0;
        each_gram(strings[number as usize], &mut |at, gram| {
            let bucket = bucket(gram);
            grams += 1;
            if counts[bucket] < rarest.0 {
                rarest = (counts[bucket], bucket, at);
            }
        });
        if grams > 0 && rarest.0 > 1 && rarest.0 < u8::MAX {
            wanted.entry(rarest.1).or_default().push((number, rarest.2));
        }
    }
    let mut is_wanted = vec![false; 1 << BITS];
    wanted.keys().for_each(|&bucket| is_wanted[bucket] = true);
    for &by in &stored {
        let text = strings[by as usize];
        each_gram(text, &mut |at, gram| {
            let bucket = bucket(gram);
            if !is_wanted[bucket] {
                return;
            }
            for &(number, within) in &wanted[&bucket] {
                let inner = strings[number as usize];
                if inner.len() < text.len()
                    && holder[number as usize].0 == number
                    && at >= within
                    && text.as_bytes()[at - within..].starts_with(inner.as_bytes())
                    && let Ok(start) = u32::try_from(at - within)
                {
                    holder[number as usize] = (by, start);
                }
            }
        });
    }
}

/// Calls with every run of eight bytes and where it begins.
fn each_gram(text: &str, visit: &mut dyn FnMut(usize, u64)) {
    let bytes = text.as_bytes();
    let mut gram = 0;
    let mut at = 0;
    while at < bytes.len() {
        gram = gram >> 8 | (bytes[at] as u64) << 56;
        at += 1;
        if at >= GRAM {
            visit(at - GRAM, gram);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_another_is_not_stored() {
        let all = [
            "unc_cha_clockticks",
            "clockticks",
            "unc_cha",
            "cha_clockticks",
            "nc_cha_clock",
            "other",
            "",
            "er",
        ];
        let mut strings = Strings::new();
        let numbers: Vec<u32> = all.iter().map(|s| strings.number(s)).collect();
        let layout = strings.layout().unwrap();
        for (string, number) in all.iter().zip(&numbers) {
            let at = layout.offsets[*number as usize] as usize;
            assert_eq!(&layout.text[at..at + string.len()], *string);
            assert_eq!(layout.lengths[*number as usize] as usize, string.len());
        }
        assert_eq!(layout.text, "unc_cha_clockticksother");
    }

    #[test]
    fn equal_strings_have_one_number() {
        let mut strings = Strings::new();
        assert_eq!(strings.number("a"), strings.number("a"));
    }
}
