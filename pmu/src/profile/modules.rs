//! The files that code is in, with their functions and lines.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::image::{Image, Place, find};
use crate::perf_data::notes;
use crate::profile::kernel;

/// All files of a recording, each by its number.
pub(crate) struct Modules {
    all: Vec<Module>,
    /// By path, and by the build id of the mapping: containers have other files at the same paths.
    numbers: HashMap<(Vec<u8>, Option<Vec<u8>>), usize>,
    build_ids: HashMap<Vec<u8>, Vec<u8>>,
    /// Below which directory the files are.
    root: Option<PathBuf>,
    kernel: OnceCell<kernel::Kernel>,
}

/// A file that code is in.
pub(crate) struct Module {
    /// Its path, or what stands for it.
    pub(crate) name: Rc<str>,
    /// The last part of the path.
    pub(crate) short_name: Rc<str>,
    path: Vec<u8>,
    /// If its mapping says it. Otherwise the whole recording may.
    build_id: Option<Vec<u8>>,
    image: OnceCell<Option<Image>>,
}

/// A symbol, and how far into it something is.
type Within = Option<(Rc<str>, u64)>;

/// The kernel, wherever its code is.
pub(super) const KERNEL: &[u8] = b"[kernel.kallsyms]";

impl Modules {
    pub(super) fn new(build_ids: HashMap<Vec<u8>, Vec<u8>>, root: Option<PathBuf>) -> Self {
        let kernel = OnceCell::new();
        Modules { all: Vec::new(), numbers: HashMap::new(), build_ids, root, kernel }
    }

    /// The number of the file that is mapped from a path.
    pub(super) fn number(&mut self, path: &[u8], build_id: Option<&[u8]>) -> usize {
        // The kernel's mapping is named after a symbol.
        let (path, build_id) =
            if path.starts_with(KERNEL) { (KERNEL, None) } else { (path, build_id) };
        let build_id = build_id.map(<[u8]>::to_vec);
        let key = (path.to_vec(), build_id.clone());
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        let number = self.all.len();
        self.numbers.insert(key, number);
        let name = String::from_utf8_lossy(path);
        self.all.push(Module {
            short_name: short(&name),
            name: Rc::from(name),
            path: path.to_vec(),
            build_id,
            image: OnceCell::new(),
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
            let build_id = module.build_id.as_ref().or_else(|| self.build_ids.get(&module.path));
            find(path, self.root.as_deref(), build_id.map(Vec::as_slice))
        };
        module.image.get_or_init(open).as_ref()
    }

    /// The function at a place in a file; with lines, if they are asked for.
    pub(super) fn code(&self, module: usize, offset: u64, lines: bool) -> (Within, Vec<Place>) {
        let look = || {
            let image = self.image(&self.all[module])?;
            let address = image.address_of(offset)?;
            let places = if lines { image.places(address) } else { Vec::new() };
            Some((image.function(address), places))
        };
        look().unwrap_or_default()
    }

    /// The variable at a place in a file.
    pub(super) fn data(&self, module: usize, offset: u64) -> Within {
        let image = self.image(&self.all[module])?;
        image.variable(image.address_of(offset)?)
    }

    /// The symbols of the kernel, if it is the one that was recorded.
    pub(super) fn kernel(&self) -> &kernel::Kernel {
        self.kernel.get_or_init(|| {
            let recorded = self.build_ids.get(KERNEL);
            match recorded.is_some() && recorded == notes::of_kernel(Path::new("/sys")).as_ref() {
                true => kernel::Kernel::running(),
                false => kernel::Kernel::default(),
            }
        })
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
