//! Arm's coherent mesh networks: CMN-600, CMN-650, CMN-700, CI-700, CMN S3.
//!
//! Use it to count on an Arm server's mesh by events, nodes and watchpoints instead of raw
//! numbers.
//!
//! This is the module `cmn` of [`pmu-events`](https://docs.rs/pmu-events), behind the
//! feature of that name. There is no `std`, heap or `unsafe` code.
//!
//! A mesh is a grid of crosspoints (XP) with devices on their ports. Each mesh
//! of a machine is a separate PMU: `arm_cmn_0`, `arm_cmn_1`, …, always with a
//! number. It counts events of nodes, or flits that match a watchpoint.
//!
//! ```
//! use pmu_events::cmn::{MeshEvent, NodeEvent, NodeType, named};
//! use pmu_events::format::Words;
//!
//! // By the driver's name, or by the numbers of the technical reference manual.
//! const MISSES: MeshEvent = named::event("hnf_cache_miss").unwrap();
//! let misses = NodeEvent::new(NodeType::HnF, 0x1)?;
//! assert_eq!(MISSES, MeshEvent::from(misses));
//!
//! // The event string for perf, and the config words for the kernel.
//! assert_eq!(MISSES.to_string(), "type=0x5,eventid=0x1");
//! const WORDS: Words = MISSES.words();
//! assert_eq!(WORDS, Words::new(0x1_0005));
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
//! | [`Crosspoint`] | the event IDs of crosspoints: signal, interface, channel |
//! | [`MeshSize`], [`NodeId`], [`NodeLocation`] | encoding and decoding node IDs |
//! | [`Match`], [`Field`] | what a watchpoint compares flits with |
//! | [`named`] | the events named by the driver |
//! | [`Product`], [`Identity`] | the product and its revision |
//! | [`check_group`] | which events count together |
//!
//! # Units
//!
//! Counts are in the unit of the event (flits, requests, cycles of the mesh's
//! clock), not scaled, and 64 bits wide, since the driver accumulates them.
//! Divide by [`MeshEvent::Cycles`], which counts the mesh's clock, to get a
//! rate per cycle.
//!
//! # Limits
//!
//! - The debug and trace controller of a mesh (DTC; large meshes have up to
//!   four) has [`GLOBAL_COUNTERS`] counters and counts as many events at the
//!   same time. The cycle counter is separate; it can be opened once for each
//!   DTC, and once in a group.
//! - A crosspoint (its DTM) has [`CROSSPOINT_COUNTERS`] counters for itself,
//!   its devices and its watchpoints. An event summed over the mesh takes one
//!   at every node of its type. Crosspoints with more than two ports may have a
//!   DTM for every two ports.
//! - A crosspoint has [`WATCHPOINTS`] watchpoints, two for each direction, for
//!   all its ports together. Two in the same direction can only count together
//!   if they have the same `combine`.
//! - A node has one register for each [`NodeFilter`](named::NodeFilter): events
//!   with the same filter need the same number for it to count together.
//! - Meshes only count. They cannot be sampled, do not distinguish tasks, and
//!   cannot exclude user space, the kernel or guests. Open their events on a
//!   CPU in the PMU's `cpumask`.
//! - x and y are below [`MeshSize::MAX_DIMENSION`], ports below six.
//!
//! If a group does not fit, the kernel returns `EINVAL` when it is opened.
//! [`check_group`] reports the reason in advance, unless it depends on where
//! nodes are. Events that are opened individually are multiplexed.
//!
//! # Where the rules come from
//!
//! `Documentation/admin-guide/perf/arm-cmn.rst` and `drivers/perf/arm-cmn.c` of
//! Linux 6.12 and 7.3; flit fields from Arm's cmn-tools ([`Field`]). Differences
//! from the driver:
//!
//! | driver | here |
//! |---|---|
//! | truncates what a product does not support: match group 2 on CMN-600 is 0, event ID 0x101 of an HN-F is 1 | [`MeshEvent::check`] rejects it |
//! | ignores `nodeid` without `bynodeid` and fields of watchpoints in other events | [`MeshEvent::decode`] and [`MeshEvent::parse`] reject it |
//! | accepts any number as port of a watchpoint | [`Watchpoint::new`] accepts only existing ports |
//! | assumes one bit for x and y if neither dimension is above two | [`MeshSize`] assumes two, as in hardware |

#![no_std]
#![doc(test(attr(deny(warnings), allow(dead_code, deprecated))))]
#![forbid(unsafe_code)]

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
mod watchpoint;

pub use channel::{Channel, MatchGroup};
pub use crosspoint::{Crosspoint, Interface, LinkChannel, Signal};
pub use decode::ParseError;
pub use error::Error;
pub use event::{MeshEvent, NodeEvent};
pub use fields::EventFields;
pub use flit::Field;
pub use group::{
    CROSSPOINT_COUNTERS, GLOBAL_COUNTERS, GroupError, GroupRule, WATCHPOINTS, check_group,
};
pub use matching::Match;
pub use mesh_size::MeshSize;
pub use node::NodeType;
pub use node_id::{NodeId, NodeLocation, NodeSelection, PortLayout};
pub use product::{Identity, Product, Products};
pub use watchpoint::{Direction, Watchpoint};

#[cfg(test)]
mod tests;
