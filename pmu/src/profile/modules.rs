//! The files that code is in, with their functions and lines.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::image::{Image, Place, Symbols, find};
use crate::perf_data::notes;
use crate::profile::kernel;

/// All files of a recording, each by its number.
pub(crate) struct Modules {
    all: Vec<Module>,
    numbers: HashMap<Vec<u8>, usize>,
    build_ids: HashMap<Vec<u8>, Vec<u8>>,
    /// Below which directory the files are.
    root: Option<PathBuf>,
    kernel: OnceCell<Symbols>,
}

/// A file that code is in.
pub(crate) struct Module {
    /// Its path, or what stands for it.
    pub(crate) name: Rc<str>,
    /// The last part of the path.
    pub(crate) short_name: Rc<str>,
    path: Vec<u8>,
    image: OnceCell<Option<Image>>,
    found: RefCell<HashMap<u64, Rc<Found>>>,
}

/// What is known of a place in a file.
#[derive(Default)]
pub(crate) struct Found {
    /// The function of the symbol table, and how far into it the place is.
    pub(crate) symbol: Option<(Rc<str>, u64)>,
    /// From the innermost outwards, if lines were asked for and the file has them.
    pub(crate) places: Vec<Place>,
}

/// The kernel, wherever its code is.
pub(super) const KERNEL: &[u8] = b"[kernel.kallsyms]";

impl Modules {
    pub(super) fn new(build_ids: HashMap<Vec<u8>, Vec<u8>>, root: Option<PathBuf>) -> Self {
        let kernel = OnceCell::new();
        Modules { all: Vec::new(), numbers: HashMap::new(), build_ids, root, kernel }
    }

    /// The number of a path.
    pub(super) fn number(&mut self, path: &[u8]) -> usize {
        // The kernel's mapping is named after a symbol.
        let path = if path.starts_with(KERNEL) { KERNEL } else { path };
        if let Some(&number) = self.numbers.get(path) {
            return number;
        }
        let number = self.all.len();
        self.numbers.insert(path.to_vec(), number);
        let name = String::from_utf8_lossy(path);
        self.all.push(Module {
            short_name: short(&name),
            name: Rc::from(name),
            path: path.to_vec(),
            image: OnceCell::new(),
            found: RefCell::default(),
        });
        number
    }

    pub(crate) fn get(&self, number: usize) -> &Module {
        &self.all[number]
    }

    fn image<'m>(&self, module: &'m Module) -> Option<&'m Image> {
        let open = || {
            if module.path.first() != Some(&b'/') || module.path.starts_with(b"//anon") {
                return None;
            }
            let path = Path::new(OsStr::from_bytes(&module.path));
            let build_id = self.build_ids.get(&module.path).map(Vec::as_slice);
            find(path, self.root.as_deref(), build_id)
        };
        module.image.get_or_init(open).as_ref()
    }

    /// What is at a place in a file; with lines, if they are asked for.
    pub(super) fn at(&self, module: usize, offset: u64, lines: bool) -> Rc<Found> {
        let module = &self.all[module];
        if let Some(found) = module.found.borrow().get(&offset) {
            return found.clone();
        }
        let look = || {
            let image = self.image(module)?;
            let address = image.address_of(offset)?;
            let places = if lines { image.places(address) } else { Vec::new() };
            Some(Found { symbol: image.function(address), places })
        };
        let found = Rc::new(look().unwrap_or_default());
        module.found.borrow_mut().insert(offset, found.clone());
        found
    }

    /// The function of the kernel at an address, if it is the one that was recorded.
    pub(super) fn of_kernel(&self, address: u64) -> Option<(Rc<str>, u64)> {
        let symbols = self.kernel.get_or_init(|| {
            let recorded = self.build_ids.get(KERNEL);
            match recorded.is_some() && recorded == notes::of_kernel(Path::new("/sys")).as_ref() {
                true => kernel::symbols(),
                false => Symbols::default(),
            }
        });
        symbols.at(address)
    }
}

fn short(name: &str) -> Rc<str> {
    /// No file has a longer name (`NAME_MAX`), unless a hostile recording says so.
    const LONGEST: usize = 255;
    let last = match name.rsplit_once('/') {
        Some((_, last)) if name.starts_with('/') && !last.is_empty() => last,
        _ => name,
    };
    match last.len() <= LONGEST {
        true => Rc::from(last),
        false => Rc::from(last.chars().take(LONGEST).collect::<String>()),
    }
}
