//! For which CPUs models were made, and the models of CPUs that no row of the map file
//! matches.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use pmu_events_compiler::hint;
use pmu_events_core::__private::cpuid::MatchRule;

use crate::arch::{Arch, Cpus};
use crate::cpus::{FALLBACK, MADE, read};
use crate::json::File;
use crate::layers;
use crate::problem::{Place, Problems};
use crate::record::Keep;
use crate::tree;

/// The directory of an overlay with models of our own.
pub const MODELS: &str = "models";

/// The source of what the map file says itself.
const ROW: &str = "the row of the map file";

/// Adds the models of our own, which no source has, and what the overlay says of the
/// CPUs of all models. A model that it does not name was made for the CPUs of its rows
/// in the map file, as far as these are not open-ended.
pub(crate) fn add(arch: &mut Arch, overlay: &Path, problems: &mut Problems) {
    let models = overlay.join(MODELS);
    if models.is_dir() {
        let shown = models.to_string_lossy();
        layers::replace(arch, tree::read(&models, &shown, Keep::Facts, problems));
    }
    let mut made = of_overlay(arch, &overlay.join(MADE), problems);
    arch.fallbacks = of_overlay(arch, &overlay.join(FALLBACK), problems);
    let stated: HashSet<&str> = made.iter().map(|row| row.directory.as_str()).collect();
    let rule = MatchRule::of_arch(&arch.name);
    let rows = arch.rows.iter().filter(|row| !stated.contains(row.directory.as_str()));
    let closed = rows.filter(|row| is_closed(rule, &row.pattern)).map(|row| Cpus {
        pattern: row.pattern.clone(),
        directory: row.directory.clone(),
        source: ROW.to_owned(),
    });
    let closed: Vec<Cpus> = closed.collect();
    made.extend(closed);
    made.sort_by(|a, b| a.directory.cmp(&b.directory));
    arch.cpus = made;
}

/// Whether a row names certain CPUs. For arm64 it names the earliest of its core, and
/// nothing says yet that later ones are known.
fn is_closed(rule: MatchRule, pattern: &str) -> bool {
    rule == MatchRule::Arm64
        || !pattern.contains(['*', '+', '.', '?', '{']) && !pattern.contains("[:")
}

/// The rows of a file of the overlay, which name models.
fn of_overlay(arch: &Arch, path: &Path, problems: &mut Problems) -> Vec<Cpus> {
    let Ok(text) = fs::read_to_string(path) else {
        return Vec::new();
    };
    let file = File::new(&path.to_string_lossy(), &text);
    let mut known: BTreeMap<(String, String), Place> = BTreeMap::new();
    let mut rows = Vec::new();
    for (place, row) in read(&file, problems) {
        if !arch.models().any(|model| model == row.directory) {
            let hint = hint(&row.directory, arch.models());
            let message = format!("`{}` is no model of {}{hint}", row.directory, arch.name);
            problems.error(place, message);
            continue;
        }
        let key = (row.directory.clone(), row.pattern.clone());
        if let Some(first) = known.get(&key) {
            problems.error(place, format!("the same row is in {first}"));
            continue;
        }
        known.insert(key, place);
        rows.push(row);
    }
    rows
}

/// The models of which nothing says for which CPUs they were made.
#[must_use]
pub fn unstated(arch: &Arch) -> Vec<&str> {
    let stated: HashSet<&str> =
        arch.cpus.iter().chain(&arch.fallbacks).map(|row| row.directory.as_str()).collect();
    let rows = arch.rows.iter().map(|row| row.directory.as_str());
    let mut unstated: Vec<&str> = rows.filter(|directory| !stated.contains(directory)).collect();
    unstated.sort_unstable();
    unstated.dedup();
    unstated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_of_our_own_bring_their_rows_and_sources() {
        let overlay =
            std::env::temp_dir().join(format!("pmu-events-models-{}", std::process::id()));
        for (file, text) in [
            ("models/mapfile.csv", "Family-model,Version,Filename,EventType\n1,v1,v/m,core\n"),
            ("models/sources.csv", "Directory,Source,Version,Date\nv/m,List,2,2026-06-22\n"),
            ("models/v/m/core.json", r#"[{"EventName": "a", "EventCode": "1"}]"#),
        ] {
            let path = overlay.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut arch = Arch { name: "riscv".to_owned(), ..Arch::default() };
        let mut problems = Problems::default();
        // The second time, the tree has the model already.
        for _ in 0..2 {
            add(&mut arch, &overlay, &mut problems);
            let rows: Vec<_> =
                arch.rows.iter().map(|row| (&*row.pattern, &*row.directory)).collect();
            assert_eq!(rows, [("1", "v/m")]);
            assert_eq!(arch.records("v/m").count(), 1);
            assert_eq!(arch.origins["v/m"].source, "List");
        }
        fs::remove_dir_all(&overlay).unwrap();
        assert!(problems.errors.is_empty());
    }

    #[test]
    fn open_ended_rows() {
        let cases = [
            (MatchRule::X86, "GenuineIntel-6-(97|9A|B7|BA|BF)", true),
            (MatchRule::X86, "GenuineIntel-6-55-[01234]", true),
            (MatchRule::X86, "AuthenticAMD-26-[[:xdigit:]]+", false),
            (MatchRule::X86, "AuthenticAMD-25-([245][[:xdigit:]]|[[:xdigit:]])", false),
            (MatchRule::Arm64, "0x00000000410fd0c0", true),
            (MatchRule::Whole, "0x004e[[:xdigit:]]{4}", false),
            (MatchRule::Whole, "0x5b7-0x0-0x0", true),
            (MatchRule::Whole, "^IBM.393[12].*$", false),
        ];
        for (rule, pattern, expected) in cases {
            assert_eq!(is_closed(rule, pattern), expected, "{pattern}");
        }
    }
}
