//! Random patterns of map files, and CPUIDs that nearly match them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use pmu_events::__private::cpuid::{MatchRule, Midr};
use pmu_events_compiler::{Compiled, Options, Source, Unknown, compile};
use pmu_events_core::__private::wire::Wire;

use super::random::Random;

/// A part of an expression.
#[derive(Clone, Debug)]
enum Part {
    /// Characters that stand for themselves.
    Text(String),
    /// An expression for one character, with some that it matches.
    Set(&'static str, &'static str),
    Either(Vec<Part>),
    Sequence(Vec<Part>),
    /// With the sign behind it, and how often at least and at most.
    Repeat(Box<Part>, &'static str, usize, usize),
    /// `^` or `$`.
    Anchor(&'static str),
}

const SETS: &[(&str, &str)] = &[
    (".", "0AZ-"),
    ("[0-9]", "059"),
    ("[0-9A-F]", "0F"),
    ("[[:xdigit:]]", "0fF"),
    ("[[:digit:]]", "07"),
    ("[[:alpha:]]", "aZ"),
    ("[[:alnum:]]", "a9"),
    ("[[:upper:]]", "AQ"),
    ("[[:space:]]", " "),
    ("[[:punct:]]", "-."),
    ("[^0-4]", "5A-"),
    ("[^-]", "0A"),
    ("[]A]", "]A"),
    ("[A-]", "A-"),
    ("[5-7C]", "56C"),
    ("\\.", "."),
    ("\\(", "("),
];
const VENDORS: &[&str] = &["GenuineIntel", "AuthenticAMD", "HygonGenuine", "CentaurHauls"];
const REPEATS: &[(&str, usize, usize)] = &[
    ("*", 0, 3),
    ("+", 1, 3),
    ("?", 0, 1),
    ("{2}", 2, 2),
    ("{1,2}", 1, 2),
    ("{1,}", 1, 3),
    ("{0,2}", 0, 2),
];

impl Part {
    fn random(random: &mut Random, depth: usize) -> Part {
        let kind =
            if depth == 0 { random.below(2) } else { random.weighted(&[35, 25, 12, 15, 10, 2]) };
        let some = |random: &mut Random| -> Vec<Part> {
            (0..1 + random.below(3)).map(|_| Part::random(random, depth - 1)).collect()
        };
        match kind {
            0 => {
                let digits = ["6", "8F", "55", "A", "-", "97", "25", "4", "0", "1"];
                Part::Text(random.one(&digits).to_owned())
            }
            1 => {
                let (text, some) = *random.of(SETS);
                Part::Set(text, some)
            }
            2 => Part::Either(some(random)),
            3 => Part::Sequence(some(random)),
            4 => {
                let (sign, least, most) = *random.of(REPEATS);
                Part::Repeat(Box::new(Part::random(random, depth - 1)), sign, least, most)
            }
            _ => Part::Anchor(random.one(&["^", "$"])),
        }
    }

    /// A row: vendor, family, model and perhaps stepping, or anything.
    fn row(random: &mut Random) -> Part {
        if random.percent(15) {
            return Part::random(random, 3);
        }
        let mut parts = vec![Part::Text(random.one(VENDORS).to_owned())];
        for _ in 0..2 + random.weighted(&[60, 40]) {
            parts.push(Part::Text("-".into()));
            parts.push(Part::random(random, 2));
        }
        if random.percent(5) {
            parts.push(Part::Anchor("$"));
        }
        Part::Sequence(parts)
    }

    fn write(&self, text: &mut String) {
        match self {
            Part::Text(characters) => text.push_str(characters),
            Part::Set(expression, _) => text.push_str(expression),
            Part::Anchor(sign) => text.push_str(sign),
            Part::Either(parts) => {
                for (n, part) in parts.iter().enumerate() {
                    text.push(if n == 0 { '(' } else { '|' });
                    part.write(text);
                }
                text.push(')');
            }
            Part::Sequence(parts) => parts.iter().for_each(|part| part.write(text)),
            Part::Repeat(part, sign, ..) => {
                let is_one = matches!(**part, Part::Set(..));
                text.push_str(if is_one { "" } else { "(" });
                part.write(text);
                text.push_str(if is_one { "" } else { ")" });
                text.push_str(sign);
            }
        }
    }

    /// A text that it matches, but for anchors.
    fn sample(&self, random: &mut Random, text: &mut String) {
        match self {
            Part::Text(characters) => text.push_str(characters),
            Part::Set(_, some) => {
                text.extend(some.chars().nth(random.below(some.len())));
            }
            Part::Anchor(_) => {}
            Part::Either(parts) => random.of(parts).sample(random, text),
            Part::Sequence(parts) => parts.iter().for_each(|part| part.sample(random, text)),
            Part::Repeat(part, _, least, most) => {
                for _ in 0..least + random.below(most - least + 1) {
                    part.sample(random, text);
                }
            }
        }
    }
}

/// Rows of a map file, and CPUIDs to ask for.
#[derive(Debug)]
pub struct Case {
    /// How rows are held against CPUIDs.
    pub rule: MatchRule,
    /// The rows' patterns.
    pub rows: Vec<String>,
    /// The CPUIDs.
    pub ids: Vec<String>,
}

/// The name of a rule in questions.
#[must_use]
pub fn name(rule: MatchRule) -> &'static str {
    match rule {
        MatchRule::X86 => "x86",
        MatchRule::Arm64 => "arm64",
        MatchRule::Whole => "generic",
        _ => panic!("perf has no other rule"),
    }
}

/// The rule of a name.
///
/// # Panics
///
/// When there is none of that name.
#[must_use]
pub fn rule(written: &str) -> MatchRule {
    let rule = [MatchRule::X86, MatchRule::Arm64, MatchRule::Whole]
        .into_iter()
        .find(|&rule| name(rule) == written);
    rule.unwrap_or_else(|| panic!("there is no rule {written}"))
}

impl Case {
    /// A few rows, and CPUIDs made of them.
    pub fn random(random: &mut Random) -> Case {
        match random.weighted(&[60, 15, 25]) {
            0 => Case::of_expressions(random, MatchRule::X86),
            1 => Case::of_midrs(random),
            _ => Case::of_expressions(random, MatchRule::Whole),
        }
    }

