//! Drilling down to a bottleneck: which metrics to measure next, and what their
//! values say.
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
//! assert_eq!(worst.node.metric().name(), "tma_backend_bound");
//! assert_eq!(worst.finding.share, Some(0.8));
//! # }
//! ```
//!
//! # What forms the tree
//!
//! Metrics of one PMU, by their groups, thresholds and formulas:
//!
//! - The first level are the metrics of the group `TopdownL1` (`TopDownL1`,
//!   `PipelineL1`, …). Without such, it is what a CPI stack (`cpi_breakdown`, `CPI`)
//!   leaves at the top, otherwise Arm's `Cycle_Accounting`.
//! - A metric of the group `M_group` lies beneath the metric `M`, as in Intel's and
//!   AMD's trees.
//! - A metric of level two or more otherwise lies beneath the metric of the level
//!   above that its threshold names, or that its formula is a part of
//!   (`A - B - C`, `A = B + C`), or with which its name begins.
//! - The metrics of Arm's `Topdown_Frontend` lie beneath `frontend_bound`: a metric `A / B` beneath
//!   the one that is `B / C`, others by the words that their names share.
//! - In a CPI stack, sums and differences of events say the same as those of metrics;
//!   otherwise `PM_EXEC_STALL_DMISS` is a part of `PM_EXEC_STALL`. It has one top, and
//!   what nothing is said about is a part of that. A metric that is only another name
//!   of one is no node.
//! - A metric of the group `M_indicators`, as the decision trees of Arm's telemetry
//!   become, lies beneath the metric `M` that it explains; where no tree says so,
//!   the groups of Arm's second stage, such as `ITLB_Effectiveness`, lie beneath the
//!   first level. They are [indicators](Node::is_indicator): rates that are not parts
//!   of the node.
//!
//! # When a node is over
//!
//! If its threshold is true, given the values of the nodes and metrics that it
//! names. Without a threshold, if it is at least a quarter of its parent ([`Drill::SHARE`]) and 5 % of
//! the whole ([`Drill::LEAST`]). On the first level, the limits are those with which Intel's
//! tables compare the same four kinds of slots: 15 % for the front end and bad speculation,
//! 20 % for the back end, 70 % for what retires, which also holds for the cycles of a CPI stack in which
//! instructions complete. 1 % of front-end stalls is no finding because nothing else stalls,
//! and useful work is not blamed while half of the slots are lost.
//!
//! A share below 0 or above 100 % by more than [`Drill::TOLERANCE`] makes no sense
//! ([`Finding::is_implausible`]): whether such a node is over is not known, and it explains nothing of
//! its parent.
//!
//! # Where the walk ends
//!
//! At a node of which no part is over ([`Drill::leaves`]), and also at one whose parts explain less than
//! three quarters of it: then its [rest](Leaf::rest) is a finding beside its parts. For ranking, a part is
//! at most all of its parent, though its [share](Finding::share) may say more. Parts that
//! [overlap](Node::overlaps) are not ranked against each other.
//!
//! # Estimates
//!
//! The metrics of Intel's newest cores take retirement latencies, which no counter counts
//! ([`LatencyOf`](crate::metric::LatencyOf)). A walk takes them from the tables, and
//! [says so](Finding::is_estimate), or from the caller ([`Drill::with_latencies`]). A node
//! without a known latency has no value, and so is not over.

mod advice;
mod drill;
mod fit;
mod hierarchy;
mod limits;
mod place;

pub use advice::{Sample, samples};
pub use drill::{Drill, EventCount, Finding, Found, Leaf, Step};
pub use fit::{Fit, MetricPart, Pass, fewest_passes, passes};
pub use hierarchy::{Hierarchy, Node};
