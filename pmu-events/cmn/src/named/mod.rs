//! The events named by the driver in sysfs, in Linux 6.12 or 7.3.
//!
//! Use it to go from a name of the kernel's driver, such as `hnf_cache_miss`, to an event and
//! back.
//!
//! Both have the same names but for HN-S nodes of CMN S3 r2, which Linux 6.12 takes
//! for those of earlier releases, and for `hns_pocq_addrhaz` and
//! `hns_pocq_atomic_addrhaz` of Linux 6.12, which have become `…_all`, `…_hbt` and
//! `…_lbt` of products before CMN S3 r2.
//!
//! ```
//! use pmu_events::cmn::{Identity, named};
//! use pmu_events::format::Words;
//! let name = named::find("hnf_qos_pocq_occupancy_write").unwrap();
//! assert_eq!(name.event_string().to_string(), "type=0x5,eventid=0xf,occupid=0x2");
//! assert_eq!(name.event().unwrap().words(), Words::new(0x100f_0005));
//!
//! // Fills of the last-level cache by class were added with CMN-700.
//! let name = named::find("hnf_class_mc_reqs_class0").unwrap();
//! let exists = |identifier| name.exists_on(Identity::parse(identifier).unwrap());
//! assert!(exists("43c02") && !exists("43404"));
//! ```

mod table;

use core::fmt;

use super::crosspoint::{Crosspoint, Interface, LinkChannel, Signal};
use super::event::{MeshEvent, NodeEvent};
use super::fields::EventFields;
use super::node::NodeType;
use super::parts::{is, join, part};
use super::product::{Identity, Product, Products};
use super::watchpoint::{Direction, Watchpoint};
pub use table::NodeFilter;
use table::{Choices, FAMILIES, Row};

/// An event named by the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Cycles,
    Watchpoint(Direction),
    Crosspoint(Crosspoint),
    Node { node: NodeType, row: &'static Row, occupancy: u8, filter2: u8 },
}

impl Named {
    /// Returns the event, summed over the mesh; `None` for a watchpoint, for
    /// which a name is not enough.
    #[must_use]
    pub const fn event(self) -> Option<MeshEvent> {
        match self.0 {
            Kind::Cycles => Some(MeshEvent::Cycles),
            Kind::Watchpoint(_) => None,
            Kind::Crosspoint(crosspoint) => {
                Some(MeshEvent::Node(NodeEvent::of_crosspoint(crosspoint)))
            }
            Kind::Node { node, row, occupancy, filter2 } => {
                let Ok(event) = NodeEvent::new(node, row.id) else { return None };
                let Ok(event) = event.with_occupancy(occupancy) else { return None };
                let Ok(event) = event.with_filter2(filter2) else { return None };
                Some(MeshEvent::Node(event))
            }
        }
    }

    /// Returns the direction of a watchpoint.
    #[must_use]
    pub const fn watchpoint(self) -> Option<Direction> {
        match self.0 {
            Kind::Watchpoint(direction) => Some(direction),
            _ => None,
        }
    }

    /// Returns the content of the driver's sysfs file for this name
    /// (`arm_cmn_event_show`), as in Linux 6.12: newer drivers write `filter` for
    /// `occupid`, and accept either.
    ///
    /// ```
    /// use pmu_events::cmn::named;
    /// let text = |name| named::find(name).unwrap().event_string().to_string();
    /// assert_eq!(text("hns_mc_reqs_local_sn"), "type=0x200,eventid=0xd,occupid=0x1");
    /// // Older drivers do not have this event.
    /// assert_eq!(
    ///     text("hns_slc_eviction_lbt_su"),
    ///     "type=0x200,eventid=0xa,filter=0x2,filter2=0x3",
    /// );
    /// ```
    #[must_use]
    pub const fn event_string(self) -> EventString {
        EventString(self)
    }

    /// Returns the property by which the event is filtered, if any: what its
    /// [occupancy ID](NodeEvent::occupancy) means. On CMN S3 r2, the filter of some
    /// events of HN-S nodes is [`TrackerOrRequester`](NodeFilter::TrackerOrRequester)
    /// instead of [`Tracker`](NodeFilter::Tracker).
    #[must_use]
    pub const fn filter(self) -> Option<NodeFilter> {
        match self.0 {
            Kind::Node { row: Row { choices: Some(choices), .. }, .. } => Some(choices.filter),
            _ => None,
        }
    }

