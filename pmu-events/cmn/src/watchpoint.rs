//! Watchpoints, which count flits by their content.

use super::channel::Channel;
use super::error::{Error, Fault};
use super::fields::EventFields;
use super::matching::Match;
use super::node_id::{NodeId, NodeSelection};
use super::product::Product;

/// The direction of the flits that a watchpoint observes, with the event ID as
/// discriminant.
///
/// A crosspoint has two watchpoints for each.
///
/// ```
/// use pmu_events::cmn::{Channel, Direction, Match, MatchGroup, Watchpoint};
///
/// let all = Match::all(Channel::Dat, MatchGroup::Primary);
/// let down = Watchpoint::new(Direction::Down, 0, all)?;
/// assert_eq!(down.direction(), Direction::Down);
/// # Ok::<(), pmu_events::cmn::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u16)]
pub enum Direction {
    /// From the device into the mesh.
    Up = 0,
    /// From the mesh to the device.
    Down = 2,
}

/// A watchpoint: counts matching flits between a device port and its
/// crosspoint.
///
/// ```
/// use pmu_events::cmn::{
///     Channel, Direction, MeshEvent, Field, MatchGroup, Match, Product, Watchpoint,
/// };
/// // ReadNoSnp requests (opcode 4) from port 1 of any crosspoint of a CMN-700.
/// let reads = Match::all(Channel::Req, MatchGroup::Primary)
///     .with(Product::Cmn700, Field::Opcode, 0x4)?;
/// let event = MeshEvent::from(Watchpoint::new(Direction::Up, 1, reads)?);
/// assert_eq!(
///     event.to_string(),
///     "type=0x7770,eventid=0x0,wp_dev_sel=0x1,wp_chn_sel=0x0,wp_grp=0x0,\
///      wp_val=0x80000000,wp_mask=0xfffffff01fffffff",
/// );
/// assert_eq!(
///     event.words().to_string(),
///     "config=0x1000000007770,config1=0x80000000,config2=0xfffffff01fffffff",
/// );
/// assert_eq!(MeshEvent::parse(&event.to_string()), Ok(event));
/// # Ok::<(), pmu_events::cmn::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Watchpoint {
    direction: Direction,
    port: u8,
    matching: Match,
    is_exclusive: bool,
    combine: u8,
    scope: NodeSelection,
}

impl Watchpoint {
    /// The type that the driver invented for watchpoints (`CMN_TYPE_WP`).
    pub const TYPE: u16 = 0x7770;

    /// The highest port of a crosspoint (`CMN_MAX_PORTS`).
    pub const MAX_PORT: u8 = 5;

    /// The largest number by which watchpoints are combined.
    pub const MAX_COMBINE: u8 = 0xf;

    /// Makes a watchpoint on a device port of every crosspoint, summed.
    ///
    /// # Errors
    ///
    /// Returns an error if the port (`wp_dev_sel`) is above 5.
    pub const fn new(direction: Direction, port: u8, matching: Match) -> Result<Self, Error> {
        if port > Self::MAX_PORT {
            let (value, max) = (port as u64, Self::MAX_PORT as u64);
            return Err(Error::new(Fault::TooLarge { what: "wp_dev_sel", value, max }));
        }
        let (is_exclusive, combine, scope) = (false, 0, NodeSelection::Mesh);
        Ok(Watchpoint { direction, port, matching, is_exclusive, combine, scope })
    }

    /// Makes two watchpoints that count together: flits that match in both
    /// groups. Open them as one group, in the order in which they are returned:
    /// the first, which has the lower match group, holds the count.
    ///
    /// ```
    /// use pmu_events::cmn::{
    ///     Channel, Direction, Field, MatchGroup, Match, Product, Watchpoint,
    /// };
    /// let all = |group| Match::all(Channel::Req, group);
    /// let opcode = all(MatchGroup::Primary).with(Product::Cmn600, Field::Opcode, 0x4)?;
    /// let address = all(MatchGroup::Secondary).with(Product::Cmn600, Field::Addr, 0x8000_0000)?;
    /// let [first, second] = Watchpoint::pair(Direction::Up, 0, [opcode, address], 1)?;
    /// assert_eq!((first.combine(), second.combine()), (1, 1));
    /// assert!(Watchpoint::pair(Direction::Up, 0, [opcode, opcode], 1).is_err());
    /// # Ok::<(), pmu_events::cmn::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for what `Documentation/admin-guide/perf/arm-cmn.rst`
    /// rules out: any channel but REQ and SNP, two matches in one group or on
    /// different channels, and a `combine` of 0, with which each would count
    /// separately. Also returns an error if a port or a `combine` is too large.
    pub const fn pair(
        direction: Direction,
        port: u8,
        matches: [Match; 2],
        combine: u8,
    ) -> Result<[Self; 2], Error> {
        let [a, b] = matches;
        if a.channel() as u8 != b.channel() as u8 {
            return Err(Error::new(Fault::DifferentChannels));
        }
        if !matches!(a.channel(), Channel::Req | Channel::Snp) {
            return Err(Error::new(Fault::NotCombined));
        }
        let (first, second) = match (a.group() as u8, b.group() as u8) {
            (a, b) if a == b => return Err(Error::new(Fault::SameGroup)),
            (lower, higher) if lower < higher => (a, b),
            _ => (b, a),
        };
        if combine == 0 {
            return Err(Error::new(Fault::CombineZero));
        }
        match (Self::new(direction, port, first), Self::new(direction, port, second)) {
            (Ok(first), Ok(second)) => {
                match (first.with_combine(combine), second.with_combine(combine)) {
                    (Ok(first), Ok(second)) => Ok([first, second]),
                    (Err(error), _) | (_, Err(error)) => Err(error),
                }
            }
            (Err(error), _) | (_, Err(error)) => Err(error),
        }
    }

