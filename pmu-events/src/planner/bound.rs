//! How few groups can count events at all.

use alloc::vec::Vec;

use super::demand::Demand;
use super::facts;
use super::kind::{Kind, Rules, Smt};
use super::supply::Supply;
use crate::event::CounterConstraint;
use crate::schedule::Pool;
use pmu_events_ebb::power::Generation;

/// Events that only part of the counters can count need at least as many groups as there are
/// of them for each of these counters; the same holds for registers.
pub(super) fn of(supply: &Supply, demands: &[Demand]) -> usize {
    match supply.kind {
        Kind::Each => usize::from(!demands.is_empty()),
        Kind::Power(generation) => of_power(demands, generation),
        Kind::Pool(pool, rules) => of_pool(demands, pool, rules, supply.smt),
    }
}

fn of_pool(demands: &[Demand], pool: Pool, rules: Rules, smt: Smt) -> usize {
    let general = pool.general.0;
    // Each event that a fixed counter may have is counted there at best.
    let needed: Vec<(u64, &Demand)> = demands
        .iter()
        .filter_map(|demand| match demand.constraint {
            CounterConstraint::General(set) => Some((set.0 & general, demand)),
            CounterConstraint::Unstated => Some((general, demand)),
            CounterConstraint::Fixed(Some(number)) if !demand.is_fixed_only => {
                (!pool.fixed.contains(number)).then_some((general, demand))
            }
            _ => None,
        })
        .collect();
    let mut bound = usize::from(!demands.is_empty());
    let mut masks: Vec<u64> = needed.iter().map(|(mask, _)| *mask).collect();
    masks.sort_unstable();
    masks.dedup();
    for &mask in masks.iter().chain([&general]) {
        let within = needed.iter().filter(|(own, _)| own & !mask == 0);
        let (mut widths, mut alone) = (0, 0);
        for (_, demand) in within {
            alone += usize::from(demand.is_alone);
            widths += if demand.is_alone { 0 } else { demand.width as usize };
        }
        if mask != 0 {
            bound = bound.max(alone + widths.div_ceil(mask.count_ones() as usize));
        }
    }
    if rules == Rules::Intel {
        if smt == Smt::On {
            // A group with such an event has half of the counters.
            let exclusive = needed.iter().filter(|(_, demand)| demand.is_exclusive).count();
            let (all, half) =
                (pool.general.len() as usize, (pool.general.len() as usize / 2).max(1));
            let halved = exclusive.div_ceil(half);
            let beside = halved * half - exclusive;
            let others = (needed.len() - exclusive).saturating_sub(beside);
            bound = bound.max(halved + others.div_ceil(all.max(1)));
        }
        bound = bound.max(of_registers(demands));
    }
    bound
}

fn of_registers(demands: &[Demand]) -> usize {
    const OFFCORE: [u32; 2] = [0x1a6, 0x1a7];
    let mut values: Vec<(u32, Option<u64>)> = demands
        .iter()
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
        on[(facts::on_own_counter(generation, words[0]) >> 16 & 0xf) as usize] += 1;
    }
    let programmed: usize = on[..5].iter().sum();
    let most = on[1..].iter().copied().max().unwrap_or_default();
    most.max(programmed.div_ceil(4)).max(usize::from(!demands.is_empty()))
}
