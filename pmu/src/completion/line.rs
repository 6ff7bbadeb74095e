//! The CPU that a command line is about, as far as the line is written.

use std::env;

use pmu_events::event::Encoding;

use crate::subject;
use crate::system;
use crate::trees::{Table, Trees};

/// The trees of the program. A tree of a directory would be compiled at each key.
pub(super) fn trees() -> Option<&'static Trees> {
    Trees::new(None, Encoding::Correct).ok()
}

/// The tables of the CPU; none if the line selects trees, which would have to be compiled.
pub(super) fn tables() -> Vec<Table> {
    let words: Vec<String> = env::args().skip(2).collect();
    of(&words)
}

fn of(words: &[String]) -> Vec<Table> {
    let Some(trees) = trees().filter(|_| value(words, "--tree").is_none()) else {
        return Vec::new();
    };
    let found = match (value(words, "--model"), value(words, "--cpuid")) {
        (Some(model), _) => subject::named(trees, model),
        (None, Some(cpuid)) => subject::of_cpu(trees, cpuid),
        (None, None) => {
            system::machine(trees, None).and_then(|machine| subject::of_host(trees, &machine))
        }
    };
    found.unwrap_or_default()
}

/// The last value of an option.
fn value<'w>(words: &'w [String], option: &str) -> Option<&'w str> {
    let joined = |word: &'w String| word.strip_prefix(option)?.strip_prefix('=');
    let mut values = words.iter().enumerate().filter_map(|(n, word)| {
        let next = || words.get(n + 1).map(String::as_str);
        joined(word).or_else(|| if word == option { next() } else { None })
    });
    values.next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpus_of_lines() {
        let cases: [(&[&str], &[&str]); 6] = [
            (&["pmu", "list", "--model", "silvermont"], &["x86/silvermont"]),
            (&["pmu", "list", "--model=arm/neoverse-n1", "l1"], &["arm64/arm/neoverse-n1"]),
            (&["pmu", "stat", "--cpuid", "GenuineIntel-6-37-8", "-e"], &["x86/silvermont"]),
            (&["pmu", "list", "--model", "silvermont", "--model", "bonnell"], &["x86/bonnell"]),
            (&["pmu", "list", "--model", "nothing"], &[]),
            (&["pmu", "list", "--tree", "arch/test", "--model", "silvermont"], &[]),
        ];
        for (words, expected) in cases {
            let words: Vec<String> = words.iter().map(|&word| word.into()).collect();
            let shown: Vec<String> = of(&words).iter().map(ToString::to_string).collect();
            assert_eq!(shown, expected, "{words:?}");
        }
    }
}
