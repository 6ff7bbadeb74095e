//! How many counters the cores of a machine have left for events.

use std::path::Path;

use super::{System, leaf};
use crate::host;
use crate::planner::{CoreState, Smt};

impl System {
    /// Returns what decides how many counters the cores have left for events:
    /// [`has_nmi_watchdog`](Self::has_nmi_watchdog), and whether threads share cores
    /// (`devices/system/cpu/smt/active` and `control`; `Documentation/ABI/testing/`
    /// `sysfs-devices-system-cpu`). Where `CPUID` of this machine has fewer than eight counters
    /// for a thread without a sibling, such as in a virtual machine, its threads are taken for
    /// those of a core whose other thread is off.
    #[cfg_attr(docsrs, doc(cfg(feature = "metrics")))]
    #[must_use]
    pub fn core_state(&self) -> CoreState {
        let counters = self.counters_of_cpuid().map(|[general, _]| general);
        let topology = self.topology();
        let smt = smt(topology.is_smt_on(), topology.is_smt_absent(), counters);
        CoreState { has_watchdog: self.has_nmi_watchdog(), smt }
    }

    /// The general and the fixed counters of a thread, if this is the running machine and its CPU
    /// states them.
    pub(crate) fn counters_of_cpuid(&self) -> Option<[u32; 2]> {
        let is_own = self.sysfs().root() == Path::new("/sys")
            && self.shared.parts.cpuid.is_none()
            && host::overridden().is_none();
        if is_own { leaf::counters() } else { None }
    }
}

/// Whether threads share cores: what `active` says, whether `control` is `notsupported`, and the
/// number of general counters if the CPU states it.
fn smt(is_on: Option<bool>, is_absent: Option<bool>, counters: Option<u32>) -> Smt {
    const OF_BOTH_THREADS: u32 = 8;
    match (is_on, is_absent) {
        (_, Some(true)) if counters.is_none_or(|number| number >= OF_BOTH_THREADS) => Smt::Absent,
        (_, Some(true)) | (Some(false), _) => Smt::Off,
        _ => Smt::On,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_of_cores() {
        let cases = [
            (Some(true), Some(false), None, Smt::On),
            (Some(false), Some(false), None, Smt::Off),
            (Some(false), Some(true), None, Smt::Absent),
            (Some(false), Some(true), Some(8), Smt::Absent),
            // A hypervisor that hides siblings has the counters of one thread.
            (Some(false), Some(true), Some(4), Smt::Off),
            // Nothing says more than `active`, which leaves the fewest.
            (Some(false), None, Some(8), Smt::Off),
            (None, None, None, Smt::On),
        ];
        for (is_on, is_absent, counters, expected) in cases {
            assert_eq!(smt(is_on, is_absent, counters), expected, "{is_on:?} {is_absent:?}");
        }
    }
}
