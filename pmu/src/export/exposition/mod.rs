//! The text of an answer, in one of two formats.
//!
//! | format | ends | asked for by |
//! |---|---|---|
//! | OpenMetrics 1.0 | `# EOF` | Prometheus, in its header `Accept` |
//! | Prometheus's text format 0.0.4 | with the last series | `promtool`, the textfile collector, everyone else |
//!
//! ```text
//! families ─▶ encode: text with zeros ─▶ template ─┐
//!    └────────── values ──────────────────────────┴▶ page: text
//! ```
//!
//! Names and labels change only when places come or go. So their text is encoded once, and an answer
//! puts the values in between.

mod encode;
mod family;
mod format;
mod page;
mod template;

pub(crate) use family::{Family, Label, Labels, Row, Value};
pub(crate) use format::Format;
pub(crate) use page::Page;
