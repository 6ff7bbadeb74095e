//! Lines and columns of offsets into a text.

use crate::cost::steps;
use crate::faults::narrow;

/// Where lines begin, and how many characters precede each block of bytes: a
/// file may be one long line with many faults, each of which needs a column.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<u32>,
    characters: Vec<u32>,
}

/// Bytes of a block of [`Lines`].
const BLOCK: usize = 256;

impl Lines {
    /// Looks for the lines of a text, which has less than 4 GiB.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let after = text.match_indices('\n').map(|(at, _)| narrow(at + 1));
        let mut characters = vec![0];
        for block in text.as_bytes().chunks(BLOCK) {
            let before = characters.last().copied().unwrap_or_default();
            characters.push(before + narrow(begun(block)));
        }
        Lines { starts: std::iter::once(0).chain(after).collect(), characters }
    }

    /// Line and column of an offset into the same text, both from 1. Columns count
    /// characters.
    #[must_use]
    pub fn position(&self, text: &str, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|&start| start as usize <= offset).max(1);
        let start = self.starts[line - 1] as usize;
        let characters = |offset| self.characters_before(text, offset);
        (line, characters(offset.min(text.len())) - characters(start) + 1)
    }

    /// How many characters begin before an offset.
    fn characters_before(&self, text: &str, offset: usize) -> usize {
        let (block, within) = (offset / BLOCK, offset % BLOCK);
        steps::count(within);
        let bytes = &text.as_bytes()[block * BLOCK..][..within];
        self.characters[block] as usize + begun(bytes)
    }
}

/// How many characters begin among some bytes of UTF-8.
fn begun(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns() {
        let text = "a\n\u{e4}\u{1f600}b\n\n".repeat(300) + &"\u{e4}x".repeat(1000);
        let lines = Lines::of(&text);
        for (offset, _) in text.char_indices() {
            let characters = text[..offset].chars().count();
            assert_eq!(lines.characters_before(&text, offset), characters, "{offset}");
        }
        assert_eq!(lines.characters_before(&text, text.len()), text.chars().count());
        assert_eq!(lines.starts.len(), text.split('\n').count());
    }
}
