//! The programs of formulas, numbered: each distinct one once, and likewise its
//! identifiers and constants.

use std::collections::HashMap;
use std::sync::Arc;

use pmu_events_core::__private::wire::StrRef;
use pmu_events_core::__private::wire::program::{Program as Packed, Step};

use super::limit::{NUMBERS, REFERENCES, STEPS, TABLES, fit};
use super::strings::Strings;
use crate::cost::intern::Interner;
use crate::formula::{Name, Program, Shape};

/// Marks the number of a reference among those of strings.
const REFERENCE: u32 = 1 << 31;

/// The distinct programs of a tree.
pub(super) struct Programs<'t> {
    /// Shapes and identifiers of each.
    numbers: HashMap<(u32, Vec<u32>), u32>,
    drafts: Vec<(u32, Vec<u32>)>,
    shapes: Shapes<'t>,
    constants: Interner<[u64; 1]>,
    references: Interner<&'t str>,
}

/// The distinct shapes of a tree.
#[derive(Default)]
struct Shapes<'t> {
    /// By what they are; numbers by their bits.
    numbers: HashMap<(&'t [Step], Vec<u64>), u32>,
    /// By where they are: those of equal texts are one from the start.
    by_address: HashMap<*const Shape, u32>,
    /// Each with the numbers of its constants in the tree.
    all: Vec<(&'t Shape, Vec<u32>)>,
}

impl<'t> Programs<'t> {
    pub(super) fn new() -> Self {
        Programs {
            numbers: HashMap::new(),
            drafts: Vec::new(),
            shapes: Shapes::default(),
            constants: Interner::new(),
            references: Interner::new(),
        }
    }

    /// The number of a program.
    pub(super) fn number(&mut self, program: &'t Program, strings: &mut Strings<'t>) -> u32 {
        let identifier = |name: &'t Name| match name {
            Name::Event(name) => strings.number(name),
            Name::Metric(name) => self.references.number(name) | REFERENCE,
        };
        let identifiers = program.names.iter().map(identifier).collect();
        let shape = self.shapes.number(&program.shape, &mut self.constants);
        let fresh = self.numbers.len();
        *self.numbers.entry((shape, identifiers)).or_insert_with_key(|draft| {
            self.drafts.push(draft.clone());
            numbered(fresh)
        })
    }

    /// The metrics that formulas refer to, in lower case.
    pub(super) fn references(&self) -> &[&'t str] {
        self.references.items()
    }

    /// The bytes of all programs and of their constants, and where each program
    /// begins. `place` returns the position of a string.
    pub(super) fn write(
        &self,
        place: &dyn Fn(u32) -> Result<StrRef, String>,
    ) -> Result<Written, String> {
        if self.references.items().len() > StrRef::MAX_OFFSET {
            return Err(REFERENCES.to_owned());
        }
        let constants = self.constants.items();
        let mut uses = vec![0u32; constants.len()];
        for (shape, _) in &self.drafts {
            let (shape, constants) = &self.shapes.all[*shape as usize];
            for step in &shape.steps {
                if let Step::Constant(number) = step {
                    uses[constants[usize::from(*number)] as usize] += 1;
                }
            }
        }
        let bits = |number: usize| constants[number][0];
        let mut order: Vec<usize> = (0..uses.len()).collect();
        // The most frequent ones have the shortest steps.
        order.sort_by_key(|&number| (u32::MAX - uses[number], bits(number)));
        let mut renumbered: Vec<u16> = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            renumbered[old] = fit(new, NUMBERS)?;
        }
        let mut written = Written {
            programs: Vec::new(),
            offsets: Vec::with_capacity(self.drafts.len()),
            constants: order.iter().flat_map(|&number| bits(number).to_le_bytes()).collect(),
        };
        let mut code = Vec::new();
        for (shape, identifiers) in &self.drafts {
            code.clear();
            let (shape, constants) = &self.shapes.all[*shape as usize];
            for &step in &shape.steps {
                let step = match step {
                    Step::Constant(number) => {
                        let of_tree = constants[usize::from(number)];
                        Step::Constant(renumbered[of_tree as usize])
                    }
                    step => step,
                };
                step.write(&mut |bytes| code.extend_from_slice(bytes));
            }
            written.offsets.push(fit(written.programs.len(), TABLES)?);
            let put = &mut |bytes: &[u8]| written.programs.extend_from_slice(bytes);
            let word = |&identifier: &u32| {
                if identifier & REFERENCE != 0 {
                    return Ok(StrRef { offset: identifier & !REFERENCE, len: 0 }.pack());
                }
                place(identifier).map(StrRef::pack)
            };
            let words = identifiers.iter().map(word).collect::<Result<Vec<u32>, String>>()?;
            Packed::write(shape.depth, &words, &code, put).map_err(|_| STEPS)?;
        }
        Ok(written)
    }
}

impl<'t> Shapes<'t> {
    fn number(&mut self, shape: &'t Arc<Shape>, constants: &mut Interner<[u64; 1]>) -> u32 {
        let address = Arc::as_ptr(shape);
        if let Some(&number) = self.by_address.get(&address) {
            return number;
        }
        let bits = shape.numbers.iter().map(|number| number.to_bits()).collect();
        let fresh = self.all.len();
        let number = *self.numbers.entry((&shape.steps, bits)).or_insert_with_key(|(_, bits)| {
            let constants = bits.iter().map(|&bits| constants.number([bits])).collect();
            self.all.push((shape, constants));
            numbered(fresh)
        });
        self.by_address.insert(address, number);
        number
    }
}

/// A number that four bytes suffice for: what has it takes as many at least.
fn numbered(number: usize) -> u32 {
    u32::try_from(number).expect("memory ends before four billion programs")
}

/// Programs as bytes.
pub(super) struct Written {
    pub(super) programs: Vec<u8>,
    pub(super) offsets: Vec<u32>,
    pub(super) constants: Vec<u8>,
}
