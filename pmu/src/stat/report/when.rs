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
