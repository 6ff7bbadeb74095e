//! Automata as bytes.

use std::collections::BTreeMap;

use super::limit::{PATTERNS, fit};
use crate::validate::pattern::Machine;

/// Writes the layout that the head of `pmu_events_core::__private::Automaton`'s
/// module shows.
pub(super) fn pack(machine: &Machine) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    out.extend(fit::<_, u16>(machine.classes, PATTERNS)?.to_le_bytes());
    out.extend(fit::<_, u16>(machine.len() + 1, PATTERNS)?.to_le_bytes());
    out.extend(&machine.class_of);
    for class in 0..machine.classes {
        // State 0 leads only to itself.
        out.extend(0u16.to_le_bytes());
        for to in machine.next.iter().skip(class).step_by(machine.classes) {
            // One that is dead is followed by 0.
            out.extend(to.wrapping_add(1).to_le_bytes());
        }
    }
    let mut lists: Vec<u32> = vec![0];
    let mut starts: BTreeMap<&[u32], u32> = BTreeMap::from([(&[][..], 0)]);
    out.extend(0u32.to_le_bytes());
    for accepts in &machine.accepts {
        let start = match starts.get(&accepts[..]) {
            Some(&start) => start,
            None => {
                let start = fit(lists.len(), PATTERNS)?;
                starts.insert(accepts, start);
                lists.push(fit(accepts.len(), PATTERNS)?);
                lists.extend(accepts);
                start
            }
        };
        out.extend(start.to_le_bytes());
    }
    lists.iter().for_each(|number| out.extend(number.to_le_bytes()));
    Ok(out)
}
