//! The page, whose contents are `page.html`, filled in.

use std::fmt::Write as _;

use pmu_events::{Event, Metric, Model, pmu};

use crate::core_codes::CoreCodes;
use crate::decimals;
use crate::facts::{self, Fact};
use crate::html::{Escaped, Kind, fragment};
use crate::page::contents::{Contents, Meaning, Role};
use crate::page::hierarchy::{Heading, Hierarchy, level};
use crate::page::run::{Node, Run};
use crate::spelling::count;
use crate::trees::{Table, Trees};

const KIND: Kind = Kind {
    about: "metrics and events",
    sought: "name, code, description, group …",
    style: include_str!("page.css"),
    script: include_str!("page.js"),
    hash: "uJRXtu7MbLoyHfG1E75GXUWrIo0deGDP14gNrVk7kSw=",
    body: include_str!("page.html"),
};

/// The page of the tables of one directory, with the values of a run.
pub(crate) fn of(trees: &'static Trees, tables: &[Table], run: Option<Run>) -> String {
    let page = Page::of(trees, tables, run);
    KIND.page(|name, html| match name {
        "title" => page.title(html),
        "totals" => page.totals(html),
        "navigation" => page.navigation(html),
        "metrics" => {
            page.metrics(html);
            page.lacks(html);
        }
        "events" => page.events(html),
        _ => unreachable!("the template has no place `{name}`"),
    })
}

/// Writes into the page; a `String` takes everything.
macro_rules! put {
    ($html:expr, $($text:tt)*) => {{
        let _ = write!($html, $($text)*);
    }};
}

struct Page<'t> {
    tables: &'t [Table],
    contents: Contents,
    codes: CoreCodes,
    hierarchy: Hierarchy,
    /// By topic, in the order of the topics' names.
    topics: Vec<(&'static str, Vec<usize>)>,
    /// The metrics whose formulas name an event or a metric.
    event_users: Vec<Vec<usize>>,
    metric_users: Vec<Vec<usize>>,
    run: Option<Run>,
}

impl<'t> Page<'t> {
    fn of(trees: &'static Trees, tables: &'t [Table], run: Option<Run>) -> Self {
        let contents = Contents::of(tables);
        let of_cpu = tables.iter().find(|table| !table.sys);
        let codes = of_cpu.map(|table| CoreCodes::of(trees, table)).unwrap_or_default();
        let mut order: Vec<usize> = (0..contents.events.len()).collect();
        let topic = |n: usize| contents.events[n].topic();
        // Stable: names are in order already.
        order.sort_by_key(|&n| {
            let pmu = contents.events[n].pmu();
            (topic(n), !pmu::is_core(pmu), pmu)
        });
        let topics = order.chunk_by(|&a, &b| topic(a) == topic(b));
        let topics = topics.map(|events| (topic(events[0]), events.to_vec())).collect();

        let mut event_users = vec![Vec::new(); contents.events.len()];
        let mut metric_users = vec![Vec::new(); contents.metrics.len()];
        for user in 0..contents.metrics.len() {
            for role in [Role::Value, Role::Threshold] {
                for (_, meaning) in contents.names(user, role) {
                    let users = match meaning {
                        Some(Meaning::Event(n)) => &mut event_users[n],
                        // Most thresholds begin with their own metric.
                        Some(Meaning::Metric(n)) if n != user => &mut metric_users[n],
                        _ => continue,
                    };
                    if users.last() != Some(&user) {
                        users.push(user);
                    }
                }
            }
        }
        let models: Vec<Model> = tables.iter().map(|table| table.model).collect();
        let hierarchy = Hierarchy::of(&contents, &models);
        Page { tables, contents, codes, hierarchy, topics, event_users, metric_users, run }
    }

    fn title(&self, html: &mut String) {
        if let Some(table) = self.tables.first() {
            put!(html, "{}", Escaped(table));
        }
        if let Some(run) = &self.run {
            put!(html, ": {}", Escaped(&run.subject));
        }
    }

    fn totals(&self, html: &mut String) {
        let (events, metrics) = (self.contents.events.len(), self.contents.metrics.len());
        put!(html, "{}, {}", count(events, "event"), count(metrics, "metric"));
    }

