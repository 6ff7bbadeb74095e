//! Call chains as lines, for flame graphs.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::profile::modules::Modules;
use crate::profile::reading::{Frame, Taken};
use crate::report::shares::module;

/// Call chains, and how often each was sampled.
#[derive(Default)]
pub(super) struct Folded {
    chains: BTreeMap<String, u64>,
}

impl Folded {
    pub(super) fn add(&mut self, modules: &Modules, taken: &Taken) {
        let mut chain = without_separators(&taken.name);
        for frame in taken.frames.iter().rev() {
            for name in names(modules, frame) {
                chain.push(';');
                chain.push_str(&without_separators(&name));
            }
        }
        *self.chains.entry(chain).or_default() += 1;
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.chains.iter().try_for_each(|(chain, samples)| writeln!(out, "{chain} {samples}"))
    }
}

/// The functions of a frame, from the outermost inwards.
fn names(modules: &Modules, frame: &Frame) -> Vec<String> {
    let own = match &frame.symbol {
        Some((name, _)) => name.to_string(),
        None => format!("[{}]", module(modules, frame).trim_matches(['[', ']'])),
    };
    let inlined = frame.found.places.len().saturating_sub(1);
    let inlined = frame.found.places[..inlined].iter().rev();
    let inlined = inlined.map(|place| place.function.as_deref().unwrap_or("[unknown]").to_owned());
    std::iter::once(own).chain(inlined).collect()
}

fn without_separators(name: &str) -> String {
    name.replace(';', ":").replace(['\n', '\t'], " ")
}
