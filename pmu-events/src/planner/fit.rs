//! Whether events fit the counters of a PMU.

use alloc::vec::Vec;

use super::demand::{Demand, PerfMetric};
use super::facts;
use super::kind::{FIXED_SLOTS, Kind, Rules, Smt};
use super::supply::Supply;
use crate::event::{CounterConstraint, CounterSet};
use crate::format::{Word, Words};
use crate::schedule::{MAX_EVENTS, Pool, fit};
use pmu_events_ebb::ebb;
use pmu_events_ebb::power::{Fields, Generation};

impl Supply {
    /// Whether events, as spelled in formulas, can be counted as one group, opened in this
    /// order. Those that the kernel counts in software fit any group; those of other PMUs must
    /// not be asked for.
    ///
    /// ```
    /// # #[cfg(feature = "x86")] {
    /// use pmu_events::arch::x86;
    /// use pmu_events::planner::{CoreState, Supply};
    ///
    /// let zen4 = Supply::of(x86::AMDZEN4, "default_core", CoreState::default())?;
    /// let six = ["ex_ret_instr", "ex_ret_ops", "ex_ret_brn", "ex_ret_brn_misp", "ls_not_halted_cyc", "ls_dispatch.ld_dispatch"];
    /// assert!(zen4.fits(&six));
    /// assert!(!zen4.fits(&[&six[..], &["ex_div_count"]].concat()));
    /// # }
    /// # Ok::<(), pmu_events::planner::Unstated>(())
    /// ```
    #[must_use]
    pub fn fits<T: AsRef<str>>(&self, events: &[T]) -> bool {
        let demands: Vec<Demand> = events.iter().map(|event| self.demand(event.as_ref())).collect();
        self.fits_in_order(demands.iter())
    }

    pub(super) fn fits_in_order<'d>(
        &self,
        demands: impl Iterator<Item = &'d Demand> + Clone,
    ) -> bool {
        match self.kind {
            Kind::Pool(pool, Rules::Apple) => each_finds_a_counter(demands, pool),
            _ => self.has_room_for(demands),
        }
    }

    /// Whether events can be counted as one group, in the order of their
    /// [places](Self::place_in_group).
    pub(super) fn has_room_for<'d>(
        &self,
        demands: impl Iterator<Item = &'d Demand> + Clone,
    ) -> bool {
        match self.kind {
            Kind::Each => true,
            Kind::Power(generation) => {
                let counted = demands.filter(|one| !is_free(one));
                // Nothing is known of a code that the tables lack; the kernel assigns one of
                // the first four counters.
                let words: Vec<Words> = counted.map(|one| one.words.unwrap_or_default()).collect();
                can_share(generation, &words)
            }
            Kind::Pool(pool, Rules::Apple) => {
                let mut demands: Vec<&Demand> = demands.collect();
                demands.sort_by_key(|demand| self.place_in_group(demand));
                each_finds_a_counter(demands.into_iter(), pool)
            }
            Kind::Pool(pool, rules) => has_room(demands, pool, rules, self.smt),
        }
    }
}

impl Supply {
    /// Whether an event takes a counter that others could use, if another one may have taken its
    /// own.
    pub(super) fn is_programmed(&self, demand: &Demand, beside: Option<&Demand>) -> bool {
        match self.kind {
            Kind::Each => false,
            Kind::Power(generation) => demand.words.is_none_or(|words| {
                facts::on_own_counter(generation, words.config()) >> 16 & 0xf < 5
            }),
            Kind::Pool(pool, _) => {
                let mut free = pool.fixed();
                if let Some(other) = beside {
                    on_hardware(other, &mut free);
                }
                is_programmed(&on_hardware(demand, &mut free))
            }
        }
    }
}

impl Supply {
    /// How many events a group can have that take counters from others.
    pub(super) fn counters(&self) -> usize {
        match self.kind {
            Kind::Each => usize::MAX,
            Kind::Power(_) => 4,
            Kind::Pool(pool, _) => pool.general().len() as usize,
        }
    }

