//! The event tree `x86`: a static for each model, and the look-up of a CPU's model.

// Written by `cargo run -p pmu-events-import -- --pack` from arch/x86.

use pmu_events_core::{Model, Tree};

/// The event tree `pmu-events-arch/x86`: 48 models.
pub static TREE: Tree = Tree::new(include_str!("strings.txt"), include_bytes!("tables.bin"));

/// `alderlake`: 567 events, 436 metrics.
///
/// Made for the CPUs `GenuineIntel-6-97-[012345]`, `GenuineIntel-6-(9A|B7)-[01234]`, `GenuineIntel-6-BA-[012345678]`, `GenuineIntel-6-BF-[01234567]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ALDERLAKE: Model = Model::new(&TREE, 0);

/// `alderlaken`: 248 events, 148 metrics.
///
/// Made for the CPUs `GenuineIntel-6-BE-0`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ALDERLAKEN: Model = Model::new(&TREE, 1);

/// `amdzen1`: 183 events, 60 metrics.
///
/// Made for the CPUs `AuthenticAMD-23-([125][[:xdigit:]]|[[:xdigit:]])`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static AMDZEN1: Model = Model::new(&TREE, 2);

/// `amdzen2`: 219 events, 64 metrics.
///
/// Made for the CPUs `AuthenticAMD-23-([3467A][[:xdigit:]]|9[01])`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static AMDZEN2: Model = Model::new(&TREE, 3);

/// `amdzen3`: 243 events, 69 metrics.
///
/// Made for the CPUs `AuthenticAMD-25-([2345][[:xdigit:]]|[[:xdigit:]])`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static AMDZEN3: Model = Model::new(&TREE, 4);

/// `amdzen4`: 502 events, 141 metrics.
///
/// Made for the CPUs `AuthenticAMD-25-[16789A][[:xdigit:]]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static AMDZEN4: Model = Model::new(&TREE, 5);

/// `amdzen5`: 602 events, 148 metrics.
///
/// Made for the CPUs `AuthenticAMD-26-([12467][[:xdigit:]]|[[:xdigit:]]|D[01234567])`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static AMDZEN5: Model = Model::new(&TREE, 6);

/// `amdzen6`: 454 events, 129 metrics.
///
/// Made for the CPUs `AuthenticAMD-26-([589AC][[:xdigit:]]|D[89ABCDEF]|E[[:xdigit:]])`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static AMDZEN6: Model = Model::new(&TREE, 7);

/// `architecture`: 13 events, 15 metrics.
pub static ARCHITECTURE: Model = Model::new(&TREE, 8);

/// `arrowlake`: 858 events, 456 metrics.
///
/// Made for the CPUs `GenuineIntel-6-C5-[012]`, `GenuineIntel-6-C6-[01234]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ARROWLAKE: Model = Model::new(&TREE, 9);

/// `bonnell`: 270 events, 39 metrics.
///
/// Made for the CPUs `GenuineIntel-6-1C-[0123456789A]`, `GenuineIntel-6-26-[01]`, `GenuineIntel-6-(27|35|36)`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static BONNELL: Model = Model::new(&TREE, 10);

/// `broadwell`: 767 events, 205 metrics.
///
/// Made for the CPUs `GenuineIntel-6-3D-[01234]`, `GenuineIntel-6-47-[01]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static BROADWELL: Model = Model::new(&TREE, 11);

/// `broadwellde`: 1237 events, 210 metrics.
///
/// Made for the CPUs `GenuineIntel-6-56-[012345]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static BROADWELLDE: Model = Model::new(&TREE, 12);

/// `broadwellx`: 1671 events, 246 metrics.
///
/// Made for the CPUs `GenuineIntel-6-4F`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static BROADWELLX: Model = Model::new(&TREE, 13);

/// `cascadelakex`: 5776 events, 345 metrics.
///
/// Made for the CPUs `GenuineIntel-6-55-[567]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static CASCADELAKEX: Model = Model::new(&TREE, 14);

