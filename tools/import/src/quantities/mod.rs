//! Quantities that have one name on every CPU.
//!
//! `overlay/quantities.json` is the vocabulary: the name, the unit and the definition of each.
//! The files of `overlay/<arch>/quantities/` say which events of which models make it up, and
//! how the result differs from the definition, or why a model has nothing that fits. Both
//! become metrics like any other, and rows of `lacks.csv`.

mod apply;
mod lacks;
mod models;
mod page;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use apply::add;
pub use lacks::{FILE as LACKS, Lack, read as read_lacks, render as render_lacks};
pub use models::{Counted, Lacking, Statements, read as read_statements};
pub use page::{FILE as PAGE, Share, Verdict, Verdicts, share_in_document, text as page, verdicts};
pub use vocabulary::{FILE, Quantity, Vocabulary, read as read_vocabulary};
