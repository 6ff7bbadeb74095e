//! What each kind of PMU knows of itself.

use std::boxed::Box;
use std::iter;
use std::path::Path;
#[cfg(feature = "open")]
use std::path::PathBuf;
use std::vec::Vec;

use super::aliases::Aliases;
use crate::format::Format;
use crate::sysfs::alias::Alias;
use crate::sysfs::{CpuSet, Problem};

/// Items that borrow from a source.
pub(super) type Items<'s, T> = Box<dyn Iterator<Item = T> + 's>;

/// The type of a PMU whose number only the running kernel knows.
pub(super) const DYNAMIC: u32 = u32::MAX;

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

    /// The events of a kind that reads them all at once; the next three methods are those of
    /// any other.
    fn aliases(&self) -> Option<&Aliases> {
        None
    }

    fn events(&self) -> Items<'_, &Alias> {
        events_of(self.aliases())
    }

    fn event_names(&self) -> Items<'_, &str> {
        event_names_of(self.aliases())
    }

    fn event(&self, name: &str) -> Option<&Alias> {
        self.aliases()?.find(name)
    }

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

fn events_of(aliases: Option<&Aliases>) -> Items<'_, &Alias> {
    Box::new(aliases.map_or(&[][..], Aliases::all).iter())
}

fn event_names_of(aliases: Option<&Aliases>) -> Items<'_, &str> {
    Box::new(aliases.map_or(&[][..], Aliases::all).iter().map(|alias| &*alias.name))
}
