//! Descriptions as codes ([`pmu_events_core::wire::text`]).

use pmu_events_core::wire::text::{END, FIRST, Pieces, RAW, STOP};

use crate::intern::Interner;

/// Packed texts.
pub(crate) struct Texts<'t> {
    /// The dictionary, in the order of the codes.
    pub(crate) words: Vec<&'t str>,
    /// How many of them have a code of one byte.
    pub(crate) short_codes: usize,
    pub(crate) stream: Vec<u8>,
    /// Where each text begins in the stream.
    pub(crate) offsets: Vec<u32>,
}

/// What follows the marker is the full stop.
const MARK: u32 = u32::MAX;
/// A piece that is spelt out.
const SPELT: u32 = u32::MAX;

/// Packs texts.
pub(crate) fn pack<'t>(texts: &[&'t str]) -> Texts<'t> {
    let mut cut = Cut { pieces: Interner::new(), counts: Vec::new(), tokens: Vec::new() };
    let mut ends: Vec<usize> = Vec::with_capacity(texts.len());
    for text in texts {
        let (body, stop) = text.split_at(text.len() - full_stop(text));
        cut.add(body);
        if !stop.is_empty() {
            cut.tokens.push(MARK);
            cut.add(stop);
        }
        ends.push(cut.tokens.len());
    }
    let Cut { pieces, counts, tokens } = cut;
    let (order, short_codes) = dictionary(pieces.items(), &counts);
    let mut codes = vec![SPELT; counts.len()];
    order.iter().enumerate().for_each(|(code, &piece)| codes[piece as usize] = code as u32);
    // Offset 0 stands for no text.
    let mut packed = Texts {
        words: order.iter().map(|&piece| pieces.items()[piece as usize]).collect(),
        short_codes,
        stream: vec![END],
        offsets: Vec::with_capacity(texts.len()),
    };
    let mut start = 0;
    for end in ends {
        packed.offsets.push(packed.stream.len() as u32);
        packed.push(&tokens[start..end], pieces.items(), &codes);
        start = end;
    }
    packed
}

/// Texts cut into pieces.
struct Cut<'t> {
    pieces: Interner<&'t str>,
    /// How often each piece occurs.
    counts: Vec<u32>,
    tokens: Vec<u32>,
}

impl<'t> Cut<'t> {
    fn add(&mut self, text: &'t str) {
        for piece in Pieces::new(text) {
            let number = self.pieces.number(piece);
            match self.counts.get_mut(number as usize) {
                Some(count) => *count += 1,
                None => self.counts.push(1),
            }
            self.tokens.push(number);
        }
    }
}

impl Texts<'_> {
    fn push(&mut self, tokens: &[u32], pieces: &[&str], codes: &[u32]) {
        let mut raw = String::new();
        for &token in tokens {
            if token != MARK && codes[token as usize] == SPELT {
                let piece = pieces[token as usize];
                if raw.len() + piece.len() > u8::MAX as usize {
                    self.spell(&mut raw);
                }
                raw.push_str(piece);
                continue;
            }
            self.spell(&mut raw);
            if token == MARK {
                self.stream.push(STOP);
                continue;
            }
            let code = codes[token as usize] as usize;
            match code.checked_sub(self.short_codes) {
                None => self.stream.push(FIRST + code as u8),
                Some(long) => {
                    let lead = FIRST as usize + self.short_codes + long / 256;
                    self.stream.extend([lead as u8, (long % 256) as u8]);
                }
            }
        }
        self.spell(&mut raw);
        self.stream.push(END);
    }

    fn spell(&mut self, raw: &mut String) {
        if !raw.is_empty() {
            self.stream.extend([RAW, raw.len() as u8]);
            self.stream.extend(raw.as_bytes());
            raw.clear();
        }
    }
}

/// How many bytes at the end perf leaves out: `.  `, then `. `, then `.`, once
/// each (`fixdesc` of jevents).
fn full_stop(text: &str) -> usize {
    let mut rest = text;
    for stop in [".  ", ". ", "."] {
        rest = rest.strip_suffix(stop).unwrap_or(rest);
    }
    text.len() - rest.len()
}

/// The pieces that deserve a code, most frequent first, and how many of them
/// get one of a single byte.
fn dictionary(pieces: &[&str], counts: &[u32]) -> (Vec<u32>, usize) {
    const CODES: usize = 256 - FIRST as usize;
    let mut order: Vec<(u32, u32)> = Vec::new();
    for (number, piece) in pieces.iter().enumerate() {
        let (count, len) = (counts[number] as usize, piece.len());
        // A word costs its bytes, a reference and a code of two bytes each
        // time; spelt out it costs its bytes and two more each time.
        if 2 * count + len + 4 < count * (len + 2) {
            order.push((u32::MAX - counts[number], number as u32));
        }
    }
    order.sort_unstable();
    // As many codes of one byte as the others leave room for.
    let leads = |short: usize| order.len().saturating_sub(short).div_ceil(256);
    let mut short = CODES;
    while short > 0 && short + leads(short) > CODES {
        short -= 1;
    }
    order.truncate(short + (CODES - short) * 256);
    (order.into_iter().map(|(_, number)| number).collect(), short.min(counts.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_stops() {
        let cases = [
            ("a", 0),
            ("a.", 1),
            ("a. ", 2),
            ("a.  ", 3),
            ("a.. ", 3),
            ("a...", 1),
            (".", 1),
            ("a.   ", 0),
        ];
        for (text, expected) in cases {
            assert_eq!(full_stop(text), expected, "{text:?}");
        }
    }

    #[test]
    fn every_piece_gets_room() {
        let words: Vec<String> = (0..20_000).map(|n| format!(" longword{n}")).collect();
        let text: String = words.iter().chain(&words).chain(&words).map(String::as_str).collect();
        let packed = pack(&[&text]);
        assert!(packed.short_codes <= 253);
        let codes = packed.short_codes + (253 - packed.short_codes) * 256;
        assert!(packed.words.len() <= codes && packed.words.len() == 20_000);
    }
}
