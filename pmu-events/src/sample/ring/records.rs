//! Bytes into records.

use std::vec::Vec;

use super::Ready;
use crate::sample::record::{ByteOrder, Header, ParseError};

/// The records that were ready in a buffer, one after the other
/// ([`Buffer::records`](crate::sample::Buffer::records)).
///
/// A record is borrowed from the buffer. One that begins at the buffer's end and goes on at its
/// beginning is put together elsewhere; that memory serves all such records.
///
/// ```
/// use pmu_events::sample::Sampler;
///
/// fn count(sampler: &mut Sampler) -> usize {
///     let mut number = 0;
///     for buffer in sampler.buffers_mut() {
///         let mut records = buffer.records();
///         while let Some(Ok(_)) = records.next() {
///             number += 1;
///         }
///         buffer.release();
///     }
///     number
/// }
/// ```
#[derive(Debug)]
pub struct Records<'b> {
    parts: Ready<'b>,
    /// How much has been read.
    at: usize,
    whole: &'b mut Vec<u8>,
    /// How much of what was read is known to be no record.
    is_broken: bool,
}

impl<'b> Records<'b> {
    pub(in crate::sample) fn new(parts: Ready<'b>, whole: &'b mut Vec<u8>) -> Self {
        Records { parts, at: 0, whole, is_broken: false }
    }

    /// Returns the bytes of the next record, header included.
    ///
    /// # Errors
    ///
    /// Returns an error if the record does not end within what is ready. Then there are no
    /// further records, because nothing says where they begin.
    #[allow(clippy::should_implement_trait)] // An iterator cannot lend.
    #[inline]
    pub fn next(&mut self) -> Option<Result<&[u8], ParseError>> {
        let [first, second] = self.parts;
        let left = first.len() + second.len() - self.at;
        if left == 0 || self.is_broken {
            return None;
        }
        let mut header = [0; Header::LENGTH];
        let length = match self.copy(&mut header) {
            true => Header::of(&header, ByteOrder::NATIVE).map(|header| usize::from(header.size)),
            false => Err(ParseError::short("header")),
        };
        let length = match length {
            Ok(length) if length <= left => length,
            answer => {
                self.is_broken = true;
                return Some(Err(answer.err().unwrap_or(ParseError::short("contents"))));
            }
        };
        let (from, end) = (self.at, self.at + length);
        self.at = end;
        if end <= first.len() {
            return Some(Ok(&first[from..end]));
        }
        match from.checked_sub(first.len()) {
            Some(from) => Some(Ok(&second[from..from + length])),
            None => {
                self.whole.clear();
                self.whole.extend_from_slice(&first[from..]);
                self.whole.extend_from_slice(&second[..end - first.len()]);
                Some(Ok(self.whole))
            }
        }
    }

    /// Copies the bytes that come next; `false` if there are fewer.
    #[inline]
    fn copy(&self, to: &mut [u8; Header::LENGTH]) -> bool {
        let [first, second] = self.parts;
        if let Some(bytes) = first.get(self.at..).and_then(|rest| rest.first_chunk()) {
            *to = *bytes;
            return true;
        }
        let rest = first.get(self.at..).unwrap_or(&[]);
        let from = self.at.saturating_sub(first.len());
        let Some(behind) = second.get(from..from + to.len() - rest.len()) else { return false };
        to[..rest.len()].copy_from_slice(rest);
        to[rest.len()..].copy_from_slice(behind);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;
    use std::vec;

    fn record(kind: u32, length: u16) -> Vec<u8> {
        let mut bytes = kind.to_ne_bytes().to_vec();
        bytes.extend(0_u16.to_ne_bytes());
        bytes.extend(length.to_ne_bytes());
        bytes.resize(usize::from(length.max(8)), kind as u8);
        bytes
    }

    fn all(parts: Ready<'_>) -> Vec<Result<Vec<u8>, ParseError>> {
        let mut whole = Vec::new();
        let mut records = Records::new(parts, &mut whole);
        let mut found = Vec::new();
        while let Some(record) = records.next() {
            found.push(record.map(<[u8]>::to_vec));
            assert!(found.len() < 100);
        }
        found
    }

    /// Wherever the buffer ends.
    #[test]
    fn records_go_on_at_the_beginning() {
        let records = [record(1, 8), record(2, 24), record(3, 16)];
        let bytes = records.concat();
        for end in 0..=bytes.len() {
            let found = all([&bytes[..end], &bytes[end..]]);
            let expected: Vec<_> = records.iter().cloned().map(Ok).collect();
            assert_eq!(found, expected, "{end}");
        }
    }

    #[test]
    fn records_that_are_none() {
        let whole = record(1, 16);
        let cases: [(Vec<u8>, &str); 4] = [
            (vec![1, 0, 0], "a record ends in its header"),
            (record(2, 0), "a record ends in its header"),
            (record(2, 7), "a record ends in its header"),
            (record(2, 16)[..15].to_vec(), "a record ends in its contents"),
        ];
        for (odd, message) in cases {
            let bytes = [whole.clone(), odd].concat();
            for end in 0..=bytes.len() {
                let found = all([&bytes[..end], &bytes[end..]]);
                assert_eq!(found.len(), 2, "{message}");
                assert_eq!(found[0], Ok(whole.clone()));
                assert_eq!(found[1].clone().unwrap_err().to_string(), message, "{end}");
            }
        }
        assert!(all([&[], &[]]).is_empty());
    }
}
