//! What a place in code is called.

use std::rc::Rc;

use pmu_events::sample::Mode;

use crate::profile::known::{Known, Location};
use crate::report_values::Key;

/// The value of a key that is about code.
pub(super) fn value(key: Key, known: &Known, location: &Location) -> Option<Rc<str>> {
    Some(match key {
        Key::Module => known.module(location),
        Key::Function => function(location),
        Key::Line => match location.places.first().and_then(|place| place.line.as_ref()) {
            Some((file, line)) => Rc::from(format!("{file}:{line}")),
            None => Rc::from("??:0"),
        },
        _ => return None,
    })
}

/// The privilege, as perf's letter.
pub(super) fn level(location: &Location) -> char {
    match location.mode {
        Mode::Kernel => 'k',
        Mode::Hypervisor => 'H',
        Mode::GuestKernel => 'g',
        Mode::GuestUser => 'u',
        _ => '.',
    }
}

/// The function, or the address where none is known, as perf shows it.
pub(super) fn function(location: &Location) -> Rc<str> {
    match &location.symbol {
        Some((name, _)) => name.clone(),
        None => Rc::from(format!("{:#018x}", location.at)),
    }
}

/// The functions of a frame, from the outermost inwards: that of the symbol table, and those that
/// a compiler has put into it.
pub(super) fn functions(known: &Known, location: &Location) -> Vec<Rc<str>> {
    let own = match &location.symbol {
        Some((name, _)) => name.clone(),
        None => Rc::from(format!("[{}]", known.module(location).trim_matches(['[', ']']))),
    };
    let inlined = location.places.len().saturating_sub(1);
    let inlined = location.places[..inlined].iter().rev();
    let inlined = inlined.map(|place| match &place.function {
        Some(name) => name.clone(),
        None => Rc::from("[unknown]"),
    });
    std::iter::once(own).chain(inlined).collect()
}
