//! The names of statics, derived from directories.

use std::collections::BTreeMap;

use pmu_events_core::__private::wire::StrRef;

use crate::assemble::tree::Tree;
use crate::faults::{Faults, quoted};
use crate::files::Files;

/// The static of a directory: `arm/neoverse-n1` is `ARM_NEOVERSE_N1`, its sys
/// table `ARM_NEOVERSE_N1_SYS`.
pub(crate) fn static_name(directory: &str, sys: bool) -> String {
    let mut name: String = directory
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' })
        .collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if name.bytes().all(|b| b == b'_') {
        name.insert_str(0, "MODEL"); // A name of nothing but `_` names nothing.
    }
    if sys {
        name.push_str("_SYS");
    }
    if name == "TREE" {
        name.push('_');
    }
    name
}

/// Two directories must not become one static.
pub(super) fn check(tree: &Tree<'_>, files: &Files, faults: &mut Faults) {
    let mut known: BTreeMap<String, &str> = BTreeMap::new();
    for table in &tree.tables {
        let directory = &table.directory;
        if directory.path.len() > StrRef::MAX_LEN {
            let path = format!("{}/{}", files.root, directory.path);
            faults.error_at_path(&path, "the name of the model is longer than 255 bytes");
        }
        let name = static_name(&directory.name, directory.sys);
        if let Some(other) = known.get(&name) {
            faults.error_at_path(
                &format!("{}/{}", files.root, directory.name),
                format!("becomes the static `{name}`, as does {}; rename one", quoted(other)),
            );
        } else {
            known.insert(name, &directory.name);
        }
    }
    for table in &tree.tables {
        for former in tree.former_names(table) {
            let name = static_name(&former.name, table.directory.sys);
            if let Some(other) = known.get(&name) {
                let message = format!("becomes the static `{name}`, as does {}", quoted(other));
                faults.error(former.place, format!("{} {message}", quoted(&former.name)));
            } else {
                known.insert(name, &former.name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let cases = [
            ("silvermont", false, "SILVERMONT"),
            ("arm/neoverse-n1", false, "ARM_NEOVERSE_N1"),
            ("arm/cmn", true, "ARM_CMN_SYS"),
            ("9000", false, "_9000"),
            ("tree", false, "TREE_"),
            ("-", false, "MODEL_"),
            ("\u{e4}", false, "MODEL_"),
        ];
        for (directory, sys, expected) in cases {
            assert_eq!(static_name(directory, sys), expected);
        }
    }
}
