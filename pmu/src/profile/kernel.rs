//! The functions of the kernel, if the one that runs is the one that was recorded.

use std::path::Path;

use pmu_events::__private::file;

use crate::image::Symbols;

/// Reads them; none where the user may not know their addresses (`kptr_restrict`).
pub(super) fn symbols() -> Symbols {
    let mut symbols = Symbols::default();
    if let Ok(text) = file::of_procfs(Path::new("/proc/kallsyms")) {
        text.lines().filter_map(line).for_each(|(address, name)| symbols.add(address, 0, 0, name));
    }
    symbols.finish();
    symbols
}

/// A line about code: address, kind, name.
fn line(line: &str) -> Option<(u64, &str)> {
    let mut words = line.split([' ', '\t']);
    let (address, kind, name) = (words.next()?, words.next()?, words.next()?);
    let address = u64::from_str_radix(address, 16).ok().filter(|&address| address > 0)?;
    matches!(kind, "T" | "t" | "W" | "w").then_some((address, name))
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn lines_of_kallsyms() {
        let cases = [
            ("ffffffff81000000 T _text", Some((0xffff_ffff_8100_0000, "_text"))),
            ("ffffffffc0000000 t init\t[loop]", Some((0xffff_ffff_c000_0000, "init"))),
            ("ffffffff82000000 D data", None),
            ("0000000000000000 T _text", None),
            ("x T y", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(line(text), expected, "{text}");
        }
    }
}
