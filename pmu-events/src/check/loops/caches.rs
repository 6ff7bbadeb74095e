//! The sizes of caches, which sysfs tells.

use std::format;
use std::string::String;
use std::vec::Vec;

use crate::file::{self, Kind};
use crate::system::System;

/// The caches of data of CPU 0 (`Documentation/ABI/testing/sysfs-devices-system-cpu`): level and
/// size in bytes.
#[derive(Debug)]
pub(super) struct Caches(Vec<(u32, usize)>);

impl Caches {
    pub(super) fn of(system: &System) -> Self {
        let root = system.sysfs().root().join("devices/system/cpu/cpu0/cache");
        let of = |number: u32, file: &str| -> Option<String> {
            let path = root.join(format!("index{number}")).join(file);
            file::of_sysfs(&path, Kind::Unknown, |text| String::from(text)).ok().flatten()
        };
        let cache = |number: u32| {
            let is_of_data = of(number, "type").is_none_or(|kind| kind != "Instruction");
            let level = of(number, "level")?.parse().ok()?;
            is_of_data.then_some((level, bytes(&of(number, "size")?)?))
        };
        Caches((0..8).filter_map(cache).collect())
    }

    /// The size of the cache of a level or, without one, of the last.
    pub(super) fn size(&self, level: Option<u32>) -> Option<usize> {
        let Caches(all) = self;
        let is_meant = |&&(own, _): &&(u32, usize)| level.is_none_or(|level| own == level);
        all.iter().filter(is_meant).max().map(|&(_, size)| size)
    }
}

fn bytes(text: &str) -> Option<usize> {
    const UNITS: [(char, u32); 3] = [('K', 10), ('M', 20), ('G', 30)];
    let unit = UNITS.iter().find_map(|&(unit, bits)| Some((text.strip_suffix(unit)?, bits)));
    let (digits, bits) = unit.unwrap_or((text, 0));
    digits.parse::<usize>().ok()?.checked_mul(1 << bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let cases =
            [("48K", Some(48 << 10)), ("480M", Some(480 << 20)), ("7", Some(7)), ("x", None)];
        for (text, expected) in cases {
            assert_eq!(bytes(text), expected, "{text}");
        }
        let caches = Caches(std::vec![(1, 1 << 15), (2, 1 << 21), (3, 1 << 25)]);
        assert_eq!((caches.size(Some(2)), caches.size(None)), (Some(1 << 21), Some(1 << 25)));
        assert_eq!(caches.size(Some(4)), None);
    }
}
