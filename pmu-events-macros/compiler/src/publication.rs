//! What vendors publish, each in a form of its own.

use std::collections::HashMap;

use crate::converted::Converted;
use crate::fault::Faults;
use crate::files::Files;
use crate::mapfile::Rows;
use crate::options::Encoding;
use crate::perfmon::{self, Perfmon};
use crate::telemetry;

/// The models of a directory that is not a kernel tree.
#[derive(Debug)]
pub(crate) enum Publication {
    /// Intel's perfmon.
    Perfmon(Perfmon),
    /// Arm's telemetry specifications.
    Telemetry(telemetry::Layout),
}

impl Publication {
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
