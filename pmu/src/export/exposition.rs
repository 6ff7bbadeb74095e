//! The text of an answer, in one of two formats.
//!
//! | format | ends | asked for by |
//! |---|---|---|
//! | OpenMetrics 1.0 | `# EOF` | Prometheus, in its header `Accept` |
//! | Prometheus's text format 0.0.4 | with the last series | `promtool`, the textfile collector, everyone else |

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{
    DescriptorEncoder, EncodeLabel, EncodeLabelSet, LabelSetEncoder, prometheus_text, text,
};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::{Registry, Unit};

/// One of the two formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    OpenMetrics,
    Prometheus,
}

impl Format {
    pub(super) const ALL: [Format; 2] = [Format::OpenMetrics, Format::Prometheus];

    pub(super) fn content_type(self) -> &'static str {
        match self {
            Format::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Format::Prometheus => prometheus_text::CONTENT_TYPE,
        }
    }

    /// The format that a header `Accept` prefers (RFC 9110, 12.5.1). Without one, or with one that
    /// names neither, it is Prometheus's.
    pub(super) fn accepted(header: &str) -> Self {
        let quality = |parameters: &str| {
            let value = parameters.split(';').find_map(|one| one.trim().strip_prefix("q="));
            value.map_or(1.0, |value| value.trim().parse().unwrap_or(0.0))
        };
        let best = |wanted: &[&str]| {
            let ranges = header.split(',').filter_map(|range| {
                let (kind, parameters) = range.split_once(';').unwrap_or((range, ""));
                let kind = kind.trim();
                wanted.contains(&&*kind.to_ascii_lowercase()).then(|| quality(parameters))
            });
            ranges.fold(0.0_f64, f64::max)
        };
        let open = best(&["application/openmetrics-text"]);
        let other = best(&["text/plain"]);
        if open > 0.0 && open >= other { Format::OpenMetrics } else { Format::Prometheus }
    }
}

/// Series of one name.
#[derive(Debug)]
pub(super) struct Family {
    /// Without its unit, and without `_total` or `_info`.
    pub(super) name: &'static str,
    pub(super) unit: Option<Unit>,
    pub(super) help: &'static str,
    pub(super) kind: MetricType,
    pub(super) rows: Vec<Row>,
}

/// One series.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) labels: Labels,
    pub(super) value: Value,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    Whole(u64),
    Number(f64),
    /// Of a series that only has labels.
    One,
    /// Left out.
    Unknown,
}

