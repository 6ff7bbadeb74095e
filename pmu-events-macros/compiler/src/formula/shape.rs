//! Formulas by their text: each distinct one is parsed and simplified once,
//! however many models have it.

use std::ops::Range;
use std::sync::Arc;

use pmu_events_core::__private::expr::{self, Item, Query, Spelling};
use pmu_events_core::__private::wire::program::{Limit, MAX_IDENTIFIERS, Numbers, Step, compile};

use crate::assemble::tree::Tree;
use crate::cost::intern::Interner;
use crate::cost::parallel;

/// The common steps of formulas that differ only in names.
#[derive(Debug)]
pub(crate) struct Shape {
    /// The maximum number of values on the stack.
    pub(crate) depth: u8,
    pub(crate) numbers: Vec<f64>,
    /// Constants are numbers of `numbers`, identifiers those of whatever names
    /// go with the shape.
    pub(crate) steps: Vec<Step>,
}

/// The first occurrence of an identifier in a text.
pub(super) struct Mention {
    /// What it means.
    pub(super) name: String,
    /// That in lower case.
    pub(super) key: String,
    /// Whether a query asks about it: queries ask about events, values may be
    /// metrics'.
    pub(super) is_asked: bool,
    pub(super) span: Range<usize>,
}

/// A text, parsed.
pub(super) struct Parsed<'t> {
    items: Vec<Item<Spelling<'t>>>,
    numbers: Interner<(u64, &'t str)>,
    /// Each once, by those numbers, in the order of the text.
    pub(super) mentions: Vec<Mention>,
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
    pub(super) parsed: Vec<Result<Parsed<'t>, pmu_events_core::located::Error>>,
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

fn parse(text: &str) -> Result<Parsed<'_>, pmu_events_core::located::Error> {
    let mut items = Vec::new();
    let mut numbers = Interner::small();
    let mut mentions = Vec::new();
    expr::parse(text, |item, span| {
        if let Some((spelling, query)) = item.identifier() {
            let number = numbers.number(interned(spelling, query));
            if number as usize == mentions.len() {
                let name = spelling.to_string();
                let key = name.to_ascii_lowercase();
                mentions.push(Mention { name, key, is_asked: query.is_some(), span });
            }
        }
        items.push(item);
    })?;
    let mut parsed = Parsed { items, numbers, mentions, shaped: Err(String::new()) };
    parsed.shaped = parsed.shape(|_| None);
    Ok(parsed)
}

fn interned(spelling: Spelling<'_>, query: Option<Query>) -> (u64, &str) {
    (u64::from(query.is_some()), spelling.escaped())
}

impl<'t> Parsed<'t> {
    /// The identifier that an item mentions.
    fn mention(&self, item: &Item<Spelling<'t>>) -> Option<u32> {
        let (spelling, query) = item.identifier()?;
        self.numbers.find(interned(spelling, query))
    }

    /// The event that an item asks for by `has_event`.
    fn wanted(&self, item: &Item<Spelling<'t>>) -> Option<&str> {
        match item {
            Item::Query(Query::HasEvent, _) => {
                Some(&self.mentions[self.mention(item)? as usize].key)
            }
            _ => None,
        }
    }

    /// The text's shape, or the shape of its remainder if the model has events
    /// that it asks for.
    pub(super) fn shape_with(&self, has: impl Fn(&str) -> bool) -> Result<Shaped, String> {
        let is_known = |item: &Item<Spelling<'t>>| self.wanted(item).is_some_and(&has);
        if self.items.iter().any(is_known) {
            self.shape(|item| is_known(item).then_some(1.0))
        } else {
            self.shaped.clone()
        }
    }

    /// The shape of the simplified formula. `Err` says which limit it exceeds.
    fn shape(
        &self,
        known: impl FnMut(&Item<Spelling<'t>>) -> Option<f64>,
    ) -> Result<Shaped, String> {
        let mut items = self.items.clone();
        let mut steps = Vec::with_capacity(items.len());
        let mut own = Own { parsed: self, numbers: Interner::small(), mentions: Interner::small() };
        let depth = compile(&mut items, known, &mut own, &mut |step| steps.push(step));
        let depth = depth.map_err(|limit| match limit {
            Limit::Identifiers => format!("it has more than {MAX_IDENTIFIERS} identifiers"),
            Limit::Steps | Limit::Constants => {
                let most = <Own<'_, '_> as Numbers<_>>::MAX_STEPS;
                format!("it has more than {most} numbers, identifiers and operators")
            }
        })?;
        let numbers = own.numbers.items().iter().map(|&[bits]| f64::from_bits(bits)).collect();
        let mentions = own.mentions.items().iter().map(|&[mention]| mention as usize).collect();
        Ok(Shaped { shape: Arc::new(Shape { depth, numbers, steps }), mentions })
    }
}

/// What one formula refers to.
struct Own<'p, 't> {
    parsed: &'p Parsed<'t>,
    numbers: Interner<[u64; 1]>,
    mentions: Interner<[u32; 1]>,
}

impl<'t> Numbers<Spelling<'t>> for Own<'_, 't> {
    /// None has more than three bytes. There are no more constants than steps.
    const MAX_STEPS: usize = u16::MAX as usize / 3;

    fn constant(&mut self, constant: f64) -> Option<u16> {
        u16::try_from(self.numbers.number([constant.to_bits()])).ok()
    }

    fn identifier(&mut self, spelling: Spelling<'t>, query: Option<Query>) -> Option<u8> {
        // It exists: the items are made from the text.
        let mention = self.parsed.numbers.find(interned(spelling, query)).unwrap_or_default();
        let number = u8::try_from(self.mentions.number([mention])).ok();
        number.filter(|&number| usize::from(number) < MAX_IDENTIFIERS)
    }
}
