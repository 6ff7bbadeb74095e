//! The formulas of metrics: parsed, their names resolved among those of the
//! model, simplified, and ready to be packed.

mod graph;
mod names;
mod shape;

use std::sync::Arc;

use pmu_events_core::expr::{Item as ExprItem, Query};
use pmu_events_core::wire::StrRef;

use crate::assemble::{Table, Tree};
use crate::fault::{Faults, Place, hint, quoted};
use crate::fields::Value;
use crate::parallel;
use crate::source::Source;
use graph::{Graph, Reference};
use names::{Meaning, Names};
pub(crate) use shape::Shape;
use shape::{Mention, Parsed, Shaped, Texts};

/// The formulas of one metric.
#[derive(Default)]
pub(crate) struct Formulas {
    pub(crate) expression: Option<Program>,
    pub(crate) threshold: Option<Program>,
}

/// A formula as a program whose names and numbers have no place yet.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) shape: Arc<Shape>,
    /// What its identifiers are.
    pub(crate) names: Vec<Name>,
}

/// What a program asks for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Name {
    /// An event, as expressions write it: the event's own letter case.
    Event(String),
    /// Another metric, in lower case.
    Metric(String),
}

/// Understands the formulas of all tables, in the order of their metrics. What
/// is wrong with them is reported; then one is missing.
pub(crate) fn of_tree(tree: &Tree<'_>, source: &Source, faults: &mut Faults) -> Vec<Vec<Formulas>> {
    let texts = Texts::of(tree);
    let parts = parallel::map(tree.tables.len(), |number| {
        let mut faults = Faults::default();
        let formulas = of_table(&tree.tables[number], number, &texts, source, &mut faults);
        (formulas, faults)
    });
    let each = parts.into_iter().map(|(formulas, part)| {
        faults.append(part);
        formulas
    });
    each.collect()
}

fn of_table(
    table: &Table<'_>,
    number: usize,
    texts: &Texts<'_>,
    source: &Source,
    faults: &mut Faults,
) -> Vec<Formulas> {
    if table.metrics.is_empty() {
        return Vec::new();
    }
    let names = Names::of(table);
    let mut graph = Graph::of(table);
    let mut formulas: Vec<Formulas> = Vec::with_capacity(table.metrics.len());
    for (metric, item) in table.metrics.iter().enumerate() {
        let values = &item.entry.metric;
        let mut of_metric = Formulas::default();
        for (key, value, text, place) in [
            (
                "MetricExpr",
                &values.expression,
                texts.numbers[number][metric][0],
                &mut of_metric.expression,
            ),
            (
                "MetricThreshold",
                &values.threshold,
                texts.numbers[number][metric][1],
                &mut of_metric.threshold,
            ),
        ] {
            let (Some(value), Some(text)) = (value, text) else {
                continue;
            };
            // Of a threshold, a metric's name is always its value.
            let own = (key == "MetricExpr").then_some(metric);
            let parsed = match &texts.parsed[text as usize] {
                Ok(parsed) => parsed,
                Err(error) => {
                    let message = format!("{key}: {}, in {}", error.kind(), quoted(&value.text));
                    faults.error(within(value, error.offset(), source), message);
                    continue;
                }
            };
            let mut one = Resolver { key, value, parsed, own, names: &names, source, faults };
            *place = one.program(&mut |reference| graph.add(metric, own.is_none(), reference));
        }
        formulas.push(of_metric);
    }
    graph.check(&formulas, source, faults);
    formulas
}

/// One formula of one metric, whose names are looked up.
struct Resolver<'r, 't> {
    key: &'static str,
    value: &'r Value<'t>,
    parsed: &'r Parsed<'r>,
    /// The metric whose value it is.
    own: Option<usize>,
    names: &'r Names<'r>,
    source: &'r Source,
    faults: &'r mut Faults,
}

