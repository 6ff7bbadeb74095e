//! Arm's telemetry specifications as a source: a directory of them becomes the
//! entries that a kernel tree would have.
//!
//! | stage | from → to | module |
//! |---|---|---|
//! | files | the JSON files below the directory → texts | [`files`] |
//! | layout | `product_configuration` → models, each with its MIDR | [`layout`] |
//! | events | an event that the PMU counts → keys and values of the kernel's tree | [`event`] |
//! | metrics | a metric, its groups and its place in the decision tree → the same | [`metric`] |
//!
//! The rules are those by which Arm writes the kernel's tree from these files
//! (`perf_json_generator` of telemetry-solution). Three facts that the kernel's tree
//! lacks are kept: the events to sample, the decision tree, and events that Arm has
//! not validated (`IMP_…`), which metrics of newer cores need.

mod convert;
mod event;
mod files;
mod layout;
mod metric;
mod object;

pub(crate) use convert::convert;
pub(crate) use files::read;
pub(crate) use layout::Layout;
