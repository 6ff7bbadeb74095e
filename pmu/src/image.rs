//! Programs and libraries as files: what they say of themselves.
//!
//! Only the parts that are asked for are read. A file may be changed or cut off meanwhile, so
//! nothing is mapped.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use gimli::{EndianRcSlice, RunTimeEndian};
use object::read::{ObjectSection as _, ReadCache};
use object::{Object as _, ObjectSegment as _, ObjectSymbol as _, SymbolFlags, SymbolKind};

/// An ELF file.
pub(crate) struct Image {
    cache: ReadCache<File>,
    symbols: OnceCell<Symbols>,
    lines: OnceCell<Option<Lines>>,
}

type Lines = addr2line::Context<EndianRcSlice<RunTimeEndian>>;

/// A function, or a place in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) function: Option<Rc<str>>,
    /// The file and the number of the line.
    pub(crate) line: Option<(Rc<str>, u32)>,
}

impl Image {
    /// Opens a regular file, without waiting for what else may be in its place.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let cache = ReadCache::new(file);
        Ok(Image { cache, symbols: OnceCell::new(), lines: OnceCell::new() })
    }

    fn parsed(&self) -> Option<object::File<'_, &ReadCache<File>>> {
        object::File::parse(&self.cache).ok()
    }

    /// The build id (`NT_GNU_BUILD_ID`).
    pub(crate) fn build_id(&self) -> Option<Vec<u8>> {
        self.parsed()?.build_id().ok().flatten().map(<[u8]>::to_vec)
    }

    /// Whether it has more than the names that the dynamic linker needs.
    fn has_symbol_table(&self) -> bool {
        self.parsed().is_some_and(|file| file.symbols().next().is_some())
    }

    /// The address that is meant by a place in the file.
    pub(crate) fn address_of(&self, offset: u64) -> Option<u64> {
        let file = self.parsed()?;
        file.segments().find_map(|segment| {
            let (start, length) = segment.file_range();
            let within = offset.checked_sub(start).filter(|&within| within < length)?;
            segment.address().checked_add(within)
        })
    }

    fn symbols(&self) -> &Symbols {
        self.symbols.get_or_init(|| {
            let mut symbols = Symbols::default();
            if let Some(file) = self.parsed() {
                let all = file.symbols().chain(file.dynamic_symbols());
                for symbol in all {
                    let is_code = match symbol.kind() {
                        SymbolKind::Text => true,
                        // Functions of assemblers have no type.
                        SymbolKind::Unknown | SymbolKind::Label => symbol
                            .section_index()
                            .and_then(|index| file.section_by_index(index).ok())
                            .is_some_and(|section| section.kind() == object::SectionKind::Text),
                        _ => false,
                    };
                    // As ifuncs, which `kind` does not know.
                    let is_indirect = matches!(symbol.flags(),
                        SymbolFlags::Elf { st_info, .. } if st_info.0 & 0xf == 10);
                    let Ok(name) = symbol.name() else { continue };
                    if (is_code || is_indirect) && symbol.address() > 0 && !name.is_empty() {
                        let rank = rank(symbol.is_weak(), symbol.is_global(), name);
                        symbols.add(symbol.address(), symbol.size(), rank, name);
                    }
                }
            }
            symbols.finish();
            symbols
        })
    }

    /// The function at an address, and how far into it that is.
    pub(crate) fn function(&self, address: u64) -> Option<(Rc<str>, u64)> {
        self.symbols().at(address)
    }

    /// The functions that a compiler has put into each other at an address, the innermost first,
    /// with their lines.
    pub(crate) fn places(&self, address: u64) -> Vec<Place> {
        let Some(lines) = self.lines.get_or_init(|| self.read_lines()) else { return Vec::new() };
        let mut places = Vec::new();
        let Ok(mut frames) = lines.find_frames(address).skip_all_loads() else { return places };
        /// More than a compiler inlines; a hostile file could go on.
        const MOST: usize = 256;
        while let Ok(Some(frame)) = frames.next() {
            if places.len() == MOST {
                break;
            }
            let function = frame.function.and_then(|function| {
                let name = function.raw_name().ok()?;
                Some(Rc::from(demangled(&name).as_ref()))
            });
            let line = frame.location.and_then(|place| Some((place.file?.into(), place.line?)));
            places.push(Place { function, line });
        }
        places
    }

    fn read_lines(&self) -> Option<Lines> {
        let file = self.parsed()?;
        let endian = match file.is_little_endian() {
            true => RunTimeEndian::Little,
            false => RunTimeEndian::Big,
        };
        let section = |id: gimli::SectionId| -> Result<_, gimli::Error> {
            let section = file.section_by_name(id.name());
            let data = section.and_then(|section| section.uncompressed_data().ok());
            let data = data.unwrap_or(Cow::Borrowed(&[]));
            Ok(EndianRcSlice::new(Rc::from(data.as_ref()), endian))
        };
        let dwarf = gimli::Dwarf::load(section).ok()?;
        addr2line::Context::from_dwarf(dwarf).ok()
    }
}

