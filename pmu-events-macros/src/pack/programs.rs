//! The programs of formulas, numbered: each distinct one once, and so its
//! identifiers and constants.

use std::collections::HashMap;

use pmu_events_core::wire::program::{Program as Packed, REFERENCE, Step};

use super::intern::Interner;
use super::strings::Strings;
use crate::formula::{Name, Program};

/// A program whose identifiers and constants are numbers of the tree.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Draft {
    depth: u8,
    identifiers: Vec<u16>,
    steps: Vec<Step>,
}

/// The distinct programs of a tree.
pub(super) struct Programs<'t> {
    numbers: HashMap<Draft, u32>,
    drafts: Vec<Draft>,
    constants: Interner<[u64; 1]>,
    /// Numbers of strings.
    identifiers: Interner<[u64; 1]>,
    references: Interner<&'t str>,
}

impl<'t> Programs<'t> {
    pub(super) fn new() -> Self {
        Programs {
            numbers: HashMap::new(),
            drafts: Vec::new(),
            constants: Interner::new(),
            identifiers: Interner::new(),
            references: Interner::new(),
        }
    }

    /// The number of a program.
    pub(super) fn number(&mut self, program: &'t Program, strings: &mut Strings<'t>) -> u32 {
        let identifier = |name: &'t Name| match name {
            Name::Event(name) => {
                let string = strings.number(name);
                self.identifiers.number([u64::from(string)]) as u16
            }
            Name::Metric(name) => self.references.number(name) as u16 | REFERENCE,
        };
        let identifiers = program.names.iter().map(identifier).collect();
        let constants: Vec<u16> = program
            .numbers
            .iter()
            .map(|number| self.constants.number([number.to_bits()]) as u16)
            .collect();
        let step = |&step: &Step| match step {
            Step::Constant(number) => Step::Constant(constants[usize::from(number)]),
            step => step,
        };
        let steps = program.steps.iter().map(step).collect();
        let draft = Draft { depth: program.depth, identifiers, steps };
        *self.numbers.entry(draft).or_insert_with_key(|draft| {
            self.drafts.push(draft.clone());
            self.drafts.len() as u32 - 1
        })
    }

    /// Which limit of the format they break.
    pub(super) fn check(&self) -> Result<(), String> {
        let most = usize::from(REFERENCE);
        if self.identifiers.items().len() > most || self.references.items().len() > most {
            return Err(format!("formulas name more than {most} events or metrics"));
        }
        if self.constants.items().len() > usize::from(u16::MAX) {
            return Err("formulas have more than 65535 different numbers".to_owned());
        }
        Ok(())
    }

    /// The numbers of the strings that are identifiers.
    pub(super) fn identifiers(&self) -> impl Iterator<Item = u32> {
        self.identifiers.items().iter().map(|&[string]| string as u32)
    }

    /// The metrics that formulas refer to, in lower case.
    pub(super) fn references(&self) -> &[&'t str] {
        self.references.items()
    }

    /// The bytes of all programs and of their constants, and where each program
    /// begins.
    pub(super) fn write(&self) -> Written {
        let mut uses = vec![0u32; self.constants.items().len()];
        for step in self.drafts.iter().flat_map(|draft| &draft.steps) {
            if let Step::Constant(number) = step {
                uses[usize::from(*number)] += 1;
            }
        }
        let bits = |number: u16| self.constants.items()[usize::from(number)][0];
        let mut order: Vec<u16> = (0..uses.len() as u16).collect();
        // Those that are used most have the shortest steps.
        order.sort_by_key(|&number| (u32::MAX - uses[usize::from(number)], bits(number)));
        let mut renumbered = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            renumbered[usize::from(old)] = new as u16;
        }
        let mut written = Written {
            programs: Vec::new(),
            offsets: Vec::with_capacity(self.drafts.len()),
            constants: order.iter().flat_map(|&number| bits(number).to_le_bytes()).collect(),
        };
        let mut code = Vec::new();
        for draft in &self.drafts {
            code.clear();
            for &step in &draft.steps {
                let step = match step {
                    Step::Constant(number) => Step::Constant(renumbered[usize::from(number)]),
                    step => step,
                };
                step.write(&mut |bytes| code.extend_from_slice(bytes));
            }
            written.offsets.push(written.programs.len() as u32);
            let put = &mut |bytes: &[u8]| written.programs.extend_from_slice(bytes);
            Packed::write(draft.depth, &draft.identifiers, &code, put);
        }
        written
    }
}

/// Programs as bytes.
pub(super) struct Written {
    pub(super) programs: Vec<u8>,
    pub(super) offsets: Vec<u32>,
    pub(super) constants: Vec<u8>,
}
