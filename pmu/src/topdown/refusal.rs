//! Why nothing was counted.

use crate::stat::Failure;
use crate::system::System;

/// Why nothing was counted, and the likely cause.
pub(super) fn refusal(message: &str, system: &System) -> Failure {
    let notes = system.excuses().into_iter().map(|excuse| format!("\npmu topdown: note: {excuse}"));
    Failure::Cannot(format!("{message}; nothing was counted{}", notes.collect::<String>()))
}
