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
///     println!("{}: {}", alias.name, alias.terms);
/// }
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Alias {
    /// The name of its file. Event names are compared with it ignoring case.
    pub name: String,
    /// The event string.
    pub terms: String,
    /// The factor that converts the count to its unit (`<event>.scale`); `None` if
    /// there is no such file.
    pub scale: Option<f64>,
    /// The unit of the scaled count (`<event>.unit`).
    pub unit: Option<String>,
    /// A problem with `<event>.scale` or `<event>.unit`, which makes the meaning of
    /// a count unknown.
    pub problem: Option<Problem>,
    /// Whether the count is package-wide (`<event>.per-pkg`).
    pub is_per_package: bool,
    /// Whether the value is a snapshot (gauge) rather than a running count
    /// (`<event>.snapshot`).
    pub is_snapshot: bool,
}

impl Alias {
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
