//! The frequency of an Intel CPU's time-stamp counter (`arch_get_tsc_freq` in
//! `tools/perf/arch/x86/util/tsc.c`).

use std::path::Path;

use super::leaf;
use crate::file;

/// CPUID leaf 0x15 (Intel SDM volume 2A): the ratio of counter ticks to crystal
/// ticks, as denominator and numerator, and the crystal's frequency in hertz.
#[derive(Clone, Copy)]
pub(super) struct Crystal {
    pub(super) denominator: u32,
    pub(super) numerator: u32,
    pub(super) hertz: u32,
}

/// The frequency in hertz, from the leaf or, if the leaf does not enumerate it,
/// from the model name.
pub(super) fn frequency(crystal: Option<Crystal>, proc: &Path) -> Option<f64> {
    match crystal {
        Some(Crystal { denominator, numerator, hertz })
            if denominator != 0 && numerator != 0 && hertz != 0 =>
        {
            Some(f64::from(hertz) * f64::from(numerator) / f64::from(denominator))
        }
        _ => of_cpuinfo(&file::of_procfs(&proc.join("cpuinfo")).ok()?),
    }
}

/// The frequency in `model name : … CPU @ 3.00GHz`.
fn of_cpuinfo(cpuinfo: &str) -> Option<f64> {
    let field = |name| cpuinfo.lines().find(|line| line.starts_with(name));
    // Other vendors' model names do not give this clock's frequency.
    field("vendor_id").filter(|vendor| vendor.contains("Intel"))?;
    let (_, speed) = field("model name")?.split_once(" @ ")?;
    let gigahertz: f64 = speed.split_once("GHz")?.0.trim().parse().ok()?;
    (gigahertz > 0.0).then_some(gigahertz * 1e9)
}

/// `None` if the CPU has no such leaf, or is not an Intel CPU.
pub(super) fn crystal() -> Option<Crystal> {
    leaf::of_intel(0x15).map(|[denominator, numerator, hertz, _]| Crystal {
        denominator,
        numerator,
        hertz,
    })
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    use super::*;

    /// Only Intel's CPUs have the leaf, from 0x15 leaves on: as the kernel says of this one.
    #[test]
    fn vendors_of_the_leaf() {
        let cpuinfo = file::of_procfs(Path::new("/proc/cpuinfo")).unwrap();
        let field = |name| {
            let line = cpuinfo.lines().find(|line: &&str| line.starts_with(name))?;
            Some(line.split_once(':')?.1.trim())
        };
        let level: u32 = field("cpuid level").and_then(|level| level.parse().ok()).unwrap();
        let has_leaf = field("vendor_id") == Some("GenuineIntel") && level >= 0x15;
        assert_eq!(crystal().is_some(), has_leaf, "{cpuinfo}");
    }
}
