//! The one way out: standard output, standard error, and files of results. `.ci/gates`
//! refuses any other.
//!
//! Names, units, labels and descriptions come from sysfs, from trees and from users. A
//! terminal obeys some characters instead of showing them, so none of those leaves as
//! it is: it is written as `\u001b`, its code in four hexadecimal digits. In JSON that
//! stands for the same character, so that one rule serves all outputs.

use std::borrow::Cow;
use std::env;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};

#[cfg(target_os = "linux")]
use crate::pager::Pager;
use crate::style::{PLAIN, Style, emphasises};
use pmu_events_compiler::is_obeyed;

/// Where text goes. Lines end with a line feed, and columns may with a tab: those are
/// left as they are, and [`one_line`] is for text that must have neither.
pub(crate) struct Output {
    to: Box<dyn Write>,
}

impl Output {
    pub(crate) fn stdout() -> Self {
        Output { to: Box::new(BufWriter::new(io::stdout().lock())) }
    }

    /// Standard output, by a pager if that is a terminal.
    #[cfg(target_os = "linux")]
    pub(crate) fn paged(by_pager: bool) -> Self {
        let by_pager = by_pager && io::stdout().is_terminal();
        match by_pager.then(Pager::of_environment).flatten() {
            Some(pager) => Output { to: Box::new(BufWriter::new(pager)) },
            None => Self::stdout(),
        }
    }

    pub(crate) fn stderr() -> Self {
        Output { to: Box::new(BufWriter::new(io::stderr())) }
    }

    pub(crate) fn file(file: File) -> Self {
        Output { to: Box::new(BufWriter::new(file)) }
    }

    /// Clears the screen of a terminal: the cursor goes to its corner, and all is erased.
    pub(crate) fn clear_screen(&mut self) -> io::Result<()> {
        self.to.write_all(b"\x1b[H\x1b[2J")
    }

    /// Writes words for a shell, which reads them, and separates them by characters that a
    /// terminal would obey. They are names of the program's own tables.
    pub(crate) fn for_shell(words: &[u8]) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(words)?;
        stdout.flush()
    }

    /// Where nothing is read.
    #[cfg(target_os = "linux")]
    pub(crate) fn nowhere() -> Self {
        Output { to: Box::new(io::sink()) }
    }

    /// Writes a text in a style of the terminal.
    pub(crate) fn styled(&mut self, style: Style, text: &str) -> io::Result<()> {
        self.to.write_all(style.sequence().as_bytes())?;
        self.write_all(text.as_bytes())?;
        self.to.write_all(PLAIN.as_bytes())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for chunk in bytes.utf8_chunks() {
            self.to.write_all(escaped(chunk.valid(), is_obeyed).as_bytes())?;
            // No text of Rust has them.
            for byte in chunk.invalid() {
                write!(self.to, "\\x{byte:02x}")?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Writes a text to standard error as one piece: other processes may write to the same
/// terminal or file. Unlike `eprintln!`, does not panic when standard error is closed.
pub(crate) fn tell(text: &str) {
    let _ = io::stderr().write_all(escaped(text, is_obeyed).as_bytes());
}

/// Whether standard error is a terminal.
#[cfg(target_os = "linux")]
pub(crate) fn is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Writes a help or a usage error, which has styles of its own in the second form. It
/// may quote an argument: if one has something in it that a terminal obeys, the styles
/// are left out. A reader that closes the pipe has seen enough.
pub(crate) fn help(is_error: bool, plain: &str, with_styles: &str) {
    let is_hostile = env::args_os().any(|word| word.to_string_lossy().contains(is_obeyed));
    let text = |stream: &dyn IsTerminal| match emphasises(stream) && !is_hostile {
        true => Cow::Borrowed(with_styles),
        false => escaped(plain, is_obeyed),
    };
    let _ = match is_error {
        true => io::stderr().write_all(text(&io::stderr()).as_bytes()),
        false => io::stdout().write_all(text(&io::stdout()).as_bytes()),
    };
}

/// A text from elsewhere that must neither end the line nor begin a column.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_obeyed(c) || c == '\n' || c == '\t')
}

fn escaped(text: &str, is_meant: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_meant) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 5);
    for c in text.chars() {
        match is_meant(c) {
            // All of them have four digits.
            true => drop(write!(shown, "\\u{:04x}", u32::from(c))),
            false => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "\u{1b}[31m\u{9b}2J\u{7f}\u{7}\r\0\u{202e}\u{2066}\u{61c}\u{2029}";

    #[test]
    fn what_a_terminal_obeys() {
        for (text, line, shown) in [
            ("plain µ", "plain µ", "plain µ"),
            ("a\n\tb", "a\\u000a\\u0009b", "a\n\tb"),
            ("\u{1b}]0;x\u{7}", "\\u001b]0;x\\u0007", "\\u001b]0;x\\u0007"),
            ("\u{85}\u{9f}\u{a0}", "\\u0085\\u009f\u{a0}", "\\u0085\\u009f\u{a0}"),
            ("\u{200d}\u{200e}\u{2069}", "\u{200d}\\u200e\\u2069", "\u{200d}\\u200e\\u2069"),
        ] {
            assert_eq!((&*one_line(text), &*escaped(text, is_obeyed)), (line, shown), "{text:?}");
        }
    }

    /// serde_json leaves all but the first 32 characters; what is written in their place
    /// stands for them.
    #[test]
    fn json_stands_for_the_same_text() {
        let text = format!("{HOSTILE}\n\t\"\\");
        let written = serde_json::to_string(&text).expect("it is text");
        let shown = escaped(&written, is_obeyed);
        assert!(!shown.contains(|c| is_obeyed(c) || c == '\n'), "{shown:?}");
        assert_eq!(serde_json::from_str::<String>(&shown).expect("it is JSON"), text);
    }
}
