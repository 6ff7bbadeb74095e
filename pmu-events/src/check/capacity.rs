//! How many counters a PMU has for events.

use crate::event::CounterSet;
use crate::planner::{CoreState, Supply};
use crate::schedule::Pool;
use crate::sysfs::Pmu;
use crate::system::System;

/// More counters than any PMU has; some count any number of events at a time.
pub(super) const MOST: usize = 64;

/// What is left of a PMU's counters, by the tables of its model and by what the CPU states.
pub(super) fn supply(pmu: &Pmu, system: &System) -> Option<Supply> {
    supply_in(system.core_state(), pmu, system)
}

/// Whether the watchdog takes the fixed counter of cycles; otherwise, it takes a general one.
/// `None` if the counters are not known.
pub(super) fn has_fixed_cycles(pmu: &Pmu, system: &System) -> Option<bool> {
    /// Its number.
    const CYCLES: u8 = 1;
    let supply = supply_in(system.core_state().with_watchdog(false), pmu, system)?;
    Some(supply.pool()?.fixed().contains(CYCLES))
}

fn supply_in(state: CoreState, pmu: &Pmu, system: &System) -> Option<Supply> {
    let model = system.model_of(pmu)?;
    let is_own = |name: &str| match pmu.is_core() {
        true => name == pmu.name(),
        false => pmu.is_of_unit(name),
    };
    let mut tables = model.pmus();
    let own = tables.find(|table| is_own(table.name()));
    let core = || model.pmus().find(|table| table.is_core() && pmu.is_core());
    let supply = Supply::of(model, own.or_else(core)?.name(), state).ok()?;
    Some(match supply.pool() {
        Some(pool) if pmu.is_core() => supply.with_pool(stated(pool, system)),
        _ => supply,
    })
}

/// The counters of a pool that the CPU states; a hypervisor may keep some.
fn stated(pool: Pool, system: &System) -> Pool {
    let Some([general, fixed]) = system.counters_of_cpuid() else { return pool };
    let stated = Pool::first(general.min(64) as u8, fixed.min(64) as u8);
    let both =
        |one: CounterSet, other: CounterSet| CounterSet::from_bits(one.bits() & other.bits());
    Pool::new(both(pool.general(), stated.general()), both(pool.fixed(), stated.fixed()))
}

/// How often `instructions` can be counted at a time; `None` if the PMU has no pool of counters.
pub(super) fn copies(supply: &Supply) -> Option<u32> {
    supply.pool()?;
    let fits = |&number: &usize| supply.fits(&["instructions"].repeat(number));
    (0..=MOST).take_while(fits).last().map(|number| number as u32)
}

/// The supply without counters that others hold.
pub(super) fn without(supply: Supply, held: u32) -> Supply {
    let Some(pool) = supply.pool() else { return supply };
    let left = pool.general().len().saturating_sub(held);
    let mut general = pool.general();
    while general.len() > left {
        // Which ones others hold is not known; most constraints name the first.
        general = general.without(63 - general.bits().leading_zeros() as u8);
    }
    supply.with_pool(Pool::new(general, pool.fixed()))
}
