//! What vendors publish, each in a form of its own.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::converted::Converted;
#[cfg(feature = "perfmon")]
use super::perfmon::{self, Perfmon};
#[cfg(feature = "telemetry")]
use super::telemetry;
use super::vendor::Vendor;
use crate::faults::Faults;
use crate::files::Files;
use crate::mapfile::Rows;
use crate::options::Encoding;

/// The models of a directory that is not a kernel tree.
#[derive(Debug)]
pub(crate) enum Publication {
    /// Intel's perfmon.
    #[cfg(feature = "perfmon")]
    Perfmon(Perfmon),
    /// Arm's telemetry specifications.
    #[cfg(feature = "telemetry")]
    Telemetry(telemetry::Layout),
    /// Of a vendor whose files this build cannot read, which has been reported.
    Unread,
}

/// Reads the files of the models that are kept.
type Read = fn(&Path, &str, &dyn Fn(&str) -> bool, &mut Faults) -> (Files, Publication);

impl Publication {
    /// Reads the files of the models that are kept; `None` if the directory is no
    /// publication.
    pub(crate) fn read(
        root: &Path,
        shown: &str,
        keep: &dyn Fn(&str) -> bool,
        faults: &mut Faults,
    ) -> Option<(Files, Self)> {
        let vendor = Vendor::of(root)?;
        match reader(vendor) {
            Some(read) => Some(read(root, shown, keep, faults)),
            None => Some(unread(vendor, shown, faults)),
        }
    }

    /// The name and the version of each model, by the number that
    /// [`Converted::directory`] is.
    #[cfg(any(feature = "perfmon", feature = "telemetry"))]
    pub(crate) fn models(&self) -> Vec<(&str, Option<&str>)> {
        match self {
            #[cfg(feature = "perfmon")]
            Publication::Perfmon(perfmon) => {
                let models = perfmon.layout.models.iter();
                models.map(|model| (&*model.name, Some(model.version()))).collect()
            }
            #[cfg(feature = "telemetry")]
            Publication::Telemetry(layout) => {
                layout.models.iter().map(|model| (&*model.name, None)).collect()
            }
            Publication::Unread => Vec::new(),
        }
    }

    /// The rows that the kernel's map file has for the models.
    pub(crate) fn rows(&self) -> Rows {
        match self {
            #[cfg(feature = "perfmon")]
            Publication::Perfmon(perfmon) => perfmon.layout.rows(),
            #[cfg(feature = "telemetry")]
            Publication::Telemetry(layout) => layout.rows(),
            Publication::Unread => Rows::default(),
        }
    }

    /// The events and metrics of the models that are kept.
    #[cfg_attr(
        not(feature = "perfmon"),
        expect(unused_variables, reason = "only perfmon has two encodings")
    )]
    pub(crate) fn convert<'s>(
        &self,
        files: &'s Files,
        encoding: Encoding,
        faults: &mut Faults,
    ) -> Vec<Converted<'s>> {
        match self {
            #[cfg(feature = "perfmon")]
            Publication::Perfmon(perfmon) => perfmon::convert(files, perfmon, encoding, faults),
            // perf counts the same under these names.
            #[cfg(feature = "telemetry")]
            Publication::Telemetry(layout) => telemetry::convert(files, layout, faults),
            Publication::Unread => Vec::new(),
        }
    }

    /// Where the facts of each model come from.
    pub(crate) fn origins(&self) -> HashMap<String, String> {
        match self {
            #[cfg(feature = "perfmon")]
            Publication::Perfmon(perfmon) => perfmon.layout.origins(),
            #[cfg(feature = "telemetry")]
            Publication::Telemetry(layout) => layout.origins(),
            Publication::Unread => HashMap::new(),
        }
    }
}

/// The reader of a vendor's files, if this build has it.
fn reader(vendor: Vendor) -> Option<Read> {
    match vendor {
        #[cfg(feature = "perfmon")]
        Vendor::Intel => Some(|root, shown, keep, faults| {
            let (files, perfmon) = perfmon::read(root, shown, keep, faults);
            (files, Publication::Perfmon(perfmon))
        }),
        #[cfg(feature = "telemetry")]
        Vendor::Arm => Some(|root, shown, keep, faults| {
            let (files, layout) = telemetry::read(root, shown, keep, faults);
            (files, Publication::Telemetry(layout))
        }),
        #[cfg(not(all(feature = "perfmon", feature = "telemetry")))]
        _ => None,
    }
}

/// Reports that this build cannot read a vendor's files.
fn unread(vendor: Vendor, shown: &str, faults: &mut Faults) -> (Files, Publication) {
    faults.unread_path(shown, vendor.without_reader());
    let files = Files {
        root: shown.to_owned(),
        arch: vendor.arch().to_owned(),
        all: Vec::new(),
        directories: Vec::new(),
        all_directories: BTreeMap::new(),
    };
    (files, Publication::Unread)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use crate::{Options, compile};

    #[test]
    fn publications_without_a_reader() {
        for (directory, vendor, expected) in [
            (
                "made-up-perfmon",
                Vendor::Intel,
                "tree: is Intel's perfmon, which only the feature `perfmon` can read: add \
                 `perfmon` to the features of pmu-events",
            ),
            (
                "made-up-telemetry",
                Vendor::Arm,
                "tree: is a directory of Arm's telemetry specifications, which only the feature \
                 `telemetry` can read: add `telemetry` to the features of pmu-events",
            ),
        ] {
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(directory);
            assert_eq!(Vendor::of(&root), Some(vendor), "{directory}");
            let mut faults = Faults::default();
            let (files, publication) = unread(vendor, "tree", &mut faults);
            let source = Source { files, publication: Some(publication), faults };
            // It is all that is said.
            let refused = compile(&source, &Options::default()).expect_err(directory);
            assert_eq!(refused.errors.to_string(), expected);
        }
    }
}
