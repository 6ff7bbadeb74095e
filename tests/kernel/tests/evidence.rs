//! What perf's trees have of the events that `arch/` repairs, recorded in
//! `overlay/evidence/perf.csv`, from which the importer makes `REPAIRS.md`.
//! `BLESS=1` writes the file.

use std::fs;
use std::path::PathBuf;

use pmu_events_import::repairs::{self, VERSIONS};

use pmu_events_kernel_comparison as comparison;

use comparison::compiled::compiled;
use comparison::{arch_dir_of, kernel_arch_dir, own_arch_dir};

#[test]
fn what_perf_has_of_repaired_events() {
    let repairs = repairs::of_arch(&own_arch_dir().join("x86")).expect("arch/ compiles");
    assert!(repairs.len() > 2000, "{} repairs", repairs.len());
    let directories: [PathBuf; 3] =
        [arch_dir_of("PMU_EVENTS_OLDER"), kernel_arch_dir(), arch_dir_of("PMU_EVENTS_NEWER")];
    let trees = directories.map(|directory| compiled(&directory, "x86").expect("it compiles").tree);
    let trees: Vec<_> = VERSIONS.into_iter().zip(trees).collect();
    let found = repairs::compared(&repairs, &trees);
    let path = own_arch_dir().join("../overlay/evidence/perf.csv");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &found).expect("it can be written");
    }
    let recorded = fs::read_to_string(&path).expect("it can be read");
    assert!(recorded == found, "run it with BLESS=1; {} lines", found.lines().count());
}
