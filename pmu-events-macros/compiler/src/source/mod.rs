//! What is compiled: the files of a kernel's tree, or of what a vendor publishes.
//!
//! Only [`publication`] knows the readers of vendors' files, each of which has a feature. What they
//! make of the files, [`converted`], has the keys of a kernel tree, whoever published it.

pub(crate) mod converted;
pub(crate) mod kernel_tree;
#[cfg(feature = "perfmon")]
pub(crate) mod perfmon;
mod publication;
#[cfg(feature = "telemetry")]
mod telemetry;
pub(crate) mod vendor;

use std::path::Path;

use crate::faults::Faults;
use crate::files::Files;
use crate::options::Options;
use publication::Publication;
use vendor::Vendor;

/// The files of a tree.
#[derive(Debug)]
pub struct Source {
    pub(crate) files: Files,
    /// The models of a directory that is not a kernel tree.
    pub(crate) publication: Option<Publication>,
    /// Files and directories that could not be read.
    pub(crate) faults: Faults,
}

impl Source {
    /// Whether a directory can be read: it has a map file or Arm's telemetry
    /// specifications, or is one of the two directories of a kernel tree without a
    /// map file (`common`, `test`).
    #[must_use]
    pub fn is_at(directory: &Path) -> bool {
        directory.join("mapfile.csv").is_file()
            || (directory.ends_with("common") && directory.join("common").is_dir())
            || (directory.ends_with("test") && directory.join("test_soc").is_dir())
            || Vendor::of(directory).is_some()
    }

    /// Reads the files below the directory of an architecture, those that the map
    /// file of Intel's perfmon names, or Arm's telemetry specifications. Files of
    /// models that the options do not keep are not read.
    ///
    /// `shown` is the name of the directory in reports: the path as the user
    /// wrote it. What cannot be read becomes a fault when the source is compiled.
    #[must_use]
    pub fn read(root: &Path, shown: &str, options: &Options) -> Self {
        let mut faults = Faults::default();
        let keep = |directory: &str| options.keeps_model(directory);
        let (files, publication) = match Publication::read(root, shown, &keep, &mut faults) {
            Some((files, publication)) => (files, Some(publication)),
            None => (kernel_tree::read(root, shown, &keep, &mut faults), None),
        };
        Source { files, publication, faults }
    }

    /// The architecture: the name of the directory, `x86` for Intel's perfmon, and
    /// `arm64` for Arm's telemetry.
    #[must_use]
    pub fn arch(&self) -> &str {
        &self.files.arch
    }

    /// The paths of the files that were read.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let read = self.files.all.iter().filter(|file| file.is_readable);
        read.map(|file| file.path.as_path())
    }
}
