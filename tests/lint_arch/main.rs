//! The style of `arch/`, and that it says what `overlay/` says. Each rule refuses an example
//! that breaks it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use pmu_events::Tree;
use pmu_events_compiler::{Compiled, Options, Source, compile};
use pmu_events_import::arch::Arch;
use pmu_events_import::lint;
use pmu_events_import::problem::Problems;
use pmu_events_import::record::Record;
use pmu_events_import::repairs::Evidence;

mod bundled;
mod overlays;
mod quantities;
mod repairs;
mod rules;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A bundled tree. Reading and compiling takes longer than most tests, so all share it.
struct Bundled {
    arch: Arch,
    /// What the lint says of it.
    faults: Vec<String>,
    compiled: &'static Compiled,
    tree: &'static Tree,
}

impl Bundled {
    fn read(name: &str) -> Self {
        let shown = format!("arch/{name}");
        let mut problems = Problems::default();
        let arch = lint::check(&root().join(&shown), &shown, &mut problems);
        let compiled: &Compiled = Box::leak(Box::new(compiled(name, true)));
        let tree = Box::leak(Box::new(Tree::new(&compiled.strings, &compiled.tables)));
        Self { arch, faults: messages(&problems), compiled, tree }
    }

    fn records(&self) -> impl Iterator<Item = &Record> {
        self.arch.tables.keys().flat_map(|directory| self.arch.records(directory))
    }
}

/// Every architecture but the made-up SoC, which has every odd form that the macro must
/// understand.
static TREES: LazyLock<Vec<Bundled>> =
    LazyLock::new(|| pmu_events_arch::TREES.iter().map(|tree| Bundled::read(tree.name)).collect());

static EVIDENCE: LazyLock<Evidence> = LazyLock::new(|| {
    let mut problems = Problems::default();
    let evidence = Evidence::read(&root().join("overlay"), &mut problems);
    assert!(messages(&problems).is_empty(), "{:#?}", messages(&problems));
    evidence
});

/// Those that `tools/import` writes.
fn imported() -> impl Iterator<Item = &'static Arch> {
    TREES.iter().map(|tree| &tree.arch).filter(|arch| arch.name != "common")
}

fn bundled(name: &str) -> &'static Bundled {
    TREES.iter().find(|tree| tree.arch.name == name).expect(name)
}

fn compiled(name: &str, metrics: bool) -> Compiled {
    let mut options = Options::default();
    options.metrics = metrics;
    let source = Source::read(&root().join("arch").join(name), name, &options);
    compile(&source, &options).unwrap_or_else(|refused| panic!("{}", refused.errors))
}

fn messages(problems: &Problems) -> Vec<String> {
    problems.errors.iter().map(ToString::to_string).collect()
}

/// A directory with these files, made anew.
fn directory_of(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lint").join(name);
    let _ = fs::remove_dir_all(&directory);
    for (file, text) in files {
        let path = directory.join(file);
        fs::create_dir_all(path.parent().expect("it has one")).unwrap();
        fs::write(path, text).unwrap();
    }
    directory
}

const MAP_FILE: &str = "Family-model,Version,Filename,EventType\nx,v1,m,core\n";
