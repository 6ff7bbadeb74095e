//! Which retirement latencies formulas take.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::LatencyOf;
use crate::Model;
use crate::event::LatencyStatistic;
use pmu_events_core::__private::name;

/// Which retirement latencies formulas take for `EVENT:R`: by default the mean that the
/// tables state, which was measured for the tree's author, with other programs and
/// perhaps on another machine. A caller can select the minimum or the maximum, or
/// state latencies of its own: those that it has from samples (`var3_w` of
/// `PERF_SAMPLE_WEIGHT_STRUCT`; perf's `retire_lat`).
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::arch::x86;
/// use pmu_events::event::LatencyStatistic;
/// use pmu_events::metric::{Latencies, LatencyOf, LatencySource};
///
/// let of = LatencyOf::parse("MEM_INST_RETIRED.LOCK_LOADS:R").unwrap();
/// let mean = Latencies::new().find([x86::GRANITERAPIDS], of).unwrap();
/// assert_eq!((mean.cycles(), mean.is_estimate()), (63.76, true));
///
/// let most = Latencies::new().with_statistic(LatencyStatistic::Max);
/// assert_eq!(most.find([x86::GRANITERAPIDS], of).unwrap().cycles(), 5156.0);
///
/// let sampled = most.with_cycles("MEM_INST_RETIRED.LOCK_LOADS", 41.5);
/// let latency = sampled.find([x86::GRANITERAPIDS], of).unwrap();
/// assert_eq!((latency.cycles(), latency.source()), (41.5, LatencySource::Caller));
///
/// // The tables of Lunar Lake state none.
/// assert_eq!(Latencies::new().find([x86::LUNARLAKE], of), None);
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Latencies {
    statistic: LatencyStatistic,
    /// Events as [`LatencyOf::of_event`] takes them.
    stated: Vec<(String, f64)>,
}

/// A retirement latency.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::arch::x86;
/// use pmu_events::metric::{Latencies, LatencyOf};
///
/// let of = LatencyOf::parse("MEM_INST_RETIRED.LOCK_LOADS:R").unwrap();
/// let latency = Latencies::new().find([x86::GRANITERAPIDS], of).unwrap();
/// assert_eq!((latency.cycles(), latency.is_estimate()), (63.76, true));
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Latency {
    pub(crate) cycles: f64,
    pub(crate) source: LatencySource,
}

impl Latency {
    /// Returns the number of cycles.
    #[must_use]
    pub fn cycles(self) -> f64 {
        self.cycles
    }

    /// Returns where it comes from.
    #[must_use]
    pub fn source(self) -> LatencySource {
        self.source
    }
}

/// Where a retirement latency comes from.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::arch::x86;
/// use pmu_events::metric::{Latencies, LatencyOf, LatencySource};
///
/// let of = LatencyOf::parse("MEM_INST_RETIRED.LOCK_LOADS:R").unwrap();
/// let sampled = Latencies::new().with_cycles("MEM_INST_RETIRED.LOCK_LOADS", 41.5);
/// assert_eq!(sampled.find([x86::GRANITERAPIDS], of).unwrap().source(), LatencySource::Caller);
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LatencySource {
    /// The tables, which state the results of measurements.
    Table(LatencyStatistic),
    /// The caller ([`Latencies::with_cycles`]).
    Caller,
}

impl Latency {
    /// Whether it was measured elsewhere, so that what a formula makes of it is an
    /// estimate: whether it is from the tables.
    #[must_use]
    pub fn is_estimate(self) -> bool {
        matches!(self.source, LatencySource::Table(_))
    }
}

impl Latencies {
    /// States none.
    #[cfg(feature = "std")]
    pub(crate) const NOTHING: Self =
        Latencies { statistic: LatencyStatistic::Mean, stated: Vec::new() };

    /// Takes the means of the tables.
    #[must_use]
    pub fn new() -> Self {
        Latencies::default()
    }

    /// Takes another statistic of the tables.
    #[must_use]
    pub fn with_statistic(self, statistic: LatencyStatistic) -> Self {
        Latencies { statistic, ..self }
    }

    /// States the latency of an event, `EVENT` or `pmu/EVENT/`, in cycles; the last
    /// statement counts. The event's formulas have no value if the number is negative
    /// or not finite.
    #[must_use]
    pub fn with_cycles(mut self, event: &str, cycles: f64) -> Self {
        self.stated.push((event.to_string(), cycles));
        self
    }

    /// Returns the statistic that is taken of the tables.
    #[must_use]
    pub fn statistic(&self) -> LatencyStatistic {
        self.statistic
    }

    /// Returns the events whose latencies are stated, with the cycles.
    pub fn stated(&self) -> impl Iterator<Item = (LatencyOf<'_>, f64)> {
        self.stated.iter().map(|(event, cycles)| (LatencyOf::of_event(event), *cycles))
    }

    /// Finds a latency: a stated one, or otherwise that of the first model that has one.
    /// `None` if there is none.
    #[must_use]
    pub fn find(
        &self,
        models: impl IntoIterator<Item = Model>,
        of: LatencyOf<'_>,
    ) -> Option<Latency> {
        let is_it = |event: LatencyOf<'_>| {
            // A metric of a tree with one kind of core names no PMU.
            let is_on = |pmu: &str| of.pmu().is_none_or(|own| own == pmu);
            name::eq(event.event(), of.event()) && event.pmu().is_none_or(is_on)
        };
        let stated = self.stated().filter(|(event, _)| is_it(*event)).last();
        let latency = match stated {
            Some((_, cycles)) => Latency { cycles, source: LatencySource::Caller },
            None => {
                let of_table = |model: Model| {
                    model.event_of_latency(of)?.retirement_latency()?.cycles(self.statistic)
                };
                let cycles = models.into_iter().find_map(of_table)?;
                Latency { cycles, source: LatencySource::Table(self.statistic) }
            }
        };
        (latency.cycles.is_finite() && latency.cycles >= 0.0).then_some(latency)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last statement that is about the operand.
    #[test]
    fn stated_latencies() {
        let stated = Latencies::new()
            .with_cycles("A", 1.0)
            .with_cycles("cpu_core/B/", 2.0)
            .with_cycles("b", 3.0)
            .with_cycles("cpu_atom/B/", 4.0)
            .with_cycles("C", -1.0)
            .with_cycles("D", f64::INFINITY)
            .with_cycles("E", 5.0)
            .with_cycles("E", f64::NAN);
        let cases = [
            ("A:R", Some(1.0)),
            ("a:pR", Some(1.0)),
            ("cpu_core/A/R", Some(1.0)),
            ("cpu_core/B/R", Some(3.0)),
            ("cpu_atom/B/R", Some(4.0)),
            ("B:R", Some(4.0)),
            ("C:R", None),
            ("D:R", None),
            ("E:R", None),
            ("F:R", None),
        ];
        for (operand, expected) in cases {
            let of = LatencyOf::parse(operand).expect("it has the modifier");
            let found = stated.find([], of).map(|latency| latency.cycles);
            assert_eq!(found, expected, "{operand}");
        }
    }
}
