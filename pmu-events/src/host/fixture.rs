//! Simulated machines: directories with the files of a machine.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, format, fs, process};

/// A root directory that is removed when the test ends.
pub(super) struct Machine(PathBuf);

/// Creates a machine with these files, given by path and text.
pub(super) fn machine(files: &[(&str, &str)]) -> Machine {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let root = env::temp_dir().join(format!("pmu-events-host-{}-{number}", process::id()));
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    Machine(root)
}

impl Machine {
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
