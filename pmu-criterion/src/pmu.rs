//! The measurement: counters of the thread that runs the benchmarks.

use std::cell::RefCell;
use std::fmt;
use std::hint::black_box;
use std::rc::Rc;

use criterion::measurement::{Measurement, ValueFormatter};
use pmu_events::measure::Plan;
use pmu_events::open::{Counters, Options, Reading};
use pmu_events::{Scope, System};

use crate::count::Counted;
use crate::error::Error;
use crate::totals::Totals;
use crate::units::Unit;

/// Open counters, as criterion's measurement. A clone is the same counters.
///
/// ```
/// use criterion::Criterion;
/// use pmu_criterion::Pmu;
/// use pmu_events::System;
///
/// let pmu = Pmu::open(&System::new(), "duration_time")?; // It needs no rights.
/// let criterion = Criterion::default().with_measurement(pmu);
/// # drop(criterion);
/// # Ok::<(), pmu_criterion::Error>(())
/// ```
#[derive(Clone)]
pub struct Pmu {
    counters: Rc<Counters>,
    plan: Option<Rc<Plan>>,
    unit: Rc<Unit>,
    takes_estimates: bool,
    totals: Rc<RefCell<Counted>>,
    /// A reading to be read into: what it allocated would be counted.
    spare: Rc<RefCell<Reading>>,
}

impl fmt::Debug for Pmu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pmu").field("events", &self.counters.events()).finish()
    }
}

impl Pmu {
    /// Opens a list of events, as `perf stat -e` takes it, or a metric of this machine's CPU, by
    /// its name. criterion measures the first event, or the metric.
    ///
    /// # Errors
    ///
    /// Returns the reason if the text is not a list of events, if the kernel refuses an event, or
    /// if the first event or the metric has no value here.
    pub fn open(system: &System, wanted: &str) -> Result<Self, Error> {
        let metric = system.models().into_iter().find_map(|model| model.metric(wanted));
        let (counters, plan) = match metric {
            Some(metric) => {
                let plan = Plan::new([metric], system, &Scope::ThisThread);
                (plan.open(&Options::new())?, Some(Rc::new(plan)))
            }
            None => (system.open(wanted)?, None),
        };
        Pmu::of(counters, plan, wanted)
    }

    fn of(mut counters: Counters, plan: Option<Rc<Plan>>, wanted: &str) -> Result<Self, Error> {
        counters.enable()?;
        let before = counters.read();
        // Enough for each event to get a counter.
        black_box((0..100_000).fold(0u64, |sum, n| black_box(sum ^ n)));
        let tried = counters.read().since(&before);
        let unit = match &plan {
            None => {
                let Some(first) = tried.events().first() else {
                    return Err(Error::new("the list has no event".to_owned()));
                };
                first.value()?;
                Unit::of_event(&first.name(), first.unit())
            }
            Some(plan) => {
                for event in &tried {
                    event.value()?;
                }
                if let Some(missing) = plan.missing().first() {
                    return Err(Error::new(format!("`{wanted}`: {}", missing.error())));
                }
                let values = plan.values(&tried);
                let known = values.first().filter(|value| !value.value().is_nan());
                let Some(value) = known else {
                    return Err(Error::new(format!(
                        "`{wanted}` has no value for the loop that tries it"
                    )));
                };
                Unit::of_metric(&value.request().name(), value.unit())
            }
        };
        Ok(Pmu {
            counters: Rc::new(counters),
            plan,
            unit: Rc::new(unit),
            takes_estimates: false,
            totals: Rc::default(),
            spare: Rc::default(),
        })
    }

    /// Takes values that are estimates, because other events had the counters for some of the
    /// time. Without this, such a value stops the benchmark.
    #[must_use]
    pub fn with_estimates(self) -> Self {
        Pmu { takes_estimates: true, ..self }
    }

