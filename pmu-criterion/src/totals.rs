//! The events beside the one that criterion shows.

use std::fmt;

use crate::count::Counted;

/// What all events of a list have counted, as a table.
///
/// ```
/// use pmu_criterion::Pmu;
/// use pmu_events::System;
///
/// let pmu = Pmu::open(&System::new(), "duration_time,no_such_event")?;
/// pmu.custom(|| (0..10u64).sum::<u64>())(100);
/// let totals = pmu.take_totals();
/// assert!(totals.reading()["duration_time"].value()? > 0.0);
/// println!("{totals}"); // Also why `no_such_event` has no value.
/// # Ok::<(), pmu_criterion::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Totals {
    pub(crate) counted: Counted,
    /// The metrics: name, unit and value.
    pub(crate) metrics: Vec<(String, String, f64)>,
}

impl Totals {
    /// Returns the counts.
    #[must_use]
    pub fn reading(&self) -> &pmu_events::open::Reading {
        &self.counted.reading
    }

    /// Returns the number of iterations, if all of them are known ([`Pmu::custom`](crate::Pmu::custom)).
    #[must_use]
    pub fn iterations(&self) -> Option<u64> {
        Some(self.counted.iterations).filter(|&iterations| iterations > 0)
    }
}

/// Each event with its count, and that for each iteration, or for each of the first event.
impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let events = self.counted.reading.events();
        let first = events.first().and_then(|event| Some((event.name(), event.value().ok()?)));
        for (number, event) in events.iter().enumerate() {
            let (name, unit) = (event.name(), event.unit());
            let value = match event.value() {
                Ok(value) => value,
                Err(why) => {
                    writeln!(f, "{:>20} {name}: {why}", "unknown")?;
                    continue;
                }
            };
            let shown = |value: f64| match unit {
                "" => format!("{value:.0}"),
                unit => format!("{value:.6} {unit}"),
            };
            write!(f, "{:>20} {name}", shown(value))?;
            match (self.iterations(), &first) {
                (Some(iterations), _) => {
                    write!(f, ", {:.3} an iteration", value / iterations as f64)?;
                }
                (None, Some((of, first))) if number > 0 && *first > 0.0 => {
                    write!(f, ", {:.3} per {of}", value / first)?;
                }
                _ => {}
            }
            writeln!(f)?;
        }
        for (name, unit, value) in &self.metrics {
            writeln!(f, "{value:>20.3} {name}{}{unit}", if unit.is_empty() { "" } else { ", " })?;
        }
        Ok(())
    }
}
