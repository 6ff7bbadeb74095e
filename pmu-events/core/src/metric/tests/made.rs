//! Trees of metrics, built from formulas as written in a file.

extern crate std;
use std::boxed::Box;
use std::string::String;
use std::vec::Vec;

use crate::Tree;
use crate::expr::{self, Query, Spelling};
use crate::metric::{Metric, Metrics};
use crate::name;
use crate::wire::made::Made;
use crate::wire::program::{Numbers, Program, Step, steps};
use crate::wire::record::{
    FormulaRecord, GroupRecord, MetricRecord, MetricTraits, ReferenceRecord,
};
use crate::wire::{LongRef, Section, StrRef, member_numbers};

/// A metric with just a name.
pub(super) const PLAIN: MetricRecord = MetricRecord {
    name: StrRef { offset: 0, len: 0 },
    expression: 0,
    threshold: 0,
    pmu: 0,
    traits: 0,
};

/// Traits without any.
const NO_TRAITS: MetricTraits = MetricTraits {
    groups: LongRef { offset: 0, len: 0 },
    no_group: StrRef::NONE,
    default_group: StrRef::NONE,
    sample_with: StrRef::NONE,
    difference: LongRef { offset: 0, len: 0 },
    scale_unit: StrRef::NONE,
    compat: StrRef::NONE,
    compat_pattern: 0,
    topic: 0,
    aggregation: 0,
    constraint: 0,
    show_events: 0,
};

/// A tree under construction: its metrics are sorted by name.
pub(super) struct Maker {
    made: Made,
    strings: Vec<(String, StrRef)>,
    names: Vec<(String, u16)>,
    records: Vec<MetricRecord>,
    /// Those of each record.
    traits: Vec<MetricTraits>,
    formulas: u16,
    constants: Vec<f64>,
}

impl Maker {
    /// A tree with metrics with these names and PMU numbers, by name.
    pub(super) fn new(names: impl IntoIterator<Item = (impl Into<String>, u16)>) -> Self {
        let names: Vec<_> = names.into_iter().map(|(name, pmu)| (name.into(), pmu)).collect();
        assert!(names.is_sorted_by(|(a, _), (b, _)| name::cmp(a, b).is_le()));
        let mut made = Made::default();
        // Ensures that no string, text or program has number 0.
        made.strings.push('_');
        made.section(Section::Programs).push(0);
        let (strings, records, constants) = (Vec::new(), Vec::new(), Vec::new());
        let traits = std::vec![NO_TRAITS; names.len()];
        let mut maker = Maker { made, strings, names, records, traits, formulas: 0, constants };
        for (name, pmu) in maker.names.clone() {
            let name = maker.string(&name);
            let traits = u32::try_from(maker.records.len()).expect("few");
            maker.records.push(MetricRecord { name, pmu, traits, ..PLAIN });
        }
        maker
    }

    /// A tree with metrics of one PMU, all with a formula.
    pub(super) fn of(formulas: &[(&str, &str)]) -> Self {
        let mut maker = Self::new(formulas.iter().map(|(name, _)| (*name, 0)));
        for (number, (_, formula)) in formulas.iter().enumerate() {
            maker.records[number].expression = maker.formula(formula);
        }
        maker
    }

    pub(super) fn record(&mut self, number: usize) -> &mut MetricRecord {
        &mut self.records[number]
    }

    pub(super) fn traits(&mut self, number: usize) -> &mut MetricTraits {
        &mut self.traits[number]
    }

    /// A string, which is stored once.
    pub(super) fn string(&mut self, text: &str) -> StrRef {
        let known = self.strings.iter().find(|(known, _)| known == text);
        if let Some(&(_, string)) = known {
            return string;
        }
        let string = self.made.string(text);
        self.strings.push((text.into(), string));
        string
    }

    pub(super) fn long(&mut self, text: &str) -> LongRef {
        self.made.long(text)
    }

    /// A string of a section of string references.
    pub(super) fn named(&mut self, section: Section, text: &str) {
        let word = self.string(text).pack();
        self.made.section(section).extend(word.to_le_bytes());
    }

    /// A formula; the name of a metric in it refers to the metrics with that
    /// name.
    pub(super) fn formula(&mut self, text: &str) -> u16 {
        let mut items = Vec::new();
        expr::parse(text, |item, _| items.push(item)).expect("it is a formula");
        let (mut numbers, mut code) = (Own { maker: self, identifiers: Vec::new() }, Vec::new());
        let put = &mut |step: Step| step.write(&mut |bytes| code.extend_from_slice(bytes));
        let most = steps(&items, &mut numbers, put).expect("they are few");
        let Own { identifiers, .. } = numbers;
        self.program(most, &identifiers, &code)
    }

