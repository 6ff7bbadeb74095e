//! Patterns, and the items of a table that match them.

use pmu_events::__private::glob;
use pmu_events::__private::name;
use pmu_events::event_list::Hardware;
use pmu_events::metric::MetricGroup;
use pmu_events::text::Text;
use pmu_events::{Event, Metric, pmu};

use crate::core_codes::{self, CoreCodes};
use crate::trees::Table;

/// A word of the command line: a shell pattern for whole names, or a text to find
/// anywhere, which may also be the code or the generic name of an event.
pub(crate) struct Pattern {
    text: String,
    code: Option<u64>,
    generic: Option<Hardware>,
}

impl Pattern {
    pub(crate) fn new(text: String) -> Self {
        let code = core_codes::raw_code(&text);
        Pattern { code, generic: text.parse().ok(), text }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn matches_name(&self, name: &str) -> bool {
        if glob::is_pattern(&self.text) {
            glob::matches(&self.text, name)
        } else {
            contains(name, &self.text)
        }
    }

    /// Whether the codes of events decide what it finds.
    pub(crate) fn needs_codes(&self) -> bool {
        self.code.is_some() || self.generic.is_some()
    }

    fn matches_code(&self, codes: &CoreCodes, event: Event) -> bool {
        self.code.is_some_and(|code| codes.is_raw(event, code))
            || self.generic.is_some_and(|generic| codes.is_generic(event, generic))
    }

    pub(crate) fn matches_event(&self, event: Event) -> bool {
        let texts = [event.description(), event.long_description()];
        self.matches_name(event.name()) || self.is_about(&[event.topic()], texts)
    }

    /// An event of a driver; the PMU's name serves as its topic.
    pub(crate) fn matches_of_driver(&self, pmu: &str, name: &str) -> bool {
        self.matches_name(name) || self.is_about(&[pmu], [None, None])
    }

    /// `sched:` and `sched:*` match all tracepoints of a system.
    pub(crate) fn matches_tracepoint(&self, name: &str) -> bool {
        self.matches_name(name)
    }

    fn matches_metric(&self, metric: Metric) -> bool {
        let texts = [metric.description(), metric.long_description()];
        let headings = [metric.topic(), metric.group_string()];
        self.matches_name(metric.name()) || self.is_about(&headings, texts)
    }

    pub(crate) fn matches_group(&self, group: MetricGroup) -> bool {
        self.matches_name(group.name()) || self.is_about(&[], [group.description(), None])
    }

    fn is_about(&self, headings: &[&str], texts: [Option<Text>; 2]) -> bool {
        !glob::is_pattern(&self.text)
            && (headings.iter().any(|heading| contains(heading, &self.text))
                || texts.iter().flatten().any(|text| text.contains(&self.text)))
    }
}

fn contains(text: &str, word: &str) -> bool {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    word.is_empty() || text.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word))
}

/// The items of a table to list.
pub(crate) struct Found {
    pub(crate) table: Table,
    pub(crate) codes: CoreCodes,
    /// By topic; within one, core events first.
    pub(crate) events: Vec<Event>,
    /// By their first group.
    pub(crate) metrics: Vec<Metric>,
    /// Metrics of other CPUs that the model cannot have, each with the reason.
    pub(crate) lacks: Vec<(&'static str, &'static str)>,
    /// How many deprecated events match but are omitted.
    pub(crate) hidden: usize,
}

impl Found {
    pub(crate) fn is_empty(&self) -> bool {
        self.events.is_empty() && self.metrics.is_empty() && self.lacks.is_empty()
    }
}

pub(crate) fn search(
    table: Table,
    codes: CoreCodes,
    patterns: &[Pattern],
    deprecated: bool,
) -> Found {
    let any =
        |matches: &dyn Fn(&Pattern) -> bool| patterns.is_empty() || patterns.iter().any(matches);
    let matches = |pattern: &Pattern, event: Event| {
        pattern.matches_event(event) || pattern.matches_code(&codes, event)
    };
    let matching = table.events().filter(|&event| any(&|pattern| matches(pattern, event)));
    // As in perf, but a pattern that names one selects it.
    let (mut events, hidden): (Vec<Event>, Vec<Event>) = matching.partition(|event| {
        deprecated
            || !event.is_deprecated()
            || patterns.iter().any(|p| name::eq(p.as_str(), event.name()))
    });
    let mut metrics: Vec<Metric> =
        table.model.metrics().filter(|&metric| any(&|p| p.matches_metric(metric))).collect();
    let lacks = table.model.lacking().filter(|(name, _)| any(&|p| p.matches_name(name)));
    // Both sorts are stable, and names are already in order.
    events.sort_by_key(|event| (event.topic(), !pmu::is_core(event.pmu()), event.pmu()));
    metrics.sort_by_key(|&metric| first_group(metric).to_ascii_lowercase());
    Found { table, codes, events, metrics, lacks: lacks.collect(), hidden: hidden.len() }
}

/// The group that a metric is listed under; empty for none.
pub(crate) fn first_group(metric: Metric) -> &'static str {
    metric.groups().next().unwrap_or_default()
}
