//! Arm's coherent mesh networks: CMN-600, CMN-650, CMN-700, CI-700, CMN S3.
//!
//! Use it to count on an Arm server's mesh by events, nodes and watchpoints instead of raw
//! numbers.
//!
//! A mesh is a grid of crosspoints (XP) with devices on their ports. Each mesh of a
//! machine is a PMU of its own: `arm_cmn_0`, `arm_cmn_1`, …, always with a number.
//! It counts cycles, events of nodes, or flits that match a watchpoint. A
//! [`MeshEvent`] is a typed description of such an event; it converts to and from
//! event strings and config words, without a running system and in a `const`.
//! [`Meshes`] finds the meshes of the running system, or of any directory that
//! looks like one.
//!
//! ```no_run
//! # #[cfg(feature = "arm64")] {
//! use pmu_events::System;
//! use pmu_events::cmn::{MeshSelection, Meshes};
//!
//! let system = System::new();
//! let meshes = Meshes::of(&system);
//! for mesh in meshes.iter() {
//!     println!("{}: {:?}, read by CPUs {:?}", mesh.pmu().name(), mesh.identity(), mesh.cpus());
//! }
//!
//! // By name: from the sys tables, or from the driver.
//! for request in meshes.request_named(MeshSelection::All, &["hnf_cache_miss"])? {
//!     // One for each mesh: the arguments of perf_event_open, and perf's spelling.
//!     println!("type {}, {:?}, {request}", request.type_(), request.words());
//! }
//! # }
//! # Ok::<(), pmu_events::cmn::MeshRequestError>(())
//! ```
//!
//! # Events
//!
//! ```
//! use pmu_events::cmn::{
//!     Channel, Crosspoint, Direction, Field, Interface, LinkChannel, Match, MatchGroup, MeshEvent,
//!     MeshSize, NodeEvent, NodeLocation, NodeType, PortLayout, Product, Signal, Watchpoint, named,
//! };
//! use pmu_events::format::Words;
//!
//! // Misses of the system-level cache, summed over the mesh and in one slice.
//! const MISSES: NodeEvent = match NodeEvent::new(NodeType::HnF, 0x1) {
//!     Ok(event) => event,
//!     Err(error) => error.panic(),
//! };
//! const WORDS: Words = MeshEvent::Node(MISSES).words();
//! assert_eq!(WORDS, Words::new(0x1_0005));
//! let size = MeshSize::new(6, 4)?;
//! let slice = size.node_id(PortLayout::Two, NodeLocation { x: 2, y: 1, port: 0, device: 0 })?;
//! let one = MeshEvent::from(MISSES.at(slice)?);
//! assert_eq!(one.to_string(), "type=0x5,eventid=0x1,bynodeid=1,nodeid=0x88");
//!
//! // Stalls on the way east, in one crosspoint.
//! let stalls = Crosspoint::new(Signal::FlitStall, Interface::East, LinkChannel::Req)?;
//! let stalls = MeshEvent::from(NodeEvent::of_crosspoint(stalls).at(size.crosspoint(2, 1)?)?);
//! assert_eq!(stalls.to_string(), "type=0x6,eventid=0x2,bynodeid=1,nodeid=0x88");
//!
//! // Reads (ReadNoSnp, opcode 4) of one page from port 0: two match groups, so two
//! // watchpoints that count together.
//! let product = Product::Cmn700;
//! let opcode = Match::all(Channel::Req, MatchGroup::Primary).with(product, Field::Opcode, 0x4)?;
//! let page = Match::all(Channel::Req, MatchGroup::Secondary)
//!     .with_bits(product, Field::Addr, 0x8000_0000, !0xfff)?;
//! let [reads, in_page] = Watchpoint::pair(Direction::Up, 0, [opcode, page], 1)?;
//! assert_eq!(MeshEvent::parse(&MeshEvent::from(reads).to_string()), Ok(reads.into()));
//! assert_eq!(in_page.matching().field(product, Field::Opcode), None);
//!
//! // The driver's own names.
//! assert_eq!(named::event("hnf_cache_miss"), Some(MISSES.into()));
//! # Ok::<(), pmu_events::cmn::Error>(())
//! ```
//!
//! # Limits
//!
//! - Each debug and trace controller (DTC), of which a mesh has up to four, counts
//!   up to eight events ([`GLOBAL_COUNTERS`]) and cycles at the same time. Each
//!   crosspoint counts up to four events ([`CROSSPOINT_COUNTERS`]), including those
//!   of its devices and its watchpoints.
//! - A crosspoint has four watchpoints, two for each direction
//!   ([`WATCHPOINTS`]).
//! - Meshes count for the whole machine. They do not support sampling or counting
//!   per task, and can exclude neither user nor kernel: an event is opened with
//!   `pid` -1 on a CPU of the PMU's `cpumask` ([`Mesh::cpus`]), without a sampling
//!   period. All events of a group are on one mesh.
//! - Each mesh counts separately: a request returns one [`MeshRequest`] for each
//!   mesh. Counts are not added up over meshes; do so if the sum makes sense for
//!   your event.
//!
//! # Where the rules come from
//!
//! `Documentation/admin-guide/perf/arm-cmn.rst` and `drivers/perf/arm-cmn.c` of
//! Linux 6.12 and 7.3; the fields of flits come from the tables of match groups in Arm's
//! technical reference manuals, as in Arm's cmn-tools ([`Field`]). [`pmu_events_cmn`]
//! lists the differences from the driver.

mod error;
mod mesh;
mod request;

pub use error::{MeshRequestError, MeshRequestErrorKind, MeshSelection};
pub use mesh::{Mesh, Meshes};
pub use pmu_events_cmn::*;
pub use request::MeshRequest;
