//! Mesh events as types.

use core::fmt;

use super::crosspoint::Crosspoint;
use super::error::{Error, Fault};
use super::fields::EventFields;
use super::node::NodeType;
use super::node_id::{NodeId, NodeSelection};
use super::product::Product;
use super::watchpoint::Watchpoint;
use pmu_events_core::builtin;
use pmu_events_core::format::{Format, Formats, Words};

/// What one `perf_event_attr` of a mesh counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MeshEvent {
    /// The mesh's clock, counted by a DTC in a separate 40-bit counter. The
    /// kernel checks nothing but the type.
    Cycles,
    /// Events of nodes.
    Node(NodeEvent),
    /// Matching flits at crosspoints.
    Watchpoint(Watchpoint),
}

impl MeshEvent {
    /// Returns the terms, in order.
    #[must_use]
    pub const fn fields(&self) -> EventFields {
        match self {
            MeshEvent::Cycles => EventFields::EMPTY.with("type", NodeType::Dtc.code() as u64),
            MeshEvent::Node(event) => event.fields(),
            MeshEvent::Watchpoint(watchpoint) => watchpoint.fields(),
        }
    }

    /// Returns the config words in the format common to all drivers so far
    /// ([`builtin::ARM_CMN`]).
    ///
    /// ```
    /// use pmu_events::{cmn::named, format::Words};
    /// const MISSES: Words = match named::event("hnf_cache_miss") {
    ///     Some(event) => event.words(),
    ///     None => panic!("the driver has no such event"),
    /// };
    /// assert_eq!(MISSES, Words::new(0x1_0005));
    /// ```
    #[must_use]
    pub const fn words(&self) -> Words {
        match self.encode(builtin::ARM_CMN) {
            Ok(words) => words,
            // No value can be constructed that does not fit this format.
            Err(error) => error.panic(),
        }
    }

    /// Encodes the config words with other formats.
    ///
    /// # Errors
    ///
    /// Returns an error if the formats lack a term or have too few bits for it.
    pub const fn encode(&self, formats: Formats<'_>) -> Result<Words, Error> {
        let fields = self.fields();
        let mut words = Words::NONE;
        let mut n = 0;
        while n < fields.len() {
            let (term, value) = fields.get(n);
            words = match add(words, term, value, formats.find(term)) {
                Ok(words) => words,
                Err(error) => return Err(error),
            };
            n += 1;
        }
        Ok(words)
    }

    /// Encodes the config words with formats from a closure, for example from
    /// sysfs.
    ///
    /// ```
    /// use pmu_events::cmn::MeshEvent;
    /// use pmu_events::format::{Format, Words};
    /// let words = MeshEvent::Cycles.encode_with(|term| {
    ///     (term == "type").then(|| Format::parse("config:0-15").unwrap())
    /// })?;
    /// assert_eq!(words, Words::new(0x3));
    /// # Ok::<(), pmu_events::cmn::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the formats lack a term or have too few bits for it.
    pub fn encode_with(
        &self,
        mut find: impl FnMut(&str) -> Option<Format>,
    ) -> Result<Words, Error> {
        self.fields()
            .iter()
            .try_fold(Words::NONE, |words, (term, value)| add(words, term, value, find(term)))
    }

    /// Checks whether a product supports the values in the event. The driver
    /// silently truncates unsupported ones and counts something else.
    ///
    /// Whether the event exists on the product is not checked: see
    /// [`Named::exists_on`](super::named::Named::exists_on).
    ///
    /// # Errors
    ///
    /// Returns an error for
    ///
    /// - an event ID of more than eight bits, which only the crosspoints of
    ///   CMN-700 and CMN S3 support (`arm_cmn_set_event_sel_lo`);
    /// - a second filter, which only CMN S3 r2 has;
    /// - a match group or a port that the product does not have
    ///   (`arm_cmn_wp_config`).
    pub const fn check(&self, product: Product) -> Result<(), Error> {
        match self {
            MeshEvent::Cycles => Ok(()),
            MeshEvent::Node(event) => event.check(product),
            MeshEvent::Watchpoint(watchpoint) => watchpoint.check(product),
        }
    }

    /// Returns the nodes that are counted: the whole mesh for cycles, which are
    /// the same in every DTC.
    #[must_use]
    pub const fn scope(&self) -> NodeSelection {
        match self {
            MeshEvent::Cycles => NodeSelection::Mesh,
            MeshEvent::Node(event) => event.scope(),
            MeshEvent::Watchpoint(watchpoint) => watchpoint.scope(),
        }
    }
}

