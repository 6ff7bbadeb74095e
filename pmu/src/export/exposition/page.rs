//! All series, with the text that has been written of them.

use super::encode::encode;
use super::family::Family;
use super::format::Format;
use super::template::Template;

/// All series.
#[derive(Debug, Default)]
pub(crate) struct Page {
    families: Vec<Family>,
    /// Those of the families as they are.
    templates: [Option<Template>; Format::ALL.len()],
    /// The length of the last text, which the next one will have, too.
    length: usize,
}

impl Page {
    /// The families, of which only values may be changed.
    pub(crate) fn families(&mut self) -> &mut [Family] {
        &mut self.families
    }

    /// The families, of which anything may be changed.
    pub(crate) fn rearrange(&mut self) -> &mut Vec<Family> {
        self.templates = Default::default();
        &mut self.families
    }

    /// The text of all series.
    pub(crate) fn write(&mut self, format: Format) -> String {
        // Values become longer.
        const MORE: usize = 1024;
        let Page { families, templates, length } = self;
        let template = templates[format as usize]
            .get_or_insert_with(|| Template::of(&encode(families, format)));
        let mut text = String::with_capacity(*length + MORE);
        template.fill(families, &mut text);
        *length = text.len();
        text
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use prometheus_client::metrics::MetricType;
    use prometheus_client::registry::Unit;

    use super::super::{Labels, Row, Value};
    use super::*;

    fn row(labels: &Labels, value: Value) -> Row {
        Row { labels: labels.clone(), value }
    }

    fn page() -> Page {
        let of_place: Arc<[_]> = [("cgroup", "a\"b\\c\nd # e".to_owned())].into();
        let own: Arc<[_]> = [("event", "cs".to_owned())].into();
        let labels = Labels { of_place, own };
        let family = |name, unit, help, kind, rows| Family { name, unit, help, kind, rows };
        let info = Labels::of([("model", "x".into())]);
        let mut page = Page::default();
        page.rearrange().extend([
            family(
                "pmu_events",
                None,
                "What events have counted",
                MetricType::Counter,
                vec![row(&labels, Value::Whole(u64::MAX)), row(&labels, Value::Unknown)],
            ),
            family(
                "pmu_events",
                Some(Unit::Seconds),
                "Times",
                MetricType::Counter,
                vec![row(&labels, Value::Number(0.5))],
            ),
            family("pmu_none", None, "No series", MetricType::Gauge, Vec::new()),
            family(
                "pmu_machine",
                None,
                "The machine",
                MetricType::Info,
                vec![row(&info, Value::Whole(1))],
            ),
            family(
                "pmu_metric",
                None,
                "None",
                MetricType::Gauge,
                vec![row(&labels, Value::Unknown)],
            ),
        ]);
        page
    }

    #[test]
    fn both_formats() {
        let mut page = page();
        assert_eq!(
            page.write(Format::OpenMetrics),
            r#"# HELP pmu_events What events have counted
# TYPE pmu_events counter
pmu_events_total{event="cs",cgroup="a\"b\\c\nd # e"} 18446744073709551615
# HELP pmu_events_seconds Times
# TYPE pmu_events_seconds counter
# UNIT pmu_events_seconds seconds
pmu_events_seconds_total{event="cs",cgroup="a\"b\\c\nd # e"} 0.5
# HELP pmu_machine The machine
# TYPE pmu_machine info
pmu_machine_info{model="x"} 1
# EOF
"#
        );
        assert_eq!(
            page.write(Format::Prometheus),
            r#"# HELP pmu_events_total What events have counted
# TYPE pmu_events_total counter
pmu_events_total{event="cs",cgroup="a\"b\\c\nd # e"} 18446744073709551615
# HELP pmu_events_seconds_total Times
# TYPE pmu_events_seconds_total counter
pmu_events_seconds_total{event="cs",cgroup="a\"b\\c\nd # e"} 0.5
# HELP pmu_machine_info The machine
# TYPE pmu_machine_info gauge
pmu_machine_info{model="x"} 1
"#
        );
    }

    /// Values come and go without a new template; with other series, there is a new one.
    #[test]
    fn values_change() {
        let mut page = page();
        page.write(Format::Prometheus);
        page.families()[0].rows[0].value = Value::Unknown;
        page.families()[4].rows[0].value = Value::Number(1e300);
        let text = page.write(Format::Prometheus);
        assert!(!text.contains("pmu_events_total") && text.contains("# TYPE pmu_metric gauge\n"));
        assert!(text.ends_with("cgroup=\"a\\\"b\\\\c\\nd # e\"} 1e300\n"), "{text}");
        page.rearrange().truncate(4);
        page.families()[0].rows[1].value = Value::Whole(7);
        let text = page.write(Format::Prometheus);
        assert!(text.contains("} 7\n") && !text.contains("pmu_metric"), "{text}");
    }
}
