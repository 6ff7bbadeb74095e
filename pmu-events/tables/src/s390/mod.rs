//! The event tree `s390`: a static for each model, and the look-up of a CPU's model.

// Written by `cargo run -p pmu-events-import -- --pack` from arch/s390.

use pmu_events_core::{Model, Tree};

/// The event tree `pmu-events-arch/s390`: 9 models.
pub static TREE: Tree = Tree::new(include_str!("strings.txt"), include_bytes!("tables.bin"));

/// `architecture`: 24 events, 18 metrics.
pub static ARCHITECTURE: Model = Model::new(&TREE, 0);

/// `cf_z10`: 46 events, 23 metrics.
///
/// Made for the CPUs `IBM.209[78].*[13]\.[1-5].[[:xdigit:]]+`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static CF_Z10: Model = Model::new(&TREE, 1);

/// `cf_z13`: 84 events, 37 metrics.
///
/// Made for the CPUs `IBM.296[45].*[13]\.[1-5].[[:xdigit:]]+`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static CF_Z13: Model = Model::new(&TREE, 2);

/// `cf_z14`: 77 events, 32 metrics.
///
/// Made for the CPUs `IBM.390[67].*[13]\.[1-5].[[:xdigit:]]+`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static CF_Z14: Model = Model::new(&TREE, 3);

/// `cf_z15`: 85 events, 32 metrics.
///
/// Made for the CPUs `IBM.856[12].*3\.6.[[:xdigit:]]+`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static CF_Z15: Model = Model::new(&TREE, 4);

/// `cf_z16`: 283 events, 36 metrics.
///
/// Made for the CPUs `IBM,393[12],[^.]*(,3\.7,[[:xdigit:]]+)?`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static CF_Z16: Model = Model::new(&TREE, 5);

/// `cf_z17`: 315 events, 36 metrics.
///
/// Made for the CPUs `IBM,917[56],[^.]*(,3\.8,[[:xdigit:]]+)?`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static CF_Z17: Model = Model::new(&TREE, 6);

/// `cf_z196`: 52 events, 23 metrics.
///
/// Made for the CPUs `IBM.281[78].*[13]\.[1-5].[[:xdigit:]]+`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static CF_Z196: Model = Model::new(&TREE, 7);

/// `cf_zec12`: 63 events, 24 metrics.
///
/// Made for the CPUs `IBM.282[78].*[13]\.[1-5].[[:xdigit:]]+`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static CF_ZEC12: Model = Model::new(&TREE, 8);

/// The model of a CPU, by its CPUID in perf's form: the first row of the map file that matches. If the row is open-ended, the CPU may be later than the table: `Model::note` says so. A CPU that no row matches has the events that its architecture names, if the tree has them.
pub const fn model(cpuid: &str) -> Option<Model> {
    TREE.model(cpuid)
}
