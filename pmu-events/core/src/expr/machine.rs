use super::identifier::Identifier;
use crate::event_list::Tool;

/// The facts about the machine that an expression may query, in addition to the
/// counts.
///
/// Every method defaults to an unknown answer. A formula that uses an unknown
/// literal has no value, and an unknown `has_event` is answered by whether the
/// event has a value.
///
/// ```
/// use pmu_events::event_list::Tool;
/// use pmu_events::expr::Machine;
///
/// struct TwoThreads;
///
/// impl Machine for TwoThreads {
///     fn literal(&self, literal: Tool) -> f64 {
///         match literal {
///             Tool::SmtOn => 1.0,
///             Tool::NumCpus => 8.0,
///             _ => f64::NAN,
///         }
///     }
/// }
/// assert_eq!(TwoThreads.literal(Tool::SmtOn), 1.0);
/// ```
pub trait Machine {
    /// Returns the value of a `#literal`; NaN if it is unknown. True is 1,
    /// false is 0, and frequencies are in hertz.
    fn literal(&self, literal: Tool) -> f64 {
        let _ = literal;
        f64::NAN
    }

    /// Whether the machine has an event (`has_event`); `None` if that is
    /// unknown.
    fn has_event(&self, event: Identifier<'_>) -> Option<bool> {
        let _ = event;
        None
    }

    /// Whether the machine's CPUID matches an identifier by the rules of its
    /// architecture's map file (`strcmp_cpuid_str`); `None` if that is unknown.
    fn cpuid_matches(&self, cpuid: Identifier<'_>) -> Option<bool> {
        let _ = cpuid;
        None
    }
}

/// An unknown machine.
///
/// ```
/// use pmu_events::expr::UnknownMachine;
/// use pmu_events::metric;
///
/// let formula = metric::parse("#num_cpus * 2").unwrap();
/// assert!(formula.evaluate_on(&UnknownMachine, |_| 0.0).is_nan());
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct UnknownMachine;

impl Machine for UnknownMachine {}

impl<M: Machine + ?Sized> Machine for &M {
    fn literal(&self, literal: Tool) -> f64 {
        (**self).literal(literal)
    }

    fn has_event(&self, event: Identifier<'_>) -> Option<bool> {
        (**self).has_event(event)
    }

    fn cpuid_matches(&self, cpuid: Identifier<'_>) -> Option<bool> {
        (**self).cpuid_matches(cpuid)
    }
}

/// The reading of an event.
///
/// A plain number converts to the reading of one counter, and NaN to that of an
/// unknown event.
///
/// ```
/// use pmu_events::expr::EventValue;
///
/// let reading = EventValue::from(12.0);
/// assert_eq!((reading.sources(), reading.aggregated()), (1.0, 1.0));
/// assert!(EventValue::from(f64::NAN).sources().is_nan());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventValue {
    pub(crate) value: f64,
    pub(crate) sources: f64,
    pub(crate) aggregated: f64,
}

impl EventValue {
    /// Sets the number of counters whose counts are summed (`source_count`).
    #[must_use]
    pub const fn with_sources(mut self, sources: f64) -> Self {
        self.sources = sources;
        self
    }

    /// Sets the number of counts aggregated in the value (`aggr_nr`).
    #[must_use]
    pub const fn with_aggregated(mut self, aggregated: f64) -> Self {
        self.aggregated = aggregated;
        self
    }

    /// Returns the scaled count; NaN if the event was not counted.
    #[must_use]
    pub const fn value(self) -> f64 {
        self.value
    }

    /// Returns the number of counters whose counts are summed (`source_count`), such as
    /// the boxes of an uncore PMU. NaN if the event is unknown.
    #[must_use]
    pub const fn sources(self) -> f64 {
        self.sources
    }

    /// Returns the number of counts aggregated in the value (`aggr_nr`), one for each
    /// CPU. NaN if the event is unknown.
    #[must_use]
    pub const fn aggregated(self) -> f64 {
        self.aggregated
    }

    /// The reading of an event that was not counted: it has no value and no
    /// sources (`prepare_metric` in `tools/perf/util/stat-shadow.c`).
    pub const NOT_COUNTED: Self = EventValue { value: f64::NAN, sources: 0.0, aggregated: 0.0 };

    /// The reading of an unknown event: all its fields are NaN (`handle_id` in
    /// `tools/perf/util/expr.y`).
    pub const UNKNOWN: Self =
        EventValue { value: f64::NAN, sources: f64::NAN, aggregated: f64::NAN };
}

impl From<f64> for EventValue {
    #[inline]
    fn from(value: f64) -> Self {
        if value.is_nan() {
            return Self::UNKNOWN;
        }
        EventValue { value, sources: 1.0, aggregated: 1.0 }
    }
}
