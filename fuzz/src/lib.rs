//! What the fuzz targets check, and the trees that some of them need.

pub mod checks;

/// `checks` find them below the root of whatever crate they are in.
mod trees {
    pub(crate) mod arm64 {
        pmu_events::pmu_events!("../arch/arm64", text = none, metrics = false);
    }
    pub(crate) mod soc {
        pmu_events::pmu_events!("../arch/test");
    }
    pub(crate) mod x86 {
        pmu_events::pmu_events!("../arch/x86", text = none, metrics = false);
    }
}
