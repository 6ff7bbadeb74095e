//! The user's own formulas: those of `--metric`, and those of a file.

use std::path::Path;

use pmu_events::__private::file;
use pmu_events::__private::measure::MAX_TEXT;
use pmu_events::__private::name;
use pmu_events::measure::{Formula, FormulaError, Formulas, Request};

use crate::failure::with_sources;
use crate::pointer::marked;
use crate::stat::args::Args;
use crate::system::System;

/// All formulas, and the ones that are counted without being named by `-M`.
pub(super) struct Known {
    all: Vec<Formula>,
    pub(super) asked: Vec<Request>,
}

/// Those of the command line may refer to those of the file, and to each other.
pub(super) fn of(args: &Args, system: &System) -> Result<Known, String> {
    let file = match &args.formulas_file {
        Some(path) => read(path)?,
        None => String::new(),
    };
    let of_file = file.as_str().parse::<Formulas>().map_err(|error| in_file(args, &error))?;
    let count = of_file.names().count();
    if let (0, Some(path)) = (count, &args.formulas_file) {
        return Err(format!("{}: defines no formula", path.display()));
    }
    let mut text = file;
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    // The first byte of each definition of the command line.
    let mut starts = Vec::new();
    for definition in &args.formulas {
        // On its own, as `a + b` would otherwise continue the formula before it.
        let alone = definition.as_str().parse::<Formulas>();
        alone.map_err(|error| pointed_out(definition, error.span().start, &error))?;
        starts.push(text.len());
        text.push_str(definition);
        text.push('\n');
    }
    let at_fault = |error: FormulaError| {
        let (start, end) =
            (error.span().start, starts.partition_point(|&s| s <= error.span().start));
        match end.checked_sub(1) {
            Some(n) => pointed_out(&args.formulas[n], start - starts[n], &error),
            None => in_file(args, &error),
        }
    };
    let formulas = text.parse::<Formulas>().map_err(at_fault)?;
    let all = formulas.bind(system).map_err(at_fault)?;
    // With `-M`, a file is a place to look names up.
    let is_asked = |formula: &&Formula| {
        let mut names = of_file.names();
        args.metrics.is_empty() || !names.any(|name| name == formula.name())
    };
    let asked = all.iter().filter(is_asked).cloned().map(Request::from).collect();
    Ok(Known { all, asked })
}

impl Known {
    /// The formulas that a word of `-M` names, one for each kind of core; modifiers follow a
    /// colon.
    pub(super) fn named(&self, word: &str) -> Vec<Request> {
        let named = |wanted: &str| -> Vec<Request> {
            let is_it = |formula: &&Formula| name::eq(formula.name(), wanted);
            self.all.iter().filter(is_it).cloned().map(Request::from).collect()
        };
        match (named(word), word.rsplit_once(':')) {
            (none, Some((wanted, modifiers))) if none.is_empty() => {
                named(wanted).into_iter().map(|one| one.with_modifiers(modifiers)).collect()
            }
            (all, _) => all,
        }
    }
}

fn read(path: &Path) -> Result<String, String> {
    let bytes = file::of_user(path, MAX_TEXT).map_err(|problem| with_sources(&problem))?;
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        format!("{}:{line}: invalid UTF-8", path.display())
    })
}

fn in_file(args: &Args, error: &FormulaError) -> String {
    let path = args.formulas_file.as_deref().unwrap_or(Path::new("-"));
    format!("{}:{error}", path.display())
}

/// The error, with the formula below it and the fault marked.
fn pointed_out(formula: &str, start: usize, error: &FormulaError) -> String {
    /// More than this of a formula shows nobody where the fault is.
    const MOST: usize = 200;
    let what = format!("--metric: {}", error.message());
    if formula.len() > MOST {
        return format!("{what} at byte {start}");
    }
    format!("{what}\n{}", marked(formula, start..start + error.span().len()))
}
