//! Made-up machines: what sysfs says on each, written as a directory.
//!
//! A line of `NAME.txt` is `path<TAB>text`: a file below
//! `bus/event_source/devices`, or below the root where the path begins with
//! `/`. `pmu<TAB>=other` copies all files of another PMU; lines behind it
//! replace single ones.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs};

use pmu_events::sysfs::Sysfs;
use pmu_events::{Model, System};

pub const DEVICES: &str = "bus/event_source/devices";

/// The directory that stands for `/sys`; gone when this is.
pub struct Machine {
    root: PathBuf,
}

impl Machine {
    /// A machine without any PMU.
    pub fn empty() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        // In memory: ext4 makes files slowly where thousands have just been deleted
        // (`recently_deleted` in `fs/ext4/ialloc.c`).
        let memory = env::var_os("TMPDIR").map_or_else(|| "/dev/shm".into(), PathBuf::from);
        let name = format!("machine-{}-{number}", std::process::id());
        let mut roots = [memory, env::temp_dir()].map(|scratch| scratch.join(&name)).into_iter();
        let root = roots.find(|root| fs::create_dir_all(root.join(DEVICES)).is_ok());
        Machine { root: root.expect("a scratch directory can be written") }
    }

    /// A machine from its lines.
    pub fn of(text: &str) -> Self {
        let machine = Machine::empty();
        let mut files: Vec<(String, &str)> = Vec::new();
        for line in text.lines() {
            let (path, text) = line.split_once('\t').expect("a line is path, tab, text");
            let Some(other) = text.strip_prefix('=') else {
                files.push((path.into(), text));
                continue;
            };
            let copies: Vec<_> = files
                .iter()
                .filter_map(|(file, text)| {
                    let rest = file.strip_prefix(other)?.strip_prefix('/')?;
                    Some((format!("{path}/{rest}"), *text))
                })
                .collect();
            assert!(!copies.is_empty(), "{other} stands before {path}");
            files.extend(copies);
        }
        for (path, text) in &files {
            machine.write(path, format!("{text}\n"));
        }
        machine
    }

    /// One of the machines beside this file.
    pub fn named(name: &str) -> Self {
        Machine::of(match name {
            "alderlake" => include_str!("alderlake.txt"),
            "edge" => include_str!("edge.txt"),
            "neoverse-n1" => include_str!("neoverse-n1.txt"),
            "newer-meshes" => include_str!("newer-meshes.txt"),
            "power9" => include_str!("power9.txt"),
            "sapphirerapids" => include_str!("sapphirerapids.txt"),
            "skylakex" => include_str!("skylakex.txt"),
            "testcpu" => include_str!("testcpu.txt"),
            "tracing" => include_str!("tracing.txt"),
            "two-meshes" => include_str!("two-meshes.txt"),
            "zen4" => include_str!("zen4.txt"),
            _ => panic!("there is no machine {name}"),
        })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn sysfs(&self) -> Sysfs {
        Sysfs::at(&self.root)
    }

    /// Without tables: none may come from the machine that runs the test.
    pub fn system(&self) -> System {
        System::at(&self.root).without_tables()
    }

    /// The same with the tables of a model, if there is one.
    pub fn with_model(&self, model: Option<Model>) -> System {
        match model {
            Some(model) => self.system().with_model(model),
            None => self.system(),
        }
    }

    /// Where a path of the format above is.
    pub fn path(&self, path: &str) -> PathBuf {
        match path.strip_prefix('/') {
            Some(path) => self.root.join(path),
            None => self.root.join(DEVICES).join(path),
        }
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        let parent = path.parent().expect("it is below the root");
        fs::create_dir_all(parent).expect("the scratch directory can be written");
        fs::write(path, text).expect("the scratch directory can be written");
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // What is left over is below the target directory.
        let _ = fs::remove_dir_all(&self.root);
    }
}
