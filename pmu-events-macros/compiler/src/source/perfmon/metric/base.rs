//! `BaseFormula`: the same formula by names. It is not compiled, but an unknown
//! name in it shows that the metric is not what its author intended.

use std::collections::HashSet;

use super::name::Pmus;
use crate::faults::{Faults, quoted};
use crate::source::perfmon::value::Value;

/// Words of the grammar, and names that every model has.
const KNOWN: [&str; 8] = ["if", "else", "min", "max", "smt_on", "tsc", "num_cpus", "duration_time"];

/// Warns of names that are neither events nor metrics of the model.
pub(super) fn check(
    base: &Value<'_>,
    metrics: &HashSet<String>,
    events: &Pmus,
    faults: &mut Faults,
) {
    for (at, word) in words(&base.text) {
        let name = word.split(':').next().unwrap_or_default().to_ascii_lowercase();
        let is_known = KNOWN.contains(&&*name)
            || name.starts_with("perf_metrics.")
            || name.ends_with("_energy_status")
            || events.contains_key(&name)
            || metrics.contains(&name);
        if !is_known {
            let message = format!(
                "BaseFormula names {}, which is neither an event nor a metric of this model",
                quoted(word)
            );
            faults.warning(super::within(base, at), message);
        }
    }
}

/// Names with their options, and the place of each; numbers are not names.
fn words(text: &str) -> Vec<(usize, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_.:=".contains(c);
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(is_part) {
        let start = at + start;
        let len = text[start..].find(|c| !is_part(c)).unwrap_or(text.len() - start);
        at = start + len;
        let word = &text[start..at];
        if word.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic()) {
            words.push((start, word));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn names_and_no_numbers() {
        let text = "100 * facets.cut:c1:e1 / tma_info_clock + 1e9*( _smt if 0.5 >= b else 2 )";
        let found: Vec<&str> = words(text).into_iter().map(|(_, word)| word).collect();
        assert_eq!(found, ["facets.cut:c1:e1", "tma_info_clock", "_smt", "if", "b", "else"]);
    }
}