/// `clearwaterforest`: 1039 events, 107 metrics.
///
/// Made for the CPUs `GenuineIntel-6-DD`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static CLEARWATERFOREST: Model = Model::new(&TREE, 15);

/// `elkhartlake`: 305 events, 66 metrics.
///
/// Made for the CPUs `GenuineIntel-6-96-[01]`, `GenuineIntel-6-9C-0`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ELKHARTLAKE: Model = Model::new(&TREE, 16);

/// `emeraldrapids`: 2708 events, 380 metrics.
///
/// Made for the CPUs `GenuineIntel-6-CF-[012]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static EMERALDRAPIDS: Model = Model::new(&TREE, 17);

/// `goldmont`: 169 events, 59 metrics.
///
/// Made for the CPUs `GenuineIntel-6-5C-[0123456789A]`, `GenuineIntel-6-5F-[01]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static GOLDMONT: Model = Model::new(&TREE, 18);

/// `goldmontplus`: 180 events, 54 metrics.
///
/// Made for the CPUs `GenuineIntel-6-7A-[012345678]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static GOLDMONTPLUS: Model = Model::new(&TREE, 19);

/// `grandridge`: 673 events, 177 metrics.
///
/// Made for the CPUs `GenuineIntel-6-B6`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static GRANDRIDGE: Model = Model::new(&TREE, 20);

/// `graniterapids`: 1246 events, 387 metrics.
///
/// Made for the CPUs `GenuineIntel-6-(AD|AE)-[01]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static GRANITERAPIDS: Model = Model::new(&TREE, 21);

/// `haswell`: 408 events, 181 metrics.
///
/// Made for the CPUs `GenuineIntel-6-3C-[0123]`, `GenuineIntel-6-(45|46)-[01]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static HASWELL: Model = Model::new(&TREE, 22);

/// `haswellx`: 1676 events, 222 metrics.
///
/// Made for the CPUs `GenuineIntel-6-3F-[01234]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static HASWELLX: Model = Model::new(&TREE, 23);

/// `icelake`: 346 events, 299 metrics.
///
/// Made for the CPUs `GenuineIntel-6-7D`, `GenuineIntel-6-7E-[012345]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ICELAKE: Model = Model::new(&TREE, 24);

/// `icelakex`: 4341 events, 359 metrics.
///
/// Made for the CPUs `GenuineIntel-6-6A-[0123456]`, `GenuineIntel-6-6C-[01]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ICELAKEX: Model = Model::new(&TREE, 25);

/// `ivybridge`: 352 events, 190 metrics.
///
/// Made for the CPUs `GenuineIntel-6-3A-[0123456789]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static IVYBRIDGE: Model = Model::new(&TREE, 26);

/// `ivytown`: 1423 events, 203 metrics.
///
/// Made for the CPUs `GenuineIntel-6-3E-[01234567]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static IVYTOWN: Model = Model::new(&TREE, 27);

/// `jaketown`: 892 events, 138 metrics.
///
/// Made for the CPUs `GenuineIntel-6-2D-[01234567]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static JAKETOWN: Model = Model::new(&TREE, 28);

/// `knightslanding`: 835 events, 54 metrics.
///
/// Made for the CPUs `GenuineIntel-6-(57|85)`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static KNIGHTSLANDING: Model = Model::new(&TREE, 29);

/// `lunarlake`: 668 events, 442 metrics.
///
/// Made for the CPUs `GenuineIntel-6-BD-[01]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static LUNARLAKE: Model = Model::new(&TREE, 30);

/// `meteorlake`: 610 events, 451 metrics.
///
/// Made for the CPUs `GenuineIntel-6-AA-[01234]`, `GenuineIntel-6-AC`, `GenuineIntel-6-B5-0`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static METEORLAKE: Model = Model::new(&TREE, 31);

/// `nehalemep`: 558 events, 57 metrics.
///
/// Made for the CPUs `GenuineIntel-6-(1A|1E)-[012345]`, `GenuineIntel-6-1F`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static NEHALEMEP: Model = Model::new(&TREE, 32);

