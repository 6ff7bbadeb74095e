//! Branches as perf writes them (`perf_sample__fprintf_brstack` in
//! `tools/perf/builtin-script.c`).

use std::io::{self, Write};

use pmu_events::sample::Branch;

use crate::profile::known::Known;
use crate::script::fields::Fields;
use crate::script::places::module;

/// `PERF_BR_*`, by their numbers; perf writes nothing for 0.
const KINDS: [&str; 15] = [
    "",
    "COND",
    "UNCOND",
    "IND",
    "CALL",
    "IND_CALL",
    "RET",
    "SYSCALL",
    "SYSRET",
    "COND_CALL",
    "COND_RET",
    "ERET",
    "IRQ",
    "SERROR",
    "NO_TX",
];
/// `PERF_BR_EXTEND_ABI`: another number says the kind.
const EXTENDED: u8 = 15;
/// `PERF_BR_NEW_*`, by their numbers.
const FURTHER: [&str; 8] =
    ["FAULT_ALGN", "FAULT_DATA", "FAULT_INST", "ARCH_1", "ARCH_2", "ARCH_3", "ARCH_4", "ARCH_5"];
/// `PERF_BR_SPEC_*`, by their numbers.
const SPECULATIONS: [&str; 4] =
    ["-", "SPEC_WRONG_PATH", "NON_SPEC_CORRECT_PATH", "SPEC_CORRECT_PATH"];
/// What glibc writes for a text that is not there.
const NONE: &str = "(null)";

pub(super) fn write(
    out: &mut impl Write,
    known: &Known,
    all: &[(Branch, [u32; 2])],
    fields: Fields,
) -> io::Result<()> {
    for (branch, [from, to]) in all {
        for (mark, address, location) in [(" ", branch.from(), from), ("/", branch.to(), to)] {
            write!(out, "{mark}{address:#x}")?;
            if fields.dso {
                module(out, known, known.location(*location))?;
            }
        }
        flags(out, branch)?;
    }
    Ok(())
}

/// `print_bstack_flags`
fn flags(out: &mut impl Write, branch: &Branch) -> io::Result<()> {
    let predicted = match (branch.is_predicted(), branch.is_mispredicted()) {
        (true, _) => 'P',
        (false, true) => 'M',
        (false, false) => '-',
    };
    let transaction = if branch.is_in_transaction() { 'X' } else { '-' };
    let abort = if branch.is_abort() { 'A' } else { '-' };
    let of = |names: &'static [&'static str], number: u8| {
        names.get(usize::from(number)).copied().unwrap_or(NONE)
    };
    let kind = match branch.kind() {
        EXTENDED => of(&FURTHER, branch.further_kind()),
        kind => of(&KINDS, kind),
    };
    let speculation = of(&SPECULATIONS, branch.speculation());
    let cycles = branch.cycles();
    write!(out, "/{predicted}/{transaction}/{abort}/{cycles}/{kind}/{speculation} ")
}
