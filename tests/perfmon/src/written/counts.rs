//! What the events of perfmon's formulas count.

use pmu_events_core::Model;

use super::spelling::spelt;
use crate::situations::{Counted, Run};

/// The count of an event with perfmon's options.
///
/// # Errors
///
/// Says what is not known of it.
pub(super) fn count(written: &str, pmu: &str, model: Model, run: &Run) -> Result<f64, String> {
    let spelt = spelt(&written.to_ascii_lowercase(), model)?;
    Ok(run.count(&Counted::of(&spelt, pmu, [model, model])))
}
