//! Patterns of map files: which CPUIDs they match.

use pmu_events_kernel_comparison::beside::patterns::{self, Case, Rows};
use pmu_events_kernel_comparison::beside::perf::Perf;
use pmu_events_kernel_comparison::beside::random::Random;

use crate::machines::Machine;
use crate::report::Report;
use crate::{count_of_questions, program, seed};

/// How answers to a rule, a pattern and a CPUID differ.
fn matches_differ(ours: Option<bool>, perf: &mut Perf, question: &str) -> Option<String> {
    let answer = perf.ask(&format!("pattern\t{}", question.replacen(' ', "\t", 2)));
    let theirs = answer.and_then(|lines| lines.into_iter().next());
    match (ours, theirs.as_deref()) {
        (_, None) => Some("perf dies".into()),
        (Some(ours), Some(theirs)) if ours == (theirs == "yes") => None,
        (Some(true), _) => Some("perf does not match".into()),
        (Some(false), _) => Some("only perf matches".into()),
        (None, Some("yes")) => Some("refused here".into()),
        (None, Some(_)) => None,
    }
}

#[test]
fn patterns_of_map_files() {
    let mut report = Report::of("pattern");
    let machine = Machine::empty();
    let mut perf = Perf::on(program(), &machine.sysfs(), "none");
    let mut random = Random::new(seed(), "patterns");
    for _ in 0..count_of_questions() {
        let Case { rule, rows, ids } = Case::random(&mut random);
        let compiled = Rows::new(rule, &rows, machine.root());
        for (number, row) in rows.iter().enumerate() {
            for id in &ids {
                report.asked += 1;
                let ours = compiled.matches(number, id);
                report.answered += usize::from(ours == Some(true));
                let question = format!("{} {row} {id}", patterns::name(rule));
                if let Some(how) = matches_differ(ours, &mut perf, &question) {
                    report.is_deliberate(&how, &question, || format!("    among {rows:?}"));
                }
            }
        }
    }
    report.judge("patterns and CPUIDs", |question| {
        let mut parts = question.split(' ');
        let rule = patterns::rule(parts.next().expect("a rule comes first"));
        let row = parts.next().expect("a pattern follows").to_owned();
        let id = parts.next().expect("a CPUID is the last");
        let ours = Rows::new(rule, &[row], machine.root()).matches(0, id);
        matches_differ(ours, &mut perf, question).into_iter().collect()
    });
}
