//! Trees that are known only when the tests run, compiled by the library behind
//! the macro.

use std::path::Path;

use pmu_events::Tree;
use pmu_events_compiler::{Options, Source, Unknown, compile};

use crate::Arch;

/// Compiles an architecture of the directory `arch_dir`.
///
/// # Errors
///
/// The report of a tree that does not compile.
pub fn compiled(arch_dir: &Path, name: &str) -> Result<Arch, String> {
    let mut options = Options::default();
    options.unknown = Unknown::Allow;
    let source = Source::read(&arch_dir.join(name), name, &options);
    let compiled = compile(&source, &options).map_err(|refused| refused.errors.to_string())?;
    // The tables of a tree are static; a test has a few of them.
    let tree: &'static Tree =
        Box::leak(Box::new(Tree::new(compiled.strings.leak(), compiled.tables.leak())));
    let find = move |cpuid: &str| tree.model(cpuid);
    Ok(Arch { name: name.to_owned().leak(), tree, model: Box::leak(Box::new(find)) })
}
