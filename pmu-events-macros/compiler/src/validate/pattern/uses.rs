//! Rows that no CPUID can select.

use std::collections::BTreeMap;

use pmu_events_core::__private::cpuid::MatchRule;

use super::machine::{DEAD, Machine};

/// Whether any CPUID can select a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// No text matches it.
    Never,
    /// Every text that matches it also matches one before it.
    Hidden,
    First,
}

/// The uses of expressions among each other. An expression that matches nothing
/// but plain texts before it is not detected.
pub(super) fn of_expressions(machine: &Machine, uses: &mut [Use]) {
    for accepts in &machine.accepts {
        for (place, &number) in accepts.iter().enumerate() {
            let usage = &mut uses[number as usize];
            *usage = if place == 0 || *usage == Use::First { Use::First } else { Use::Hidden };
        }
    }
}

/// The uses of distinct plain texts among expressions and each other.
pub(super) fn of_literals(
    machine: &Machine,
    literals: &BTreeMap<String, u32>,
    rule: MatchRule,
    uses: &mut [Use],
) {
    let stepped = (rule == MatchRule::X86).then(|| last_firsts(machine));
    for (literal, &number) in literals {
        let is_earlier = |other: Option<u32>| other.is_some_and(|other| other < number);
        let whole = machine.run(0, literal.as_bytes());
        let dashes = literal.matches('-').count();
        let is_hidden = is_earlier(machine.first(whole))
            // With any stepping it must be hidden, too; an expression can be
            // so only by expressions.
            && match &stepped {
                Some(lasts) if dashes == 2 => {
                    let behind = machine.run(whole, b"-");
                    is_earlier(lasts.get(usize::from(behind)).copied().flatten())
                }
                _ => true,
            };
        let before_stepping = literal.rsplit_once('-').filter(|_| stepped.is_some() && dashes == 3);
        let is_cut = before_stepping.is_some_and(|(cut, _)| is_earlier(literals.get(cut).copied()));
        uses[number as usize] = if is_hidden || is_cut { Use::Hidden } else { Use::First };
    }
}

/// Of all states that bytes other than dashes lead to, the last of the
/// patterns that are first there; `None` where one has no pattern.
fn last_firsts(machine: &Machine) -> Vec<Option<u32>> {
    let dash = machine.class_of[usize::from(b'-')];
    let others: Vec<usize> =
        (0..machine.classes).filter(|&class| class != usize::from(dash)).collect();
    let mut before: Vec<Vec<u16>> = vec![Vec::new(); machine.len()];
    // No pattern at all is later than any.
    let mut own: Vec<(u32, u16)> = Vec::with_capacity(machine.len());
    for (state, next) in (0..).zip(machine.next.chunks(machine.classes)) {
        let mut last = machine.first(state).unwrap_or(u32::MAX);
        for &to in others.iter().map(|&class| &next[class]) {
            match before.get_mut(usize::from(to)) {
                Some(before) if to != DEAD => before.push(state),
                _ => last = u32::MAX,
            }
        }
        own.push((last, state));
    }
    own.sort_unstable_by(|a, b| b.cmp(a));
    let mut lasts: Vec<Option<Option<u32>>> = vec![None; machine.len()];
    for (last, state) in own {
        let mut open = vec![state];
        while let Some(state) = open.pop() {
            let known = &mut lasts[usize::from(state)];
            if known.is_none() {
                *known = Some((last != u32::MAX).then_some(last));
                open.extend(&before[usize::from(state)]);
            }
        }
    }
    lasts.into_iter().map(Option::flatten).collect()
}