    /// Returns a routine for [`Bencher::iter_custom`](criterion::Bencher::iter_custom) that counts
    /// iterations of some work together, and tells their number, which a metric needs.
    ///
    /// ```
    /// use pmu_criterion::Pmu;
    /// use pmu_events::System;
    ///
    /// let pmu = Pmu::open(&System::new(), "duration_time")?;
    /// let mut routine = pmu.custom(|| (0..10u64).sum::<u64>());
    /// routine(100); // criterion does this.
    /// assert_eq!(pmu.take_totals().iterations(), Some(100));
    /// # Ok::<(), pmu_criterion::Error>(())
    /// ```
    pub fn custom<T>(&self, mut work: impl FnMut() -> T) -> impl FnMut(u64) -> Counted {
        let pmu = self.clone();
        move |iterations| {
            let before = pmu.start();
            for _ in 0..iterations {
                black_box(work());
            }
            let mut counted = pmu.since(&before);
            counted.iterations = iterations;
            pmu.note(&counted);
            counted
        }
    }

    /// Returns what all events have counted since the last call, in benchmarks of all clones,
    /// including the iterations with which criterion warms up.
    #[must_use]
    pub fn take_totals(&self) -> Totals {
        let counted = self.totals.take();
        let values = self.plan.iter().flat_map(|plan| {
            let values = plan.values(&counted.reading).into_iter();
            values.map(|one| (one.request().name(), one.unit().to_owned(), one.value()))
        });
        Totals { metrics: values.collect(), counted }
    }

    fn since(&self, before: &Reading) -> Counted {
        let mut after = self.spare.borrow_mut();
        self.counters.read_into(&mut after);
        let mut reading = after.clone();
        reading.subtract(before);
        Counted { reading, iterations: 0 }
    }

    fn note(&self, counted: &Counted) {
        let mut totals = self.totals.borrow_mut();
        *totals = totals.and(counted);
    }

    /// The value for all iterations together.
    fn value(&self, counted: &Counted) -> Result<f64, Error> {
        // Nothing has been counted.
        let Some(first) = counted.reading.events().first() else { return Ok(0.0) };
        let Some(plan) = &self.plan else {
            let is_exact = !self.takes_estimates;
            return Ok(if is_exact { first.exact()? } else { first.value()? });
        };
        for event in &counted.reading {
            let _ = if self.takes_estimates { event.value()? } else { event.exact()? };
        }
        let values = plan.values(&counted.reading);
        let Some(value) = values.first() else { return Ok(0.0) };
        if counted.iterations == 0 {
            let name = value.request().name();
            return Err(Error::new(format!(
                "`{name}` is a metric, which needs the number of iterations: \
                 use `b.iter_custom(pmu.custom(…))` instead of `b.iter(…)`"
            )));
        }
        Ok(value.value() * counted.iterations as f64)
    }
}

impl Measurement for Pmu {
    type Intermediate = Reading;
    type Value = Counted;

    fn start(&self) -> Reading {
        self.counters.read()
    }

    fn end(&self, before: Reading) -> Counted {
        let counted = self.since(&before);
        self.note(&counted);
        counted
    }

    fn add(&self, one: &Counted, other: &Counted) -> Counted {
        one.and(other)
    }

    fn zero(&self) -> Counted {
        Counted::default()
    }

    /// # Panics
    ///
    /// If there is no value, with the reason: criterion has no other way to learn of it.
    fn to_f64(&self, counted: &Counted) -> f64 {
        self.value(counted).unwrap_or_else(|why| panic!("{why}"))
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        &*self.unit
    }
}

#[cfg(test)]
mod tests {
    use pmu_events::measure::Formulas;

    use super::*;

    /// criterion's own loop does not tell the iterations, without which a metric means nothing.
    #[test]
    fn metrics_need_iterations() {
        let system = System::new();
        let formulas: Formulas = "twice = duration_time / duration_time + 1".parse().unwrap();
        let plan = Plan::new(formulas.bind(&system).unwrap(), &system, &Scope::ThisThread);
        let counters = plan.open(&Options::new()).unwrap();
        let pmu = Pmu::of(counters, Some(Rc::new(plan)), "twice").unwrap();
        let refused = pmu.value(&pmu.end(pmu.start())).unwrap_err();
        assert!(refused.of_event().is_none());
        assert!(refused.to_string().contains("`b.iter_custom(pmu.custom(…))`"), "{refused}");
        let counted = pmu.custom(|| ())(8);
        assert_eq!(pmu.value(&counted).unwrap(), 16.0);
        assert_eq!(pmu.take_totals().metrics[0].2, 2.0);
    }
}
