//! The event tree `common`: a static for each model, and the look-up of a CPU's model.

// Written by `cargo run -p pmu-events-import -- --pack` from arch/common.

use pmu_events_core::{Model, Tree};

/// The event tree `pmu-events-arch/common`: 1 models.
pub static TREE: Tree = Tree::new(include_str!("strings.txt"), include_bytes!("tables.bin"));

/// `common`: 75 events, 17 metrics.
///
/// Made for the CPUs `common`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static COMMON: Model = Model::new(&TREE, 0);

/// The model of a CPU, by its CPUID in perf's form: the first row of the map file that matches. If the row is open-ended, the CPU may be later than the table: `Model::note` says so. A CPU that no row matches has the events that its architecture names, if the tree has them.
pub const fn model(cpuid: &str) -> Option<Model> {
    TREE.model(cpuid)
}
