//! One line for each thing that was expected.

use std::fmt::Display;

/// The rows so far.
pub(crate) struct Report {
    rows: usize,
    failed: usize,
}

impl Report {
    pub(crate) fn new() -> Self {
        Report { rows: 0, failed: 0 }
    }

    /// A row: the host reads it from the console, where the kernel may write,
    /// too.
    pub(crate) fn check(
        &mut self,
        event: impl Display,
        expected: impl Display,
        counted: impl Display,
        holds: bool,
    ) {
        self.rows += 1;
        self.failed += usize::from(!holds);
        let verdict = if holds { "ok" } else { "FAILED" };
        println!("@row\t{event}\t{expected}\t{counted}\t{verdict}");
    }

    /// What must be equal.
    pub(crate) fn equal<T: PartialEq + Display>(
        &mut self,
        event: impl Display,
        expected: T,
        counted: T,
    ) {
        let holds = expected == counted;
        self.check(event, expected, counted, holds);
    }

    /// A text that must be part of another.
    pub(crate) fn says(&mut self, event: impl Display, expected: &str, said: &str) {
        self.check(event, expected, said.replace(['\n', '\t'], " "), said.contains(expected));
    }

    /// The last line, by which the host knows that none is missing.
    pub(crate) fn end(&self) {
        println!("@end\t{}\t{}", self.rows, self.failed);
    }
}
