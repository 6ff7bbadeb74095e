//! A device of `class/hwmon`, whose events are the files of its sensors.

use std::path::Path;
#[cfg(feature = "open")]
use std::path::PathBuf;
use std::sync::OnceLock;
use std::vec::Vec;

use super::aliases::Aliases;
use super::source::{Source, Values};
use crate::sysfs::Problem;
use crate::sysfs::hwmon::{self, Device};

pub(super) struct Sensors {
    device: Device,
    /// The events, and what is wrong with others.
    found: OnceLock<(Aliases, Vec<Problem>)>,
}

impl Sensors {
    pub(super) fn new(device: Device) -> Self {
        Sensors { device, found: OnceLock::new() }
    }

    fn found(&self) -> &Aliases {
        let (aliases, _) = self.found.get_or_init(|| {
            let (events, problems) = hwmon::sensors(&self.device.path)
                .unwrap_or_else(|problem| (Vec::new(), std::vec![problem]));
            (Aliases::new(events), problems)
        });
        aliases
    }
}

impl Source for Sensors {
    fn name(&self) -> &str {
        &self.device.name
    }

    fn path(&self) -> &Path {
        &self.device.path
    }

    fn type_(&self) -> Option<u32> {
        Some(self.device.type_)
    }

    fn values(&self) -> Values {
        Values::Sensors
    }

    fn aliases(&self) -> Option<&Aliases> {
        Some(self.found())
    }

    fn alias_name(&self) -> Option<&str> {
        Some(&self.device.alias)
    }

    #[cfg(feature = "open")]
    fn sensor(&self, config: u64) -> Option<PathBuf> {
        Some(self.device.path.join(hwmon::file(config)?))
    }

    fn problems(&self) -> Vec<Problem> {
        let mut problems: Vec<Problem> = Vec::new();
        let Some((_, found)) = self.found.get() else { return problems };
        for problem in found {
            if !problems.contains(problem) {
                problems.push(problem.clone());
            }
        }
        problems
    }
}
