//! When counts are written.

use std::time::Duration;

/// When counts are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// At the end of an interval.
    Interval(Duration),
    /// At the end of a run.
    End,
    /// At the end of a run with `--summary`.
    Summary,
}

impl When {
    /// The same for a line that does not begin with the word for a summary.
    pub(super) fn without_word(self) -> Self {
        if self == When::Summary { When::End } else { self }
    }
}
