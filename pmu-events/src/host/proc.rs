//! CPUIDs from files below `/proc`.

// Each architecture uses one of them.
#![cfg_attr(not(test), allow(dead_code))]

use std::format;
use std::path::Path;
use std::string::{String, ToString};

use super::error::{Error, Fault};
use crate::file;

fn read(path: &Path) -> Result<String, Error> {
    file::of_procfs(path).map_err(Error::unreadable)
}

/// The processor version register, as `0x%.8lx`.
pub(super) fn powerpc(proc: &Path) -> Result<String, Error> {
    let path = proc.join("cpuinfo");
    pvr(&read(&path)?).ok_or(Error::new(Fault::Silent(path, "PVR")))
}

/// Parses `revision : 2.2 (pvr 004e 1202)` (`show_cpuinfo` in
/// `arch/powerpc/kernel/setup-common.c`).
fn pvr(cpuinfo: &str) -> Option<String> {
    let (_, rest) = cpuinfo.split_once("(pvr ")?;
    let (halves, _) = rest.split_once(')')?;
    let (version, revision) = halves.trim().split_once(' ')?;
    let version = u32::from_str_radix(version, 16).ok()?;
    let revision = u32::from_str_radix(revision.trim(), 16).ok()?;
    Some(format!("0x{:08x}", version << 16 | revision))
}

/// Vendor, architecture and implementation of the first hart.
pub(super) fn riscv(proc: &Path) -> Result<String, Error> {
    let path = proc.join("cpuinfo");
    let cpuinfo = read(&path)?;
    harts_ids(&cpuinfo).ok_or(Error::new(Fault::Silent(path, "mvendorid, marchid and mimpid")))
}

fn harts_ids(cpuinfo: &str) -> Option<String> {
    let field = |name: &str| {
        let line = cpuinfo.lines().find(|line| line.starts_with(name))?;
        line.rsplit(' ').next().filter(|value| !value.is_empty() && *value != line)
    };
    Some(format!("{}-{}-{}", field("mvendorid")?, field("marchid")?, field("mimpid")?))
}

/// Manufacturer, type and model; and, where the machine has the CPU
/// measurement facility, its version and authorization.
pub(super) fn s390(proc: &Path) -> Result<String, Error> {
    let path = proc.join("sysinfo");
    let sysinfo = read(&path)?;
    let levels = read(&proc.join("service_levels")).unwrap_or_default();
    machine(&sysinfo, &levels)
        .ok_or(Error::new(Fault::Silent(path, "manufacturer, type and model")))
}

fn machine(sysinfo: &str, service_levels: &str) -> Option<String> {
    let words = |name: &str, separator: &str| {
        let line = sysinfo.lines().find_map(|line| line.strip_prefix(name))?;
        let mut words = String::new();
        for word in line.split_whitespace() {
            words.push_str(if words.is_empty() { "" } else { separator });
            words.push_str(word);
        }
        if words.is_empty() { None } else { Some(words) }
    };
    let [manufacturer, kind] = [words("Manufacturer:", "")?, words("Type:", "")?];
    let mut id = format!("{manufacturer},{kind},{}", words("Model:", ",")?);
    let facility = service_levels.lines().find_map(|line| line.strip_prefix("CPU-MF:"));
    if let Some(facility) = facility {
        let value =
            |name: &str| facility.split_whitespace().find_map(|word| word.strip_prefix(name));
        if let (Some(version), Some(authorization)) = (value("version="), value("authorization=")) {
            id.push_str(&format!(",{version},{authorization}"));
        }
    }
    Some(id.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::error::ErrorKind;
    use super::super::fixture::machine;
    use super::*;

    #[test]
    fn powerpc_pvr() {
        let cpuinfo = "processor\t: 0\ncpu\t\t: POWER9, altivec supported\n\
                       clock\t\t: 2300.000000MHz\nrevision\t: 2.2 (pvr 004e 1202)\n";
        let power9 = machine(&[("proc/cpuinfo", cpuinfo)]);
        assert_eq!(powerpc(&power9.path().join("proc")).unwrap(), "0x004e1202");
        let other = machine(&[("proc/cpuinfo", "cpu\t: POWER9\n")]);
        assert!(
            matches!(powerpc(&other.path().join("proc")), Err(error) if error.kind() == ErrorKind::Silent)
        );
        let none = machine(&[]);
        assert!(
            matches!(powerpc(&none.path().join("proc")), Err(error) if error.kind() == ErrorKind::Unreadable)
        );
    }

    #[test]
    fn riscv_ids() {
        let cpuinfo = "processor\t: 0\nhart\t\t: 1\nmvendorid\t: 0x489\n\
                       marchid\t\t: 0x8000000000000007\nmimpid\t\t: 0x0\n";
        let u74 = machine(&[("proc/cpuinfo", cpuinfo)]);
        assert_eq!(riscv(&u74.path().join("proc")).unwrap(), "0x489-0x8000000000000007-0x0");
        let other = machine(&[("proc/cpuinfo", "mvendorid\t: 0x489\n")]);
        assert!(
            matches!(riscv(&other.path().join("proc")), Err(error) if error.kind() == ErrorKind::Silent)
        );
    }

    #[test]
    fn s390_machines() {
        let sysinfo = "Manufacturer:         IBM\nType:                 3931\n\
                       Model:                704              A01\nSequence Code: 1\n";
        let levels = "VM: x\nCPU-MF: Counter facility: version=3.7 authorization=002f\n";
        let z16 = machine(&[("proc/sysinfo", sysinfo), ("proc/service_levels", levels)]);
        assert_eq!(s390(&z16.path().join("proc")).unwrap(), "IBM,3931,704,A01,3.7,002f");
        let guest = machine(&[("proc/sysinfo", sysinfo)]);
        assert_eq!(s390(&guest.path().join("proc")).unwrap(), "IBM,3931,704,A01");
        let other = machine(&[("proc/sysinfo", "Type: 3931\n")]);
        assert!(
            matches!(s390(&other.path().join("proc")), Err(error) if error.kind() == ErrorKind::Silent)
        );
    }
}
