//! Arm's coherent mesh networks: CMN-600, CMN-650, CMN-700, CI-700, CMN S3.
//!
//! A mesh is a grid of crosspoints (XP) with devices on their ports. Each mesh
//! of a machine is a PMU of its own: `arm_cmn_0`, `arm_cmn_1`, …, always with a
//! number. What it counts are events of nodes, or flits that match a watchpoint.
//!
//! ```
//! use pmu_events::cmn::{MeshEvent, MeshSize, NodeEvent, NodeType, named};
//!
//! // By the driver's name, or by the numbers of the technical reference manual.
//! const MISSES: MeshEvent = named::event("hnf_cache_miss").unwrap();
//! let misses = NodeEvent::new(NodeType::HnF, 0x1)?;
//! assert_eq!(MISSES, MeshEvent::from(misses));
//!
//! // The event string for perf, and what the kernel gets.
//! assert_eq!(MISSES.to_string(), "type=0x5,eventid=0x1");
//! const WORDS: [u64; 4] = MISSES.words();
//! assert_eq!(WORDS, [0x1_0005, 0, 0, 0]);
//!
//! // And back.
//! assert_eq!(MeshEvent::parse("type=0x5,eventid=0x1"), Ok(MISSES));
//! assert_eq!(MeshEvent::decode(WORDS), Ok(MISSES));
//! # Ok::<(), pmu_events::cmn::Error>(())
//! ```
//!
//! | | |
//! |---|---|
//! | [`MeshEvent`] | what is counted: cycles, a [`NodeEvent`], a [`Watchpoint`] |
//! | [`NodeType`] | kinds of nodes and their codes |
//! | [`Crosspoint`] | the event ids of crosspoints: signal, interface, channel |
//! | [`MeshSize`], [`NodeId`], [`NodeLocation`] | node ids, made and taken apart |
//! | [`Match`], [`Field`] | what a watchpoint compares flits with |
//! | [`named`] | the events that the driver names |
//! | [`Product`], [`Identity`] | which mesh it is |
//! | [`check_group`] | which events count together |
//!
//! # Units
//!
//! Counts are numbers of what the event says (flits, requests, cycles of the
//! mesh's clock), 64 bits wide as the driver adds them up, and scaled by nothing.
//! [`MeshEvent::Cycles`] counts the mesh's clock, so that a rate is one per cycle.
//!
//! # Limits
//!
//! - The debug and trace controller of a mesh (DTC; large meshes have up to four)
//!   has [`GLOBAL_COUNTERS`] counters: as many events count at the same time. The
//!   cycle counter is one more, and can be opened once for each DTC, in a group
//!   once.
//! - A crosspoint (its DTM) has [`CROSSPOINT_COUNTERS`] counters for itself, its
//!   devices and its watchpoints. An event summed over the mesh takes one at
//!   every node of its type. Crosspoints with more than two ports may have a DTM
//!   for every two.
//! - A crosspoint has [`WATCHPOINTS`] watchpoints, two for each direction, for all
//!   its ports together. Two of one direction go together only with the same
//!   `combine`.
//! - A node has one register for each [`NodeFilter`](named::NodeFilter): events that have
//!   one need the same occupancy id to count together.
//! - Meshes count; they take no samples, know no tasks, and cannot leave out user,
//!   kernel or guest. An event is opened on the CPU of the PMU's `cpumask`.
//! - Only x and y of at most [`MeshSize::MAX_DIMENSION`], ports below six.
//!
//! The kernel answers what does not fit with `EINVAL` when a group is opened;
//! [`check_group`] says before why, as far as that does not depend on where nodes
//! are. What is opened by itself takes turns.
//!
//! # Where the rules come from
//!
//! `Documentation/admin-guide/perf/arm-cmn.rst` and `drivers/perf/arm-cmn.c` of
//! Linux 6.12; flit fields from Arm's cmn-tools ([`Field`]). Where this is not
//! the driver:
//!
//! | driver | here |
//! |---|---|
//! | cuts off what a product does not have: match group 2 on CMN-600 is 0, event id 0x101 of an HN-F is 1 | [`MeshEvent::check`] refuses it |
//! | passes over `nodeid` without `bynodeid` and fields of watchpoints in other events | [`MeshEvent::decode`] and [`MeshEvent::parse`] refuse it |
//! | takes any number as port of a watchpoint | [`Watchpoint::new`] takes those that there are |
//! | reckons with one bit of x and y where neither is above two | [`MeshSize`] with two, as the hardware |

mod channel;
mod crosspoint;
mod decode;
mod error;
mod event;
mod fields;
mod flit;
mod group;
mod matching;
mod mesh_size;
pub mod named;
mod node;
mod node_id;
mod parts;
mod product;
mod scope;
mod watchpoint;

pub use channel::{Channel, MatchGroup};
pub use crosspoint::{Crosspoint, Interface, LinkChannel, Signal};
pub use decode::{ParseError, ParseErrorKind};
pub use error::{Error, ErrorKind};
pub use event::{MeshEvent, NodeEvent};
pub use fields::EventFields;
pub use flit::Field;
pub use group::{
    CROSSPOINT_COUNTERS, GLOBAL_COUNTERS, GroupError, GroupRule, WATCHPOINTS, check_group,
};
pub use matching::Match;
pub use mesh_size::MeshSize;
pub use node::NodeType;
pub use node_id::{NodeId, NodeLocation, PortLayout};
pub use product::{Identity, Product, Products};
pub use scope::NodeSelection;
pub use watchpoint::{Direction, Watchpoint};

#[cfg(test)]
mod tests;
