//! JSON: lists of events in the kernel's or perfmon's form, files of cadvisor, aperf and toplev, the
//! lines of `perf stat -j`. Strings of other objects may be event strings, whose key is the label, or
//! perf's command lines.

use std::borrow::Cow;
use std::fmt::Write as _;

use pmu_events_compiler::tree_json::{self, offset};

use super::source::with_commands;
use super::{Context, LONGEST, commands, lines, number, strings, toplev};
use crate::audit::candidate::{Candidate, Code, Name};

/// What is found, and where strings begin that are too long. `None` if the text is no JSON: neither
/// one value nor one in each line.
pub(super) fn find(text: &str, context: &Context<'_>) -> Option<(Vec<Candidate>, Vec<usize>)> {
    let whole = text.trim();
    if !whole.starts_with(['{', '[']) {
        return None;
    }
    let is_of_toplev = toplev::is_trace(text);
    let (found, unread) = (Vec::new(), Vec::new());
    let mut found = Finder { text, context, is_of_toplev, found, unread };
    if is_json(whole) {
        found.value(whole, None);
        return Some(found.with_commands());
    }
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if !lines.iter().all(|line| is_json(line)) {
        return None;
    }
    lines.iter().for_each(|line| found.value(line, None));
    Some(found.with_commands())
}

fn is_json(text: &str) -> bool {
    tree_json::object(text).is_ok() || tree_json::array(text).is_ok()
}

/// What perf writes between the unit of a metric and its name
/// (`generic_metric` in `tools/perf/util/stat-shadow.c`).
const BEFORE_METRIC: &str = "  ";

/// No file for people is deeper.
const MOST_LEVELS: usize = 64;

struct Finder<'t> {
    text: &'t str,
    context: &'t Context<'t>,
    is_of_toplev: bool,
    found: Vec<Candidate>,
    unread: Vec<usize>,
}

impl<'t> Finder<'t> {
    /// All that is found, with the metrics of perf's command lines.
    fn with_commands(self) -> (Vec<Candidate>, Vec<usize>) {
        let lines: Vec<(usize, &str)> = lines(self.text).collect();
        let metrics = commands::find(&lines).into_iter().map(|metric| metric.candidate);
        (with_commands(self.found, metrics.collect(), self.context), self.unread)
    }

    /// A value, and the key that it has. What is nested is kept in a list, not on the stack; each
    /// level is read once more, so the deepest are taken for plain text.
    fn value(&mut self, value: &'t str, label: Option<String>) {
        let mut left = vec![(value, label, 0)];
        while let Some((value, label, level)) = left.pop() {
            let is_text = value.len() <= LONGEST;
            if value.starts_with('"') {
                match is_text {
                    true => self.string(value, label.as_deref()),
                    false => self.unread.push(offset(self.text, value)),
                }
            } else if level == MOST_LEVELS {
                if !is_text {
                    self.unread.push(offset(self.text, value));
                    continue;
                }
                let at = offset(self.text, value);
                let all = strings::all(value, self.context).into_iter();
                self.found.extend(all.map(|one| one.candidate(at, None)));
            } else if value.starts_with('[') {
                let items = tree_json::array(value).unwrap_or_default();
                left.extend(items.into_iter().map(|item| (item, label.clone(), level + 1)));
            } else if value.starts_with('{') {
                let fields = tree_json::object(value).unwrap_or_default();
                // What a list itself calls deprecated need not be said.
                let is_deprecated = |(key, _): &(&str, &str)| *key == "\"Deprecated\"";
                if fields.iter().any(is_deprecated) {
                    continue;
                }
                let is_of_count = |(key, _): &(&str, &str)| {
                    ["\"counter-value\"", "\"metric-value\""].contains(key)
                };
                if fields.iter().any(is_of_count) {
                    self.of_count(&fields);
                    continue;
                }
                if self.is_of_toplev {
                    self.found.extend(toplev::nodes(self.text, &fields));
                }
                self.of_metrics_only(&fields);
                match self.of_tree(&fields).or_else(|| self.of_cadvisor(value, &fields)) {
                    Some(candidate) => self.found.push(candidate),
                    None => left.extend(fields.into_iter().map(|(key, value)| {
                        (value, tree_json::string(key).map(Cow::into_owned), level + 1)
                    })),
                }
            }
        }
    }