    /// A formula with the given program.
    pub(super) fn program(&mut self, depth: u8, names: &[u32], code: &[u8]) -> u16 {
        let program = u32::try_from(self.made.section(Section::Programs).len()).expect("few");
        self.made.put(Section::Programs, |put| {
            Program::write(depth, names, code, put).expect("it is short");
        });
        self.made.put(Section::Formulas, |put| FormulaRecord { program }.write(put));
        self.formulas += 1;
        self.formulas
    }

    fn identifier(&mut self, text: &str) -> u32 {
        let named = |name: &String| name::eq(name, text);
        let count = self.names.iter().filter(|(name, _)| named(name)).count();
        let Some(first) = self.names.iter().position(|(name, _)| named(name)) else {
            return self.string(text).pack();
        };
        let references = self.made.section(Section::References);
        let number = u32::try_from(references.len() / ReferenceRecord::SIZE).expect("few");
        let [first, count] = [first, count].map(|n| u16::try_from(n).expect("few"));
        let record = ReferenceRecord { first: first.into(), count };
        self.made.put(Section::References, |put| record.write(put));
        number
    }

    /// A metric group and, if it is not empty, its description.
    pub(super) fn group(&mut self, group: &str, description: &str) {
        let mut at = 0;
        if !description.is_empty() {
            let texts = self.made.section(Section::Texts);
            texts.resize(texts.len().max(1), 0);
            at = u32::try_from(texts.len()).expect("few");
            texts.extend([2, u8::try_from(description.len()).expect("it is short")]);
            texts.extend_from_slice(description.as_bytes());
            texts.push(0);
        }
        let record = GroupRecord { name: self.string(group), description: at };
        self.made.put(Section::Groups, |put| record.write(put));
    }

    /// The metrics of models that have these metrics, by number, and these
    /// groups.
    pub(super) fn models<const N: usize>(self, models: [(&[usize], &[u16]); N]) -> [Metrics; N] {
        let Maker { mut made, records, traits, constants, .. } = self;
        records.iter().for_each(|record| made.put(Section::Metrics, |put| record.write(put)));
        traits.iter().for_each(|one| made.put(Section::MetricTraits, |put| one.write(put)));
        for constant in constants {
            made.section(Section::Constants).extend(constant.to_le_bytes());
        }
        let numbers = |numbers: &[u16]| -> Vec<u8> {
            numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
        };
        let mut firsts = Vec::new();
        for (members, groups) in models {
            let mut bits = std::vec![0; 2 * member_numbers(records.len(), 0)];
            members.iter().for_each(|&number| bits[number / 8] |= 1 << (number % 8));
            let own: Vec<u16> = members.iter().map(|&n| u16::try_from(n).expect("few")).collect();
            let lists = made.section(Section::Lists);
            firsts.push(lists.len() / 2);
            lists.extend(numbers(&own));
            lists.extend(bits);
            lists.extend(numbers(&[u16::try_from(groups.len()).expect("few")]));
            lists.extend(numbers(groups));
        }
        made.section(Section::Lists).extend([0; 8]);
        let tables = Box::leak(made.tables().into_boxed_slice());
        let tree = Box::leak(Box::new(Tree::new(Box::leak(made.strings.into_boxed_str()), tables)));
        let mut firsts = firsts.into_iter();
        models.map(|(members, _)| {
            Metrics::new(tree, firsts.next().expect("there is one each"), members.len())
        })
    }

    /// The metrics of one model that has them all.
    pub(super) fn metrics(self) -> Metrics {
        let all: Vec<usize> = (0..self.records.len()).collect();
        let [metrics] = self.models([(&all, &[])]);
        metrics
    }
}

/// What a formula of a tree refers to.
struct Own<'m> {
    maker: &'m mut Maker,
    identifiers: Vec<u32>,
}

impl Numbers<Spelling<'_>> for Own<'_> {
    const MAX_STEPS: usize = usize::MAX;

    fn constant(&mut self, constant: f64) -> Option<u16> {
        self.maker.constants.push(constant);
        u16::try_from(self.maker.constants.len() - 1).ok()
    }

    fn identifier(&mut self, spelling: Spelling<'_>, _: Option<Query>) -> Option<u8> {
        let word = self.maker.identifier(&std::format!("{spelling}"));
        let known = self.identifiers.iter().position(|known| *known == word);
        let number = known.unwrap_or(self.identifiers.len());
        if known.is_none() {
            self.identifiers.push(word);
        }
        u8::try_from(number).ok()
    }
}

/// The first metric with a name.
pub(super) fn named(metrics: &Metrics, name: &str) -> Metric {
    metrics.find(name).unwrap_or_else(|| panic!("no metric is called {name}"))
}

/// The only metric of a tree, with a formula.
pub(super) fn one(formula: &str) -> Metric {
    named(&Maker::of(&[("one", formula)]).metrics(), "one")
}
