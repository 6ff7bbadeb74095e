//! Formulas once they are interpreted.

use std::sync::Arc;

use super::shape::Shape;

/// The formulas of one metric.
#[derive(Default)]
pub(crate) struct Formulas {
    pub(crate) expression: Option<Program>,
    pub(crate) threshold: Option<Program>,
}

/// A formula as a program whose names and numbers have not been placed yet.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) shape: Arc<Shape>,
    /// The meanings of its identifiers.
    pub(crate) names: Vec<Name>,
}

/// What a program refers to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Name {
    /// An event, as the tree spells it.
    Event(String),
    /// Another metric, in lower case.
    Metric(String),
}
