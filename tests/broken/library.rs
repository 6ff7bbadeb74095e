//! Cases of trees: through the compiler as a library.

use std::path::Path;

use pmu_events_compiler::{Options, Report, Source, compile};

/// What the compiler says of `tree` below a directory.
///
/// # Panics
///
/// When a static is not there for which the tree has a model: a tree with errors
/// would have one more for each use.
pub(crate) fn check(directory: &Path, options: &Options) -> String {
    let root = directory.join("tree");
    let source = Source::read(&root, "tree", options);
    let (said, statics) = match compile(&source, options) {
        Ok(compiled) => {
            let statics = compiled.models.into_iter().map(|model| model.static_name).collect();
            (line(&compiled.warnings), statics)
        }
        Err(refused) => {
            assert!(!refused.errors.is_empty());
            (line(&refused.errors) + &line(&refused.warnings), refused.static_names)
        }
    };
    let statics: Vec<String> = statics;
    assert!(!root.join("soc").is_dir() || statics.iter().any(|name| name == "SOC"), "{statics:?}");
    said
}

fn line(report: &Report) -> String {
    if report.is_empty() { String::new() } else { format!("{}: {report}\n", report.severity()) }
}
