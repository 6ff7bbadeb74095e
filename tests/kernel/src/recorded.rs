//! What perf answered, recorded: `cases/attributes/lists.txt` has event strings and what is
//! opened of them by perf of Linux 6.12, and `lists-7.3.txt` those of which that of 7.3 opens
//! something else, and generic names.

use std::fmt;

use crate::NEWEST;
use crate::attributes::as_newest;

/// What perf answers to an event string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// A made-up machine.
    pub machine: &'static str,
    /// The event string.
    pub text: &'static str,
    /// A line for each event, or `refused`.
    pub answer: Vec<String>,
}

impl Case {
    fn is_of(&self, other: &Case) -> bool {
        (self.machine, self.text) == (other.machine, other.text)
    }
}

/// As it stands in the file.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case { machine, text, answer } = self;
        match &answer[..] {
            [refused] if refused == "refused" => writeln!(f, "{machine}\t{text}\trefused"),
            lines => writeln!(f, "{machine}\t{text}\n{}", lines.join("\n")),
        }
    }
}

/// All cases for a version of perf. Those for Linux 7.3 that were recorded of 6.12 are without
/// what 7.3 has otherwise in nearly every answer.
#[must_use]
pub fn of(version: &str) -> Vec<Case> {
    if version != NEWEST {
        return read(include_str!("../cases/attributes/lists.txt"));
    }
    let later = read(include_str!("../cases/attributes/lists-7.3.txt"));
    let alike = older().into_iter().filter(|case| !later.iter().any(|later| later.is_of(case)));
    alike.chain(later.iter().cloned()).collect()
}

/// Those of 6.12, without what 7.3 has otherwise in nearly every answer.
fn older() -> Vec<Case> {
    let all = of("6.12").into_iter();
    all.map(|case| Case { answer: as_newest(&case.answer), ..case }).collect()
}

/// The cases that belong into the file of a version, as it is written.
#[must_use]
pub fn file(version: &str, cases: &[Case]) -> String {
    let before = if version == NEWEST { older() } else { Vec::new() };
    cases.iter().filter(|case| !before.contains(case)).map(Case::to_string).collect()
}

fn read(text: &'static str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        if line.starts_with('\t') {
            let case = cases.last_mut().expect("a case stands before its attributes");
            case.answer.push(line.to_owned());
            continue;
        }
        let mut parts = line.split('\t');
        let mut part = || parts.next();
        let (Some(machine), Some(text)) = (part(), part()) else { panic!("no case: {line}") };
        cases.push(Case { machine, text, answer: part().map(str::to_owned).into_iter().collect() });
    }
    cases
}
