//! The event tree `riscv`: a static for each model, and the look-up of a CPU's model.

// Written by `cargo run -p pmu-events-import -- --pack` from arch/riscv.

use pmu_events_core::{Model, Tree};

/// The event tree `pmu-events-arch/riscv`: 11 models.
pub static TREE: Tree = Tree::new(include_str!("strings.txt"), include_bytes!("tables.bin"));

/// `andes/ax45`: 73 events, 26 metrics.
///
/// Made for the CPUs `0x31e-0x8000000000008a45-0x500`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ANDES_AX45: Model = Model::new(&TREE, 0);

/// `architecture`: 22 events, 11 metrics.
pub static ARCHITECTURE: Model = Model::new(&TREE, 1);

/// `openhwgroup/cva6`: 44 events, 29 metrics.
///
/// Made for the CPUs `0x602-0x3-0x0`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static OPENHWGROUP_CVA6: Model = Model::new(&TREE, 2);

/// `sifive/bullet`: 57 events, 30 metrics.
///
/// Made for the CPUs `0x489-0x8000000000000007-0x(20181004|20191105|1200626)`, `0x489-0x8000000000000007-0x4210427`, `0x489-0x8000000000000007-0x6220425`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static SIFIVE_BULLET: Model = Model::new(&TREE, 3);

/// `sifive/bullet-07`: 68 events, 30 metrics.
///
/// Made for the CPUs `0x489-0x8000000000000[1-9a-e]07-0x[78ac][[:xdigit:]]{6}`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static SIFIVE_BULLET_07: Model = Model::new(&TREE, 4);

/// `sifive/bullet-0d`: 70 events, 30 metrics.
///
/// Made for the CPUs `0x489-0x8000000000000[1-9a-e]07-0xd[[:xdigit:]]{6}`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static SIFIVE_BULLET_0D: Model = Model::new(&TREE, 5);

/// `sifive/p550`: 60 events, 30 metrics.
///
/// Made for the CPUs `0x489-0x8000000000000008-0x6220425`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static SIFIVE_P550: Model = Model::new(&TREE, 6);

/// `sifive/p650`: 73 events, 30 metrics.
///
/// Made for the CPUs `0x489-0x8000000000000[1-6]08-0x[9b][[:xdigit:]]{6}`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static SIFIVE_P650: Model = Model::new(&TREE, 7);

/// `spacemit/x60`: 46 events, 19 metrics.
///
/// Made for the CPUs `0x710-0x8000000058000001-0x1000000049772200`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static SPACEMIT_X60: Model = Model::new(&TREE, 8);

/// `starfive/dubhe-80`: 56 events, 26 metrics.
///
/// Made for the CPUs `0x67e-0x80000000db000080-0x20230831`, `0x67e-0x80000000db000090-0x20230930`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static STARFIVE_DUBHE_80: Model = Model::new(&TREE, 9);

/// `thead/c900-legacy`: 64 events, 30 metrics.
///
/// Made for the CPUs `0x5b7-0x0-0x0`, `0x5b7-0x80000000090c0d00-0x2047000`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static THEAD_C900_LEGACY: Model = Model::new(&TREE, 10);

/// The model of a CPU, by its CPUID in perf's form: the first row of the map file that matches. If the row is open-ended, the CPU may be later than the table: `Model::note` says so. A CPU that no row matches has the events that its architecture names, if the tree has them.
pub const fn model(cpuid: &str) -> Option<Model> {
    TREE.model(cpuid)
}