    /// How many counters an event can have beside others.
    pub(super) fn choice(&self, demand: &Demand) -> u32 {
        match (self.kind, demand.constraint) {
            _ if demand.is_alone => 0,
            (Kind::Pool(pool, _), CounterConstraint::General(set)) => {
                CounterSet::from_bits(set.bits() & pool.general().bits()).len()
            }
            (Kind::Power(_), _)
                if demand.words.is_some_and(|words| words.config() >> 16 & 0xf != 0) =>
            {
                1
            }
            _ => u32::MAX,
        }
    }
}

/// Whether the kernel takes POWER's codes as one group: as they are, or with the same events'
/// codes on counters of their own. In this second attempt, `power_check_constraints`
/// (`arch/powerpc/perf/core-book3s.c`) does not leave out `group_constraint_mask`, so that
/// POWER9's caches then have no more than the event on counter 4.
fn can_share(generation: Generation, words: &[Words]) -> bool {
    if ebb::can_share(generation, words) {
        return true;
    }
    let is_of_outer_cache = |words: &Words| {
        let fields = Fields::decode(generation, *words);
        matches!(fields.unit, 6..=9) && fields.pmc != 4
    };
    let own =
        |words: &Words| words.with(Word::Config, facts::on_own_counter(generation, words.config()));
    let others: Vec<Words> = words.iter().map(own).collect();
    (generation != Generation::Power9 || !words.iter().any(is_of_outer_cache))
        && ebb::can_share(generation, &others)
}

/// Whether each event finds a counter if it takes the first free one of its own.
fn each_finds_a_counter<'d>(mut demands: impl Iterator<Item = &'d Demand>, pool: Pool) -> bool {
    let mut free = pool.general().bits();
    demands.all(|demand| match demand.constraint {
        CounterConstraint::General(set) => {
            let own = set.bits() & free;
            free &= !(own & own.wrapping_neg());
            own != 0
        }
        _ => true,
    })
}

/// The general counters of a thread beside an event that the other thread loses (`gpmax` in
/// `x86_schedule_events`).
pub(super) fn half(pool: Pool) -> CounterSet {
    Pool::first(pool.general().len() as u8 / 2, 0).general()
}

fn is_free(demand: &Demand) -> bool {
    demand.constraint == CounterConstraint::FreeRunning
}

fn has_room<'d>(
    demands: impl Iterator<Item = &'d Demand> + Clone,
    mut pool: Pool,
    rules: Rules,
    smt: Smt,
) -> bool {
    if smt == Smt::On && demands.clone().any(|event| event.is_exclusive) {
        pool = Pool::new(half(pool), pool.fixed());
    }
    let mut free = pool.fixed();
    let mut constraints = [CounterConstraint::FreeRunning; MAX_EVENTS];
    let (mut counted, mut programmed) = (0, 0);
    for event in demands.clone() {
        let constraint = on_hardware(event, &mut free);
        programmed += if is_programmed(&constraint) { event.width } else { 0 };
        if constraint == CounterConstraint::FreeRunning {
            continue;
        }
        let Some(place) = constraints.get_mut(counted) else { return false };
        *place = constraint;
        counted += 1;
    }
    let is_alone = || demands.clone().any(|event| event.is_alone);
    if programmed > pool.general().len() || programmed > 1 && is_alone() {
        return false;
    }
    let has_others =
        rules != Rules::Intel || has_slots(demands.clone(), pool) && has_registers(demands);
    has_others && have_counters(&constraints[..counted], pool)
}

