//! The trees of `arch/` as `pmu-events-tables` has them: packed, beside the statics that
//! wrap them.
//!
//! Programs that enable a tree then build neither the compiler nor the macro.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use pmu_events_compiler::{Compiled, MODEL_DOC, Options, Source, Unknown, compile};

/// How the files are written anew.
pub const COMMAND: &str = "cargo run -p pmu-events-import -- --pack";

/// The directory of the packed trees, for the directory of architectures `arch`.
#[must_use]
pub fn directory(arch: &Path) -> PathBuf {
    arch.with_file_name("pmu-events").join("tables").join("src")
}

/// Compiles the tree of an architecture for the crate: all of it, and likely mistakes are
/// errors.
///
/// # Errors
///
/// The compiler's report.
pub fn compiled(arch: &Path, name: &str) -> Result<Compiled, String> {
    let mut options = Options::default();
    options.unknown = Unknown::Deny;
    let path = arch.join(name);
    let source = Source::read(&path, &path.to_string_lossy(), &options);
    compile(&source, &options).map_err(|refused| refused.errors.to_string())
}

/// The files of a tree, below [`directory`].
#[must_use]
pub fn files(name: &str, compiled: &Compiled) -> [(PathBuf, Vec<u8>); 3] {
    let below = |file: &str| Path::new(name).join(file);
    [
        (below("mod.rs"), statics(name, compiled).into_bytes()),
        (below("strings.txt"), compiled.strings.clone().into_bytes()),
        (below("tables.bin"), compiled.tables.clone()),
    ]
}

/// What the macro expands to for the same tree, except for the look-up of this machine,
/// which needs `pmu-events`.
fn statics(name: &str, compiled: &Compiled) -> String {
    let mut out = format!(
        "//! The event tree `{name}`: a static for each model, and the look-up of a CPU's model.\n\n\
         // Written by `{COMMAND}` from arch/{name}.\n\n\
         use pmu_events_core::{{Model, Tree}};\n"
    );
    document(&mut out, &compiled.tree_doc(&format!("pmu-events-arch/{name}")));
    out += "pub static TREE: Tree = \
            Tree::new(include_str!(\"strings.txt\"), include_bytes!(\"tables.bin\"));\n";
    for model in compiled.statics() {
        document(&mut out, &model.doc);
        if let Some((since, note)) = &model.deprecated {
            let _ = writeln!(out, "#[deprecated(since = {since:?}, note = {note:?})]");
        }
        let (name, number) = (&model.name, model.number);
        let _ = writeln!(out, "pub static {name}: Model = Model::new(&TREE, {number});");
    }
    document(&mut out, MODEL_DOC);
    out + "pub const fn model(cpuid: &str) -> Option<Model> {\n    TREE.model(cpuid)\n}\n"
}

/// Begins an item with its documentation.
fn document(out: &mut String, text: &str) {
    out.push('\n');
    for line in text.lines() {
        let _ = writeln!(out, "{}", format!("/// {line}").trim_end());
    }
}
