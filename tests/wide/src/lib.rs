//! Look-ups in `const`, in a tree with more events than two bytes can number,
//! on machines whose `usize` has 32 bits: see `run`.

#![no_std]

mod wide {
    pmu_events::pmu_events!("$WIDE_TREE", text = none);
}

const _: () = assert!(matches!(wide::SOC.require("E65999").event_string().len(), 13));
// Where no event has a name, its slot has a number that no event has.
const _: () = {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"];
    let mut n = 0;
    while n < names.len() {
        assert!(wide::SOC.event(names[n]).is_none());
        n += 1;
    }
};
const _: () = assert!(wide::model("soc").is_some() && wide::model("other").is_none());