/// Displays the event string: `type=0x5,eventid=0x1`.
impl fmt::Display for MeshEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fields().fmt(f)
    }
}

impl From<NodeEvent> for MeshEvent {
    fn from(event: NodeEvent) -> Self {
        MeshEvent::Node(event)
    }
}

impl From<Watchpoint> for MeshEvent {
    fn from(watchpoint: Watchpoint) -> Self {
        MeshEvent::Watchpoint(watchpoint)
    }
}

/// Adds a term's bits to the words by OR-ing them, as perf does.
const fn add(
    words: Words,
    term: &'static str,
    value: u64,
    format: Option<Format>,
) -> Result<Words, Error> {
    let Some(format) = format else {
        return Err(Error::new(Fault::NoFormat(term)));
    };
    match format.scatter(value) {
        Ok(bits) => Ok(words.union(Words::NONE.with(format.word(), bits))),
        Err(too_large) => {
            Err(Error::new(Fault::TooLarge { what: term, value, max: too_large.max() }))
        }
    }
}

/// An event of a node type.
///
/// ```
/// use pmu_events::cmn::{MeshEvent, MeshSize, NodeEvent, NodeLocation, NodeType, PortLayout};
/// use pmu_events::format::Words;
///
/// // Request queue occupancy by writes, in one HN-F.
/// let size = MeshSize::new(4, 4)?;
/// let home = size.node_id(PortLayout::Two, NodeLocation { x: 2, y: 1, port: 0, device: 0 })?;
/// let event = NodeEvent::new(NodeType::HnF, 0xf)?.with_occupancy(2)?.at(home)?;
/// let event = MeshEvent::from(event);
/// assert_eq!(event.to_string(), "type=0x5,eventid=0xf,occupid=0x2,bynodeid=1,nodeid=0x48");
/// assert_eq!(event.words(), Words::new(0x48_900f_0005));
/// assert_eq!(MeshEvent::parse(&event.to_string()), Ok(event));
/// # Ok::<(), pmu_events::cmn::Error>(())
/// ```
///
/// # Filters
///
/// Some events are filtered further, by a number: the kind of request, its class,
/// and so on. The driver of Linux 6.12 calls this number `occupid`; that of Linux
/// 7.3 calls it `filter`, still takes the old name, and has a second number,
/// `filter2`, for some events of CMN S3 r2. An event string has `occupid`, which
/// both accept, unless it needs `filter2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeEvent {
    node: NodeType,
    id: u16,
    occupancy: u8,
    filter2: u8,
    scope: NodeSelection,
}

impl NodeEvent {
    /// The largest event ID that fits the term `eventid`.
    pub const MAX_ID: u16 = 0x7ff;

    /// The largest occupancy ID that fits the term `occupid`, which newer drivers
    /// call `filter`.
    pub const MAX_OCCUPANCY: u8 = 0xf;

    /// The largest number that fits the term `filter2`.
    pub const MAX_FILTER2: u8 = 0xf;

    /// Makes an event from its number in the technical reference manual, summed
    /// over the mesh. For crosspoints, use [`NodeEvent::of_crosspoint`], which
    /// composes the number.
    ///
    /// # Errors
    ///
    /// Returns an error if the number is too large, and for the DTC, whose only
    /// event is [`MeshEvent::Cycles`].
    pub const fn new(node: NodeType, id: u16) -> Result<Self, Error> {
        if matches!(node, NodeType::Dtc) {
            return Err(Error::new(Fault::OnlyCycles));
        }
        if id > Self::MAX_ID {
            let (value, max) = (id as u64, Self::MAX_ID as u64);
            return Err(Error::new(Fault::TooLarge { what: "eventid", value, max }));
        }
        Ok(NodeEvent { node, id, occupancy: 0, filter2: 0, scope: NodeSelection::Mesh })
    }

    /// Makes a crosspoint's event, summed over the mesh.
    #[must_use]
    pub const fn of_crosspoint(crosspoint: Crosspoint) -> Self {
        let id = crosspoint.event_id();
        let (occupancy, filter2) = (0, 0);
        NodeEvent { node: NodeType::Xp, id, occupancy, filter2, scope: NodeSelection::Mesh }
    }

