use super::identifier::Identifier;
use super::item::Literal;

/// What an expression asks of the machine, apart from the counts.
///
/// Every method has a default: not known. Then a formula that asks for a
/// literal has no value, and `has_event` is answered by whether the event has a
/// value.
///
/// ```
/// use pmu_events::expr::{Literal, Machine};
///
/// struct TwoThreads;
///
/// impl Machine for TwoThreads {
///     fn literal(&self, literal: Literal) -> f64 {
///         match literal {
///             Literal::SmtOn => 1.0,
///             Literal::NumCpus => 8.0,
///             _ => f64::NAN,
///         }
///     }
/// }
/// assert_eq!(TwoThreads.literal(Literal::SmtOn), 1.0);
/// ```
pub trait Machine {
    /// The value of a `#literal`; NaN where it is not known. Truths are 1 and
    /// 0, frequencies hertz.
    fn literal(&self, literal: Literal) -> f64 {
        let _ = literal;
        f64::NAN
    }

    /// Whether the machine has an event (`has_event`); `None` where that is
    /// not known.
    fn has_event(&self, event: Identifier<'_>) -> Option<bool> {
        let _ = event;
        None
    }

    /// Whether the machine's CPUID matches an identifier by the rules of its
    /// architecture's map file (`strcmp_cpuid_str`); `None` where that is not
    /// known.
    fn cpuid_matches(&self, cpuid: Identifier<'_>) -> Option<bool> {
        let _ = cpuid;
        None
    }
}

/// A machine of which nothing is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnknownMachine;

impl Machine for UnknownMachine {}

impl<M: Machine + ?Sized> Machine for &M {
    fn literal(&self, literal: Literal) -> f64 {
        (**self).literal(literal)
    }

    fn has_event(&self, event: Identifier<'_>) -> Option<bool> {
        (**self).has_event(event)
    }

    fn cpuid_matches(&self, cpuid: Identifier<'_>) -> Option<bool> {
        (**self).cpuid_matches(cpuid)
    }
}

/// What was counted of an event. A plain number is one, too: of one counter, and
/// NaN of an event that is not known.
///
/// ```
/// use pmu_events::expr::EventValue;
///
/// let reading = EventValue::from(12.0);
/// assert_eq!((reading.sources, reading.aggregated), (1.0, 1.0));
/// assert!(EventValue::from(f64::NAN).sources.is_nan());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventValue {
    /// The count, scaled; NaN where it was not counted.
    pub value: f64,
    /// How many counters it is the sum of (`source_count`): the boxes of an
    /// uncore PMU. NaN where the event is not known.
    pub sources: f64,
    /// How many counts are aggregated in it (`aggr_nr`): its CPUs. NaN where the
    /// event is not known.
    pub aggregated: f64,
}

impl EventValue {
    /// Of an event that is known and was not counted: it has no value, and no
    /// sources (`prepare_metric` in `tools/perf/util/stat-shadow.c`).
    pub const NOT_COUNTED: Self = EventValue { value: f64::NAN, sources: 0.0, aggregated: 0.0 };

    /// Of an event that is not known: whatever is asked about it is NaN
    /// (`handle_id` in `tools/perf/util/expr.y`).
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
