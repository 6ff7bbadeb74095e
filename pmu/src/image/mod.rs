//! Programs and libraries as files: what they say of themselves.
//!
//! Only the parts that are asked for are read. A file may be changed or cut off meanwhile, so
//! nothing is mapped.

mod symbols;

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

pub(crate) use symbols::Symbols;
use symbols::{demangled, rank};

/// An ELF file.
pub(crate) struct Image {
    cache: ReadCache<File>,
    segments: OnceCell<Vec<Segment>>,
    functions: OnceCell<Symbols>,
    variables: OnceCell<Symbols>,
    lines: OnceCell<Option<Lines>>,
}

/// A part of a file that is loaded.
struct Segment {
    offset: u64,
    /// In the file.
    length: u64,
    /// In memory.
    size: u64,
    address: u64,
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
        let (functions, variables) = (OnceCell::new(), OnceCell::new());
        let (segments, lines) = (OnceCell::new(), OnceCell::new());
        Ok(Image { cache, segments, functions, variables, lines })
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

    fn segments(&self) -> &[Segment] {
        let read = || {
            let segment = |segment: object::Segment<'_, '_, _>| {
                let (offset, length) = segment.file_range();
                Segment { offset, length, size: segment.size(), address: segment.address() }
            };
            self.parsed().map_or_else(Vec::new, |file| file.segments().map(segment).collect())
        };
        self.segments.get_or_init(read)
    }

    /// The address that is meant by a place in the file.
    pub(crate) fn address_of(&self, offset: u64) -> Option<u64> {
        let within = |segment: &Segment, length: u64| {
            let within = offset.checked_sub(segment.offset)?;
            if within >= length { None } else { segment.address.checked_add(within) }
        };
        let segments = self.segments();
        let in_file = segments.iter().find_map(|segment| within(segment, segment.length));
        // Variables that begin as zeros follow what is in the file.
        in_file.or_else(|| segments.iter().find_map(|segment| within(segment, segment.size)))
    }

    /// The symbols of some kind: functions or variables.
    fn symbols(&self, is_of_functions: bool) -> Symbols {
        let mut symbols = Symbols::default();
        if let Some(file) = self.parsed() {
            for symbol in file.symbols().chain(file.dynamic_symbols()) {
                let is_meant = match symbol.kind() {
                    SymbolKind::Text => is_of_functions,
                    SymbolKind::Data => !is_of_functions,
                    // Functions of assemblers have no type.
                    SymbolKind::Unknown | SymbolKind::Label if is_of_functions => symbol
                        .section_index()
                        .and_then(|index| file.section_by_index(index).ok())
                        .is_some_and(|section| section.kind() == object::SectionKind::Text),
                    _ => false,
                };
                // As ifuncs, which `kind` does not know.
                let is_indirect = matches!(symbol.flags(),
                    SymbolFlags::Elf { st_info, .. } if st_info.0 & 0xf == 10);
                let Ok(name) = symbol.name() else { continue };
                if (is_meant || is_indirect && is_of_functions)
                    && symbol.address() > 0
                    && !name.is_empty()
                {
                    let rank = rank(symbol.is_weak(), symbol.is_global(), name);
                    symbols.add(symbol.address(), symbol.size(), rank, name);
                }
            }
        }
        symbols.finish();
        symbols
    }

    /// The function at an address, and how far into it that is.
    pub(crate) fn function(&self, address: u64) -> Option<(Rc<str>, u64)> {
        self.functions.get_or_init(|| self.symbols(true)).at(address)
    }

    /// The variable at an address, and how far into it that is.
    pub(crate) fn variable(&self, address: u64) -> Option<(Rc<str>, u64)> {
        self.variables.get_or_init(|| self.symbols(false)).at(address)
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
    let own = own.filter(is_it)?;
    if own.has_symbol_table() {
        return Some(own);
    }
    let separate = build_id.map(<[u8]>::to_vec).or_else(|| own.build_id()).and_then(|id| {
        let image = Image::open(&below(&debug_path(&id)?)).ok()?;
        (image.build_id().as_deref() == Some(&id[..])).then_some(image)
    });
    Some(match separate {
        // Its own table says where the parts were before they were taken out.
        Some(separate) => {
            own.segments();
            Image { segments: own.segments, ..separate }
        }
        None => own,
    })
}

/// Where distributions put what they strip off.
fn debug_path(build_id: &[u8]) -> Option<PathBuf> {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let (first, rest) = build_id.split_first()?;
    let name = format!("{}/{}.debug", hex(&[*first]), hex(rest));
    Some(Path::new("/usr/lib/debug/.build-id").join(name))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Symbols that were taken out have the same addresses as before.
    #[test]
    fn symbols_in_another_file() {
        let root = std::env::temp_dir().join(format!("pmu-image-{}", std::process::id()));
        std::fs::create_dir_all(&root).expect("it can be made");
        let source = "int one(int n) { return n + 1; }\nint main(void) { return one(2); }\n";
        std::fs::write(root.join("program.c"), source).expect("it can be written");
        let run = |program: &str, words: &[&str]| {
            let status = Command::new(program).args(words).current_dir(&root).status();
            assert!(status.expect("a linker comes with it").success(), "{program} {words:?}");
        };
        run("cc", &["-O0", "-Wl,--build-id", "-o", "whole", "program.c"]);
        let whole = Image::open(&root.join("whole")).expect("it was made");
        let id = whole.build_id().expect("it was asked for");
        let separate =
            root.join(debug_path(&id).expect("it has bytes").strip_prefix("/").expect("it is one"));
        std::fs::create_dir_all(separate.parent().expect("it has one")).expect("it can be made");
        run("objcopy", &["--only-keep-debug", "whole", separate.to_str().expect("it is text")]);
        run("objcopy", &["--strip-all", "whole", "stripped"]);
        let found = find(Path::new("/stripped"), Some(&root), Some(&id)).expect("it is there");
        std::fs::remove_dir_all(&root).expect("it was made");
        let named = |image: &Image, offset| image.function(image.address_of(offset)?);
        let mut names = Vec::new();
        for offset in 0..0x4000 {
            let name = named(&whole, offset);
            assert_eq!(named(&found, offset), name, "{offset:#x}");
            names.extend(name.map(|(name, _)| name.to_string()));
        }
        assert!(names.iter().any(|name| name == "one") && names.iter().any(|name| name == "main"));
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
}
