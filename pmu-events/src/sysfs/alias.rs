//! An event that a driver describes.

use std::string::String;

use super::Problem;

/// An event that the PMU's driver names in sysfs.
///
/// ```
/// # #[cfg(feature = "x86")] {
/// use pmu_events::{System, arch::x86};
///
/// let system = System::builtin("GenuineIntel-6-8F-4", x86::SAPPHIRERAPIDS);
/// let msr = system.sysfs().pmu("msr").unwrap();
/// for alias in msr.events() {
///     println!("{}: {}", alias.name(), alias.terms());
/// }
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Alias {
    pub(crate) name: String,
    pub(crate) terms: String,
    pub(crate) scale: Option<f64>,
    pub(crate) unit: Option<String>,
    pub(crate) problem: Option<Problem>,
    pub(crate) is_per_package: bool,
    pub(crate) is_snapshot: bool,
}

impl Alias {
    /// Returns the name of its file. Event names are compared with it ignoring case.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the event string.
    #[must_use]
    pub fn terms(&self) -> &str {
        &self.terms
    }

    /// Returns the factor that converts the count to its unit (`<event>.scale`); `None` if
    /// there is no such file.
    #[must_use]
    pub fn scale(&self) -> Option<f64> {
        self.scale
    }

    /// Returns the unit of the scaled count (`<event>.unit`).
    #[must_use]
    pub fn unit(&self) -> Option<&str> {
        self.unit.as_deref()
    }

    /// Returns a problem with `<event>.scale` or `<event>.unit`, which makes the meaning of
    /// a count unknown.
    #[must_use]
    pub fn problem(&self) -> Option<&Problem> {
        self.problem.as_ref()
    }

    /// Whether the count is package-wide (`<event>.per-pkg`).
    #[must_use]
    pub fn is_per_package(&self) -> bool {
        self.is_per_package
    }

    /// Whether the value is a snapshot (gauge) rather than a running count
    /// (`<event>.snapshot`).
    #[must_use]
    pub fn is_snapshot(&self) -> bool {
        self.is_snapshot
    }

    /// An event of a known driver, without a file.
    pub(super) fn described(name: &str, terms: &str) -> Self {
        Alias {
            name: name.into(),
            terms: terms.into(),
            scale: None,
            unit: None,
            problem: None,
            is_per_package: false,
            is_snapshot: false,
        }
    }

    /// An event that no driver describes in sysfs, with scale and unit.
    pub(crate) fn of_value(
        name: String,
        terms: String,
        scale_unit: Option<(f64, String)>,
        is_snapshot: bool,
    ) -> Self {
        let (scale, unit) = scale_unit.unzip();
        let unit = unit.filter(|unit| !unit.is_empty());
        Alias { name, terms, scale, unit, problem: None, is_per_package: false, is_snapshot }
    }
}
