//! What a PMU has left for events.

use super::facts;
use super::kind::{FIXED_CYCLES, Kind, Rules, Smt, Unstated};
use crate::Model;
use crate::schedule::Pool;

/// The state of a machine that decides how many counters its cores have left.
/// `System::core_state` has that of this machine.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::arch::x86;
/// use pmu_events::planner::{CoreState, Supply};
///
/// let state = CoreState::default().with_watchdog(true);
/// let supply = Supply::of(x86::SKYLAKEX, "default_core", state)?;
/// // The watchdog has the fixed counter of cycles.
/// assert_eq!(supply.pool().unwrap().fixed().len(), 2);
/// # }
/// # Ok::<(), pmu_events::planner::Unstated>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CoreState {
    pub(crate) has_watchdog: bool,
    pub(crate) smt: Smt,
}

impl CoreState {
    /// Creates the state of a core.
    #[must_use]
    pub const fn new(smt: Smt) -> Self {
        CoreState { has_watchdog: false, smt }
    }

    /// Says whether the NMI watchdog counts cycles.
    #[must_use]
    pub const fn with_watchdog(self, has_watchdog: bool) -> Self {
        CoreState { has_watchdog, ..self }
    }

    /// Whether the NMI watchdog counts cycles on each CPU.
    #[must_use]
    pub fn has_watchdog(self) -> bool {
        self.has_watchdog
    }

    /// Whether the threads of a core share its counters.
    #[must_use]
    pub fn smt(self) -> Smt {
        self.smt
    }
}

/// The counters of a PMU that are left for events, and the rules by which the kernel gives
/// them out.
#[derive(Clone, Copy, Debug)]
pub struct Supply {
    pub(super) model: Model,
    pub(super) pmu: &'static str,
    pub(super) kind: Kind,
    pub(super) smt: Smt,
    /// Whether the table has the event that perf metrics are shares of.
    pub(super) has_slots: bool,
}

impl Supply {
    /// Returns the supply of a PMU, by the name that the table has for it.
    ///
    /// The NMI watchdog counts cycles: it takes their fixed counter, or, without such,
    /// one general-purpose counter.
    ///
    /// # Errors
    ///
    /// Returns an error if no source states the PMU's counters.
    pub fn of(model: Model, pmu: &str, state: CoreState) -> Result<Self, Unstated> {
        let table = model.pmus().find(|table| table.name() == pmu);
        let Some(table) = table else {
            return Err(Unstated::because("the model has no such PMU"));
        };
        let kind = match table.general_counters() {
            Some(general) => {
                let general =
                    facts::general_without_smt(model, general, table.is_core(), state.smt);
                let pool = Pool::first(general, table.fixed_counters().unwrap_or_default());
                Kind::Pool(pool, Rules::Intel)
            }
            None => facts::of(model, table.name())?,
        };
        let kind = match kind {
            Kind::Pool(pool, Rules::Arm) if !facts::has_cycle_counter(model, state.smt) => {
                Kind::Pool(Pool::first(pool.general().len() as u8, 0), Rules::Arm)
            }
            other => other,
        };
        let has_slots = model.event_on(table.name(), "TOPDOWN.SLOTS").is_some();
        let supply = Supply { model, pmu: table.name(), kind, smt: state.smt, has_slots };
        Ok(if state.has_watchdog && table.is_core() { supply.without_watchdog() } else { supply })
    }

    fn without_watchdog(mut self) -> Self {
        if let Kind::Pool(pool, rules) = &mut self.kind {
            if *rules == Rules::Apple {
                // Cycles take the first of their counters.
                let first = pool.general().iter().next().unwrap_or(u8::MAX);
                *pool = Pool::new(pool.general().without(first), pool.fixed());
            } else if pool.fixed().contains(FIXED_CYCLES) {
                *pool = Pool::new(pool.general(), pool.fixed().without(FIXED_CYCLES));
            } else {
                *pool = Pool::new(fewer(*pool), pool.fixed());
            }
        }
        self
    }

    /// Returns the same supply with other counters, where a caller knows them better than
    /// the tables: a hypervisor may keep some.
    #[must_use]
    pub fn with_pool(mut self, pool: Pool) -> Self {
        if let Kind::Pool(own, _) = &mut self.kind {
            *own = pool;
        }
        self
    }

    /// Returns the general-purpose and the fixed counters; `None` for a PMU that has
    /// neither.
    #[must_use]
    pub fn pool(&self) -> Option<Pool> {
        match self.kind {
            Kind::Pool(pool, _) => Some(pool),
            Kind::Power(_) | Kind::Each => None,
        }
    }

    /// Returns the model.
    #[must_use]
    pub fn model(&self) -> Model {
        self.model
    }

    /// Returns the name of the PMU in the model's table.
    #[must_use]
    pub fn pmu(&self) -> &'static str {
        self.pmu
    }
}

/// The general counters, less one.
fn fewer(pool: Pool) -> crate::event::CounterSet {
    Pool::first((pool.general().len() as u8).saturating_sub(1), 0).general()
}