impl Resolver<'_, '_> {
    /// The program; `refer` learns which metrics the text refers to.
    fn program(&mut self, refer: &mut dyn FnMut(Reference)) -> Option<Program> {
        for mention in &self.parsed.mentions {
            // A question such as has_event() is about names that may be
            // missing.
            if shape::is_asked(mention.query) {
                continue;
            }
            match self.names.meaning(&mention.key, self.own) {
                Meaning::Metric(to) => refer(Reference { offset: mention.span.start, to }),
                Meaning::Event(_) | Meaning::Elsewhere => {}
                Meaning::Unknown => self.unknown(mention),
            }
        }
        let shaped = self.shaped();
        let Shaped { shape, mentions } = match shaped {
            Ok(shaped) => shaped,
            Err(fault) => {
                self.faults.error(self.value.place, format!("{}: {fault}", self.key));
                return None;
            }
        };
        let mentions = mentions.iter().map(|&number| &self.parsed.mentions[number]);
        let names: Vec<Name> = mentions.map(|mention| self.name(mention)).collect();
        if let Some(long) = names.iter().find_map(Name::too_long) {
            let message =
                format!("{}: an identifier is longer than 255 bytes: {}", self.key, quoted(long));
            self.faults.error(self.value.place, message);
            return None;
        }
        Some(Program { shape, names })
    }

    /// The text's shape, or that of what is left of it when the model has an
    /// event that it asks for.
    fn shaped(&self) -> Result<Shaped, String> {
        let is_known = |mention: &Mention<'_>| {
            mention.query == Some(Query::HasEvent) && self.names.is_of_core(&mention.key)
        };
        if !self.parsed.mentions.iter().any(is_known) {
            return self.parsed.shaped.clone();
        }
        self.parsed.shape(|item| match item {
            ExprItem::Query(Query::HasEvent, identifier) => self
                .parsed
                .mentions
                .iter()
                .any(|mention| mention.identifier == *identifier && is_known(mention))
                .then_some(1.0),
            _ => None,
        })
    }

    fn unknown(&mut self, mention: &Mention<'_>) {
        let name = mention.identifier.to_string();
        self.faults.warning(
            within(self.value, mention.span.start, self.source),
            format!(
                "{} names {}, which is neither an event nor a metric of this model{}",
                self.key,
                quoted(&name),
                hint(&name, self.names.spelt())
            ),
        );
    }

    /// What an identifier is; queries ask about events alone.
    fn name(&self, mention: &Mention<'_>) -> Name {
        match self.names.meaning(&mention.key, self.own) {
            Meaning::Metric(_) if !shape::is_asked(mention.query) => {
                Name::Metric(mention.key.clone())
            }
            Meaning::Event(name) => Name::Event(escaped(name)),
            _ => Name::Event(mention.identifier.as_str().to_owned()),
        }
    }
}

impl Name {
    fn too_long(&self) -> Option<&str> {
        let (Name::Event(name) | Name::Metric(name)) = self;
        (name.len() > StrRef::MAX_LEN).then_some(name)
    }
}

/// A name as expressions write it.
fn escaped(name: &str) -> String {
    let mut escaped = String::with_capacity(name.len());
    for c in name.chars() {
        if matches!(c, '-' | ',' | '=') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// The place of a byte of a value, past the escapes of its JSON string.
fn within(value: &Value<'_>, offset: usize, source: &Source) -> Place {
    let text = &source.files[value.place.file as usize].text[value.place.offset as usize..];
    let mut raw = text.char_indices().skip(1).peekable();
    let mut decoded = 0;
    while decoded < offset {
        match raw.next() {
            Some((_, '\\')) => match raw.next() {
                Some((_, 'u')) => {
                    // A code point, or half of one: its length in UTF-8 is not
                    // worth a decoder here; expressions are ASCII.
                    raw.nth(3);
                    decoded += 1;
                }
                Some(_) => decoded += 1,
                None => break,
            },
            Some((_, c)) => decoded += c.len_utf8(),
            None => break,
        }
    }
    let at = raw.peek().map_or(0, |&(at, _)| at);
    Place { offset: value.place.offset + at as u32, ..value.place }
}