    /// A line of `perf stat -j`. Its event is one, even if no CPU has it.
    fn of_count(&mut self, fields: &[(&str, &'t str)]) {
        let string = |wanted: &str| {
            let field = fields.iter().find(|(key, _)| *key == wanted);
            field.map(|(_, value)| *value).filter(|value| value.starts_with('"'))
        };
        if let Some(unit) = string("\"metric-unit\"") {
            self.of_unit(unit, true);
        }
        let Some(value) = string("\"event\"") else { return };
        let known = self.found.len();
        self.string(value, Some("event"));
        let inner = value.trim_matches('"');
        if let (true, Some(name)) = (self.found.len() == known, named(inner)) {
            let start = offset(self.text, name);
            let span = start..start + name.len();
            let name = Some(Name::Event(name.into()));
            self.found.push(strings::Selected { span, name, code: None }.candidate(0, None));
        }
    }

    /// A line of `perf stat -j --metric-only`, whose keys have the metrics.
    fn of_metrics_only(&mut self, fields: &[(&'t str, &str)]) {
        for (key, _) in fields.iter().filter(|(key, _)| key.contains(BEFORE_METRIC)) {
            self.of_unit(key, false);
        }
    }

    /// What perf has for the unit of a metric: `%  tma_retiring`, `ipc`, and `K/sec` or `CPUs utilized`
    /// for what is no metric of a table.
    fn of_unit(&mut self, unit: &'t str, is_surely_one: bool) {
        let inner = unit.trim_matches('"');
        let behind = inner.rsplit_once(BEFORE_METRIC).map(|(_, name)| name);
        let name = behind.unwrap_or(inner);
        let is_one = is_surely_one && behind.is_some() || self.context.known.is_metric(name);
        if is_one && commands::is_name(name) {
            let start = offset(self.text, name);
            let metric = Name::Metric(name.into());
            self.found.push(Candidate::named(start..start + name.len(), metric));
        }
    }

    /// A string that selects an event, or names one where it stands for an event.
    fn string(&mut self, value: &'t str, label: Option<&str>) {
        // With escapes, places in the string would not be those in the text.
        let Some(inner) = value.get(1..value.len() - 1).filter(|inner| !inner.contains('\\'))
        else {
            return;
        };
        let at = offset(self.text, inner);
        let all = strings::all(inner, self.context);
        let is_named = label.is_some_and(|label| {
            let keys = ["event", "events", "event-name", "EventName", "SampleWith", "sample"];
            keys.iter().any(|key| key.eq_ignore_ascii_case(label))
        });
        if all.is_empty() && is_named {
            let parts = inner.split([',', ';', ' ']).filter_map(named);
            for name in parts.filter(|name| self.context.known.is_event(name)) {
                let start = offset(inner, name);
                let span = start..start + name.len();
                let name = Some(Name::Event(name.into()));
                let selected = strings::Selected { span, name, code: None };
                self.found.push(selected.candidate(at, None));
            }
        }
        self.found.extend(all.into_iter().map(|one| one.candidate(at, label)));
    }

    /// An event with its fields (`tools/perf/pmu-events/README`, and perfmon's files).
    fn of_tree(&self, fields: &[(&str, &'t str)]) -> Option<Candidate> {
        let field = |wanted: &str| -> Option<(&'t str, String)> {
            fields.iter().find_map(|(key, value)| {
                let is_it = tree_json::string(key)? == wanted;
                is_it.then_some((*value, tree_json::string(value)?.into_owned()))
            })
        };
        let has = |key: &str| field(key).is_some();
        let (place, name) = field("EventName")?;
        let start = offset(self.text, place);
        // Other PMUs have other terms, and codes with a second part are not perf's to say. jevents
        // gives some names a code of its own.
        let is_plain = !["Unit", "ExtSel", "ConfigCode"].into_iter().any(has)
            && tree_json::fixed_event_string(&name).is_none();
        let code = if is_plain { code_of(&field) } else { None };
        Some(Candidate {
            span: start + 1..start + place.len() - 1,
            name: Some(Name::Event(name)),
            code: code.map(Code::of_core),
            cpus: Vec::new(),
            cpu_at: None,
        })
    }

    /// `{"type": 4, "config": ["0x5300c0"], "name": "instructions_retired"}`.
    fn of_cadvisor(&self, value: &'t str, fields: &[(&str, &'t str)]) -> Option<Candidate> {
        let field = |wanted: &str| {
            let is_it = |key: &str| tree_json::string(key).is_some_and(|key| key == wanted);
            fields.iter().find(|(key, _)| is_it(key)).map(|(_, value)| *value)
        };
        let (name, config) = (tree_json::string(field("name")?)?, field("config")?);
        // Numbers of other types are those of one machine.
        let type_ = field("type").and_then(|type_| type_.parse::<u32>().ok());
        if type_.is_some_and(|type_| type_ != pmu_events::perf_type::RAW) {
            return None;
        }
        let words = tree_json::array(config).ok()?;
        let mut terms = String::new();
        for (n, word) in words.iter().enumerate() {
            let word = tree_json::string(word).and_then(|word| number::any(&word))?;
            let number = if n == 0 { String::new() } else { n.to_string() };
            let separator = if n == 0 { "" } else { "," };
            let _ = write!(terms, "{separator}config{number}={word:#x}");
        }
        let pmu = name.split_once('/').map(|(pmu, _)| pmu.to_string());
        let event = name.rsplit('/').next().unwrap_or(&name).to_string();
        let start = offset(self.text, value);
        Some(Candidate {
            span: start..start + value.len(),
            name: Some(Name::Label(event)),
            code: (!terms.is_empty()).then_some(Code::of_pmu(pmu, terms)),
            cpus: Vec::new(),
            cpu_at: None,
        })
    }
}

/// The terms of an event's fields; `None` if it has no code, as those of fixed counters.
fn code_of<'t>(field: &impl Fn(&str) -> Option<(&'t str, String)>) -> Option<String> {
    // Of several, the first is that of the first register.
    let value_of = |key: &str| {
        let (_, value) = field(key)?;
        number::any(value.split(',').next()?.trim())
    };
    let event = value_of("EventCode").filter(|event| *event != 0)?;
    let umask = value_of("UMask").unwrap_or_default()
        | value_of("UMaskExt").unwrap_or_default().checked_mul(1 << 8)?;
    let mut terms = format!("event={event:#x}");
    let others = [
        ("umask", Some(umask)),
        ("cmask", value_of("CounterMask")),
        ("inv", value_of("Invert")),
        ("edge", value_of("EdgeDetect")),
        ("any", value_of("AnyThread")),
    ];
    for (term, value) in others {
        if let Some(value) = value.filter(|value| *value != 0) {
            let _ = write!(terms, ",{term}={value:#x}");
        }
    }
    let register = value_of("MSRIndex").filter(|index| *index != 0);
    if let (Some(index), Some(value)) = (register, value_of("MSRValue")) {
        let term = pmu_events::event::msr_term(u32::try_from(index).ok()?);
        let _ = write!(terms, ",{term}={value:#x}");
    }
    Some(terms)
}

/// The name in an event of perf's: `inst_retired`, `inst_retired:u`, `cpu_core/inst_retired/u`.
fn named(event: &str) -> Option<&str> {
    let mut parts = event.split('/');
    let (first, second) = (parts.next()?, parts.next());
    second.unwrap_or(first).split(':').next().filter(|name| !name.is_empty())
}
