//! Counts in a file of perf's format: `stat record` and `stat report`.
//!
//! ```text
//! Reading ─▶ recorder ─▶ perf.data ─▶ replay ─▶ Lines, Runs ─▶ report
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`recorder`] | counts into a file, beside the output |
//! | [`replay`](mod@replay) | the output from a file |
//! | [`places`] | which CPUs share a line, as the file says |
//! | [`modes`] | the numbers of what shares a line |

mod modes;
mod places;
mod recorder;
mod replay;

pub(crate) use recorder::Recorder;
pub(crate) use replay::{ReplayArgs, replay};
