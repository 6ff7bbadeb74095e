//! MIDR_EL1 of Arm's cores (`Documentation/arch/arm64/cpu-feature-registers.rst`).

use std::borrow::ToOwned;
use std::format;
use std::path::Path;
use std::string::String;

use super::{CpuSet, Problem};
use crate::file::{self, Kind};

/// Reads the register of the first CPU that exposes it, which offline CPUs do not
/// (`_get_cpuid` in `tools/perf/arch/arm64/util/header.c`). `root` is used as
/// `/sys`.
pub(super) fn read(root: &Path, cpus: &CpuSet) -> Result<Option<String>, Problem> {
    let directory = root.join("devices/system/cpu");
    for cpu in cpus.iter() {
        let path = directory.join(format!("cpu{cpu}/regs/identification/midr_el1"));
        if let Some(midr) = file::of_sysfs(&path, Kind::Unknown, str::to_owned)? {
            return Ok(Some(midr));
        }
    }
    Ok(None)
}
