//! One count for what both sides spell differently.

use std::cell::RefCell;
use std::collections::HashMap;

use pmu_events::Model;
use pmu_events::expr::EventValue;

use crate::counts::Counts;
use crate::situations::Counted;

/// Events each bit of whose unit mask counts on its own, and all of them their sum.
const BY_BITS: &str = "fp_arith_inst_retired.";

/// The spellings of a model's events, by what they count.
pub struct Spellings {
    model: Model,
    pmu: &'static str,
    by_identity: RefCell<HashMap<String, String>>,
    /// Events of [`BY_BITS`] with one bit.
    bits: Vec<(u64, &'static str)>,
}

impl Spellings {
    pub fn of(model: Model, own_pmu: &'static str) -> Self {
        let mut by_identity = HashMap::new();
        let mut bits = Vec::new();
        for event in model.events().filter(|event| event.pmu() == own_pmu) {
            let name = event.name().to_ascii_lowercase();
            let identity = Counted::of(&name, own_pmu, [model, model]).identity;
            let mask = mask(&identity).filter(|mask| mask.is_power_of_two());
            if name.starts_with(BY_BITS)
                && let Some(bit) = mask
            {
                bits.push((bit, event.name()));
            }
            by_identity.entry(identity).or_insert(name);
        }
        Spellings { model, pmu: own_pmu, by_identity: RefCell::new(by_identity), bits }
    }

    /// The count of an identifier of either side.
    pub fn operand(&self, identifier: &str, counts: &Counts<'_>) -> EventValue {
        let counted = Counted::of(identifier, self.pmu, [self.model, self.model]);
        if counted.name.starts_with(BY_BITS)
            && let Some(mask) = mask(&counted.identity)
        {
            let of_bit = |&(bit, name): &(u64, &str)| {
                if mask & bit == 0 { 0.0 } else { counts.operand(name, self.pmu).value() }
            };
            return self.bits.iter().map(of_bit).sum::<f64>().into();
        }
        let mut known = self.by_identity.borrow_mut();
        let spelling = known.entry(counted.identity).or_insert_with(|| identifier.to_owned());
        counts.operand(spelling, self.pmu)
    }
}

fn mask(identity: &str) -> Option<u64> {
    let rest = identity.split_once("\"umask\": \"")?.1;
    rest.split_once('"')?.0.parse().ok()
}