/// The labels of a series. Those that all series of a place have are shared.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    pub(super) of_place: Arc<[(&'static str, String)]>,
    pub(super) own: Arc<[(&'static str, String)]>,
}

impl Labels {
    pub(super) fn of(own: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        Labels { of_place: Arc::default(), own: own.into_iter().collect() }
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

impl Family {
    fn encode(&self, encoder: &mut DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        if self.rows.iter().all(|row| row.value == Value::Unknown) {
            return Ok(());
        }
        let mut encoder =
            encoder.encode_descriptor(self.name, self.help, self.unit.as_ref(), self.kind)?;
        let is_counter = matches!(self.kind, MetricType::Counter);
        for Row { labels, value } in &self.rows {
            match *value {
                Value::Unknown => {}
                Value::One => encoder.encode_info(labels)?,
                Value::Whole(count) if is_counter => encoder
                    .encode_family(labels)?
                    .encode_counter::<Labels, u64, f64>(&count, None)?,
                Value::Number(number) if is_counter => encoder
                    .encode_family(labels)?
                    .encode_counter::<Labels, f64, f64>(&number, None)?,
                Value::Whole(count) => {
                    encoder.encode_family(labels)?.encode_gauge(&(count as f64))?;
                }
                Value::Number(number) => encoder.encode_family(labels)?.encode_gauge(&number)?,
            }
        }
        Ok(())
    }
}

/// All series, which whoever reads the counters fills.
#[derive(Clone, Debug, Default)]
pub(super) struct Families(Arc<Mutex<Vec<Family>>>);

impl Families {
    pub(super) fn lock(&self) -> MutexGuard<'_, Vec<Family>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Collector for Families {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        self.lock().iter().try_for_each(|family| family.encode(&mut encoder))
    }
}

/// Writes all series. Its memory is kept.
#[derive(Debug)]
pub(super) struct Writer {
    registry: Registry,
    text: String,
}

impl Writer {
    pub(super) fn new(families: &Families) -> Self {
        let mut registry = Registry::default();
        registry.register_collector(Box::new(families.clone()));
        Writer { registry, text: String::new() }
    }

    /// The text of all series.
    pub(super) fn write(&mut self, format: Format) -> &str {
        self.text.clear();
        // A string takes all.
        let _ = match format {
            Format::OpenMetrics => text::encode(&mut self.text, &self.registry),
            Format::Prometheus => prometheus_text::encode(&mut self.text, &self.registry),
        };
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_headers_prefer() {
        use Format::{OpenMetrics, Prometheus};
        for (header, expected) in [
            ("", Prometheus),
            ("*/*", Prometheus),
            ("text/plain", Prometheus),
            ("application/openmetrics-text", OpenMetrics),
            // Prometheus's own, shortened.
            (
                "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,\
                 text/plain;version=0.0.4;q=0.4,*/*;q=0.1",
                OpenMetrics,
            ),
            ("text/plain;q=0.9, Application/OpenMetrics-Text; q=0.5", Prometheus),
            ("application/openmetrics-text;q=0", Prometheus),
            ("application/openmetrics-text;q=x", Prometheus),
        ] {
            assert_eq!(Format::accepted(header), expected, "{header}");
        }
    }

    #[test]
    fn both_formats() {
        let families = Families::default();
        let of_place: Arc<[_]> = [("cgroup", "a\"b\\c\nd".to_owned())].into();
        let own: Arc<[_]> = [("event", "cs".to_owned())].into();
        let labels = Labels { of_place, own };
        let row = |value| Row { labels: labels.clone(), value };
        families.lock().extend([
            Family {
                name: "pmu_events",
                unit: None,
                help: "What events have counted",
                kind: MetricType::Counter,
                rows: vec![row(Value::Whole(u64::MAX)), row(Value::Unknown)],
            },
            Family {
                name: "pmu_events",
                unit: Some(Unit::Seconds),
                help: "Times",
                kind: MetricType::Counter,
                rows: vec![row(Value::Number(0.5))],
            },
            Family {
                name: "pmu_machine",
                unit: None,
                help: "The machine",
                kind: MetricType::Info,
                rows: vec![Row { labels: Labels::of([("model", "x".into())]), value: Value::One }],
            },
            Family {
                name: "pmu_metric",
                unit: None,
                help: "None",
                kind: MetricType::Gauge,
                rows: vec![row(Value::Unknown)],
            },
        ]);
        let mut writer = Writer::new(&families);
        assert_eq!(
            writer.write(Format::OpenMetrics),
            r#"# HELP pmu_events What events have counted
# TYPE pmu_events counter
pmu_events_total{event="cs",cgroup="a\"b\\c\nd"} 18446744073709551615
# HELP pmu_events_seconds Times
# TYPE pmu_events_seconds counter
# UNIT pmu_events_seconds seconds
pmu_events_seconds_total{event="cs",cgroup="a\"b\\c\nd"} 0.5
# HELP pmu_machine The machine
# TYPE pmu_machine info
pmu_machine_info{model="x"} 1
# EOF
"#
        );
        assert_eq!(
            writer.write(Format::Prometheus),
            r#"# HELP pmu_events_total What events have counted
# TYPE pmu_events_total counter
pmu_events_total{event="cs",cgroup="a\"b\\c\nd"} 18446744073709551615
# HELP pmu_events_seconds_total Times
# TYPE pmu_events_seconds_total counter
pmu_events_seconds_total{event="cs",cgroup="a\"b\\c\nd"} 0.5
# HELP pmu_machine_info The machine
# TYPE pmu_machine_info gauge
pmu_machine_info{model="x"} 1
"#
        );
    }
}
