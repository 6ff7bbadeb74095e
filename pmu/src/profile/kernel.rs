//! The symbols of the kernel, if the one that runs is the one that was recorded.

use std::path::Path;

use pmu_events::__private::file;

use crate::image::Symbols;

/// What has a name in the kernel.
#[derive(Default)]
pub(super) struct Kernel {
    pub(super) functions: Symbols,
    pub(super) variables: Symbols,
}

impl Kernel {
    /// Those of the running kernel; none where the user may not know their addresses
    /// (`kptr_restrict`).
    pub(super) fn running() -> Self {
        let mut kernel = Kernel::default();
        if let Ok(text) = file::of_procfs(Path::new("/proc/kallsyms")) {
            kernel.add(&text);
        }
        kernel
    }

    fn add(&mut self, text: &str) {
        for (n, (address, kind, name)) in text.lines().filter_map(line).enumerate() {
            // None has a length, so that of several at one address, the last one remains with perf
            // (`dso__load_kallsyms` in `tools/perf/util/symbol.c`).
            let rank = u32::MAX - n as u32;
            match kind {
                b'T' | b't' | b'W' | b'w' => self.functions.add(address, 0, rank, name),
                b'D' | b'd' | b'B' | b'b' | b'R' | b'r' | b'V' | b'v' => {
                    self.variables.add(address, 0, rank, name);
                }
                _ => {}
            }
        }
        self.functions.finish();
        self.variables.finish();
    }
}

/// A line: address, kind (`nm`), name, and the module if there is one.
fn line(line: &str) -> Option<(u64, u8, &str)> {
    let mut words = line.split([' ', '\t']);
    let (address, kind, name) = (words.next()?, words.next()?, words.next()?);
    let address = u64::from_str_radix(address, 16).ok().filter(|&address| address > 0)?;
    Some((address, *kind.as_bytes().first()?, name))
}

#[cfg(test)]
mod tests {
    use super::{Kernel, line};

    #[test]
    fn names_of_one_function() {
        let mut kernel = Kernel::default();
        kernel
            .add("1000 T memcpy\n1000 T __memcpy\n1000 T __pi_memcpy\n1000 D data\n1100 t next\n");
        let name =
            |address| kernel.functions.at(address).map(|(name, into)| (name.to_string(), into));
        assert_eq!(name(0x1010), Some(("__pi_memcpy".into(), 0x10)));
        assert_eq!(name(0x1100), Some(("next".into(), 0)));
        assert_eq!(name(0xfff), None);
    }

    #[test]
    fn lines_of_kallsyms() {
        let cases = [
            ("ffffffff81000000 T _text", Some((0xffff_ffff_8100_0000, b'T', "_text"))),
            ("ffffffffc0000000 t init\t[loop]", Some((0xffff_ffff_c000_0000, b't', "init"))),
            ("ffffffff82000000 D data", Some((0xffff_ffff_8200_0000, b'D', "data"))),
            ("0000000000000000 T _text", None),
            ("x T y", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(line(text), expected, "{text}");
        }
    }
}
