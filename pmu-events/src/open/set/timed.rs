//! The count of an event in one place, with the times in which it could be counted.

use super::method::ReadMethod;
use super::pinned;
use crate::open::{Count, Error};

/// The count of a member of a group on one of its targets, or why it is unknown. Those of a
/// group are in the order of its targets, and on each in that of its members.
pub(super) type Read = Result<Timed, Error>;

/// A count whose enabled time is that in which it could be counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timed {
    pub(super) count: Count,
    pub(super) method: ReadMethod,
    /// The enabled time according to the kernel, wherever the task was.
    pub(super) enabled: u64,
    /// For how long it was pinned and had no counter. It counted nothing then.
    pub(super) in_error: u64,
    /// For how long its CPU was online while it was enabled.
    pub(super) online: u64,
}

impl Timed {
    /// A count that could be counted whenever it was enabled.
    pub(super) fn of(count: Count, method: ReadMethod) -> Self {
        let enabled = count.time_enabled;
        Timed { count, method, enabled, in_error: 0, online: enabled }
    }
}

/// What was counted since a reset, and how it was read. What was unknown then stays unknown.
pub(super) fn since(read: &Read, reset: Option<&Read>) -> Result<(Count, ReadMethod), Error> {
    let now = read.as_ref().map_err(Error::clone)?;
    let before = match reset {
        None => None,
        Some(Err(why)) => return Err(why.clone()),
        Some(Ok(before)) => Some(before),
    };
    let in_error = now.in_error.saturating_sub(before.map_or(0, |before| before.in_error));
    if !pinned::is_noise(in_error, now.enabled) {
        return Err(Error::pinned_out());
    }
    let count = match before {
        None => now.count,
        Some(before) => now.count.since(&before.count).ok_or_else(Error::went_backwards)?,
    };
    Ok((count, now.method))
}
