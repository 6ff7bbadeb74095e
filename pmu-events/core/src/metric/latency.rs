//! Retirement latencies as operands of formulas.

use core::fmt;

use crate::event_list::{Modifier, Modifiers};
use crate::expr::Identifier;

/// The retirement latency of an event, as an operand of a formula: `EVENT:R`, or
/// `pmu/EVENT/R`.
///
/// The latency is the mean number of cycles from the retirement of the instruction before
/// to that of the instruction that caused the event. No counter counts it: samples have
/// it, and trees have what was measured for them
/// ([`Event::retirement_latency`](crate::Event::retirement_latency)). perf takes it from
/// samples beside the counters (`tools/perf/util/intel-tpebs.c`); without such, perf 6.12
/// takes 0, as if the event cost nothing, and later versions what the tree has.
///
/// ```
/// use pmu_events::arch::x86;
/// use pmu_events::event::LatencyStatistic;
/// use pmu_events::metric::LatencyOf;
///
/// let metric = x86::GRANITERAPIDS.metric("tma_lock_latency").unwrap();
/// // A latency is not among the events to count.
/// let events: Vec<_> = metric.events().map(|event| event.to_string()).collect();
/// assert_eq!(events, ["MEM_INST_RETIRED.LOCK_LOADS", "CPU_CLK_UNHALTED.THREAD"]);
///
/// let operand = metric.latencies().next().unwrap();
/// assert_eq!(operand.as_str(), "MEM_INST_RETIRED.LOCK_LOADS:R");
/// let latency = LatencyOf::parse(operand.as_str()).unwrap();
/// let event = x86::GRANITERAPIDS.event_of_latency(latency).unwrap();
/// let cycles = event.retirement_latency().unwrap().cycles(LatencyStatistic::Mean).unwrap();
///
/// let share = metric.evaluate(|operand| match operand.as_str() {
///     "MEM_INST_RETIRED.LOCK_LOADS:R" => cycles,
///     "MEM_INST_RETIRED.LOCK_LOADS" => 1e6,
///     _ => 1e9, // cycles
/// });
/// assert_eq!(share, 100.0 * (1e6 * cycles / 1e9));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LatencyOf<'a> {
    pub(crate) pmu: Option<&'a str>,
    pub(crate) event: &'a str,
}

impl<'a> LatencyOf<'a> {
    /// Returns the PMU, if the operand names one.
    #[must_use]
    pub const fn pmu(self) -> Option<&'a str> {
        self.pmu
    }

    /// Returns the event's name, or whatever else is between the slashes.
    #[must_use]
    pub const fn event(self) -> &'a str {
        self.event
    }

    /// Names the latency of an event, written `EVENT` or `pmu/EVENT/`.
    #[must_use]
    pub fn of_event(event: &'a str) -> Self {
        match event.split_once('/') {
            Some((pmu, rest)) => {
                LatencyOf { pmu: Some(pmu), event: rest.strip_suffix('/').unwrap_or(rest) }
            }
            None => LatencyOf { pmu: None, event },
        }
    }

    /// Reads an operand of a formula ([`Identifier::as_str`]). Returns `None` if the
    /// operand lacks the modifier `R`, and so is no retirement latency.
    ///
    /// ```
    /// use pmu_events::metric::LatencyOf;
    ///
    /// let of = |text| LatencyOf::parse(text).map(|latency| (latency.pmu(), latency.event()));
    /// assert_eq!(of("RET.LOADS:R"), Some((None, "RET.LOADS")));
    /// assert_eq!(of("RET.LOADS:pR"), Some((None, "RET.LOADS")));
    /// assert_eq!(of("cpu_core/RET.LOADS/R"), Some((Some("cpu_core"), "RET.LOADS")));
    /// assert_eq!(of("RET.LOADS:u"), None);
    /// assert_eq!(of("RET.R"), None);
    /// ```
    #[must_use]
    pub fn parse(operand: &'a str) -> Option<Self> {
        let (event, modifiers) = operand.rsplit_once([':', '/'])?;
        let modifiers = modifiers.parse::<Modifiers>().ok()?;
        modifiers.contains(Modifier::RetireLatency).then(|| LatencyOf::of_event(event))
    }

    /// Whether an identifier is a retirement latency.
    pub(super) fn is_one(identifier: Identifier<'_>) -> bool {
        LatencyOf::parse(identifier.as_str()).is_some()
    }
}

/// The event: `EVENT` or `pmu/EVENT/`.
impl fmt::Display for LatencyOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pmu {
            Some(pmu) => write!(f, "{pmu}/{}/", self.event),
            None => f.write_str(self.event),
        }
    }
}