    fn navigation(&self, html: &mut String) {
        let mut list = |kind: &str, name: &str, entries: &[(String, String, usize)]| {
            if entries.is_empty() {
                return;
            }
            put!(html, "<div>\n<a class=\"kind\" href=\"#{kind}\">{name}</a>\n<ul>\n");
            for (id, name, number) in entries {
                put!(html, "<li><a href=\"#{}\">{}", Escaped(id), Escaped(name));
                put!(html, " <span class=\"count\">{number}</span></a></li>\n");
            }
            html.push_str("</ul>\n</div>\n");
        };
        let sections = self.hierarchy.sections.iter();
        let groups = sections.map(|section| {
            let size = section.metrics.iter().map(|&metric| self.size(metric)).sum();
            (group_id(&section.heading), group_name(&section.heading), size)
        });
        list("metrics", "Metrics", &groups.collect::<Vec<_>>());
        let topics = self.topics.iter();
        let topics =
            topics.map(|(topic, events)| (topic_id(topic), topic.to_string(), events.len()));
        list("events", "Events", &topics.collect::<Vec<_>>());
    }

    /// A metric and the metrics beneath it.
    fn size(&self, metric: usize) -> usize {
        1 + self.hierarchy.parts(metric).iter().map(|&part| self.size(part)).sum::<usize>()
    }

    fn metrics(&self, html: &mut String) {
        if self.hierarchy.sections.is_empty() {
            return;
        }
        html.push_str("<section id=\"metrics\">\n<h2>Metrics</h2>\n");
        for section in &self.hierarchy.sections {
            let size = section.metrics.iter().map(|&metric| self.size(metric)).sum();
            self.section_head(
                html,
                &group_id(&section.heading),
                &group_name(&section.heading),
                size,
            );
            if let Some(description) = self.group_description(&section.heading) {
                put!(html, "<p>{}</p>\n", Escaped(description));
            }
            self.branches(html, &section.metrics);
            html.push_str("</section>\n");
        }
        html.push_str("</section>\n");
    }

    fn events(&self, html: &mut String) {
        if self.topics.is_empty() {
            return;
        }
        html.push_str("<section id=\"events\">\n<h2>Events</h2>\n");
        for (topic, events) in &self.topics {
            self.section_head(html, &topic_id(topic), topic, events.len());
            for &event in events {
                self.event(html, event);
            }
            html.push_str("</section>\n");
        }
        html.push_str("</section>\n");
    }

    fn section_head(&self, html: &mut String, id: &str, name: &str, size: usize) {
        // Tells a browser how high it is before it has been looked at.
        put!(html, "<section id=\"{}\" style=\"--size: {size}\">\n", Escaped(id));
        put!(html, "<h3>{} <span class=\"count\">{size}</span></h3>\n", Escaped(name));
    }

    fn group_description(&self, heading: &Heading) -> Option<String> {
        match heading {
            Heading::TopDown => Some("Where the slots of the pipeline go, level by level.".into()),
            Heading::Group(_, group) => {
                let described = |table: &Table| table.model.metric_group(group)?.description();
                self.tables.iter().find_map(described).map(|text| text.to_string())
            }
            Heading::Ungrouped => None,
        }
    }

    fn branches(&self, html: &mut String, metrics: &[usize]) {
        html.push_str("<ul class=\"tree\">\n");
        for &metric in metrics {
            html.push_str("<li>");
            self.metric(html, metric);
            let parts = self.hierarchy.parts(metric);
            if !parts.is_empty() {
                // Two levels are unfolded at first.
                let is_root = self.hierarchy.sections.iter().any(|s| s.metrics.contains(&metric));
                let open = if is_root { " open" } else { "" };
                put!(html, "<details class=\"parts\"{open}>");
                put!(html, "<summary>{}</summary>\n", count(parts.len(), "part"));
                self.branches(html, parts);
                html.push_str("</details>");
            }
            html.push_str("</li>\n");
        }
        html.push_str("</ul>\n");
    }

