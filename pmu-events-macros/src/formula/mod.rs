//! The formulas of metrics: parsed, their names resolved among those of the
//! model, simplified, and ready to be packed.

mod graph;
mod names;

use std::borrow::Cow;
use std::ops::Range;

use pmu_events_core::expr::{self, Identifier, Item as ExprItem, Query};
use pmu_events_core::wire::StrRef;
use pmu_events_core::wire::program::{MAX_IDENTIFIERS, Step};

use crate::assemble::{Item, Table};
use crate::fault::{Faults, Place, hint, quoted};
use crate::fields::Value;
use crate::source::Source;
use graph::Graph;
use names::{Meaning, Names};

/// The formulas of one metric.
#[derive(Default)]
pub(crate) struct Formulas {
    pub(crate) expression: Option<Program>,
    pub(crate) threshold: Option<Program>,
}

/// A formula as a program whose names and numbers have no place yet.
#[derive(Debug)]
pub(crate) struct Program {
    /// How many numbers are on its stack at most.
    pub(crate) depth: u8,
    /// What its identifiers are, none twice.
    pub(crate) names: Vec<Name>,
    pub(crate) numbers: Vec<f64>,
    /// Constants are numbers of `numbers`.
    pub(crate) steps: Vec<Step>,
}

/// What a program asks for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Name {
    /// An event, as expressions write it: the event's own letter case.
    Event(String),
    /// Another metric, in lower case.
    Metric(String),
}

/// Understands the formulas of a table, in the order of its metrics. What is
/// wrong with them is reported; then one is missing.
pub(crate) fn of_table(table: &Table<'_>, source: &Source, faults: &mut Faults) -> Vec<Formulas> {
    if table.metrics.is_empty() {
        return Vec::new();
    }
    let names = Names::of(table);
    let mut graph = Graph::of(table);
    let formulas = table.metrics.iter().enumerate().map(|(number, item)| {
        let mut compile = |key: &'static str, value: &Option<Value<'_>>, is_threshold: bool| {
            let value = value.as_ref()?;
            let own = (!is_threshold).then_some(item.key.as_str());
            let mut one = Compiler { key, value, own, names: &names, source, faults };
            let (program, references) = one.program()?;
            graph.add(number, is_threshold, references);
            Some(program)
        };
        let metric = &item.entry.metric;
        Formulas {
            expression: compile("MetricExpr", &metric.expression, false),
            threshold: compile("MetricThreshold", &metric.threshold, true),
        }
    });
    let formulas: Vec<Formulas> = formulas.collect();
    graph.check(&formulas, source, faults);
    formulas
}

/// One formula on its way.
struct Compiler<'c, 't> {
    key: &'static str,
    value: &'c Value<'t>,
    /// The metric whose value it is, in lower case.
    own: Option<&'c str>,
    names: &'c Names<'c>,
    source: &'c Source,
    faults: &'c mut Faults,
}

/// Where a formula refers to a metric, and its name in lower case.
type Reference = (Place, String);

