//! Messages composed at compile time.

/// A message of bounded length, composed without heap, so that a `const` panic
/// can show it.
pub struct Message {
    bytes: [u8; Self::CAPACITY],
    len: usize,
}

impl Message {
    const CAPACITY: usize = 512;

    /// Makes an empty message.
    #[allow(clippy::new_without_default)] // It is for `const`.
    #[must_use]
    pub const fn new() -> Self {
        Message { bytes: [0; Self::CAPACITY], len: 0 }
    }

    /// Appends a text, either completely or not at all.
    #[must_use]
    pub const fn push(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        if text.len() <= Self::CAPACITY - self.len {
            let mut i = 0;
            while i < text.len() {
                self.bytes[self.len + i] = text[i];
                i += 1;
            }
            self.len += text.len();
        }
        self
    }

    /// Returns the text.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}
