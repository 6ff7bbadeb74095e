//! Panels and their places.

use serde_json::Value;

use super::json::{list, object, text};
use crate::export::rules::Rule;

/// What a panel looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Lines,
    /// Lines on top of each other, which are parts of a whole.
    Stack,
    /// A number for each series.
    Stat,
    /// A bar for each series, with the last value.
    Bars,
}

/// A panel.
#[derive(Debug)]
pub(super) struct Panel {
    title: String,
    description: String,
    kind: Kind,
    unit: &'static str,
    queries: Vec<Query>,
    link: Option<String>,
}

/// A query of a panel.
#[derive(Debug)]
pub(super) struct Query {
    text: String,
    legend: String,
    is_instant: bool,
    /// From which value on it stands out.
    threshold: Option<f64>,
}

/// Panels in rows, two beside each other.
#[derive(Debug, Default)]
pub(super) struct Rows {
    panels: Vec<Value>,
    /// Where the next panel is.
    x: u32,
    y: u32,
}

const WIDTH: u32 = 12;
const HEIGHT: u32 = 8;

/// Units of Grafana by the ends of names. A joule in each second is a watt.
const UNITS: [(&str, &str); 6] = [
    ("_ratio", "percentunit"),
    ("_bytes_per_second", "Bps"),
    ("_bytes", "Bps"),
    ("_hertz", "hertz"),
    ("_seconds", "s"),
    ("_joules", "watt"),
];

impl Panel {
    pub(super) fn new(title: &str, kind: Kind) -> Self {
        let (title, description) = (title.into(), String::new());
        Panel { title, description, kind, unit: "short", queries: Vec::new(), link: None }
    }

    /// The panel of a rule, without its query.
    pub(super) fn of(rule: &Rule, kind: Kind) -> Self {
        let sentence = rule.metric.description().map(|text| text.to_string()).unwrap_or_default();
        let mut title = sentence.trim_end_matches('.').to_owned();
        if title.is_empty() || title.len() > 80 {
            title = rule.metric.name().to_owned();
        }
        let difference = rule.metric.difference().unwrap_or_default();
        let events = rule.events.join(" ");
        let description = format!("{sentence} {difference}\n\nEvents: {events}").trim().to_owned();
        let of_name = |(end, _): &&(&str, &str)| {
            rule.name.rsplit(':').nth(1).is_some_and(|name| name.ends_with(*end))
        };
        let unit = UNITS.iter().find(of_name).map_or("short", |(_, unit)| unit);
        Panel { title, description, kind, unit, queries: Vec::new(), link: None }
    }

    pub(super) fn with_unit(self, unit: &'static str) -> Self {
        Panel { unit, ..self }
    }

    pub(super) fn with(mut self, query: Query) -> Self {
        self.queries.push(query);
        self
    }

    /// Each series leads to the same dashboard with its machine selected.
    pub(super) fn linked_to_machine(self, uid: &str) -> Self {
        let link =
            format!("/d/{uid}?var-instance=${{__field.labels.instance}}&${{__url_time_range}}");
        Panel { link: Some(link), ..self }
    }

    fn json(&self, id: usize, x: u32, y: u32) -> Value {
        let name = match self.kind {
            Kind::Lines | Kind::Stack => "timeseries",
            Kind::Stat => "stat",
            Kind::Bars => "bargauge",
        };
        let targets = self.queries.iter().enumerate().map(|(n, query)| query.json(n));
        let place = [("x", x), ("y", y), ("w", WIDTH), ("h", HEIGHT)];
        object([
            ("id", id.into()),
            ("type", text(name)),
            ("title", text(&self.title)),
            ("description", text(&self.description)),
            ("datasource", datasource()),
            ("gridPos", object(place.map(|(key, value)| (key, value.into())))),
            ("targets", Value::Array(targets.collect())),
            ("fieldConfig", self.field_config()),
            ("options", self.options()),
        ])
    }

