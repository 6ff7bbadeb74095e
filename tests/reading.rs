//! The readings of descriptions: `reading/README.md` has the rates that the recorded verdicts make.

use std::collections::{BTreeMap, BTreeSet};

const README: &str = include_str!("reading/README.md");
const VERDICTS: &str = include_str!("reading/verdicts.csv");

/// The readings whose verdicts are recorded, by the seed of their sample.
const READINGS: [(&str, &str); 3] = [("35", "ninth"), ("36", "tenth"), ("37", "eleventh")];

/// `wrong`, `partly wrong` and `caveat missing` of each group of strata, after how many
/// sentences there are.
#[derive(Default)]
struct Rates {
    sentences: usize,
    found: [usize; 3],
}

#[test]
fn rates_are_those_of_the_verdicts() {
    for (seed, reading) in READINGS {
        check(seed, reading);
    }
}

fn check(seed: &str, reading: &str) {
    let mut groups: BTreeMap<&str, Rates> = BTreeMap::new();
    let mut known = BTreeSet::new();
    for line in VERDICTS.lines().skip(1) {
        let row: Vec<&str> = line.splitn(7, ',').collect();
        let [of_seed, stratum, _, model, name, verdict, reason] = row[..] else {
            panic!("seven columns: {line}")
        };
        assert!(READINGS.iter().any(|(known, _)| *known == of_seed), "{line}");
        if of_seed != seed {
            continue;
        }
        assert!(known.insert((model, name)), "{line}");
        let is_right = verdict == "right";
        assert_eq!(reason.is_empty(), is_right, "{line}");
        let group = match stratum {
            "metrics" => "metrics",
            _ if stratum.starts_with("x86 ") => "events, x86",
            _ => "events, elsewhere",
        };
        for rates in [group, "all"] {
            let rates = groups.entry(rates).or_default();
            rates.sentences += 1;
            let kinds = ["wrong", "partly wrong", "caveat missing"];
            match kinds.iter().position(|kind| *kind == verdict) {
                Some(kind) => rates.found[kind] += 1,
                None => assert!(is_right, "{line}"),
            }
        }
    }
    assert_eq!(known.len(), 600);
    for (group, Rates { sentences, found }) in groups {
        let percent = found.map(|n| format!("{:.1} %", 100.0 * n as f64 / sentences as f64));
        let row = format!("| {reading} | {group} | {sentences} | {} |", percent.join(" | "));
        assert!(README.contains(&row), "not in the README: {row}");
    }
}
