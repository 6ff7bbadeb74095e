//! What this crate shares with the macro's expansion, the command `pmu` and the project's own
//! tests. Not a public interface: it may change in any version.

pub use pmu_events_core::__private::*;

#[cfg(feature = "open")]
pub use crate::open::set::instances::instances;

/// The reader of files: what users of `pmu` name is read by the same rules.
#[cfg(feature = "std")]
pub mod file {
    pub use crate::file::{Kind, entries, numbers, of_procfs, of_sysfs, of_user};
}

#[cfg(feature = "check")]
pub use crate::digits::separated;

/// Sets of events in groups that fit the counters, and where an event is counted.
#[cfg(feature = "metrics")]
pub mod planner {
    pub use crate::planner::demand::{Place, event_of, is_of_msr};
    pub use crate::planner::pack::{Group, Packing, Part, Placement};
}

/// Which metrics can be measured at the same time, and what is known of one beside a tree.
#[cfg(feature = "metrics")]
pub mod topdown {
    pub use crate::topdown::drill::beside;
    pub use crate::topdown::fit::{Fit, MetricPart, Pass, fewest_passes, passes};
    pub use crate::topdown::limits::alone;
}

/// What was counted of the event of an operand, and the value of a metric from such counts.
#[cfg(all(feature = "metrics", feature = "std"))]
pub mod measure {
    pub use crate::measure::formulas::{MAX_FORMULAS, MAX_NAMES, MAX_TEXT};
    pub use crate::measure::raw_count::RawCount;
    pub use crate::measure::value::{value, value_with};
}

/// Perf's own terms of an event.
#[cfg(feature = "std")]
pub use crate::resolve::{flags::evsel_flags, resolved::attribute_terms, terms::AttributeTerm};

/// An event that is not open yet.
#[cfg(feature = "open")]
#[must_use]
pub fn set_event(resolved: crate::resolve::Resolved) -> crate::open::SetEvent {
    crate::open::SetEvent::new(resolved)
}

/// Counters that are switched while they count.
#[cfg(feature = "open")]
pub mod switch {
    use crate::open::{Counters, Error};

    /// Enables all counters, whether the task's `exec` would or has.
    ///
    /// # Errors
    ///
    /// Those of [`Counters::enable`].
    pub fn all_on(counters: &mut Counters) -> Result<(), Error> {
        counters.switch_all_on()
    }

    /// Enables or disables the groups that some events lead; the number of an event is its place in
    /// [`Counters::events`].
    ///
    /// # Errors
    ///
    /// An ioctl fails.
    pub fn groups(
        counters: &mut Counters,
        is_it: impl Fn(usize) -> bool,
        is_on: bool,
    ) -> Result<(), Error> {
        counters.switch(is_it, is_on)
    }

    /// The same of events that sample.
    ///
    /// # Errors
    ///
    /// An ioctl fails.
    #[cfg(feature = "sample")]
    pub fn sampled(
        sampler: &crate::sample::Sampler,
        is_it: impl Fn(usize) -> bool,
        is_on: bool,
    ) -> Result<(), Error> {
        sampler.switch(is_it, is_on)
    }
}

#[cfg(feature = "metrics")]
pub use expression::{chain, items};

#[cfg(feature = "metrics")]
mod expression {
    use super::expr::{Item, Operator, Spelling};
    use crate::metric::Expression;

    /// Returns the items of a formula in postfix order.
    #[must_use]
    pub fn items<'e, 't>(formula: &'e Expression<'t>) -> &'e [Item<Spelling<'t>>] {
        formula.items()
    }

    /// Returns the operator if a formula is a chain of events or metrics with one
    /// operator, `a - b - c` or `a + b`, or such a chain that is cut off at 0,
    /// `max(a - b, 0)`.
    ///
    /// Formulas of this shape say that metrics are parts of another.
    ///
    /// ```
    /// use pmu_events::__private::{chain, expr::Operator};
    /// use pmu_events::metric;
    ///
    /// let rest = metric::parse("max(slots_lost - memory_bound - core_bound, 0)")?;
    /// assert_eq!(chain(&rest), Some(Operator::Subtract));
    /// assert_eq!(chain(&metric::parse("a - b + c")?), None);
    /// # Ok::<(), pmu_events::located::Error>(())
    /// ```
    #[must_use]
    pub fn chain(formula: &Expression<'_>) -> Option<Operator> {
        formula.chain()
    }
}
