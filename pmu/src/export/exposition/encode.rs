//! The text of all series, with zeros for values.

use std::fmt;
use std::sync::Arc;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{
    DescriptorEncoder, EncodeLabel, EncodeLabelSet, LabelSetEncoder, prometheus_text, text,
};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Registry;

use super::family::{Family, Labels};
use super::format::Format;

/// Encodes all families that have series, one line for each series.
pub(super) fn encode(families: &mut Vec<Family>, format: Format) -> String {
    // A registry owns what it encodes.
    let owned = Arc::new(std::mem::take(families));
    let mut registry = Registry::default();
    registry.register_collector(Box::new(Families(owned.clone())));
    let mut encoded = String::new();
    // A string takes all.
    let _ = match format {
        Format::OpenMetrics => text::encode(&mut encoded, &registry),
        Format::Prometheus => prometheus_text::encode(&mut encoded, &registry),
    };
    drop(registry);
    *families = Arc::into_inner(owned).unwrap_or_default();
    encoded
}

#[derive(Debug)]
struct Families(Arc<Vec<Family>>);

impl Collector for Families {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let mut with_series = self.0.iter().filter(|family| !family.rows.is_empty());
        with_series.try_for_each(|family| family.encode(&mut encoder))
    }
}

impl Family {
    fn encode(&self, encoder: &mut DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        let mut encoder =
            encoder.encode_descriptor(self.name, self.help, self.unit.as_ref(), self.kind)?;
        self.rows.iter().try_for_each(|row| match self.kind {
            MetricType::Info => encoder.encode_info(&row.labels),
            MetricType::Counter => {
                encoder.encode_family(&row.labels)?.encode_counter::<Labels, u64, f64>(&0, None)
            }
            _ => encoder.encode_family(&row.labels)?.encode_gauge(&0_i64),
        })
    }
}

impl EncodeLabelSet for Labels {
    fn encode(&self, encoder: &mut LabelSetEncoder<'_>) -> Result<(), fmt::Error> {
        for (name, value) in self.own.iter().chain(&*self.of_place) {
            (*name, value.as_str()).encode(encoder.encode_label())?;
        }
        Ok(())
    }
}
