//! How few groups can count events at all.

use alloc::vec::Vec;

use super::arena::Arena;
use super::demand::Demand;
use super::facts;
use super::fit;
use super::kind::{Kind, Rules, Smt};
use super::supply::Supply;
use crate::event::CounterConstraint;
use crate::schedule::Pool;
use pmu_events_ebb::power::Generation;

/// Events that only part of the counters can count need at least as many groups as there are
/// of them for each of these counters; the same holds for registers. An event that must be alone
/// has a group in which no other event takes a counter.
pub(super) fn of(arena: &mut Arena<'_>, sets: &[Vec<usize>]) -> usize {
    let Supply { kind, smt, .. } = arena.supply;
    match kind {
        Kind::Each => usize::from(!arena.demands.is_empty()),
        Kind::Power(generation) => of_power(&arena.demands, generation),
        Kind::Pool(pool, rules) => {
            let bound = of_pool(&arena.demands, pool, rules, smt);
            bound.max(of_relations(arena, sets, pool))
        }
    }
}

/// Groups that count parts of a set have its reference in common. Groups that count sets with a
/// common event each count that event, or have a reference in common. Events that sets relate to
/// one another therefore take one more counter in each of their groups but one, if every
/// reference takes a counter.
fn of_relations(arena: &mut Arena<'_>, sets: &[Vec<usize>], pool: Pool) -> usize {
    let counters = pool.general().len() as usize;
    let count = arena.demands.len();
    if counters < 2 || arena.demands.iter().any(|demand| demand.is_alone || demand.is_exclusive) {
        return 0;
    }
    let width =
        |demand: &Demand| general_counters(demand, pool).map_or(0, |_| demand.width as usize);
    let widths: Vec<usize> = arena.demands.iter().map(width).collect();
    // For each event, another one of the same relation, or itself.
    let mut others: Vec<usize> = (0..count).collect();
    fn first(others: &[usize], mut event: usize) -> usize {
        while others[event] != event {
            event = others[event];
        }
        event
    }
    for set in sets {
        let references = arena.references(set);
        let takes_a_counter = |&reference: &usize| arena.is_programmed(&[reference], None);
        if references.is_empty() || !references.iter().all(takes_a_counter) {
            continue;
        }
        let mut own = set.iter().copied().filter(|&event| widths[event] > 0);
        let Some(one) = own.next() else { continue };
        for event in own {
            let (one, other) = (first(&others, one), first(&others, event));
            others[other] = one;
        }
    }
    let mut related = alloc::vec![0; count];
    for event in 0..count {
        related[first(&others, event)] += widths[event];
    }
    let sizes: Vec<usize> = related.into_iter().filter(|&size| size > 0).collect();
    of_sizes(&sizes, counters)
}

/// The fewest groups for relations of such sizes, some of which may share groups.
fn of_sizes(sizes: &[usize], counters: usize) -> usize {
    /// The most relations for which all ways to share groups are tried.
    const FEW: usize = 8;
    if sizes.len() > FEW {
        // In fractions of a group, of which it has `counters * (counters - 1)`.
        let parts = |&size: &usize| match size <= counters {
            true => size * (counters - 1),
            false => (size - 1) * counters,
        };
        let all: usize = sizes.iter().map(parts).sum();
        return all.div_ceil(counters * (counters - 1));
    }
    let size = |relations: usize| -> usize {
        let own = sizes.iter().enumerate().filter(|(n, _)| relations >> n & 1 == 1);
        own.map(|(_, size)| size).sum()
    };
    // For each selection of relations, by bits.
    let mut fewest = alloc::vec![0; 1 << sizes.len()];
    for selected in 1..fewest.len() {
        let first = selected & selected.wrapping_neg();
        let mut together = selected;
        let mut least = usize::MAX;
        while together > 0 {
            if together & first != 0 {
                let groups = (size(together) - 1).div_ceil(counters - 1).max(1);
                least = least.min(groups + fewest[selected & !together]);
            }
            together = (together - 1) & selected;
        }
        fewest[selected] = least;
    }
    fewest.last().copied().unwrap_or_default()
}

