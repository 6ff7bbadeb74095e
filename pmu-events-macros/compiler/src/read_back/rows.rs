//! The rows of the map file, and all patterns.

use pmu_events_core::__private::wire::record::{MidrRecord, RowRecord};
use pmu_events_core::__private::wire::{Section, Wire};
use pmu_events_core::__private::{Automaton, Patterns as Packed};

use crate::pattern::{Machine, Set};
use crate::tree::Tree;
use crate::validate::Patterns;

/// `Err` says what does not read back.
pub(super) fn check(
    wire: &Wire<'_>,
    tree: &Tree<'_>,
    patterns: &Patterns<'_>,
) -> Result<(), String> {
    let rows = wire.section(Section::Rows);
    let midrs = wire.section(Section::Midrs);
    for (number, (row, table)) in tree.rows.iter().enumerate() {
        let midr = patterns.midrs.get(number);
        let is_midr = midr.is_none_or(|midr| {
            MidrRecord::nth(midrs, number)
                == MidrRecord { part: midr.part(), version: midr.version() }
        });
        if usize::from(RowRecord::nth(rows, number).model) != *table || !is_midr {
            return Err(format!("row `{}` does not read back", row.pattern));
        }
    }
    if rows.len() != tree.rows.len() * RowRecord::SIZE
        || midrs.len() != patterns.midrs.len() * MidrRecord::SIZE
    {
        return Err("the rows do not read back".to_owned());
    }
    set(wire.cpuids(), &patterns.cpuids, "map file")?;
    set(wire.compats(), &patterns.compats, "values of Compat")
}

/// Whether every step and every list of an automaton reads back. State 0 is
/// the one that matches nothing, which a machine does not have.
fn is_machine(packed: Automaton<'_>, machine: &Machine) -> bool {
    let is_class = |(byte, &class)| packed.class(byte) == class;
    let steps = machine.next.chunks(machine.classes).zip(&machine.accepts);
    packed.states() == machine.len() + 1
        && (0..=u8::MAX).zip(&machine.class_of).all(is_class)
        && machine.class_of.iter().all(|&class| packed.next(0, class) == 0)
        && packed.accepted(0).first().is_none()
        && (1..).zip(steps).all(|(state, (next, accepts))| {
            let is_step = |(class, to): (u8, &u16)| packed.next(state, class) == to.wrapping_add(1);
            (0..=u8::MAX).zip(next).all(is_step)
                && packed.accepted(state).iter().eq(accepts.iter().copied())
        })
}

/// Whether each pattern of a set matches what it must, and nothing else of it.
fn set(packed: Packed<'_>, set: &Set, what: &str) -> Result<(), String> {
    let fail = |text: &str| format!("{what}: `{text}` does not read back");
    for (text, &number) in &set.literals {
        if !packed.matching(text).contains(number) {
            return Err(fail(text));
        }
    }
    if !set.machine.as_ref().is_none_or(|machine| is_machine(packed.automaton(), machine)) {
        return Err(format!("{what}: the automaton does not read back"));
    }
    for sample in &set.samples {
        if packed.matching(&sample.text).contains(sample.pattern) != sample.is_matched {
            return Err(fail(&sample.text));
        }
    }
    Ok(())
}
