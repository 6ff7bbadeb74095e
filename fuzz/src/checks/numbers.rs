//! Numbers out of bytes.

/// Reads numbers from bytes, and zeros behind their end.
pub struct Numbers<'d>(pub &'d [u8]);

impl Numbers<'_> {
    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((&byte, rest)) => {
                self.0 = rest;
                byte
            }
            None => 0,
        }
    }

    pub fn word(&mut self) -> u64 {
        (0..8).fold(0, |word, n| word | u64::from(self.byte()) << (8 * n))
    }
}