    /// Returns the second property by which the event is filtered, if any: what
    /// [`NodeEvent::filter2`] means.
    #[must_use]
    pub const fn filter2(self) -> Option<NodeFilter> {
        match self.0 {
            Kind::Node { row: Row { choices2: Some(choices), .. }, .. } => Some(choices.filter),
            _ => None,
        }
    }

    /// Returns the products for which a driver names the event, though
    /// possibly not for all revisions.
    #[must_use]
    pub const fn products(self) -> Products {
        match self.0 {
            Kind::Node { row, .. } => row.products,
            Kind::Cycles | Kind::Watchpoint(_) => Products::ANY,
            Kind::Crosspoint(crosspoint) => {
                let mut products = Products::ANY;
                if matches!(crosspoint.channel(), LinkChannel::Pub) {
                    products = products.without(Products::CMN600);
                }
                if matches!(crosspoint.interface(), Interface::Port2 | Interface::Port3) {
                    products = products.without(Products::CMN600).without(Products::CMN650);
                }
                products
            }
        }
    }

    /// Whether a driver names the event on a product and revision
    /// (`arm_cmn_event_attr_is_visible`).
    ///
    /// Whether a mesh has the necessary nodes, ports and second channels can
    /// only be read from sysfs.
    #[must_use]
    pub const fn exists_on(self, identity: Identity) -> bool {
        if !self.products().contains(identity.product) {
            return false;
        }
        let Kind::Node { node, row, .. } = self.0 else {
            return true;
        };
        let (id, revision) = (row.id, identity.revision);
        match identity.product {
            Product::Cmn600 => match node {
                // Revisions 2 and 3 are r1p2 and r1p3.
                NodeType::Cxra if revision < 3 && id > 0x10 => false,
                NodeType::Cxra | NodeType::Cxha => revision >= 2,
                NodeType::HnF if id == 0x1b => revision >= 2,
                _ => true,
            },
            // Revision 3 is r2p0, revision 4 a later r1p2.
            Product::Cmn650 if revision < 3 || revision == 4 => match node {
                NodeType::HnF => id <= 0x22,
                NodeType::Sbsx => id != 0x17,
                NodeType::RnI => id <= 0x10,
                _ => true,
            },
            // Revisions 1 and 2 are r1p0 and r2p0.
            Product::Cmn700 if revision < 2 => match node {
                NodeType::HnF if revision < 1 => id <= 0x2b,
                NodeType::HnF => id <= 0x2c,
                NodeType::Ccha => id <= 0x74,
                NodeType::Ccla => id <= 0x27,
                _ => true,
            },
            _ => true,
        }
    }

    const fn node(node: NodeType, row: &'static Row, numbers: (usize, usize)) -> Named {
        // No filter has more than sixteen variants.
        let (occupancy, filter2) = (numbers.0 as u8, numbers.1 as u8);
        Named(Kind::Node { node, row, occupancy, filter2 })
    }
}

/// Displays the driver's name.
impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::Cycles => f.write_str(CYCLES),
            Kind::Watchpoint(Direction::Up) => f.write_str(WATCHPOINT_UP),
            Kind::Watchpoint(Direction::Down) => f.write_str(WATCHPOINT_DOWN),
            Kind::Crosspoint(crosspoint) => crosspoint.fmt(f),
            Kind::Node { node, row, occupancy, filter2 } => {
                join([node.prefix(), row.name], f)?;
                let chosen = [(row.choices, occupancy), (row.choices2, filter2)];
                chosen.into_iter().try_for_each(|(choices, number)| match choices {
                    Some(choices) => write!(f, "_{}", choices.suffix(number.into())),
                    None => Ok(()),
                })
            }
        }
    }
}

const CYCLES: &str = "dtc_cycles";
const WATCHPOINT_UP: &str = "watchpoint_up";
const WATCHPOINT_DOWN: &str = "watchpoint_down";

/// The terms that a watchpoint's name leaves unspecified.
pub(super) const PARAMETERS: [&str; 5] =
    ["wp_dev_sel", "wp_chn_sel", "wp_grp", "wp_val", "wp_mask"];

/// The text of a driver's event file, available through `Display`.
///
/// ```
/// use pmu_events::cmn::named;
///
/// let miss = named::find("hnf_cache_miss").unwrap();
/// assert_eq!(miss.event_string().to_string(), "type=0x5,eventid=0x1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventString(Named);

