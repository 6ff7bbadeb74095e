//! Formulas by their text: each distinct one is parsed and simplified once,
//! however many models have it.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use pmu_events_core::expr::{self, Identifier, Item, Query};
use pmu_events_core::wire::program::{MAX_IDENTIFIERS, Step};

use crate::assemble::Tree;
use crate::intern::Interner;
use crate::parallel;

/// What formulas do that differ in nothing but names.
#[derive(Debug)]
pub(crate) struct Shape {
    /// How many numbers are on the stack at most.
    pub(crate) depth: u8,
    pub(crate) numbers: Vec<f64>,
    /// Constants are numbers of `numbers`, identifiers those of whatever names
    /// go with the shape.
    pub(crate) steps: Vec<Step>,
}

/// An identifier in a text.
pub(super) struct Mention<'t> {
    pub(super) identifier: Identifier<'t>,
    /// Without escapes, in lower case.
    pub(super) key: String,
    /// What is asked about it, if not its value.
    pub(super) query: Option<Query>,
    pub(super) span: Range<usize>,
}

/// A text, parsed.
pub(super) struct Parsed<'t> {
    items: Vec<Item<'t>>,
    pub(super) mentions: Vec<Mention<'t>>,
    pub(super) shaped: Result<Shaped, String>,
}

/// A shape, and the mentions that are its identifiers.
#[derive(Clone)]
pub(super) struct Shaped {
    pub(super) shape: Arc<Shape>,
    pub(super) mentions: Vec<usize>,
}

/// All distinct texts of a tree, and which of them each formula is.
pub(super) struct Texts<'t> {
    /// For each table, for each metric: of its expression, of its threshold.
    pub(super) numbers: Vec<Vec<[Option<u32>; 2]>>,
    pub(super) parsed: Vec<Result<Parsed<'t>, expr::Error>>,
}

impl<'t> Texts<'t> {
    pub(super) fn of(tree: &'t Tree<'_>) -> Self {
        let mut texts: Interner<&'t str> = Interner::new();
        let numbers = tree.tables.iter().map(|table| {
            let of_metric = table.metrics.iter().map(|item| {
                let metric = &item.entry.metric;
                [&metric.expression, &metric.threshold]
                    .map(|value| value.as_ref().map(|value| texts.number(&value.text)))
            });
            of_metric.collect()
        });
        let numbers = numbers.collect();
        let texts = texts.items();
        Texts { numbers, parsed: parallel::map(texts.len(), |number| parse(texts[number])) }
    }
}

fn parse(text: &str) -> Result<Parsed<'_>, expr::Error> {
    let mut items = Vec::new();
    let mut mentions = Vec::new();
    expr::parse(text, |item, span| {
        if let Some((identifier, query)) = item.identifier() {
            let key = plain(identifier).to_ascii_lowercase();
            mentions.push(Mention { identifier, key, query, span });
        }
        items.push(item);
    })?;
    let mut parsed = Parsed { items, mentions, shaped: Err(String::new()) };
    parsed.shaped = parsed.shape(|_| None);
    Ok(parsed)
}

impl<'t> Parsed<'t> {
    /// The shape of what simplification leaves. `Err` says which limit it
    /// breaks.
    pub(super) fn shape(
        &self,
        known: impl FnMut(&Item<'t>) -> Option<f64>,
    ) -> Result<Shaped, String> {
        let mut items = self.items.clone();
        let left = expr::simplify(&mut items, known);
        items.truncate(left);
        let mut shape =
            Shape { depth: 0, numbers: Vec::new(), steps: Vec::with_capacity(items.len()) };
        let mut mentions: Vec<usize> = Vec::new();
        let mut mention = |identifier: Identifier<'t>, asks: bool| {
            let meant = |mention: &Mention<'t>| {
                mention.identifier == identifier && is_asked(mention.query) == asks
            };
            let known = mentions.iter().position(|&known| meant(&self.mentions[known]));
            known.unwrap_or_else(|| {
                // It is there: the items are made of it.
                mentions.extend(self.mentions.iter().position(meant));
                mentions.len() - 1
            }) as u8
        };
        let mut depth: u8 = 0;
        for item in &items {
            let (step, takes) = match *item {
                Item::Number(number) => (Step::Constant(shape.number(number)), 0),
                Item::Literal(literal) => (Step::Literal(literal), 0),
                Item::Identifier(identifier) => (Step::Identifier(mention(identifier, false)), 0),
                Item::Query(query, identifier) => {
                    (Step::Query(query, mention(identifier, true)), 0)
                }
                Item::Negate => (Step::Negate, 1),
                Item::Binary(operator) => (Step::Binary(operator), 2),
                Item::Function(function) => (Step::Function(function), 2),
                Item::IfElse => (Step::IfElse, 3),
            };
            shape.steps.push(step);
            depth = depth - takes + 1;
            shape.depth = shape.depth.max(depth);
        }
        if mentions.len() > MAX_IDENTIFIERS {
            return Err(format!("it has more than {MAX_IDENTIFIERS} identifiers"));
        }
        // No step has more than three bytes.
        let most = usize::from(u16::MAX) / 3;
        if shape.steps.len() > most {
            return Err(format!("it has more than {most} numbers, identifiers and operators"));
        }
        Ok(Shaped { shape: Arc::new(shape), mentions })
    }
}

/// Queries ask about events, values may be metrics'.
pub(super) fn is_asked(query: Option<Query>) -> bool {
    query.is_some()
}

impl Shape {
    fn number(&mut self, number: f64) -> u16 {
        let bits = number.to_bits();
        let known = self.numbers.iter().position(|known| known.to_bits() == bits);
        known.unwrap_or_else(|| {
            self.numbers.push(number);
            self.numbers.len() - 1
        }) as u16
    }
}

/// An identifier without its escapes.
fn plain(identifier: Identifier<'_>) -> Cow<'_, str> {
    let written = identifier.as_str();
    if written.contains('\\') { Cow::Owned(identifier.to_string()) } else { Cow::Borrowed(written) }
}
