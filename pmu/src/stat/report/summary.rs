//! What stands beside the rows.

use std::time::Duration;

use crate::stat::rows::Runs;

/// Beside the rows.
pub(crate) struct Summary<'s> {
    /// What was counted: a command or tasks.
    pub(crate) subject: &'s str,
    pub(crate) runs: &'s Runs,
    /// What the command has spent in user space and in the kernel.
    pub(crate) spent: Option<(Duration, Duration)>,
    /// What has to be said of single events.
    pub(crate) notes: &'s [String],
}