    /// What the models cannot count though others can, with the reasons.
    fn lacks(&self, html: &mut String) {
        let mut lacks = self.tables.iter().flat_map(|table| table.model.lacking()).peekable();
        if lacks.peek().is_none() {
            return;
        }
        html.push_str("<aside id=\"lacking\">\n<h2>Metrics of other CPUs only</h2>\n");
        html.push_str("<dl class=\"facts\">\n");
        for (metric, reason) in lacks {
            put!(html, "<dt><code>{}</code></dt>", Escaped(metric));
            put!(html, "<dd>{}</dd>\n", Escaped(reason));
        }
        html.push_str("</dl>\n</aside>\n");
    }

    fn metric(&self, html: &mut String, n: usize) {
        let metric: Metric = self.contents.metrics[n];
        let node = self.run.as_ref().and_then(|run| run.of(metric.name(), metric.pmu()));
        let class = if node.is_some_and(|node| node.is_over) { "entry over" } else { "entry" };
        put!(html, "<details class=\"{class}\" id=\"{}\">", Escaped(&self.contents.metric_ids[n]));
        put!(html, "<summary><code>{}</code>", Escaped(metric.name()));
        if let Some(node) = node {
            value(html, node);
        }
        if let Some(level) = level(&self.contents, n) {
            put!(html, " <span class=\"mark\">level {level}</span>");
        }
        pmu_mark(html, metric.pmu());
        let (_, unit) = metric.scale();
        if !unit.is_empty() {
            put!(html, " <span class=\"mark\">{}</span>", Escaped(unit));
        }
        if let Some(brief) = metric.description() {
            put!(html, " <span class=\"brief\">{}</span>", Escaped(brief.trimmed()));
        }
        html.push_str("</summary>\n<div class=\"facts\">\n");
        let brief = metric.description().map(|text| text.to_string());
        self.paragraphs(
            html,
            brief.as_deref(),
            &facts::descriptions(metric.description(), metric.long_description()),
        );
        html.push_str("<dl>\n");
        node.into_iter().flat_map(measured).for_each(|one| fact(html, &one));
        for (label, value) in facts::of_metric(metric) {
            match label {
                facts::EXPRESSION => self.formula(html, label, n, Role::Value),
                facts::THRESHOLD => self.formula(html, label, n, Role::Threshold),
                _ => fact(html, &(label, value)),
            }
        }
        self.users(html, &self.metric_users[n]);
        html.push_str("</dl>\n</div>\n</details>\n");
    }

    fn event(&self, html: &mut String, n: usize) {
        let event: Event = self.contents.events[n];
        let class = if event.is_deprecated() { "entry deprecated" } else { "entry" };
        put!(html, "<details class=\"{class}\" id=\"{}\">", Escaped(&self.contents.event_ids[n]));
        put!(html, "<summary><code>{}</code>", Escaped(event.name()));
        for mark in facts::marks(event) {
            put!(html, " <span class=\"mark\">{mark}</span>");
        }
        pmu_mark(html, event.pmu());
        if let Some(brief) = event.description() {
            put!(html, " <span class=\"brief\">{}</span>", Escaped(brief.trimmed()));
        }
        html.push_str("</summary>\n<div class=\"facts\">\n");
        let brief = event.description().map(|text| text.to_string());
        self.paragraphs(
            html,
            brief.as_deref(),
            &facts::descriptions(event.description(), event.long_description()),
        );
        html.push_str("<dl>\n");
        for one in facts::of_event(event, &self.codes) {
            match (one.0, self.contents.successor(n)) {
                (facts::SUCCESSOR, Some(successor)) => {
                    put!(html, "<dt>{}</dt><dd>", facts::SUCCESSOR);
                    self.link(html, Meaning::Event(successor), Escaped(&one.1));
                    html.push_str("</dd>\n");
                }
                _ => fact(html, &one),
            }
        }
        self.users(html, &self.event_users[n]);
        html.push_str("</dl>\n</div>\n</details>\n");
    }

    /// The descriptions, except the one in the summary.
    fn paragraphs(&self, html: &mut String, brief: Option<&str>, texts: &[String]) {
        for text in texts.iter().filter(|text| Some(text.as_str()) != brief) {
            put!(html, "<p>{}</p>\n", Escaped(text));
        }
    }

