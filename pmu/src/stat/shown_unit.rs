//! The unit in which a line shows its count: that of perf, since programs read it, which
//! for times is not that of the library; or what one count stands for where perf has none.

use pmu_events::event::{CountUnit, Quantity};
use pmu_events::resolve::Resolved;

/// The factor of a count, and the unit.
pub(crate) fn of(resolved: &Resolved) -> (f64, &str) {
    match stated(resolved) {
        Some(unit) => (unit.factor(), name(unit)),
        None => resolved.perf_unit(),
    }
}

/// What one count of an event stands for, where neither its table's scale unit nor the
/// driver says so.
pub(crate) fn stated(resolved: &Resolved) -> Option<CountUnit> {
    if resolved.perf_unit() != (1.0, "") {
        return None;
    }
    let event = resolved.table_event().filter(|event| event.scale_unit().is_none())?;
    event.count_unit().filter(|unit| !unit.is_one())
}

/// The unit of a count that was multiplied, as perf's scale units write it.
fn name(unit: CountUnit) -> &'static str {
    match unit.quantity() {
        Quantity::Occurrences => "",
        other => other.name(),
    }
}
