//! Drilling down to a bottleneck: which metrics to measure next, and what their
//! values say.
//!
//! Use it in a profiler that says where time is lost; the command `pmu topdown` is made of it.
//!
//! A [`Hierarchy`] is the tree that the metrics of a model form. A [`Drill`] walks
//! it: it asks for the metrics of the first level, takes counts, and asks for the
//! parts of each node that is over its threshold, until it has reached the leaves.
//! Nothing here opens a counter or reads a file, so that any profiler can use it:
//! counts go in, the next request comes out.
//!
//! ```
//! # #[cfg(feature = "x86")] {
//! use pmu_events::arch::x86;
//! use pmu_events::expr::UnknownMachine;
//! use pmu_events::topdown::{Drill, Hierarchy};
//!
//! let [tree] = &Hierarchy::of(x86::SAPPHIRERAPIDS)[..] else { panic!("it has one kind of core") };
//! let mut drill = Drill::new(tree).with_level(1);
//!
//! let step = drill.next_step().expect("nothing is known yet");
//! // Here a profiler counts the events of `step.metrics()`.
//! let counts = |event: &str| match event {
//!     "topdown-retiring" => 10.0,
//!     "topdown-be-bound" => 80.0,
//!     "topdown-fe-bound" | "topdown-bad-spec" => 5.0,
//!     "INT_MISC.UOP_DROPPING" => 0.0,
//!     _ => 100.0,
//! };
//! drill.learn(&step, &UnknownMachine, |_, event| counts(event.as_str()).into());
//!
//! assert!(drill.next_step().is_none(), "it was told to stop at level 1");
//! let worst = drill.leaves()[0];
//! assert_eq!(worst.node().metric().name(), "tma_backend_bound");
//! assert_eq!(worst.finding().share(), Some(0.8));
//! # }
//! ```
//!
//! # What forms the tree
//!
//! The metrics of one PMU, by their groups, thresholds and formulas:
//!
//! - The first level consists of the metrics in the group `TopdownL1` (`TopDownL1`,
//!   `PipelineL1`, …). Without such a group, it is the top of a CPI stack (`cpi_breakdown`,
//!   `CPI`), otherwise Arm's `Cycle_Accounting`.
//! - A metric of the group `M_group` lies beneath the metric `M`, as in Intel's and AMD's
//!   trees.
//! - Any other metric of level two or more lies beneath the metric of the level above that
//!   its threshold names, of whose formula it is a part (`A - B - C`, `A = B + C`), or
//!   with whose name its own name begins.
//! - The metrics of Arm's `Topdown_Frontend` lie beneath `frontend_bound`. A metric `A / B`
//!   lies beneath the one that is `B / C`, others by the words that their names share.
//! - In a CPI stack, sums and differences of events place a metric like those of metrics.
//!   Otherwise, names do: `PM_EXEC_STALL_DMISS` is a part of `PM_EXEC_STALL`. The stack has
//!   one top, and a metric that no rule places lies beneath it. A metric that is only
//!   another name of a node is no node.
//! - A metric of the group `M_indicators`, which the decision trees of Arm's telemetry become,
//!   lies beneath the metric `M` that it explains. Where no tree says so, the groups of
//!   Arm's second stage, such as `ITLB_Effectiveness`, lie beneath the first level. These
//!   metrics are [indicators](Node::is_indicator): rates, not parts of the node.
//!
//! # When a node is over
//!
//! A node is over if its threshold is true, given the values of the nodes and metrics that the
//! threshold names. A node without a threshold is over if it is at least a quarter of its
//! parent ([`Drill::SHARE`]) and 5 % of the whole ([`Drill::LEAST`]).
//!
//! On the first level, the limits are those with which Intel's tables compare the same four
//! kinds of slots: 15 % for the front end and for bad speculation, 20 % for the back end, and
//! 70 % for retiring, which also holds for the cycles of a CPI stack in which instructions
//! complete. So 1 % of front-end stalls is no finding because nothing else stalls, and nobody
//! blames useful work while half of the slots are lost.
//!
//! A share below 0 or above 100 % by more than [`Drill::TOLERANCE`] is
//! [implausible](Finding::is_implausible): it is unknown whether such a node is over, and the
//! node explains nothing of its parent.
//!
//! # Where the walk ends
//!
//! The walk ends at a node of which no part is over ([`Drill::leaves`]). If the parts of a node
//! explain less than three quarters of it, its [rest](Leaf::rest) is a finding beside its
//! parts. For ranking, a part is at most all of its parent, though its
//! [share](Finding::share) may say more. Parts that [overlap](Node::overlaps) are not ranked
//! against each other.
//!
//! # Estimates
//!
//! The metrics of Intel's newest cores take retirement latencies, which no counter counts
//! ([`LatencyOf`](crate::metric::LatencyOf)). A walk takes them from the tables, and
//! [says so](Finding::is_estimate), or from the caller ([`Drill::with_latencies`]). A node
//! without a known latency has no value, and so is not over.

mod advice;
pub(crate) mod drill;
pub(crate) mod fit;
mod hierarchy;
pub(crate) mod limits;

pub use advice::{Sample, samples};
pub use drill::{Drill, EventCount, Finding, Found, Leaf, Step};
pub use hierarchy::{Hierarchy, Node};