/// Whether there is a counter for each event. Where of any two sets of general counters that
/// events may use one holds the other, as on most cores, numbers suffice to tell: no set has
/// more events within it than counters.
fn have_counters(constraints: &[CounterConstraint], pool: Pool) -> bool {
    let mut sets = [(0_u64, 0_u32); 4];
    let mut fixed = pool.fixed();
    for constraint in constraints {
        let set = match constraint {
            CounterConstraint::Unstated => pool.general().bits(),
            CounterConstraint::General(set) => pool.general().bits() & set.bits(),
            CounterConstraint::Fixed(Some(number)) if fixed.contains(*number) => {
                fixed = fixed.without(*number);
                continue;
            }
            // What has no counter, or a choice of fixed ones.
            _ => return fit(constraints, pool).is_ok(),
        };
        let mut known = sets.iter_mut();
        match known.find(|(own, events)| *own == set || *events == 0) {
            Some(own) => *own = (set, own.1 + 1),
            None => return fit(constraints, pool).is_ok(),
        }
    }
    let are_nested = |&(a, of_a): &(u64, u32), &(b, of_b): &(u64, u32)| {
        of_a == 0 || of_b == 0 || a & b == a || a & b == b
    };
    if !sets.iter().all(|a| sets.iter().all(|b| are_nested(a, b))) {
        return fit(constraints, pool).is_ok();
    }
    sets.iter().all(|&(set, _)| {
        let within = sets.iter().filter(|&&(other, _)| other & !set == 0);
        within.map(|&(_, events)| events).sum::<u32>() <= set.count_ones()
    })
}

/// Perf metrics are read with the counter of slots, whose event leads their group
/// (`intel_pmu_hw_config` in `arch/x86/events/intel/core.c`).
fn has_slots<'d>(demands: impl Iterator<Item = &'d Demand> + Clone, pool: Pool) -> bool {
    let has = |kind| demands.clone().any(|event| event.perf_metric == Some(kind));
    !has(PerfMetric::Share) || has(PerfMetric::Slots) && pool.fixed().contains(FIXED_SLOTS)
}

/// There are two registers for offcore requests, and one of each other kind.
fn has_registers<'d>(demands: impl Iterator<Item = &'d Demand>) -> bool {
    const OFFCORE: [u32; 2] = [0x1a6, 0x1a7];
    let mut registers: Vec<_> = demands.filter_map(|event| event.register).collect();
    registers.sort_unstable();
    registers.dedup();
    let offcore = registers.iter().filter(|(index, _)| OFFCORE.contains(index)).count();
    let is_twice = |two: &[(u32, Option<u64>)]| two[0].0 == two[1].0;
    let mut others = registers.windows(2).filter(|two| !OFFCORE.contains(&two[0].0));
    offcore <= OFFCORE.len() && !others.any(is_twice)
}

/// Whether an event needs a general-purpose counter.
fn is_programmed(constraint: &CounterConstraint) -> bool {
    matches!(constraint, CounterConstraint::General(_) | CounterConstraint::Unstated)
}

/// What the kernel makes of fixed counters: an event whose counter is taken goes to a
/// general one (`intel_pmu_check_event_constraints` in
/// `arch/x86/events/intel/core.c`), except those without a code of their own.
fn on_hardware(event: &Demand, free: &mut CounterSet) -> CounterConstraint {
    match event.constraint {
        CounterConstraint::Fixed(Some(number)) if !event.is_fixed_only => {
            let is_free = free.contains(number);
            *free = free.without(number);
            if is_free { event.constraint } else { CounterConstraint::Unstated }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers tell what a matching tells.
    #[test]
    fn counters_of_nested_sets() {
        const ON: fn(u64) -> CounterConstraint =
            |set| CounterConstraint::General(CounterSet::from_bits(set));
        let choices = [
            CounterConstraint::Unstated,
            ON(0xf),
            ON(0x3),
            ON(0x1),
            ON(0x2),
            ON(0xc),
            ON(0x30),
            ON(0),
            CounterConstraint::Fixed(Some(0)),
            CounterConstraint::Fixed(Some(3)),
            CounterConstraint::Fixed(None),
        ];
        let mut state = 1_u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        let mut seen = [0; 2];
        for _ in 0..20_000 {
            let pool = Pool::first([2, 4, 6, 8][next(4)], [0, 3][next(2)]);
            let few = 1 + next(choices.len());
            let events: Vec<_> = (0..next(9)).map(|_| choices[next(few)]).collect();
            let expected = fit(&events, pool).is_ok();
            assert_eq!(have_counters(&events, pool), expected, "{events:?} {pool:?}");
            seen[usize::from(expected)] += 1;
        }
        assert!(seen.iter().all(|&count| count > 4000), "{seen:?}");
    }
}