impl fmt::Display for EventString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = EventFields::EMPTY;
        match self.0.0 {
            Kind::Cycles => MeshEvent::Cycles.fmt(f),
            Kind::Crosspoint(crosspoint) => {
                MeshEvent::Node(NodeEvent::of_crosspoint(crosspoint)).fmt(f)
            }
            Kind::Watchpoint(direction) => {
                fields
                    .with("type", u64::from(Watchpoint::TYPE))
                    .with("eventid", direction as u64)
                    .fmt(f)?;
                PARAMETERS.iter().try_for_each(|term| write!(f, ",{term}=?"))
            }
            Kind::Node { node, row, occupancy, filter2 } => {
                let fields = fields.with("type", node.code().into()).with("eventid", row.id.into());
                let (filter, filter2) = (occupancy.into(), filter2.into());
                match (row.choices, row.choices2) {
                    (Some(_), Some(_)) => {
                        fields.with("filter", filter).with("filter2", filter2).fmt(f)
                    }
                    (Some(_), None) => fields.with("occupid", filter).fmt(f),
                    (None, _) => fields.fmt(f),
                }
            }
        }
    }
}

/// Finds an event by name, ignoring case, summed over the mesh; `None` for a
/// name that the driver does not define, and for a watchpoint.
///
/// ```
/// use pmu_events::cmn::named;
/// assert_eq!(named::event("MXP_P1_DAT_TXFLIT_STALL").unwrap().words().config(), 0x76_0006);
/// assert_eq!(named::event("watchpoint_up"), None);
/// ```
#[must_use]
pub const fn event(name: &str) -> Option<MeshEvent> {
    match find(name) {
        Some(named) => named.event(),
        None => None,
    }
}

/// Finds the event or watchpoint of a name, ignoring case.
///
/// Four names of HN-S nodes mean other numbers on CMN S3 r2; this finds those of
/// earlier products, [`find_on`] those of a given one.
#[must_use]
pub const fn find(name: &str) -> Option<Named> {
    find_among(name, Products::ANY)
}

/// Finds the event or watchpoint that a driver names so on a product, ignoring case.
///
/// ```
/// use pmu_events::cmn::{Product, named};
/// let text = |product| {
///     let name = named::find_on("hns_pocq_retry_hbt", product)?;
///     Some(name.event_string().to_string())
/// };
/// assert_eq!(text(Product::CmnS3).unwrap(), "type=0x200,eventid=0x4,occupid=0x1");
/// assert_eq!(text(Product::CmnS3R2).unwrap(), "type=0x200,eventid=0x4,occupid=0x7");
/// assert_eq!(text(Product::Cmn600), None);
/// ```
#[must_use]
pub const fn find_on(name: &str, product: Product) -> Option<Named> {
    match find_among(name, Products::of(product)) {
        Some(named) if named.products().contains(product) => Some(named),
        _ => None,
    }
}

/// Finds a name; rows of the table are only those of some of the products.
const fn find_among(name: &str, products: Products) -> Option<Named> {
    if pmu_events_core::__private::name::eq(name, CYCLES) {
        return Some(Named(Kind::Cycles));
    }
    if pmu_events_core::__private::name::eq(name, WATCHPOINT_UP) {
        return Some(Named(Kind::Watchpoint(Direction::Up)));
    }
    if pmu_events_core::__private::name::eq(name, WATCHPOINT_DOWN) {
        return Some(Named(Kind::Watchpoint(Direction::Down)));
    }
    let name = name.as_bytes();
    let mut families = FAMILIES;
    while let Some((&(node, rows), rest)) = families.split_first() {
        if let Some(name) = part(name, node.prefix()) {
            return find_row(node, rows, name, products);
        }
        families = rest;
    }
    match part(name, NodeType::Xp.prefix()) {
        Some(name) => find_crosspoint(name),
        None => None,
    }
}

const fn find_row(
    node: NodeType,
    mut rows: &'static [Row],
    name: &[u8],
    products: Products,
) -> Option<Named> {
    while let Some((row, rest)) = rows.split_first() {
        rows = rest;
        if !row.products.meets(products) {
            continue;
        }
        match row.choices {
            None if is(name, row.name) => return Some(Named::node(node, row, (0, 0))),
            Some(choices) => {
                if let Some(suffix) = part(name, row.name)
                    && let Some(numbers) = find_numbers(choices, row.choices2, suffix)
                {
                    return Some(Named::node(node, row, numbers));
                }
            }
            None => {}
        }
    }
    None
}

