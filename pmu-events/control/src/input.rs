//! Bytes into commands (`evlist__ctlfd_recv` in `tools/perf/util/evlist.c`).

/// Perf's buffer has 64 bytes, of which the last is zero: what is longer is several commands.
pub(crate) const LONGEST: usize = 63;

/// Bytes that have been read, of which the beginning may have been understood.
#[derive(Debug, Default)]
pub(crate) struct Input {
    bytes: Vec<u8>,
    /// Where those begin that have not.
    start: usize,
}

impl Input {
    /// Adds what has been read.
    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.start);
        self.start = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// Whether a command has begun that has not ended.
    pub(crate) fn has_begun(&self) -> bool {
        self.start < self.bytes.len()
    }

    /// The next command that has ended: at a line feed, a zero, or the length that perf's buffer
    /// has. Empty ones mean nothing.
    pub(crate) fn next(&mut self) -> Option<String> {
        loop {
            let rest = &self.bytes[self.start..];
            let end = rest.iter().position(|byte| matches!(byte, b'\n' | 0));
            let (text, used) = match end {
                Some(end) if end < LONGEST => (&rest[..end], end + 1),
                _ if rest.len() >= LONGEST => (&rest[..LONGEST], LONGEST),
                _ => return None,
            };
            let text = (!text.is_empty()).then(|| String::from_utf8_lossy(text).into_owned());
            self.start += used;
            if text.is_some() {
                return text;
            }
        }
    }

    /// The rest as a command, if nothing follows.
    pub(crate) fn last(&mut self) -> Option<String> {
        let rest = &self.bytes[self.start..];
        let text = (!rest.is_empty()).then(|| String::from_utf8_lossy(rest).into_owned());
        self.start = self.bytes.len();
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Perf's own way, a byte at a time.
    fn byte_by_byte(bytes: &[u8]) -> Vec<String> {
        let (mut texts, mut text) = (Vec::new(), Vec::new());
        for &byte in bytes {
            let is_end = matches!(byte, b'\n' | 0);
            if !is_end {
                text.push(byte);
            }
            if is_end || text.len() == 63 {
                texts.push(String::from_utf8_lossy(&std::mem::take(&mut text)).into_owned());
            }
        }
        texts.push(String::from_utf8_lossy(&text).into_owned());
        texts.retain(|text| !text.is_empty());
        texts
    }

    fn in_pieces(bytes: &[u8], mut length: impl FnMut() -> usize) -> Vec<String> {
        let (mut input, mut texts, mut rest) = (Input::default(), Vec::new(), bytes);
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(length().clamp(1, rest.len()));
            input.extend(piece);
            texts.extend(std::iter::from_fn(|| input.next()));
            rest = behind;
        }
        texts.extend(input.last());
        assert_eq!((input.next(), input.last()), (None, None));
        texts
    }

    #[test]
    fn lines() {
        let long = "x".repeat(63);
        let cases: [(&[u8], &[&str]); 8] = [
            (b"", &[]),
            (b"\n\0\n", &[]),
            (b"enable\ndisable\n", &["enable", "disable"]),
            (b"enable\0ping", &["enable", "ping"]),
            (b"\n\nping\n\n", &["ping"]),
            (b"a\xffb\n", &["a\u{fffd}b"]),
            (&[long.as_bytes(), b"\nping"].concat(), &[&long, "ping"]),
            (&[long.as_bytes(), b"ping"].concat(), &[&long, "ping"]),
        ];
        for (bytes, expected) in cases {
            assert_eq!(byte_by_byte(bytes), expected);
            for length in [1, 2, 3, 64, 4096] {
                assert_eq!(in_pieces(bytes, || length), expected, "{length}");
            }
        }
    }

    /// However bytes arrive, the commands are those of perf.
    #[test]
    fn random_bytes() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            // `xorshift64*` (Vigna, 2016).
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            state.wrapping_mul(0x2545_f491_4f6c_dd1d) % below
        };
        for _ in 0..3000 {
            let length = random(300);
            let byte = |random: &mut dyn FnMut(u64) -> u64| match random(12) {
                0 => b'\n',
                1 => 0,
                2 => random(256) as u8,
                _ => b"enable -v"[random(9) as usize],
            };
            let mut dense: Vec<u8> = (0..length).map(|_| byte(&mut random)).collect();
            if random(3) == 0 {
                dense.retain(|byte| !matches!(byte, b'\n' | 0));
            }
            assert_eq!(in_pieces(&dense, || random(70) as usize), byte_by_byte(&dense));
        }
    }
}
