//! Symbols by their addresses.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use crate::profile::hash;

/// Symbols of one kind. Their names stand one behind the other, because a kernel has some hundred
/// thousand of them.
#[derive(Default)]
pub(crate) struct Symbols {
    all: Vec<Symbol>,
    names: String,
    /// The names that were asked for, by the places of their symbols, as their language has them.
    shown: RefCell<hash::Table<usize, Rc<str>>>,
}

struct Symbol {
    start: u64,
    end: u64,
    rank: u32,
    /// The place of its name, as it is in the file.
    name: u32,
    name_length: u32,
}

impl Symbol {
    fn name<'n>(&self, names: &'n str) -> &'n str {
        let start = self.name as usize;
        &names[start..start + self.name_length as usize]
    }
}

impl Symbols {
    pub(crate) fn add(&mut self, start: u64, length: u64, rank: u32, name: &str) {
        let end = start.saturating_add(length);
        // No file that is real has 4 GB of names.
        let (Ok(at), Ok(name_length)) =
            (u32::try_from(self.names.len()), u32::try_from(name.len()))
        else {
            return;
        };
        self.names.push_str(name);
        self.all.push(Symbol { start, end, rank, name: at, name_length });
    }

    /// Of several at one address, the best remains; one without a length ends at the next
    /// (`symbols__fixup_end` in `tools/perf/util/symbol.c`).
    pub(crate) fn finish(&mut self) {
        let names = &*self.names;
        self.all.sort_by(|one, other| {
            let key = |symbol: &Symbol| (symbol.start, symbol.end == symbol.start, symbol.rank);
            key(one).cmp(&key(other)).then_with(|| one.name(names).cmp(other.name(names)))
        });
        self.all.dedup_by_key(|symbol| symbol.start);
        let mut next = None;
        for symbol in self.all.iter_mut().rev() {
            if symbol.end == symbol.start {
                /// What the last one may have.
                const PAGE: u64 = 4096;
                symbol.end = next.unwrap_or(symbol.start.saturating_add(PAGE));
            }
            next = Some(symbol.start);
        }
        self.all.shrink_to_fit();
        self.names.shrink_to_fit();
    }

    /// The symbol at an address, and how far into it that is.
    pub(crate) fn at(&self, address: u64) -> Option<(Rc<str>, u64)> {
        let behind = self.all.partition_point(|symbol| symbol.start <= address);
        let place = behind.checked_sub(1)?;
        let symbol = self.all.get(place)?;
        if address >= symbol.end {
            return None;
        }
        let mut shown = self.shown.borrow_mut();
        let name = || Rc::from(demangled(symbol.name(&self.names)).as_ref());
        Some((shown.entry(place).or_insert_with(name).clone(), address - symbol.start))
    }
}

/// Which of several names at one address is shown: the lowest (`choose_best_symbol` in
/// `tools/perf/util/symbol.c`).
pub(super) fn rank(is_weak: bool, is_global: bool, name: &str) -> u32 {
    let underscores = name.bytes().take_while(|&byte| byte == b'_').count().min(255) as u32;
    u32::from(is_weak) << 17 | u32::from(!is_global) << 16 | underscores
}

/// A name as its language has it, without arguments.
pub(crate) fn demangled(name: &str) -> Cow<'_, str> {
    /// Longer ones are hostile.
    const LONGEST: usize = 16 << 10;
    if name.len() > LONGEST {
        return Cow::Borrowed(name);
    }
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        return Cow::Owned(format!("{rust:#}"));
    }
    if name.starts_with("_Z") {
        let options = cpp_demangle::DemangleOptions::new().no_params().no_return_type();
        let symbol = cpp_demangle::Symbol::new(name.as_bytes());
        if let Some(text) =
            symbol.ok().and_then(|symbol| symbol.demangle_with_options(&options).ok())
        {
            return Cow::Owned(text);
        }
    }
    Cow::Borrowed(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_by_address() {
        let mut symbols = Symbols::default();
        for (start, length, weak, name) in [
            (0x100, 0x10, false, "__first"),
            (0x100, 0x10, false, "first"),
            (0x100, 0x10, true, "weak"),
            (0x120, 0, false, "label"),
            (0x140, 8, false, "_ZN4core3ptr4read17h0123456789abcdefE"),
            (0x150, 0, false, "_ZNSt6vectorIiE9push_backEi"),
        ] {
            symbols.add(start, length, rank(weak, true, name), name);
        }
        symbols.finish();
        let name = |address| symbols.at(address).map(|(name, offset)| (name.to_string(), offset));
        let cases = [
            (0xff, None),
            (0x100, Some(("first", 0))),
            (0x10f, Some(("first", 15))),
            (0x110, None),
            (0x13f, Some(("label", 0x1f))),
            (0x141, Some(("core::ptr::read", 1))),
            (0x150, Some(("std::vector<int>::push_back", 0))),
            (0x2000, None),
        ];
        for (address, expected) in cases {
            let expected = expected.map(|(name, offset)| (name.to_owned(), offset));
            assert_eq!(name(address), expected, "{address:#x}");
        }
    }

    #[test]
    fn hostile_names() {
        let deep = format!("_Z{}", "N".repeat(10_000));
        for name in ["_Z", "_ZN", "_R", "_RNv", &deep, &"_".repeat(100_000)] {
            assert!(!demangled(name).is_empty());
        }
    }
}
