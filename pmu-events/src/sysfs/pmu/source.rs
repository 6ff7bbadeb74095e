//! What each kind of PMU knows of itself.

use std::boxed::Box;
use std::iter;
use std::path::Path;
#[cfg(feature = "open")]
use std::path::PathBuf;
use std::vec::Vec;

use crate::format::Format;
use crate::sysfs::alias::Alias;
use crate::sysfs::{CpuSet, Problem};

/// Items that borrow from a source.
pub(super) type Items<'s, T> = Box<dyn Iterator<Item = T> + 's>;

/// Where the values of a PMU's events come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    /// The kernel's counters.
    Counted,
    /// Files of sensors.
    Sensors,
    /// Files that show what the clients of a graphics driver use.
    Clients,
}

/// A kind of PMU. The methods are those of [`Pmu`](super::Pmu); a kind has the defaults for
/// what there is none of.
pub(super) trait Source: Send + Sync {
    fn name(&self) -> &str;

    /// The name, where no directory is.
    fn path(&self) -> &Path {
        Path::new(self.name())
    }

    fn type_(&self) -> Option<u32>;

    fn values(&self) -> Values {
        Values::Counted
    }

    fn is_core(&self) -> bool {
        false
    }

    /// Whether a PMU that is not one of the cores is outside of them.
    fn is_uncore(&self) -> bool {
        false
    }

    fn formats(&self) -> Items<'_, (&str, Format)> {
        Box::new(iter::empty())
    }

    fn format(&self, _term: &str) -> Option<Format> {
        None
    }

    fn events(&self) -> Items<'_, &Alias>;

    fn event_names(&self) -> Items<'_, &str>;

    fn event(&self, name: &str) -> Option<&Alias>;

    fn cpus(&self) -> Result<Option<&CpuSet>, &Problem> {
        Ok(None)
    }

    fn caps(&self) -> Items<'_, (&str, &str)> {
        Box::new(iter::empty())
    }

    fn cap(&self, _name: &str) -> Option<&str> {
        None
    }

    fn identifier(&self) -> Option<&str> {
        None
    }

    fn alias_name(&self) -> Option<&str> {
        None
    }

    fn midr(&self) -> Option<&str> {
        None
    }

    #[cfg(feature = "open")]
    fn sensor(&self, _config: u64) -> Option<PathBuf> {
        None
    }

    fn problems(&self) -> Vec<Problem> {
        Vec::new()
    }
}
