//! Call chains as lines, for flame graphs.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::report::tree::{ROOT, Tree};

pub(super) fn write(out: &mut impl Write, tree: &Tree) -> io::Result<()> {
    // Functions of the same name are one here, whichever file they are in.
    let mut chains: BTreeMap<String, u64> = BTreeMap::new();
    for (n, node) in tree.nodes.iter().enumerate().filter(|(_, node)| node.samples > 0) {
        let mut names = Vec::new();
        let mut at = n as u32;
        while at != ROOT {
            names.push(without_separators(&tree.label_of(at).name));
            at = tree.nodes[at as usize].above;
        }
        names.reverse();
        *chains.entry(names.join(";")).or_default() += node.samples;
    }
    chains.iter().try_for_each(|(chain, samples)| writeln!(out, "{chain} {samples}"))
}

fn without_separators(name: &str) -> String {
    name.replace(';', ":").replace(['\n', '\t'], " ")
}
