//! The files below a directory, if they are telemetry specifications.

use std::collections::BTreeMap;
use std::path::Path;

use super::layout::Layout;
use crate::faults::Faults;
use crate::files::{Directory, Files, read_files};
use crate::source::vendor::{Vendor, specifications};

/// Reads a directory of specifications.
pub(crate) fn read(
    root: &Path,
    shown: &str,
    keep: &dyn Fn(&str) -> bool,
    faults: &mut Faults,
) -> (Files, Layout) {
    let found = specifications(root, shown, faults);
    let all = read_files(found, 0, faults);
    let mut files = Files {
        root: shown.to_owned(),
        arch: Vendor::Arm.arch().to_owned(),
        all,
        directories: Vec::new(),
        all_directories: BTreeMap::new(),
    };
    let mut layout = Layout::read(&files, faults);
    for model in &mut layout.models {
        model.is_kept = keep(&model.name);
        let (name, path) = (model.name.clone(), model.name.clone());
        files.all_directories.insert(name.clone(), false);
        files.directories.push(Directory { name, sys: false, path });
    }
    (files, layout)
}