/// The general counters that an event may have; `None` if it takes none from others at best:
/// each event that a fixed counter may have is counted there.
fn general_counters(demand: &Demand, pool: Pool) -> Option<u64> {
    let general = pool.general().bits();
    match demand.constraint {
        CounterConstraint::General(set) => Some(set.bits() & general),
        CounterConstraint::Unstated => Some(general),
        CounterConstraint::Fixed(Some(number)) if !demand.is_fixed_only => {
            (!pool.fixed().contains(number)).then_some(general)
        }
        _ => None,
    }
}

fn of_pool(demands: &[Demand], pool: Pool, rules: Rules, smt: Smt) -> usize {
    let needed = demands.iter().filter_map(|one| Some((general_counters(one, pool)?, one)));
    let (alone, others): (Vec<_>, Vec<_>) = needed.partition(|(_, demand)| demand.is_alone);
    let width_of = |is_counted: &dyn Fn(u64, &Demand) -> bool| -> usize {
        let counted = others.iter().filter(|(mask, demand)| is_counted(*mask, demand));
        counted.map(|(_, demand)| demand.width as usize).sum()
    };
    let half = fit::half(pool);
    let halved = match (rules, smt) {
        (Rules::Intel, Smt::On) => {
            width_of(&|_, demand| demand.is_exclusive).div_ceil((half.len() as usize).max(1))
        }
        _ => 0,
    };
    let mut masks: Vec<u64> =
        others.iter().map(|(mask, _)| *mask).chain([pool.general().bits()]).collect();
    masks.sort_unstable();
    masks.dedup();
    let of_mask = |&mask: &u64| {
        let in_halved = halved * (mask & half.bits()).count_ones() as usize;
        let left = width_of(&|own, _| own & !mask == 0).saturating_sub(in_halved);
        halved + left.div_ceil(mask.count_ones().max(1) as usize)
    };
    let of_counters = masks.iter().map(of_mask).max().unwrap_or_default();
    let of_registers = match rules {
        Rules::Intel => of_registers(others.iter().map(|(_, demand)| *demand)),
        _ => 0,
    };
    (alone.len() + of_counters.max(of_registers)).max(usize::from(!demands.is_empty()))
}

fn of_registers<'d>(demands: impl Iterator<Item = &'d Demand>) -> usize {
    const OFFCORE: [u32; 2] = [0x1a6, 0x1a7];
    let mut values: Vec<(u32, Option<u64>)> = demands
        .filter_map(|demand| demand.register)
        .map(|(register, value)| match OFFCORE.contains(&register) {
            true => (OFFCORE[0], value),
            false => (register, value),
        })
        .collect();
    values.sort_unstable();
    values.dedup();
    let groups = values.chunk_by(|one, other| one.0 == other.0).map(|of| match of[0].0 {
        register if register == OFFCORE[0] => of.len().div_ceil(2),
        _ => of.len(),
    });
    groups.max().unwrap_or_default()
}

fn of_power(demands: &[Demand], generation: Generation) -> usize {
    let mut on = [0_usize; 16];
    for words in demands.iter().filter_map(|demand| demand.words) {
        on[(facts::on_own_counter(generation, words.config()) >> 16 & 0xf) as usize] += 1;
    }
    let programmed: usize = on[..5].iter().sum();
    let most = on[1..].iter().copied().max().unwrap_or_default();
    most.max(programmed.div_ceil(4)).max(usize::from(!demands.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::of_sizes;

    /// With six counters, a relation of eleven events is in two groups, which have one of them twice.
    #[test]
    fn relations() {
        let cases: [(&[usize], usize); 8] = [
            (&[], 0),
            (&[6], 1),
            (&[11], 2),
            (&[12], 3),
            (&[2, 2, 2], 1),
            (&[8, 13], 4),
            (&[3, 14, 15, 31, 41], 21),
            (&[1; 13], 3),
        ];
        for (sizes, expected) in cases {
            assert_eq!(of_sizes(sizes, 6), expected, "{sizes:?}");
        }
    }
}