/// The numbers of the filters that the end of a name stands for.
const fn find_numbers(
    choices: Choices,
    choices2: Option<Choices>,
    suffix: &[u8],
) -> Option<(usize, usize)> {
    let Some(choices2) = choices2 else {
        return match choices.find(suffix) {
            Some(number) => Some((number, 0)),
            None => None,
        };
    };
    let mut n = 0;
    while n < choices.suffixes.len() {
        if let Some(suffix) = part(suffix, choices.suffixes[n])
            && let Some(number2) = choices2.find(suffix)
        {
            return Some((n, number2));
        }
        n += 1;
    }
    None
}

const fn find_crosspoint(name: &[u8]) -> Option<Named> {
    let mut n = 0;
    while n < Interface::ALL.len() {
        let interface = Interface::ALL[n];
        n += 1;
        let Some(name) = part(name, interface.name()) else {
            continue;
        };
        let mut n = 0;
        while n < LinkChannel::ALL.len() {
            let channel = LinkChannel::ALL[n];
            n += 1;
            let Some(name) = part(name, channel.name()) else {
                continue;
            };
            let mut n = 0;
            while n < Signal::ALL.len() {
                let signal = Signal::ALL[n];
                n += 1;
                if is(name, signal.name())
                    && let Ok(crosspoint) = Crosspoint::new(signal, interface, channel)
                {
                    return Some(Named(Kind::Crosspoint(crosspoint)));
                }
            }
        }
    }
    None
}

/// Returns every event that the driver names on any product, by node type.
///
/// ```
/// use pmu_events::cmn::{Identity, named};
/// let cmn700 = Identity::parse("43c03").unwrap();
/// let on_cmn700 = named::all().filter(|name| name.exists_on(cmn700));
/// assert!(on_cmn700.count() < named::all().count());
/// ```
pub fn all() -> impl Iterator<Item = Named> {
    let nodes = FAMILIES.iter().flat_map(|&(node, rows)| {
        rows.iter().flat_map(move |row| {
            let numbers = |choices: Option<Choices>| {
                let count = choices.map_or(1, |choices| choices.suffixes.len());
                (0..count).filter(move |&n| choices.is_none_or(|it| !it.suffix(n).is_empty()))
            };
            numbers(row.choices).flat_map(move |n| {
                numbers(row.choices2).map(move |n2| Named::node(node, row, (n, n2)))
            })
        })
    });
    let crosspoints = (0..LinkChannel::ALL.len() as u16 * 32)
        .filter_map(Crosspoint::of_event_id)
        .map(|crosspoint| Named(Kind::Crosspoint(crosspoint)));
    let others = [Kind::Cycles, Kind::Watchpoint(Direction::Up), Kind::Watchpoint(Direction::Down)];
    others.into_iter().map(Named).chain(nodes).chain(crosspoints)
}

/// Returns the driver's name for an event on a product, whatever its scope;
/// `None` if it has no name. Of names that differ between drivers, it is that of
/// the newest.
///
/// ```
/// use pmu_events::cmn::{MeshEvent, Product, named};
/// let event = MeshEvent::parse("type=0xa,eventid=0x11").unwrap();
/// let name = |product| named::of(&event, product).unwrap().to_string();
/// assert_eq!(name(Product::Cmn600), "rnid_rdb_unord");
/// assert_eq!(name(Product::Cmn700), "rnid_padb_occ_ovfl");
/// ```
#[must_use]
pub fn of(event: &MeshEvent, product: Product) -> Option<Named> {
    let summed = match event {
        MeshEvent::Cycles => return Some(Named(Kind::Cycles)),
        MeshEvent::Watchpoint(watchpoint) => {
            return Some(Named(Kind::Watchpoint(watchpoint.direction())));
        }
        MeshEvent::Node(event) => MeshEvent::Node(event.summed()),
    };
    let is_its =
        |named: &Named| named.products().contains(product) && named.event() == Some(summed);
    all().filter(is_its).last()
}

/// The filters that the driver applies to an event of this type and number, each
/// with the event's number for it, whatever this is (`arm_cmn_event_filter`).
pub(super) fn filters_of(
    event: &NodeEvent,
    product: Product,
) -> impl Iterator<Item = (NodeFilter, u8)> + use<> {
    let of_node = FAMILIES.iter().find(|(node, _)| *node == event.node());
    let rows = of_node.map_or(&[][..], |(_, rows)| rows);
    let is_its = |row: &&Row| row.products.contains(product) && row.id == event.id();
    // The last is that of the newest driver and the fewest products.
    let row = rows.iter().rfind(is_its);
    let choices = row.map_or([None; 2], |row| [row.choices, row.choices2]);
    let numbers = [event.occupancy(), event.filter2()];
    choices.into_iter().zip(numbers).filter_map(|(choices, n)| Some((choices?.filter, n)))
}
