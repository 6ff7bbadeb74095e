//! The rows of the map file, and all patterns.

use pmu_events_core::__private::cpuid::Midr;
use pmu_events_core::__private::wire::record::{MadeRecord, MidrRecord, RowRecord};
use pmu_events_core::__private::wire::{Section, Wire};
use pmu_events_core::__private::{Automaton, Patterns as Packed};

use crate::assemble::tree::Tree;
use crate::validate::Patterns;
use crate::validate::pattern::{Machine, Set};

/// `Err` says what does not read back.
pub(super) fn check(
    wire: &Wire<'_>,
    tree: &Tree<'_>,
    patterns: &Patterns<'_>,
) -> Result<(), String> {
    let rows = tree.rows.iter().map(|(row, table)| (row.pattern.as_str(), *table));
    let fallbacks = tree.fallbacks.iter().map(|(row, table)| (row.pattern.as_str(), *table));
    row_models(wire.section(Section::Rows), rows, "row")?;
    row_models(wire.section(Section::FallbackRows), fallbacks, "row of fallback.csv")?;
    let made = wire.section(Section::MadeRows);
    for (number, (row, table)) in tree.made.iter().enumerate() {
        let record = MadeRecord::nth(made, number);
        if usize::from(record.model) != *table || wire.str(record.text) != row.pattern {
            return Err(format!("row `{}` of cpus.csv does not read back", row.pattern));
        }
    }
    if made.len() != tree.made.len() * MadeRecord::SIZE {
        return Err("the rows of cpus.csv do not read back".to_owned());
    }
    registers(wire.section(Section::Midrs), &patterns.midrs)?;
    registers(wire.section(Section::MadeMidrs), &patterns.made_midrs)?;
    set(wire.cpuids(), &patterns.cpuids, "map file")?;
    set(wire.made(), &patterns.made, "cpus.csv")?;
    set(wire.fallbacks(), &patterns.fallbacks, "fallback.csv")?;
    set(wire.compats(), &patterns.compats, "values of Compat")
}

/// Whether the models of rows read back.
fn row_models<'r>(
    packed: &[u8],
    rows: impl ExactSizeIterator<Item = (&'r str, usize)>,
    what: &str,
) -> Result<(), String> {
    if packed.len() != rows.len() * RowRecord::SIZE {
        return Err(format!("the number of each {what} does not read back"));
    }
    for (number, (pattern, table)) in rows.enumerate() {
        if usize::from(RowRecord::nth(packed, number).model) != table {
            return Err(format!("{what} `{pattern}` does not read back"));
        }
    }
    Ok(())
}

/// Whether registers read back.
fn registers(packed: &[u8], midrs: &[Midr]) -> Result<(), String> {
    let is_same = |(number, midr): (usize, &Midr)| {
        MidrRecord::nth(packed, number) == MidrRecord { part: midr.part(), version: midr.version() }
    };
    let is_whole = packed.len() == midrs.len() * MidrRecord::SIZE;
    if is_whole && midrs.iter().enumerate().all(is_same) {
        Ok(())
    } else {
        Err("the registers do not read back".to_owned())
    }
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
