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
            for (address, kind, name) in text.lines().filter_map(line) {
                match kind {
                    b'T' | b't' | b'W' | b'w' => kernel.functions.add(address, 0, 0, name),
                    b'D' | b'd' | b'B' | b'b' | b'R' | b'r' | b'V' | b'v' => {
                        kernel.variables.add(address, 0, 0, name);
                    }
                    _ => {}
                }
            }
        }
        kernel.functions.finish();
        kernel.variables.finish();
        kernel
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
    use super::line;

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
