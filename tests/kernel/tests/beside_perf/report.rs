//! What differs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pmu_events_kernel_comparison::beside::differences::Differences;

use crate::{say, seed, version};

/// How many differences are shown.
const MOST_SHOWN: usize = 40;

/// Collects what differs: one example for each way and shortest question.
pub struct Report {
    differences: Differences,
    wrong: BTreeMap<(String, String), (String, usize)>,
    pub asked: usize,
    /// Questions to which both have an answer that is no refusal.
    pub answered: usize,
}

impl Report {
    pub fn of(what: &str) -> Self {
        let differences = Differences::of(version(), what);
        Report { differences, wrong: BTreeMap::new(), asked: 0, answered: 0 }
    }

    /// Whether a difference is deliberate; it is noted if not.
    pub fn is_deliberate(
        &mut self,
        how: &str,
        short: &str,
        example: impl FnOnce() -> String,
    ) -> bool {
        let is_deliberate = self.differences.has(how, short);
        if !is_deliberate {
            let key = (how.to_owned(), short.to_owned());
            self.wrong.entry(key).or_insert_with(|| (example(), 0)).1 += 1;
        }
        is_deliberate
    }

    /// Ends the test; `differ` says how answers to an example differ.
    pub fn judge(self, what: &str, differ: impl FnMut(&str) -> Vec<String>) {
        let count: usize = self.wrong.values().map(|(_, count)| count).sum();
        say(&format!(
            "beside perf of {}, seed {}: {} {what}, {} with an answer, deliberate differences: {}, \
             others: {count}",
            version(),
            seed(),
            self.asked,
            self.answered,
            self.differences.used(),
        ));
        let mut text = String::new();
        for ((how, short), (example, count)) in self.wrong.iter().take(MOST_SHOWN) {
            let _ = writeln!(text, "{how}\t{short}\t({count} times)\n{example}");
        }
        assert!(text.is_empty(), "{count} differences:\n{text}");
        let outdated = self.differences.outdated(differ);
        assert!(outdated.is_empty(), "examples that do not differ so: {outdated:#?}");
    }
}