/// Finds the file of a mapped path: the file itself, or, where symbols were stripped off it, the
/// file that has them. A file with another build id is another file.
pub(crate) fn find(path: &Path, root: Option<&Path>, build_id: Option<&[u8]>) -> Option<Image> {
    let below = |path: &Path| match root {
        Some(root) => root.join(path.strip_prefix("/").unwrap_or(path)),
        None => path.to_owned(),
    };
    let own = Image::open(&below(path)).ok();
    let is_it = |image: &Image| match (build_id, image.build_id()) {
        (Some(expected), Some(found)) => expected == found,
        _ => true,
    };
    let own = own.filter(is_it);
    if own.as_ref().is_some_and(Image::has_symbol_table) {
        return own;
    }
    let id = build_id.map(<[u8]>::to_vec).or_else(|| own.as_ref()?.build_id());
    let separate = id.and_then(|id| {
        let image = Image::open(&below(&debug_path(&id)?)).ok()?;
        (image.build_id().as_deref() == Some(&id[..])).then_some(image)
    });
    separate.or(own)
}

/// Where distributions put what they strip off.
fn debug_path(build_id: &[u8]) -> Option<PathBuf> {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let (first, rest) = build_id.split_first()?;
    let name = format!("{}/{}.debug", hex(&[*first]), hex(rest));
    Some(Path::new("/usr/lib/debug/.build-id").join(name))
}

/// Symbols by their addresses.
#[derive(Default)]
pub(crate) struct Symbols {
    all: Vec<Symbol>,
}

struct Symbol {
    start: u64,
    end: u64,
    rank: u32,
    /// As it is in the file.
    name: Box<str>,
    shown: OnceCell<Rc<str>>,
}

impl Symbols {
    pub(crate) fn add(&mut self, start: u64, length: u64, rank: u32, name: &str) {
        let end = start.saturating_add(length);
        let shown = OnceCell::new();
        self.all.push(Symbol { start, end, rank, name: name.into(), shown });
    }

    /// Of several at one address, the best remains; one without a length ends at the next
    /// (`symbols__fixup_end` in `tools/perf/util/symbol.c`).
    pub(crate) fn finish(&mut self) {
        self.all.sort_by(|one, other| {
            let key = |symbol: &Symbol| (symbol.start, symbol.end == symbol.start, symbol.rank);
            key(one).cmp(&key(other)).then_with(|| one.name.cmp(&other.name))
        });
        self.all.dedup_by_key(|symbol| symbol.start);
        let starts: Vec<u64> = self.all.iter().skip(1).map(|symbol| symbol.start).collect();
        for (n, symbol) in self.all.iter_mut().enumerate() {
            if symbol.end == symbol.start {
                /// What the last one may have.
                const PAGE: u64 = 4096;
                symbol.end = starts.get(n).copied().unwrap_or(symbol.start.saturating_add(PAGE));
            }
        }
        self.all.shrink_to_fit();
    }

    /// The symbol at an address, and how far into it that is.
    pub(crate) fn at(&self, address: u64) -> Option<(Rc<str>, u64)> {
        let behind = self.all.partition_point(|symbol| symbol.start <= address);
        let symbol = self.all.get(behind.checked_sub(1)?)?;
        if address >= symbol.end {
            return None;
        }
        let shown = symbol.shown.get_or_init(|| Rc::from(demangled(&symbol.name).as_ref()));
        Some((shown.clone(), address - symbol.start))
    }
}

/// Which of several names at one address is shown: the lowest (`choose_best_symbol` in
/// `tools/perf/util/symbol.c`).
fn rank(is_weak: bool, is_global: bool, name: &str) -> u32 {
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

    /// The program that runs this test knows itself.
    #[test]
    fn a_file_that_is_there() {
        let path = std::env::current_exe().expect("it runs");
        let image = find(&path, None, None).expect("it is an ELF file");
        assert!(image.has_symbol_table());
        assert!(find(&path, None, Some(&[1, 2, 3])).is_none() || image.build_id().is_none());
        for odd in ["/dev/null", "/dev/zero", "/", "/nonexistent", "/proc/self/maps"] {
            assert!(
                find(Path::new(odd), None, None).is_none_or(|image| image.function(1).is_none())
            );
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