    /// Returns the watchpoint, exclusive or not: `wp_exclusive`, as the manuals
    /// define it for the register `dtm_wp_config`. An exclusive watchpoint
    /// counts the flits that do not match (according to Arm's cmn-tools).
    #[must_use]
    pub const fn with_exclusive(self, is_exclusive: bool) -> Self {
        Watchpoint { is_exclusive, ..self }
    }

    /// Returns the watchpoint with a number that joins it to another one; 0 for
    /// none. [`Watchpoint::pair`] makes both.
    ///
    /// # Errors
    ///
    /// Returns an error if the number is above 15.
    pub const fn with_combine(self, combine: u8) -> Result<Self, Error> {
        if combine > Self::MAX_COMBINE {
            let (value, max) = (combine as u64, Self::MAX_COMBINE as u64);
            return Err(Error::new(Fault::TooLarge { what: "wp_combine", value, max }));
        }
        Ok(Watchpoint { combine, ..self })
    }

    /// Returns the watchpoint restricted to one crosspoint.
    ///
    /// # Errors
    ///
    /// Returns an error if the ID is that of a device.
    pub const fn at(self, crosspoint: NodeId) -> Result<Self, Error> {
        if !crosspoint.may_be_crosspoint() {
            return Err(Error::new(Fault::NotACrosspoint(crosspoint)));
        }
        Ok(Watchpoint { scope: NodeSelection::Node(crosspoint), ..self })
    }

    /// Returns the watchpoint on every crosspoint.
    #[must_use]
    pub const fn summed(self) -> Self {
        Watchpoint { scope: NodeSelection::Mesh, ..self }
    }

    /// Returns the direction of the flits.
    #[must_use]
    pub const fn direction(self) -> Direction {
        self.direction
    }

    /// Returns the device port (`wp_dev_sel`).
    #[must_use]
    pub const fn port(self) -> u8 {
        self.port
    }

    /// Returns what flits are compared with.
    #[must_use]
    pub const fn matching(self) -> Match {
        self.matching
    }

    /// Whether the watchpoint is exclusive.
    #[must_use]
    pub const fn is_exclusive(self) -> bool {
        self.is_exclusive
    }

    /// Returns the number that joins the watchpoint to another one; 0 for none.
    #[must_use]
    pub const fn combine(self) -> u8 {
        self.combine
    }

    /// Returns the crosspoints that are observed.
    #[must_use]
    pub const fn scope(self) -> NodeSelection {
        self.scope
    }

    pub(super) const fn fields(&self) -> EventFields {
        EventFields::EMPTY
            .with("type", Self::TYPE as u64)
            .with("eventid", self.direction as u64)
            .with_scope(self.scope)
            .with("wp_dev_sel", self.port as u64)
            .with("wp_chn_sel", self.matching.channel() as u64)
            .with("wp_grp", self.matching.group() as u64)
            .with_some("wp_exclusive", self.is_exclusive as u64)
            .with_some("wp_combine", self.combine as u64)
            .with("wp_val", self.matching.value())
            .with("wp_mask", self.matching.mask())
    }

    pub(super) const fn check(&self, product: Product) -> Result<(), Error> {
        if self.matching.group() as u8 >= product.match_groups() {
            return Err(Error::new(Fault::NotOnProduct("wp_grp")));
        }
        if self.port >= product.max_ports() {
            return Err(Error::new(Fault::NotOnProduct("wp_dev_sel")));
        }
        Ok(())
    }
}
