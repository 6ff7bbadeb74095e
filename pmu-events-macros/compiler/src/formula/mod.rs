//! The formulas of metrics: parsed, their names resolved among those of the
//! model, simplified, and ready to be packed.

mod graph;
mod names;
mod place;
mod program;
mod shape;
#[cfg(test)]
mod tests;

use crate::assemble::tree::{Table, Tree};
use crate::cost::parallel;
use crate::entry::fields::Value;
use crate::faults::{Faults, Message, Place, quoted};
use crate::files::Files;
use crate::options::Options;
use graph::{Graph, Reference};
use names::{Meaning, Names};
use place::{Within, within};
pub(crate) use program::{Formulas, Name, Program};
pub(crate) use shape::Shape;
use shape::{Mention, Parsed, Shaped, Texts};

/// A tree with interpreted formulas.
pub(crate) struct Resolved<'t> {
    pub(crate) tree: Tree<'t>,
    /// For each table, the formulas of its metrics, in their order.
    pub(crate) formulas: Vec<Vec<Formulas>>,
}

impl Resolved<'_> {
    /// Drops what the options do not keep. A model stays, even without events.
    pub(crate) fn keep(&mut self, options: &Options) {
        self.tree.keep(options);
        if !options.metrics {
            self.formulas.iter_mut().for_each(Vec::clear);
        }
    }
}

/// Interprets the formulas of all tables. Faults are reported; the formula is
/// then missing.
pub(crate) fn resolve<'t>(tree: Tree<'t>, files: &Files, faults: &mut Faults) -> Resolved<'t> {
    let texts = Texts::of(&tree);
    let parts = parallel::map(tree.tables.len(), |number| {
        let mut faults = Faults::default();
        let formulas = of_table(&tree.tables[number], number, &texts, files, &mut faults);
        (formulas, faults)
    });
    let each = parts.into_iter().map(|(formulas, part)| {
        faults.append(part);
        formulas
    });
    let formulas = each.collect();
    Resolved { tree, formulas }
}

fn of_table(
    table: &Table<'_>,
    number: usize,
    texts: &Texts<'_>,
    files: &Files,
    faults: &mut Faults,
) -> Vec<Formulas> {
    if table.metrics.is_empty() {
        return Vec::new();
    }
    let names = Names::of(table, &files.arch);
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
            // In a threshold, a metric's name is always its value.
            let own = (key == "MetricExpr").then_some(metric);
            let parsed = match &texts.parsed[text as usize] {
                Ok(parsed) => parsed,
                Err(error) => {
                    let message = format!("{key}: {}, in {}", error.message(), quoted(&value.text));
                    faults.error(within(value, error.span().start, files), message);
                    continue;
                }
            };
            let mut one = Resolver { key, value, parsed, own, names: &names, files, faults };
            *place = one.program(&mut |reference| graph.add(metric, own.is_none(), reference));
        }
        formulas.push(of_metric);
    }
    graph.check(&formulas, files, faults);
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
    files: &'r Files,
    faults: &'r mut Faults,
}

impl Resolver<'_, '_> {
    /// The program; `refer` is told which metrics the text refers to.
    fn program(&mut self, refer: &mut dyn FnMut(Reference)) -> Option<Program> {
        // A formula that is too long gets no report for each of its names.
        let shaped = self.parsed.shape_with(|event| self.names.is_of_core(event));
        let Shaped { shape, mentions } = match shaped {
            Ok(shaped) => shaped,
            Err(fault) => {
                self.faults.error(self.value.place, format!("{}: {fault}", self.key));
                return None;
            }
        };
        let mut places = Within::new(self.value, self.files);
        for mention in &self.parsed.mentions {
            // A question such as has_event() is about names that may be
            // missing.
            if mention.is_asked {
                continue;
            }
            match self.names.meaning(&mention.key, self.own) {
                Meaning::Metric(to) => refer(Reference { offset: mention.span.start, to }),
                Meaning::Event(_) | Meaning::Elsewhere => {}
                Meaning::Unknown => self.unknown(mention, places.at(mention.span.start)),
            }
        }
        let mentions = mentions.iter().map(|&number| &self.parsed.mentions[number]);
        let names = mentions.map(|mention| self.name(mention)).collect();
        Some(Program { shape, names })
    }

    fn unknown(&mut self, mention: &Mention, place: Place) {
        if !self.names.is_whole() {
            return;
        }
        let name = &mention.name;
        let message = format!(
            "{} names {}, which is neither an event nor a metric of this model",
            self.key,
            quoted(name)
        );
        self.faults.warning(place, Message::from(message).suggest(name, self.names.spelt()));
    }

    /// The meaning of an identifier; queries ask only about events.
    fn name(&self, mention: &Mention) -> Name {
        match self.names.meaning(&mention.key, self.own) {
            Meaning::Metric(_) if !mention.is_asked => Name::Metric(mention.key.clone()),
            Meaning::Event(name) => Name::Event(name.to_owned()),
            _ => Name::Event(mention.name.clone()),
        }
    }
}
