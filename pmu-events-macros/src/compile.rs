//! The pure part of the pipeline: from the files to the packed constants.

use crate::assemble::Tree;
use crate::fault::Faults;
use crate::input::{Options, Unknown};
use crate::mapfile::Row;
use crate::pack::Packed;
use crate::source::Source;
use crate::{assemble, formula, pack, read_back, report, validate};

/// A tree without faults, ready to be emitted.
pub(crate) struct Compiled<'t> {
    pub(crate) tree: Tree<'t>,
    pub(crate) packed: Packed,
    /// Likely slips, as one text.
    pub(crate) warnings: Option<String>,
}

/// Understands, checks and packs a tree. `faults` are those found while it was
/// read; `Err` is the text of them and of all others.
pub(crate) fn compile<'t>(
    source: &'t Source,
    rows: &'t [Row],
    options: &Options,
    mut faults: Faults,
) -> Result<Compiled<'t>, String> {
    let tree = assemble::tree(source, rows, options, &mut faults);
    validate::check(&tree, source, &mut faults);
    let mut resolved = formula::resolve(tree, source, &mut faults);
    // What is dropped is checked too, and metrics may name events that are.
    resolved.keep(options);
    let tree = &resolved.tree;
    let automata = validate::automata(tree, source, options.rule(&source.arch), &mut faults);
    if tree.is_empty() && !faults.has_errors() {
        faults.error_at_path(&source.root, nothing_kept(options));
    }
    match options.unknown {
        Unknown::Allow => faults.drop_warnings(),
        Unknown::Warn => {}
        Unknown::Deny => faults.warnings_into_errors(),
    }
    if faults.has_errors() {
        return Err(report::errors(&faults, source));
    }
    let packed = pack::pack(&resolved, &automata, options.text).map_err(|limit| {
        let cure = "the options `models`, `events` and `text` keep less";
        format!("{}: too large: {limit}; {cure}", source.root)
    })?;
    read_back::check(&resolved, &packed).map_err(|fault| {
        format!("{}: {fault}; this is a fault of pmu-events, please report it", source.root)
    })?;
    let warnings = report::warnings(&faults, source);
    Ok(Compiled { tree: resolved.tree, packed, warnings })
}

fn nothing_kept(options: &Options) -> &'static str {
    if options.models.is_empty() && options.events.is_empty() {
        "has no events: no directory below it holds a JSON file with any"
    } else {
        "has no events that the options `models` and `events` keep"
    }
}
