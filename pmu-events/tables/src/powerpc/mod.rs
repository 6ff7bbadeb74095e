//! The event tree `powerpc`: a static for each model, and the look-up of a CPU's model.

// Written by `cargo run -p pmu-events-import -- --pack` from arch/powerpc.

use pmu_events_core::{Model, Tree};

/// The event tree `pmu-events-arch/powerpc`: 4 models.
pub static TREE: Tree = Tree::new(include_str!("strings.txt"), include_bytes!("tables.bin"));

/// `compat`: 23 events, 21 metrics.
///
/// Made for the CPUs `0x00ffffff`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static COMPAT: Model = Model::new(&TREE, 0);

/// `power10`: 654 events, 284 metrics.
///
/// Made for the CPUs `0x0080[0-3][12]0[[:xdigit:]]`, `0x0082[0-3][12]0[[:xdigit:]]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static POWER10: Model = Model::new(&TREE, 1);

/// `power8`: 960 events, 433 metrics.
///
/// Made for the CPUs `0x004[bcd]0[12][[:xdigit:]]{2}`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static POWER8: Model = Model::new(&TREE, 2);

/// `power9`: 889 events, 372 metrics.
///
/// Made for the CPUs `0x004e[01](1[[:xdigit:]]{2}|20[0-3])`, `0x004e[23]10[0-3]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static POWER9: Model = Model::new(&TREE, 3);

/// The model of a CPU, by its CPUID in perf's form: the first row of the map file that matches. If the row is open-ended, the CPU may be later than the table: `Model::note` says so. A CPU that no row matches has the events that its architecture names, if the tree has them.
pub const fn model(cpuid: &str) -> Option<Model> {
    TREE.model(cpuid)
}