/// `nehalemex`: 553 events, 57 metrics.
///
/// Made for the CPUs `GenuineIntel-6-2E-[0123456]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static NEHALEMEX: Model = Model::new(&TREE, 33);

/// `novalake`: 459 events, 72 metrics.
///
/// Made for the CPUs `GenuineIntel-18-[13]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static NOVALAKE: Model = Model::new(&TREE, 34);

/// `pantherlake`: 633 events, 86 metrics.
///
/// Made for the CPUs `GenuineIntel-6-(CC|D5|E5)`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static PANTHERLAKE: Model = Model::new(&TREE, 35);

/// `rocketlake`: 352 events, 299 metrics.
///
/// Made for the CPUs `GenuineIntel-6-A7-[01]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static ROCKETLAKE: Model = Model::new(&TREE, 36);

/// `sandybridge`: 441 events, 127 metrics.
///
/// Made for the CPUs `GenuineIntel-6-2A-[01234567]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static SANDYBRIDGE: Model = Model::new(&TREE, 37);

/// `sapphirerapids`: 2693 events, 392 metrics.
///
/// Made for the CPUs `GenuineIntel-6-8F-[012345678]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static SAPPHIRERAPIDS: Model = Model::new(&TREE, 38);

/// `sierraforest`: 1014 events, 200 metrics.
///
/// Made for the CPUs `GenuineIntel-6-AF-[0123]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static SIERRAFOREST: Model = Model::new(&TREE, 39);

/// `silvermont`: 130 events, 46 metrics.
///
/// Made for the CPUs `GenuineIntel-6-37-[0123456789]`, `GenuineIntel-6-(4A|5A)`, `GenuineIntel-6-4C-[01234]`, `GenuineIntel-6-4D-[012345678]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static SILVERMONT: Model = Model::new(&TREE, 40);

/// `skylake`: 587 events, 280 metrics.
///
/// Made for the CPUs `GenuineIntel-6-(4E|5E)-[0123]`, `GenuineIntel-6-8E-[0123456789ABC]`, `GenuineIntel-6-9E-[0123456789ABCD]`, `GenuineIntel-6-A5-[012345]`, `GenuineIntel-6-A6-[01]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static SKYLAKE: Model = Model::new(&TREE, 41);

/// `skylakex`: 3782 events, 338 metrics.
///
/// Made for the CPUs `GenuineIntel-6-55-[01234]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static SKYLAKEX: Model = Model::new(&TREE, 42);

/// `snowridgex`: 2820 events, 77 metrics.
///
/// Made for the CPUs `GenuineIntel-6-86`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static SNOWRIDGEX: Model = Model::new(&TREE, 43);

/// `tigerlake`: 283 events, 304 metrics.
///
/// Made for the CPUs `GenuineIntel-6-8C-[012]`, `GenuineIntel-6-8D-[01]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static TIGERLAKE: Model = Model::new(&TREE, 44);

/// `westmereep-dp`: 542 events, 55 metrics.
///
/// Made for the CPUs `GenuineIntel-6-2C-[012]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static WESTMEREEP_DP: Model = Model::new(&TREE, 45);

/// `westmereep-sp`: 576 events, 57 metrics.
///
/// Made for the CPUs `GenuineIntel-6-25-[012345]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static WESTMEREEP_SP: Model = Model::new(&TREE, 46);

/// `westmereex`: 579 events, 57 metrics.
///
/// Made for the CPUs `GenuineIntel-6-2F-[012]`. To any other CPU that the map file gives this table, its events may not apply: `Model::made_for` tells.
pub static WESTMEREEX: Model = Model::new(&TREE, 47);

/// The model of a CPU, by its CPUID in perf's form: the first row of the map file that matches. If the row is open-ended, the CPU may be later than the table: `Model::note` says so. A CPU that no row matches has the events that its architecture names, if the tree has them.
pub const fn model(cpuid: &str) -> Option<Model> {
    TREE.model(cpuid)
}
