//! Checking whether events fit into a group.

use core::fmt;

use super::event::MeshEvent;
use super::named;
use super::node::NodeType;
use super::node_id::{NodeId, NodeSelection};
use super::product::Product;
use super::watchpoint::Watchpoint;

/// The number of counters of a DTC, in addition to its cycle counter
/// (`CMN_DT_NUM_COUNTERS`).
pub const GLOBAL_COUNTERS: usize = 8;

/// The number of counters of a crosspoint (`CMN_DTM_NUM_COUNTERS`).
///
/// They have 16 bits each and overflow into a global counter.
pub const CROSSPOINT_COUNTERS: usize = 4;

/// The number of watchpoints of a crosspoint: two upward and two downward.
pub const WATCHPOINTS: usize = 4;

/// Checks whether events of one mesh can count together, wherever in the mesh
/// their nodes are.
///
/// The rules are those of the kernel (`arm_cmn_validate_group` and
/// `arm_cmn_event_add` in `drivers/perf/arm-cmn.c`), which returns `EINVAL`
/// when the group is opened. The kernel knows the mesh and may find more
/// conflicts: nodes of two types at one crosspoint share its counters, several
/// nodes of one type take one counter each. Conflicts that it overlooks (a
/// `combine` of 1 together with one of 2; a fifth counter where two are taken
/// at once) it accepts, but never counts. Filters are only checked if the
/// product is known.
///
/// ```
/// use pmu_events::cmn::{GroupRule, check_group, named};
/// let events = [
///     "hnf_cache_miss", "hnf_slc_sf_cache_access", "hnf_sf_hit", "hnf_mc_reqs", "dtc_cycles",
/// ];
/// let mut events = events.map(|name| named::event(name).unwrap()).to_vec();
/// assert_eq!(check_group(&events, None), Ok(()));
/// events.push(named::event("hnf_mc_retries").unwrap());
/// let error = check_group(&events, None).unwrap_err();
/// assert_eq!((error.event(), error.kind()), (5, GroupRule::CrosspointCounters));
/// ```
///
/// # Errors
///
/// Returns an error for the first event that does not fit with those before it.
pub fn check_group(events: &[MeshEvent], product: Option<Product>) -> Result<(), GroupError> {
    for (n, event) in events.iter().enumerate() {
        let before = Group { events: &events[..n], known: &events[..=n], product };
        before.admits(event).map_err(|kind| GroupError { event: n, kind })?;
    }
    Ok(())
}

/// Why events do not fit into a group.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct GroupError {
    event: usize,
    kind: GroupRule,
}

impl GroupError {
    /// Returns the rule that the event breaks.
    #[must_use]
    pub const fn kind(&self) -> GroupRule {
        self.kind
    }

    /// Returns the index of the event that does not fit with those before it.
    #[must_use]
    pub const fn event(&self) -> usize {
        self.event
    }
}

/// A rule for groups.
///
/// ```
/// use pmu_events::cmn::{GroupRule, check_group, named};
///
/// let cycles = named::event("dtc_cycles").unwrap();
/// let error = check_group(&[cycles, cycles], None).unwrap_err();
/// assert_eq!(error.kind(), GroupRule::OneCycleCounter);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GroupRule {
    /// A group contains the cycle counter at most once.
    OneCycleCounter,
    /// A DTC counts at most eight events.
    GlobalCounters,
    /// A crosspoint counts at most four events, including those of its devices.
    CrosspointCounters,
    /// A crosspoint has two watchpoints for each direction.
    Watchpoints,
    /// Two watchpoints of one direction at a crosspoint have the same
    /// `combine`.
    Combine,
    /// A node filters by one occupancy ID: the number of a filter is the same for
    /// all events of the node that have it.
    OneOccupancy,
}

impl fmt::Display for GroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event {} of the group: {}", self.event + 1, self.kind)
    }
}

impl fmt::Display for GroupRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GroupRule::OneCycleCounter => "the cycle counter is in a group once",
            GroupRule::GlobalCounters => "a mesh counts no more than eight events at a time",
            GroupRule::CrosspointCounters => "a crosspoint counts no more than four at a time",
            GroupRule::Watchpoints => "a crosspoint has two watchpoints for each direction",
            GroupRule::Combine => {
                "two watchpoints of a crosspoint and direction need the same wp_combine"
            }
            GroupRule::OneOccupancy => "a node filters by one occupancy id at a time",
        })
    }
}

pmu_events_core::__private::debug_as_display!(GroupError);

impl core::error::Error for GroupError {}

/// The events that are already in the group.
#[derive(Clone, Copy)]
struct Group<'e> {
    events: &'e [MeshEvent],
    /// These events and the one to be added. What each says about its node is
    /// true, or the kernel rejects it.
    known: &'e [MeshEvent],
    product: Option<Product>,
}

/// A place where events share counters.
#[derive(Clone, Copy)]
enum Spot {
    /// Every crosspoint.
    Crosspoints,
    /// One crosspoint.
    Crosspoint(NodeId),
    /// Every node of a type.
    Nodes(NodeType),
    /// The device with an ID, which may have several node types.
    Device(NodeId),
}

