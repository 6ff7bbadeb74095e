//! The sum of an event over the instances of its PMU.

use std::borrow::Cow;
use std::string::{String, ToString};
use std::vec::Vec;

use super::instances::merged;
use super::outcome::Outcome;
use super::reading::{EventReading, Lack, Reading};
use crate::open::{Error, ErrorKind, Target};

/// An event, summed over the instances of its PMU as `perf stat` shows it:
/// `uncore_imc/cas_count_read/` is one event on each memory controller.
///
/// ```
/// use pmu_events::System;
///
/// let mut counters = System::new().open("duration_time,no_such_event")?;
/// counters.enable()?;
/// for sum in counters.read().sums() {
///     match sum.value() {
///         Ok(value) => println!("{}: {value} {}", sum.name(), sum.unit()),
///         Err(why) => println!("{}: {why}", sum.name()),
///     }
/// }
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sum<'r> {
    instances: Vec<&'r EventReading>,
}

/// A part of a sum whose count is unknown, and the reason.
///
/// ```
/// use pmu_events::System;
///
/// let mut counters = System::new().open("duration_time")?;
/// let (_, reading) = counters.count(|| ())?;
/// for lacking in reading.sums().iter().flat_map(|sum| sum.lacking()) {
///     println!("{lacking:?}");
/// }
/// # Ok::<(), pmu_events::open::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LackingInstance {
    pub(crate) pmu: Option<String>,
    pub(crate) target: Option<Target>,
    pub(crate) why: Error,
}

impl LackingInstance {
    /// Returns the PMU; `None` if the event has none.
    #[must_use]
    pub fn pmu(&self) -> Option<&str> {
        self.pmu.as_deref()
    }

    /// Returns the task or CPU; `None` if the whole instance is lacking.
    #[must_use]
    pub fn target(&self) -> Option<Target> {
        self.target
    }

    /// Returns why its count is unknown.
    #[must_use]
    pub fn why(&self) -> &Error {
        &self.why
    }
}

impl Reading {
    /// Returns the events, with the instances of a PMU outside the cores as one sum.
    #[must_use]
    pub fn sums(&self) -> Vec<Sum<'_>> {
        let mut sums = Vec::new();
        for places in merged(self.events.len(), &|n| self.events[n].event()) {
            let mut instances = Vec::with_capacity(places.len());
            for place in places {
                instances.push(&self.events[place]);
            }
            sums.push(Sum { instances });
        }
        sums
    }
}

impl<'r> Sum<'r> {
    /// Creates the sum of some readings. An empty sum is not supported.
    #[must_use]
    pub fn of(instances: impl IntoIterator<Item = &'r EventReading>) -> Self {
        Sum { instances: instances.into_iter().collect() }
    }

    /// Returns the readings that are summed.
    #[must_use]
    pub fn instances(&self) -> &[&'r EventReading] {
        &self.instances
    }

    /// Returns the name of the event.
    #[must_use]
    pub fn name(&self) -> Cow<'r, str> {
        self.instances.first().map_or(Cow::Borrowed(""), |first| first.event().name())
    }

    /// Returns the unit of the value, or an empty string.
    #[must_use]
    pub fn unit(&self) -> &'r str {
        // A missing instance has no unit.
        for one in &self.instances {
            if one.event().resolved().is_some() {
                return one.event().unit();
            }
        }
        ""
    }

    /// Returns the outcome of all instances together.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let mut all = None;
        for instance in &self.instances {
            let outcome = instance.outcome();
            all = Some(match all {
                Some(all) => Outcome::and(all, outcome),
                None => outcome,
            });
        }
        all.unwrap_or(Outcome::NotSupported)
    }

    /// Returns the parts whose count is unknown.
    #[must_use]
    pub fn lacking(&self) -> Vec<LackingInstance> {
        let mut all = Vec::new();
        for instance in &self.instances {
            let event = instance.event();
            let pmu = event.pmu_name().map(String::from);
            if let Some(why) = event.refusal() {
                all.push(LackingInstance { pmu, target: None, why: why.clone() });
                continue;
            }
            for Lack { target, why } in instance.lacking() {
                all.push(LackingInstance { pmu: pmu.clone(), target: Some(target), why });
            }
        }
        all
    }

    /// Returns the value in the event's unit.
    ///
    /// # Errors
    ///
    /// Returns the reason if there is no value; a sum that lacks an instance is an error
    /// of kind [`ErrorKind::Partial`].
    pub fn value(&self) -> Result<f64, Error> {
        match self.outcome() {
            Outcome::Counted(_) => {
                let mut sum = 0.0;
                for one in &self.instances {
                    sum += one.value()?;
                }
                Ok(sum)
            }
            Outcome::Partial(_) => Err(match self.lacking().first() {
                Some(lack) => Error::partial(&lack.to_string(), &lack.why),
                None => Error::never_scheduled(),
            }),
            _ => {
                let mut first = None;
                for one in &self.instances {
                    match one.value() {
                        Err(error) if error.kind() != ErrorKind::NeverScheduled => {
                            return Err(error);
                        }
                        Err(error) => first = first.or(Some(error)),
                        Ok(_) => {}
                    }
                }
                Err(first.unwrap_or_else(Error::never_scheduled))
            }
        }
    }
}

impl core::fmt::Display for LackingInstance {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match (&self.pmu, &self.target) {
            (Some(pmu), Some(target)) => write!(f, "PMU `{pmu}` on {target}"),
            (Some(pmu), None) => write!(f, "PMU `{pmu}`"),
            (None, Some(target)) => target.fmt(f),
            (None, None) => f.write_str("an instance"),
        }
    }
}
