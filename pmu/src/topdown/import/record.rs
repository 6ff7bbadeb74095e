//! What a line says.

/// The count of an event.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Record {
    /// The end of the interval, in seconds; `None` for a whole run.
    pub(super) interval: Option<f64>,
    /// Whether it is that of all intervals.
    pub(super) is_summary: bool,
    /// The unit, as a line names it: a core, a socket, a thread.
    pub(super) unit: Option<String>,
    pub(super) cgroup: Option<String>,
    pub(super) event: String,
    pub(super) unit_of_value: String,
    /// `None` if it was not counted.
    pub(super) value: Option<f64>,
    /// The part of the time in which it was counted, from 0 to 1.
    pub(super) running: f64,
    /// The CPUs that it says were used, if it is a clock.
    pub(super) cpus_used: Option<f64>,
}

/// The words beside the count of a clock.
pub(super) const CPUS_USED: &str = "CPUs utilized";

/// A count, or one of perf's two words for none.
pub(super) fn value(text: &str) -> Result<Option<f64>, String> {
    match text.trim() {
        "<not counted>" | "<not supported>" => Ok(None),
        number => match number.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Some(value)),
            _ => Err(format!("`{text}` is not a count")),
        },
    }
}

/// Percent, as a part of 1.
pub(super) fn running(percent: f64) -> Result<f64, String> {
    match (0.0..=100.0).contains(&percent) {
        true => Ok(percent / 100.0),
        false => Err(format!("`{percent}` is not a percentage of the time")),
    }
}