impl Group<'_> {
    fn admits(self, event: &MeshEvent) -> Result<(), GroupRule> {
        if *event == MeshEvent::Cycles {
            return match self.events.contains(event) {
                true => Err(GroupRule::OneCycleCounter),
                false => Ok(()),
            };
        }
        // The kernel checks whether any DTC is full, not just the event's.
        if self.spots().any(|spot| self.global_load(spot) >= GLOBAL_COUNTERS) {
            return Err(GroupRule::GlobalCounters);
        }
        let mut shared = Spot::of(event).into_iter().chain(self.spots());
        if shared.any(|spot| self.meets(event, spot) && self.load(spot) >= CROSSPOINT_COUNTERS) {
            return Err(GroupRule::CrosspointCounters);
        }
        match event {
            MeshEvent::Watchpoint(watchpoint) => self.admits_watchpoint(watchpoint),
            _ => self.admits_filter(event),
        }
    }

    fn spots(self) -> impl Iterator<Item = Spot> {
        self.events.iter().filter_map(Spot::of)
    }

    /// The number of a crosspoint's counters that are taken at a spot.
    fn load(self, spot: Spot) -> usize {
        self.events.iter().filter(|event| self.meets(event, spot)).count()
    }

    /// The number of counters of the spot's DTC that are taken, including by
    /// events at every crosspoint.
    fn global_load(self, spot: Spot) -> usize {
        let meets = |event: &&MeshEvent| {
            self.meets(event, spot) || matches!(Spot::of(event), Some(Spot::Crosspoints))
        };
        self.events.iter().filter(meets).count()
    }

    /// Whether an event is certain to count at a spot.
    fn meets(self, event: &MeshEvent, spot: Spot) -> bool {
        match (Spot::of(event), spot) {
            (Some(Spot::Crosspoints), Spot::Crosspoints | Spot::Crosspoint(_)) => true,
            (Some(Spot::Crosspoint(a)), Spot::Crosspoint(b)) => a == b,
            (Some(Spot::Nodes(a)), Spot::Nodes(b)) => a == b,
            (Some(Spot::Device(a)), Spot::Device(b)) => a == b,
            (Some(Spot::Nodes(node)), Spot::Device(id)) => self.is_known(node, id),
            _ => false,
        }
    }

    /// Whether the group itself establishes that the device with an ID has a
    /// type.
    fn is_known(self, node: NodeType, id: NodeId) -> bool {
        let at_id = self.known.iter().filter(|event| event.scope() == NodeSelection::Node(id));
        at_id.filter_map(node_of).any(|known| known == node)
    }

    fn admits_watchpoint(self, watchpoint: &Watchpoint) -> Result<(), GroupRule> {
        let others = || {
            self.events.iter().filter_map(|event| match event {
                MeshEvent::Watchpoint(other) if other.direction() == watchpoint.direction() => {
                    Some(other)
                }
                _ => None,
            })
        };
        let at = |scope: NodeSelection| {
            others()
                .filter(move |other| other.scope() == NodeSelection::Mesh || other.scope() == scope)
        };
        let is_full = match watchpoint.scope() {
            NodeSelection::Mesh => others().any(|other| at(other.scope()).count() >= 2),
            scope => at(scope).count() >= 2,
        };
        if is_full {
            return Err(GroupRule::Watchpoints);
        }
        let mut sharing = others().filter(|other| {
            let scopes = (other.scope(), watchpoint.scope());
            scopes.0 == scopes.1
                || scopes.0 == NodeSelection::Mesh
                || scopes.1 == NodeSelection::Mesh
        });
        match sharing.all(|other| other.combine() == watchpoint.combine()) {
            true => Ok(()),
            false => Err(GroupRule::Combine),
        }
    }

    fn admits_filter(self, event: &MeshEvent) -> Result<(), GroupRule> {
        let (Some(product), MeshEvent::Node(node)) = (self.product, event) else {
            return Ok(());
        };
        let is_refused = self.events.iter().any(|other| match other {
            MeshEvent::Node(other) => {
                let scopes = (node.scope(), other.scope());
                let together = scopes.0 == scopes.1
                    || scopes.0 == NodeSelection::Mesh
                    || scopes.1 == NodeSelection::Mesh;
                let conflict = |(filter, number)| {
                    let mut others = named::filters_of(other, product);
                    others.any(|(other, n)| other == filter && n != number)
                };
                node.node() == other.node()
                    && together
                    && named::filters_of(node, product).any(conflict)
            }
            _ => false,
        });
        if is_refused { Err(GroupRule::OneOccupancy) } else { Ok(()) }
    }
}

impl Spot {
    fn of(event: &MeshEvent) -> Option<Spot> {
        let is_at_crosspoints = match event {
            MeshEvent::Cycles => return None,
            MeshEvent::Watchpoint(_) => true,
            MeshEvent::Node(event) => event.node() == NodeType::Xp,
        };
        Some(match (event.scope(), node_of(event)) {
            (NodeSelection::Mesh, Some(node)) if !is_at_crosspoints => Spot::Nodes(node),
            (NodeSelection::Mesh, _) => Spot::Crosspoints,
            (NodeSelection::Node(id), _) if is_at_crosspoints => Spot::Crosspoint(id),
            (NodeSelection::Node(id), _) => Spot::Device(id),
        })
    }
}

fn node_of(event: &MeshEvent) -> Option<NodeType> {
    match event {
        MeshEvent::Node(event) => Some(event.node()),
        _ => None,
    }
}
