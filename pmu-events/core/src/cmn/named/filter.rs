/// The property by which some events are filtered (`enum cmn_filter_select`).
///
/// A node has one register for each: two events of a node with the same filter
/// cannot count at the same time with different occupancy IDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NodeFilter {
    /// The kind of request or message (`pmu_occup1_id`).
    Occupancy,
    /// The class of the request (`pmu_class_occup_id`).
    Class,
    /// Which requests are throttled (`pmu_cbusy_snthrottle_sel`).
    Throttle,
    /// The home's tracker (`pmu_hbt_lbt_sel`).
    Tracker,
    /// Memory or another home (`pmu_sn_home_sel`).
    Home,
}
