//! The file format of perf (`tools/perf/Documentation/perf.data-file-format.txt`).
//!
//! | module | contents |
//! |---|---|
//! | [`counts`] | records of counts |
//! | [`features`] | what a file says of its machine |
//! | [`file`](mod@file) | the file, and the one before |
//! | [`format`](mod@format) | its numbers |
//! | [`header`] | the same, as perf shows it |
//! | [`notes`] | build ids of kernels |
//! | [`reader`] | events, records and features of a file |
//! | [`topology`] | which CPUs share a core, a node or a cache, as a file says |
//! | [`tracing`] | the formats of tracepoints |
//! | [`words`] | numbers and texts of a section |
//! | [`writer`] | records into a file, which can be read at any time |

pub(crate) mod counts;
pub(crate) mod features;
pub(crate) mod file;
pub(crate) mod format;
pub(crate) mod header;
pub(crate) mod notes;
pub(crate) mod reader;
#[cfg(test)]
mod tests;
pub(crate) mod topology;
pub(crate) mod tracing;
mod words;
pub(crate) mod writer;
