//! The file format of perf (`tools/perf/Documentation/perf.data-file-format.txt`).
//!
//! | module | contents |
//! |---|---|
//! | [`format`](mod@format) | its numbers |
//! | [`header`] | what a file says of the machine and of the recording |
//! | [`notes`] | build ids of kernels |
//! | [`reader`] | events, records and features of a file |
//! | [`tracing`] | the formats of tracepoints |
//! | [`words`] | numbers and texts of a section |
//! | [`writer`] | records into a file, which can be read at any time |

pub(crate) mod format;
pub(crate) mod header;
pub(crate) mod notes;
pub(crate) mod reader;
#[cfg(test)]
mod tests;
pub(crate) mod tracing;
mod words;
pub(crate) mod writer;