    fn field_config(&self) -> Value {
        let stacking = match self.kind {
            Kind::Stack => object([("mode", text("normal")), ("group", text("A"))]),
            _ => object([("mode", text("none"))]),
        };
        let filled = if self.kind == Kind::Stack { 60 } else { 0 };
        let custom = object([("fillOpacity", filled.into()), ("stacking", stacking)]);
        let links = self.link.iter().map(|url| {
            object([("title", text("Show ${__field.labels.instance}")), ("url", text(url))])
        });
        let overrides = self.queries.iter().enumerate().filter_map(|(n, query)| {
            let steps = steps(query.threshold?);
            let matcher = [("id", text("byFrameRefID")), ("options", text(&reference(n)))];
            let property = object([("id", text("thresholds")), ("value", steps)]);
            Some(object([("matcher", object(matcher)), ("properties", list([property]))]))
        });
        object([
            (
                "defaults",
                object([
                    ("unit", text(self.unit)),
                    ("min", if self.unit == "percentunit" { 0.into() } else { Value::Null }),
                    ("custom", custom),
                    ("links", Value::Array(links.collect())),
                    (
                        "color",
                        object([(
                            "mode",
                            text(if self.is_judged() { "thresholds" } else { "palette-classic" }),
                        )]),
                    ),
                    (
                        "thresholds",
                        object([
                            ("mode", text("absolute")),
                            ("steps", list([step("green", Value::Null)])),
                        ]),
                    ),
                ]),
            ),
            ("overrides", Value::Array(overrides.collect())),
        ])
    }

    fn is_judged(&self) -> bool {
        self.queries.iter().any(|query| query.threshold.is_some())
    }

    fn options(&self) -> Value {
        match self.kind {
            Kind::Lines | Kind::Stack => object([
                (
                    "legend",
                    object([
                        ("showLegend", true.into()),
                        ("displayMode", text("list")),
                        ("placement", text("bottom")),
                        ("calcs", list([])),
                    ]),
                ),
                ("tooltip", object([("mode", text("multi")), ("sort", text("desc"))])),
            ]),
            Kind::Stat | Kind::Bars => object([
                (
                    "reduceOptions",
                    object([
                        ("calcs", list([text("lastNotNull")])),
                        ("fields", text("")),
                        ("values", false.into()),
                    ]),
                ),
                ("orientation", text(if self.kind == Kind::Bars { "horizontal" } else { "auto" })),
            ]),
        }
    }
}

impl Query {
    pub(super) fn new(text: String, legend: &str) -> Self {
        Query { text, legend: legend.into(), is_instant: false, threshold: None }
    }

    /// A query of the last value alone.
    pub(super) fn now(text: String, legend: &str) -> Self {
        Query { is_instant: true, ..Query::new(text, legend) }
    }

    pub(super) fn with_threshold(self, threshold: Option<f64>) -> Self {
        Query { threshold, ..self }
    }

    fn json(&self, number: usize) -> Value {
        object([
            ("refId", text(&reference(number))),
            ("datasource", datasource()),
            ("expr", text(&self.text)),
            ("legendFormat", text(&self.legend)),
            ("instant", self.is_instant.into()),
            ("range", (!self.is_instant).into()),
            ("editorMode", text("code")),
        ])
    }
}

/// The letter of a query, which overrides refer to.
fn reference(number: usize) -> String {
    let letter = |n: usize| char::from(b'A' + (n % 26) as u8);
    match number.checked_sub(26) {
        None => letter(number).into(),
        Some(rest) => [letter(rest / 26), letter(rest)].iter().collect(),
    }
}

fn steps(threshold: f64) -> Value {
    let steps = list([step("green", Value::Null), step("red", threshold.into())]);
    object([("mode", text("absolute")), ("steps", steps)])
}

fn step(color: &str, from: Value) -> Value {
    object([("color", text(color)), ("value", from)])
}

/// The data source that the user has selected.
pub(super) fn datasource() -> Value {
    object([("type", text("prometheus")), ("uid", text("${datasource}"))])
}

impl Rows {
    /// Begins a row.
    pub(super) fn row(&mut self, title: &str) {
        self.break_line();
        let place = [("x", 0), ("y", self.y), ("w", 2 * WIDTH), ("h", 1)];
        self.panels.push(object([
            ("id", (self.panels.len() + 1).into()),
            ("type", text("row")),
            ("title", text(title)),
            ("collapsed", false.into()),
            ("gridPos", object(place.map(|(key, value)| (key, value.into())))),
            ("panels", list([])),
        ]));
        self.y += 1;
    }

    /// Adds a panel, unless it has no query.
    pub(super) fn add(&mut self, panel: Panel) {
        if panel.queries.is_empty() {
            return;
        }
        self.panels.push(panel.json(self.panels.len() + 1, self.x, self.y));
        self.x += WIDTH;
        if self.x == 2 * WIDTH {
            self.break_line();
        }
    }

    fn break_line(&mut self) {
        if self.x > 0 {
            (self.x, self.y) = (0, self.y + HEIGHT);
        }
    }

    pub(super) fn json(self) -> Value {
        Value::Array(self.panels)
    }
}