impl<'c> Compiler<'c, '_> {
    /// The program, and the metrics that the text refers to.
    fn program(&mut self) -> Option<(Program, Vec<Reference>)> {
        let text: &'c str = &self.value.text;
        let mut items: Vec<ExprItem<'c>> = Vec::new();
        let mut identifiers: Vec<(Identifier<'c>, Range<usize>)> = Vec::new();
        let parsed = expr::parse(text, |item, span| {
            // A question such as has_event() is about names that may be
            // missing.
            if let Some((identifier, None)) = item.identifier() {
                identifiers.push((identifier, span));
            }
            items.push(item);
        });
        if let Err(error) = parsed {
            let place = within(self.value, error.offset(), self.source);
            let message = format!("{}: {}, in {}", self.key, error.kind(), quoted(text));
            self.faults.error(place, message);
            return None;
        }
        let mut references = Vec::new();
        for (identifier, span) in identifiers {
            let name = plain(identifier);
            match self.names.meaning(&name, self.own) {
                Meaning::Metric(key) => {
                    let place = within(self.value, span.start, self.source);
                    references.push((place, key.to_owned()));
                }
                Meaning::Event(_) | Meaning::Elsewhere => {}
                Meaning::Unknown => self.unknown(&name, span.start),
            }
        }
        let known = |item: &ExprItem<'_>| match item {
            ExprItem::Query(Query::HasEvent, identifier) => {
                self.names.is_of_core(&plain(*identifier)).then_some(1.0)
            }
            _ => None,
        };
        let left = expr::simplify(&mut items, known);
        items.truncate(left);
        let program = self.pack(&items)?;
        Some((program, references))
    }

    fn unknown(&mut self, name: &str, offset: usize) {
        self.faults.warning(
            within(self.value, offset, self.source),
            format!(
                "{} names {}, which is neither an event nor a metric of this model{}",
                self.key,
                quoted(name),
                hint(name, self.names.spelt())
            ),
        );
    }

    fn pack(&mut self, items: &[ExprItem<'_>]) -> Option<Program> {
        let mut program = Program {
            depth: 0,
            names: Vec::new(),
            numbers: Vec::new(),
            steps: Vec::with_capacity(items.len()),
        };
        let mut depth: u8 = 0;
        for item in items {
            let (step, takes) = match *item {
                ExprItem::Number(number) => (Step::Constant(program.number(number)), 0),
                ExprItem::Literal(literal) => (Step::Literal(literal), 0),
                ExprItem::Identifier(identifier) => {
                    (Step::Identifier(program.name(self.name(identifier, true))), 0)
                }
                ExprItem::Query(query, identifier) => {
                    (Step::Query(query, program.name(self.name(identifier, false))), 0)
                }
                ExprItem::Negate => (Step::Negate, 1),
                ExprItem::Binary(operator) => (Step::Binary(operator), 2),
                ExprItem::Function(function) => (Step::Function(function), 2),
                ExprItem::IfElse => (Step::IfElse, 3),
            };
            program.steps.push(step);
            depth = depth - takes + 1;
            program.depth = program.depth.max(depth);
        }
        let fault = if program.names.len() > MAX_IDENTIFIERS {
            format!("{}: more than {MAX_IDENTIFIERS} identifiers", self.key)
        } else if program.steps.len() * 3 > usize::from(u16::MAX) {
            format!("{}: more than {} steps", self.key, u16::MAX / 3)
        } else if let Some(long) = program.names.iter().find_map(Name::too_long) {
            format!("{}: an identifier is longer than 255 bytes: {}", self.key, quoted(long))
        } else {
            return Some(program);
        };
        self.faults.error(self.value.place, fault);
        None
    }

    /// What an identifier is; queries ask about events alone.
    fn name(&self, identifier: Identifier<'_>, is_value: bool) -> Name {
        match self.names.meaning(&plain(identifier), self.own) {
            Meaning::Metric(key) if is_value => Name::Metric(key.to_owned()),
            Meaning::Event(name) => Name::Event(escaped(name)),
            _ => Name::Event(identifier.as_str().to_owned()),
        }
    }
}

impl Program {
    fn name(&mut self, name: Name) -> u8 {
        // No formula of Linux has more than some thirty.
        let number = self.names.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        });
        // Too many are reported.
        number as u8
    }

    fn number(&mut self, number: f64) -> u16 {
        let bits = number.to_bits();
        let known = self.numbers.iter().position(|known| known.to_bits() == bits);
        known.unwrap_or_else(|| {
            self.numbers.push(number);
            self.numbers.len() - 1
        }) as u16
    }
}

impl Name {
    fn too_long(&self) -> Option<&str> {
        let (Name::Event(name) | Name::Metric(name)) = self;
        (name.len() > StrRef::MAX_LEN).then_some(name)
    }
}

/// An identifier without its escapes.
fn plain(identifier: Identifier<'_>) -> Cow<'_, str> {
    let written = identifier.as_str();
    if written.contains('\\') { Cow::Owned(identifier.to_string()) } else { Cow::Borrowed(written) }
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

fn written<'i>(item: &'i Item<'_>) -> &'i str {
    item.entry.metric.name.as_ref().map_or(&item.key, |name| &name.text)
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
