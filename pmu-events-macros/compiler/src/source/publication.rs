//! What vendors publish, each in a form of its own.

use std::collections::HashMap;
use std::path::Path;

use super::converted::Converted;
use super::perfmon::{self, Perfmon};
use super::telemetry;
use crate::faults::Faults;
use crate::files::{File, Files, Found, Role, read_files, read_text};
use crate::mapfile::Rows;
use crate::options::Encoding;

/// The models of a directory that is not a kernel tree.
#[derive(Debug)]
pub(crate) enum Publication {
    /// Intel's perfmon.
    Perfmon(Perfmon),
    /// Arm's telemetry specifications.
    Telemetry(telemetry::Layout),
}

impl Publication {
    /// Whether a directory without a map file is a publication.
    pub(crate) fn is_at(directory: &Path) -> bool {
        telemetry::is_telemetry(directory)
    }

    /// Reads the files of the models that are kept; `None` if the directory is no
    /// publication.
    pub(crate) fn read(
        root: &Path,
        shown: &str,
        keep: &dyn Fn(&str) -> bool,
        faults: &mut Faults,
    ) -> Option<(Files, Self)> {
        if let Some(map) = perfmon_map(root, shown, faults) {
            let (files, perfmon) = perfmon::read(root, shown, map, keep, faults);
            return Some((files, Publication::Perfmon(perfmon)));
        }
        let (files, layout) = telemetry::read(root, shown, keep, faults)?;
        Some((files, Publication::Telemetry(layout)))
    }

    /// The name and the version of each model, by the number that
    /// [`Converted::directory`] is.
    pub(crate) fn models(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        let (perfmon, telemetry) = match self {
            Publication::Perfmon(perfmon) => (&*perfmon.layout.models, &[][..]),
            Publication::Telemetry(layout) => (&[][..], &*layout.models),
        };
        let of_perfmon = perfmon.iter().map(|model| (&*model.name, Some(model.version())));
        of_perfmon.chain(telemetry.iter().map(|model| (&*model.name, None)))
    }

    /// The rows that the kernel's map file has for the models.
    pub(crate) fn rows(&self) -> Rows {
        match self {
            Publication::Perfmon(perfmon) => perfmon.layout.rows(),
            Publication::Telemetry(layout) => layout.rows(),
        }
    }

    /// The events and metrics of the models that are kept.
    pub(crate) fn convert<'s>(
        &self,
        files: &'s Files,
        encoding: Encoding,
        faults: &mut Faults,
    ) -> Vec<Converted<'s>> {
        match self {
            Publication::Perfmon(perfmon) => perfmon::convert(files, perfmon, encoding, faults),
            // perf counts the same under these names.
            Publication::Telemetry(layout) => telemetry::convert(files, layout, faults),
        }
    }

    /// Where the facts of each model come from.
    pub(crate) fn origins(&self) -> HashMap<String, String> {
        match self {
            Publication::Perfmon(perfmon) => perfmon.layout.origins(),
            Publication::Telemetry(layout) => layout.origins(),
        }
    }
}

/// The map file of a directory, if it is perfmon's.
fn perfmon_map(root: &Path, shown: &str, faults: &mut Faults) -> Option<File> {
    let path = root.join("mapfile.csv");
    if !perfmon::is_perfmon(&read_text(&path).0) {
        return None;
    }
    let found =
        Found { shown: format!("{shown}/mapfile.csv"), path, role: Role::Map, named_at: None };
    read_files(vec![found], 0, faults).pop()
}