    fn of_expressions(random: &mut Random, rule: MatchRule) -> Case {
        let parts: Vec<Part> = (0..1 + random.below(6)).map(|_| Part::row(random)).collect();
        let mut ids = Vec::new();
        for part in &parts {
            for _ in 0..4 {
                let mut id = String::new();
                part.sample(random, &mut id);
                match random.weighted(&[40, 30, 15, 5]) {
                    0 => {}
                    1 => id.push_str(random.one(&["-4", "-A", "-", "-10", "-4-1"])),
                    2 if !id.is_empty() => {
                        let at = random.below(id.len());
                        id.replace_range(at..=at, random.one(&["0", "-", "", "AB", "f"]));
                    }
                    _ => id.insert(0, 'x'),
                }
                ids.push(id);
            }
        }
        let text = |part: &Part| {
            let mut text = String::new();
            part.write(&mut text);
            text
        };
        // The same text twice, with anchors or without, is found once.
        let mut known = BTreeSet::new();
        let mut rows: Vec<String> = parts.iter().map(text).collect();
        rows.retain(|row| known.insert(row.trim_matches(['^', '$']).to_owned()));
        Case { rule, rows, ids }
    }

    fn of_midrs(random: &mut Random) -> Case {
        let midr = |random: &mut Random| {
            let parts = ["410fd0c", "411fd40", "480fd01", "41ff84f", "000000f"];
            let mut midr = format!("0x00000000{}{}", random.one(&parts), random.below(10));
            if random.percent(40) {
                let variant = format!("{:x}", random.below(16));
                midr.replace_range(12..13, &variant);
            }
            if random.percent(10) {
                midr = midr.to_uppercase().replace("0X", "0x");
            }
            midr
        };
        let rows = (0..1 + random.below(4)).map(|_| midr(random)).collect();
        let ids = (0..8).map(|_| midr(random)).collect();
        Case { rule: MatchRule::Arm64, rows, ids }
    }
}

/// Rows, compiled as a tree.
pub struct Rows {
    /// For each row its number in the tree; `None` for those that are refused.
    numbers: Vec<Option<u32>>,
    compiled: Option<Compiled>,
    midrs: Option<Vec<Option<Midr>>>,
}

impl Rows {
    /// Compiles rows, by way of a tree in `directory`. Those that are refused
    /// are left out.
    ///
    /// # Panics
    ///
    /// When the directory cannot be written, and where a tree is refused for
    /// anything but its rows.
    #[must_use]
    pub fn new(rule: MatchRule, rows: &[String], directory: &Path) -> Rows {
        if rule == MatchRule::Arm64 {
            let midrs = rows.iter().map(|row| Midr::parse(row).ok()).collect();
            return Rows { numbers: Vec::new(), compiled: None, midrs: Some(midrs) };
        }
        let mut refused = BTreeSet::new();
        while refused.len() < rows.len() {
            let kept = rows.iter().enumerate().filter(|(place, _)| !refused.contains(place));
            let places: Vec<usize> = kept.map(|(place, _)| place).collect();
            let kept: Vec<&str> = places.iter().map(|&place| &*rows[place]).collect();
            match tree(rule, &kept, directory) {
                Ok(compiled) => {
                    let number = |place| places.iter().position(|kept| *kept == place);
                    let number = |place| number(place).map(|n| u32::try_from(n).expect("a few"));
                    let numbers = (0..rows.len()).map(number).collect();
                    return Rows { numbers, compiled: Some(compiled), midrs: None };
                }
                Err(lines) => refused.extend(lines.into_iter().map(|line| places[line])),
            }
        }
        Rows { numbers: vec![None; rows.len()], compiled: None, midrs: None }
    }

