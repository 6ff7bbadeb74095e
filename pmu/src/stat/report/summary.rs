//! The summary that accompanies the rows.

use std::time::Duration;

use crate::stat::rows::Runs;

/// The summary that accompanies the rows.
pub(crate) struct Summary<'s> {
    /// What was counted: a command or tasks.
    pub(crate) subject: &'s str,
    pub(crate) runs: &'s Runs,
    /// The time that the command spent in user space and in the kernel.
    pub(crate) spent: Option<(Duration, Duration)>,
    /// Notes on single events.
    pub(crate) notes: &'s [String],
}