    /// Returns the event with an occupancy ID, which filters some events
    /// [further](Self#filters): by the kind of request, its class, and so on.
    ///
    /// # Errors
    ///
    /// Returns an error if it is above 15.
    pub const fn with_occupancy(self, occupancy: u8) -> Result<Self, Error> {
        if occupancy > Self::MAX_OCCUPANCY {
            let (value, max) = (occupancy as u64, Self::MAX_OCCUPANCY as u64);
            return Err(Error::new(Fault::TooLarge { what: "occupid", value, max }));
        }
        Ok(NodeEvent { occupancy, ..self })
    }

    /// Returns the event with a second [filter](Self#filters): the state of the
    /// evicted line.
    ///
    /// ```
    /// use pmu_events::cmn::{NodeEvent, NodeType, Product, named};
    /// let evictions = NodeEvent::new(NodeType::HnS, 0x7)?.with_occupancy(1)?.with_filter2(2)?;
    /// let name = named::of(&evictions.into(), Product::CmnS3R2);
    /// assert_eq!(name.map(|name| name.to_string()).as_deref(), Some("hns_sf_evictions_hbt_en"));
    /// # Ok::<(), pmu_events::cmn::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the number is above 15, or not 0 for nodes other than
    /// HN-S, which have no such filter.
    pub const fn with_filter2(self, filter2: u8) -> Result<Self, Error> {
        if filter2 > Self::MAX_FILTER2 {
            let (value, max) = (filter2 as u64, Self::MAX_FILTER2 as u64);
            return Err(Error::new(Fault::TooLarge { what: "filter2", value, max }));
        }
        if filter2 != 0 && !self.node.has_filter2() {
            return Err(Error::new(Fault::Stray("filter2")));
        }
        Ok(NodeEvent { filter2, ..self })
    }

    /// Returns the event restricted to one node.
    ///
    /// # Errors
    ///
    /// Returns an error if it is an event of crosspoints and the ID is that of
    /// a device, which the kernel would not find among the crosspoints.
    pub const fn at(self, node: NodeId) -> Result<Self, Error> {
        if matches!(self.node, NodeType::Xp) && !node.may_be_crosspoint() {
            return Err(Error::new(Fault::NotACrosspoint(node)));
        }
        Ok(NodeEvent { scope: NodeSelection::Node(node), ..self })
    }

    /// Returns the event summed over the mesh.
    #[must_use]
    pub const fn summed(self) -> Self {
        NodeEvent { scope: NodeSelection::Mesh, ..self }
    }

    /// Returns the node type.
    #[must_use]
    pub const fn node(self) -> NodeType {
        self.node
    }

    /// Returns the event's number.
    #[must_use]
    pub const fn id(self) -> u16 {
        self.id
    }

    /// Returns the occupancy ID; 0 if the event has none.
    #[must_use]
    pub const fn occupancy(self) -> u8 {
        self.occupancy
    }

    /// Returns the second filter; 0 if the event has none.
    #[must_use]
    pub const fn filter2(self) -> u8 {
        self.filter2
    }

    /// Returns the nodes that are counted.
    #[must_use]
    pub const fn scope(self) -> NodeSelection {
        self.scope
    }

    /// Decodes the number of a crosspoint's event.
    #[must_use]
    pub const fn crosspoint(self) -> Option<Crosspoint> {
        match self.node {
            NodeType::Xp => Crosspoint::of_event_id(self.id),
            _ => None,
        }
    }

    const fn fields(&self) -> EventFields {
        let fields = EventFields::EMPTY
            .with("type", self.node.code() as u64)
            .with("eventid", self.id as u64);
        let (filter, filter2) = (self.occupancy as u64, self.filter2 as u64);
        let fields = match filter2 {
            0 => fields.with_some("occupid", filter),
            _ => fields.with("filter", filter).with("filter2", filter2),
        };
        fields.with_scope(self.scope)
    }

    const fn check(&self, product: Product) -> Result<(), Error> {
        let is_wide = matches!(self.node, NodeType::Xp)
            && matches!(product, Product::Cmn700 | Product::CmnS3 | Product::CmnS3R2);
        if self.id > 0xff && !is_wide {
            return Err(Error::new(Fault::NotOnProduct("eventid")));
        }
        if self.filter2 != 0 && !matches!(product, Product::CmnS3R2) {
            return Err(Error::new(Fault::NotOnProduct("filter2")));
        }
        Ok(())
    }
}