    /// Whether a row matches a CPUID; `None` where the row is refused.
    ///
    /// # Panics
    ///
    /// When the compiler's tables cannot be read.
    #[must_use]
    pub fn matches(&self, row: usize, id: &str) -> Option<bool> {
        if let Some(midrs) = &self.midrs {
            let (row, id) = (midrs[row]?, Midr::parse(id).ok()?);
            return Some(row.part() == id.part() && row.version() <= id.version());
        }
        let (number, compiled) = (self.numbers[row]?, self.compiled.as_ref()?);
        let wire = Wire::read(&compiled.strings, &compiled.tables).expect("it has been compiled");
        Some(wire.cpuids().matching(id).contains(number))
    }
}

/// A tree whose map file has these patterns; else the places of those that are
/// refused.
fn tree(rule: MatchRule, patterns: &[&str], directory: &Path) -> Result<Compiled, Vec<usize>> {
    let mut rows = String::from("pattern,version,directory,type\n");
    for pattern in patterns {
        rows += &format!("\"{pattern}\",v1,m,core\n");
    }
    let events = r#"[{ "EventName": "e", "EventCode": "1" }]"#;
    let written = fs::create_dir_all(directory.join("m"))
        .and_then(|()| fs::write(directory.join("m/events.json"), events))
        .and_then(|()| fs::write(directory.join("mapfile.csv"), rows));
    written.unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut options = Options::default();
    options.unknown = Unknown::Allow;
    options.arch = Some(if rule == MatchRule::X86 { "x86" } else { "s390" }.to_owned());
    compile(&Source::read(directory, "rows", &options), &options).map_err(|refused| {
        let faults = refused.errors.faults().iter();
        let lines = faults.map(|fault| match fault.position {
            Some((line, _)) if fault.path.ends_with("mapfile.csv") && line >= 2 => line - 2,
            _ => panic!("{fault}"),
        });
        lines.collect()
    })
}
