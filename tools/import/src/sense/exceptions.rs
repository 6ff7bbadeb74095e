//! Exceptions from the rules, each with its reason.

use std::fs;
use std::path::Path;

use pmu_events_core::__private::glob;

use super::{Finding, rules};
use crate::csv_file;
use crate::json::File;
use crate::problem::{Place, Problems};

/// The file of exceptions in `overlay/`.
pub const FILE: &str = "exceptions.csv";

const HEADER: [&str; 5] = ["Rule", "Architecture", "Models", "Events", "Reason"];

/// An exception from a rule.
#[derive(Clone, Debug)]
struct Exception {
    place: Place,
    rule: String,
    arch: String,
    /// A glob of model directories.
    models: String,
    /// A glob of names.
    events: String,
    used: bool,
}

/// The exceptions from the rules, each with its reason.
#[derive(Clone, Debug, Default)]
pub struct Exceptions(Vec<Exception>);

impl Exceptions {
    /// Reads `exceptions.csv` of an overlay; none if there is no such file.
    #[must_use]
    pub fn of(overlay: &Path, problems: &mut Problems) -> Exceptions {
        let path = overlay.join(FILE);
        match fs::read_to_string(&path) {
            Ok(text) => Exceptions::read(&File::new(&path.to_string_lossy(), &text), problems),
            Err(_) => Exceptions::default(),
        }
    }

    /// Reads the text of `exceptions.csv`.
    #[must_use]
    pub fn read(file: &File, problems: &mut Problems) -> Exceptions {
        let mut exceptions = Vec::new();
        for (place, [rule, arch, models, events, reason]) in csv_file::rows(file, HEADER, problems)
        {
            if !rules().any(|known| known == rule) {
                let hint = pmu_events_compiler::hint(&rule, rules());
                problems.error(place.clone(), format!("unknown rule `{rule}`{hint}"));
            }
            if reason.is_empty() {
                problems.error(place.clone(), "an exception needs a reason");
            }
            exceptions.push(Exception { place, rule, arch, models, events, used: false });
        }
        Exceptions(exceptions)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Drops the findings that are excepted.
    pub fn apply(&mut self, findings: &mut Vec<Finding>) {
        findings.retain(|finding| {
            let fits = |exception: &&mut Exception| {
                exception.rule == finding.rule
                    && exception.arch == finding.arch
                    && glob::matches(&exception.models, &finding.model)
                    && glob::matches(&exception.events, &finding.event)
            };
            match self.0.iter_mut().find(fits) {
                Some(exception) => {
                    exception.used = true;
                    false
                }
                None => true,
            }
        });
    }

    /// Reports those of an architecture that no finding needs.
    pub fn report_unused(&self, arch: &str, problems: &mut Problems) {
        let unused = self.0.iter().filter(|exception| exception.arch == arch && !exception.used);
        for exception in unused {
            let Exception { place, rule, events, .. } = exception;
            problems.error(
                place.clone(),
                format!("no event `{events}` needs this exception from `{rule}`"),
            );
        }
    }
}
