//! Descriptions as codes ([`pmu_events_core::__private::wire::text`]).

use pmu_events_core::__private::wire::text::{END, FIRST, Pieces, RAW, STOP};

use super::limit::{TEXTS, fit};
use crate::cost::intern::Interner;
use crate::entry::full_stop::full_stop;

/// Packed texts.
pub(crate) struct Texts<'t> {
    /// The dictionary, in the order of the codes.
    pub(crate) words: Vec<&'t str>,
    /// The number of pieces with a code of one byte.
    pub(crate) short_codes: u8,
    pub(crate) stream: Vec<u8>,
    /// Where each text begins in the stream.
    pub(crate) offsets: Vec<u32>,
}

/// What follows the marker is the full stop.
const MARK: u32 = u32::MAX;
/// A piece that is spelt out.
const SPELT: u32 = u32::MAX;

/// Packs texts.
pub(crate) fn pack<'t>(texts: &[&'t str]) -> Result<Texts<'t>, String> {
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
    (0..).zip(&order).for_each(|(code, &piece)| codes[piece as usize] = code);
    // Offset 0 means no text.
    let mut packed = Texts {
        words: order.iter().map(|&piece| pieces.items()[piece as usize]).collect(),
        short_codes,
        stream: vec![END],
        offsets: Vec::with_capacity(texts.len()),
    };
    let mut start = 0;
    for end in ends {
        packed.offsets.push(fit(packed.stream.len(), TEXTS)?);
        packed.push(&tokens[start..end], pieces.items(), &codes)?;
        start = end;
    }
    Ok(packed)
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
    fn push(&mut self, tokens: &[u32], pieces: &[&str], codes: &[u32]) -> Result<(), String> {
        let mut raw = String::new();
        for &token in tokens {
            if token != MARK && codes[token as usize] == SPELT {
                let piece = pieces[token as usize];
                if raw.len() + piece.len() > u8::MAX as usize {
                    self.spell(&mut raw)?;
                }
                raw.push_str(piece);
                continue;
            }
            self.spell(&mut raw)?;
            if token == MARK {
                self.stream.push(STOP);
                continue;
            }
            let code = codes[token as usize];
            let (first, short) = (u32::from(FIRST), u32::from(self.short_codes));
            match code.checked_sub(short) {
                None => self.stream.push(fit(first + code, TEXTS)?),
                Some(long) => {
                    let lead = fit(first + short + long / 256, TEXTS)?;
                    self.stream.extend([lead, long.to_le_bytes()[0]]);
                }
            }
        }
        self.spell(&mut raw)?;
        self.stream.push(END);
        Ok(())
    }

    fn spell(&mut self, raw: &mut String) -> Result<(), String> {
        if !raw.is_empty() {
            self.stream.extend([RAW, fit(raw.len(), TEXTS)?]);
            self.stream.extend(raw.as_bytes());
            raw.clear();
        }
        Ok(())
    }
}

/// The pieces that are worth a code, most frequent first, and how many of them
/// get a code of a single byte.
fn dictionary(pieces: &[&str], counts: &[u32]) -> (Vec<u32>, u8) {
    const CODES: u8 = u8::MAX - FIRST + 1;
    let mut order: Vec<(u32, u32)> = Vec::new();
    for ((number, piece), &count) in (0..).zip(pieces).zip(counts) {
        let (uses, len) = (count as usize, piece.len());
        // A word costs its bytes, a reference and a code of two bytes each
        // time; spelt out it costs its bytes and two more each time.
        if 2 * uses + len + 4 < uses * (len + 2) {
            order.push((u32::MAX - count, number));
        }
    }
    order.sort_unstable();
    // As many codes of one byte as the others leave room for.
    let leads = |short: u8| order.len().saturating_sub(usize::from(short)).div_ceil(256);
    let mut short = CODES;
    while short > 0 && leads(short) > usize::from(CODES - short) {
        short -= 1;
    }
    order.truncate(usize::from(short) + usize::from(CODES - short) * 256);
    (order.into_iter().map(|(_, number)| number).collect(), short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_gets_room() {
        let words: Vec<String> = (0..20_000).map(|n| format!(" longword{n}")).collect();
        let text: String = words.iter().chain(&words).chain(&words).map(String::as_str).collect();
        let packed = pack(&[&text]).unwrap();
        assert!(packed.short_codes <= 253);
        let short = usize::from(packed.short_codes);
        let codes = short + (253 - short) * 256;
        assert!(packed.words.len() <= codes && packed.words.len() == 20_000);
    }
}
