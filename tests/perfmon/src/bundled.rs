//! `arch/x86`, which `tools/import` makes of perfmon.

use std::path::{Path, PathBuf};

use pmu_events_compiler::Encoding;
use pmu_events_import::problem::Problems;
use pmu_events_import::record::Keep;
use pmu_events_import::{lint, published, tree};

use crate::{Arguments, Outcome, Registers, Written, events, registers, trees, written};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../arch/x86")
}

/// Compares all models of perfmon, with the source's encodings and with perf's.
///
/// # Errors
///
/// Says why a side cannot be read.
pub fn compare_bundled(arguments: &Arguments) -> Result<Outcome, String> {
    let mut outcome = Outcome::default();
    for encoding in [Encoding::Correct, Encoding::Perf] {
        let source = trees::side(&arguments.perfmon, &arguments.models, encoding)?;
        let ours = trees::side(&directory(), &arguments.models, encoding)?;
        for row in &source.rows {
            let found = ours.rows.iter().find(|own| *own == row);
            outcome.differs("", row, "row", found.map_or("none", |row| row), row);
        }
        for model in source.tree.models() {
            let Some(own) = ours.tree.model_named(model.name()) else {
                outcome.differs(model.name(), "", "model", "none", "there");
                continue;
            };
            events::compare_facts(&own, &model, encoding, &mut outcome);
            outcome.model(model.name(), own.event_count(), 0);
        }
    }
    Ok(outcome)
}

/// Compares the values of metrics with those of perfmon's formulas as they are written.
///
/// # Errors
///
/// Says why a side cannot be read.
pub fn compare_written(arguments: &Arguments) -> Result<Written, String> {
    let ours = trees::side(&directory(), &arguments.models, Encoding::Correct)?;
    written::compare(&arguments.perfmon, &arguments.models, ours.tree)
}

/// Compares the register values of all events of cores with those that perfmon's JSON
/// means.
///
/// # Errors
///
/// Says why a side cannot be read.
pub fn compare_registers(arguments: &Arguments) -> Result<Registers, String> {
    let ours = trees::side(&directory(), &arguments.models, Encoding::Correct)?;
    registers::compare(&arguments.perfmon, &arguments.models, ours.tree)
}

/// Sentences of metrics that the reader adds to perfmon's: they are ours.
const OF_READER: [&str; 2] =
    ["share of cycles spent in system management interrupts", "system management interrupts"];

/// Sentences of `arch/x86` that are perfmon's: there must be none.
///
/// # Errors
///
/// Says why a side cannot be read.
pub fn shared_sentences(arguments: &Arguments) -> Result<Vec<String>, String> {
    let mut problems = Problems::default();
    let not = || format!("{} is not a perfmon directory", arguments.perfmon.display());
    let published = published::read(&arguments.perfmon, Keep::All, &mut problems);
    let theirs = published.ok_or_else(not)?.arch;
    let ours = tree::read(&directory(), "arch/x86", Keep::All, &mut problems);
    if let Some(problem) = problems.errors.first() {
        return Err(problem.to_string());
    }
    if lint::shared_sentences(&theirs, &theirs).len() < 10_000 {
        return Err("perfmon has hardly any sentences: the comparison would find none".to_owned());
    }
    let shared = lint::shared_sentences(&ours, &theirs).into_iter();
    let shared = shared.filter(|(_, text)| !OF_READER.contains(&text.as_str()));
    Ok(shared.map(|(place, text)| format!("{place}: {text}")).collect())
}
