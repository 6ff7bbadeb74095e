//! The files of the models that are kept.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::layout::{Kind, Layout, ModelFile};
use crate::faults::{Faults, narrow};
use crate::files::{Directory, Files, Found, Role, read_files};
use crate::source::vendor::Vendor;

/// Reads a perfmon directory.
pub(crate) fn read(
    root: &Path,
    shown: &str,
    keep: &dyn Fn(&str) -> bool,
    faults: &mut Faults,
) -> (Files, Perfmon) {
    let map = Found {
        shown: format!("{shown}/mapfile.csv"),
        path: root.join("mapfile.csv"),
        role: Role::Map,
        named_at: None,
    };
    let mut all = read_files(vec![map], 0, faults);
    let layout = Layout::read(&all[0].text, 0, faults);
    let mut found = Vec::new();
    // Models may share a file; it is read once.
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut files_of = Vec::with_capacity(layout.models.len());
    let mut directories = Vec::new();
    for model in &layout.models {
        let mut files = Vec::new();
        if keep(&model.name) {
            for file in &model.files {
                let number = *numbers.entry(file.path.clone()).or_insert_with(|| {
                    found.push(Found {
                        shown: format!("{shown}/{}", file.path),
                        path: below(root, &file.path),
                        role: Role::Published,
                        named_at: Some(file.place),
                    });
                    narrow(found.len()) // The map file is number 0.
                });
                files.push((file.kind, number));
            }
            let of_kernel = model.files.iter().find_map(kernel_metrics);
            if let Some(path) = of_kernel.filter(|path| below(root, path).is_file()) {
                let topic = "metrics".to_owned();
                found.push(Found {
                    shown: format!("{shown}/{path}"),
                    path: below(root, &path),
                    role: Role::Table { directory: narrow(directories.len()), topic },
                    named_at: None,
                });
            }
        }
        directories.push(Directory {
            name: model.name.clone(),
            sys: false,
            path: model.name.clone(),
        });
        files_of.push(files);
    }
    all.extend(read_files(found, 1, faults));
    let all_directories: BTreeMap<String, bool> =
        layout.models.iter().map(|model| (model.name.clone(), false)).collect();
    let arch = Vendor::Intel.arch().to_owned();
    let files = Files { root: shown.to_owned(), arch, all, directories, all_directories };
    (files, Perfmon { layout, files_of })
}

/// The models of a perfmon directory, and the numbers of their files.
#[derive(Debug)]
pub(crate) struct Perfmon {
    pub(crate) layout: Layout,
    /// In the order of the models; empty for one that is not kept.
    pub(crate) files_of: Vec<Vec<(Kind, u32)>>,
}

/// Where metrics of a model are that have the form of the kernel's tree: no row
/// names them.
fn kernel_metrics(file: &ModelFile) -> Option<String> {
    let (directory, name) = file.path.rsplit_once('/').filter(|_| file.kind == Kind::Metrics)?;
    Some(format!("{directory}/perf/{}_perf.json", name.strip_suffix(".json")?))
}

fn below(root: &Path, path: &str) -> PathBuf {
    path.split('/').fold(root.to_owned(), |at, part| at.join(part))
}
