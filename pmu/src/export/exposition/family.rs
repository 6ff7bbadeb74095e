//! Series by their names.

use std::sync::Arc;

use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Unit;

/// Series of one name.
#[derive(Debug)]
pub(crate) struct Family {
    /// Without its unit, and without `_total` or `_info`.
    pub(crate) name: &'static str,
    pub(crate) unit: Option<Unit>,
    pub(crate) help: &'static str,
    pub(crate) kind: MetricType,
    pub(crate) rows: Vec<Row>,
}

/// One series.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) labels: Labels,
    pub(crate) value: Value,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    Whole(u64),
    /// It is finite.
    Number(f64),
    /// Left out.
    Unknown,
}

/// The name of a label and its value.
pub(crate) type Label = (&'static str, String);

/// The labels of a series. Those that all series of a place have are shared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Labels {
    pub(crate) of_place: Arc<[Label]>,
    pub(crate) own: Arc<[Label]>,
}

impl Labels {
    pub(crate) fn of(own: impl IntoIterator<Item = Label>) -> Self {
        Labels { of_place: Arc::default(), own: own.into_iter().collect() }
    }
}
