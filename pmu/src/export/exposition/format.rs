//! The two formats of an answer.

use prometheus_client::encoding::prometheus_text;

/// One of the two formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    OpenMetrics,
    Prometheus,
}

impl Format {
    pub(crate) const ALL: [Format; 2] = [Format::OpenMetrics, Format::Prometheus];

    pub(crate) fn content_type(self) -> &'static str {
        match self {
            Format::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Format::Prometheus => prometheus_text::CONTENT_TYPE,
        }
    }

    /// The format that a header `Accept` prefers (RFC 9110, 12.5.1). Without one, or with one that
    /// names neither, it is Prometheus's.
    pub(crate) fn accepted(header: &str) -> Self {
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
}