    /// A metric's formula, with links to the events and metrics it names.
    fn formula(&self, html: &mut String, label: &str, metric: usize, role: Role) {
        put!(html, "<dt>{label}</dt><dd class=\"formula\">");
        let text = self.contents.formula(metric, role);
        let mut end = 0;
        for (span, meaning) in self.contents.names(metric, role) {
            put!(html, "{}", Escaped(&text[end..span.start]));
            end = span.end;
            let name = Escaped(&text[span]);
            match meaning {
                // The reader is already at a threshold's own metric.
                Some(Meaning::Metric(n)) if n == metric => put!(html, "<b>{name}</b>"),
                Some(meaning) => self.link(html, meaning, name),
                None => {
                    put!(html, "<i title=\"in no table: of the kernel, or of perf\">{name}</i>")
                }
            }
        }
        put!(html, "{}</dd>\n", Escaped(&text[end..]));
    }

    fn users(&self, html: &mut String, users: &[usize]) {
        if users.is_empty() {
            return;
        }
        html.push_str("<dt>used by</dt><dd class=\"users\">");
        for (n, &user) in users.iter().enumerate() {
            html.push_str(if n == 0 { "" } else { ", " });
            let user = Meaning::Metric(user);
            self.link(html, user, Escaped(self.contents.name(user)));
        }
        html.push_str("</dd>\n");
    }

    fn link(&self, html: &mut String, to: Meaning, name: Escaped<&str>) {
        let kind = if matches!(to, Meaning::Metric(_)) { "to-metric" } else { "to-event" };
        put!(html, "<a class=\"{kind}\" href=\"#{}\">{name}</a>", Escaped(self.contents.id(to)));
    }
}

/// The value of a metric in a run, with a bar for its share of what is above.
fn value(html: &mut String, node: &Node) {
    let Some(value) = node.value else {
        html.push_str(" <span class=\"value\">not counted</span>");
        return;
    };
    put!(html, " <span class=\"value\">{}</span>", Escaped(&with_unit(value, &node.unit)));
    if node.is_estimate {
        html.push_str(" <span class=\"mark estimate\">estimate</span>");
    }
    if let Some(share) = node.share {
        let share = share.clamp(0.0, 1.0);
        put!(html, " <meter value=\"{share:.3}\">{:.0}%</meter>", 100.0 * share);
    }
}

fn with_unit(value: f64, unit: &str) -> String {
    match unit {
        "%" => format!("{}%", decimals::shown(value, 1)),
        "" => decimals::shown(value, 3),
        unit => format!("{} {unit}", decimals::shown(value, 3)),
    }
}

/// What a run says of a metric, beside its value.
fn measured(node: &Node) -> Vec<Fact> {
    let percent = |share: f64| format!("{:.1}%", 100.0 * share);
    let threshold = if node.is_over { "crossed" } else { "" };
    let leaf = if node.is_leaf { "the walk ends here" } else { "" };
    vec![
        ("share of the node above", node.share.map(percent).unwrap_or_default()),
        ("threshold in the run", threshold.into()),
        ("in the tree", leaf.into()),
        ("time counted", if node.value.is_some() { percent(node.running) } else { String::new() }),
        ("events to sample", node.samples.join(", ")),
    ]
}

/// Most are on the one PMU that needs no name.
fn pmu_mark(html: &mut String, pmu: &str) {
    if pmu != pmu::DEFAULT_CORE {
        put!(html, " <span class=\"mark\">{}</span>", Escaped(pmu));
    }
}

fn fact(html: &mut String, (label, value): &Fact) {
    if !value.is_empty() {
        put!(html, "<dt>{label}</dt><dd>{}</dd>\n", Escaped(value));
    }
}

fn topic_id(topic: &str) -> String {
    fragment(&format!("topic-{topic}"))
}

fn group_id(heading: &Heading) -> String {
    match heading {
        Heading::TopDown => "top-down".into(),
        Heading::Group(_, group) => fragment(&format!("group-{group}")),
        Heading::Ungrouped => "ungrouped".into(),
    }
}

fn group_name(heading: &Heading) -> String {
    match heading {
        Heading::TopDown => "Top-down".into(),
        Heading::Group(_, group) => group.to_string(),
        Heading::Ungrouped => "In no group".into(),
    }
}
