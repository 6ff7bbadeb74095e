//! The events of standard input: one list a line.

use std::io::{self, BufRead, Read};

use crate::failure::Failure;

/// More than any list of events has; a device might never end its line.
const LONGEST: usize = 1 << 20;

/// Calls with each line that is not empty.
pub(super) fn each_line(mut act: impl FnMut(&str) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    for number in 1_u64.. {
        let at = |what: String| Failure::Missing(format!("standard input: {what}"));
        line.clear();
        let read = input.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut line);
        if read.map_err(|error| at(format!("cannot be read: {error}")))? == 0 {
            break;
        }
        if line.len() > LONGEST {
            return Err(at(format!("line {number} is longer than 1 MiB")));
        }
        let text = str::from_utf8(&line);
        let text = text.map_err(|_| at(format!("line {number} is not UTF-8")))?;
        if !text.trim().is_empty() {
            act(text.trim_end_matches(['\r', '\n']))?;
        }
    }
    Ok(())
}
