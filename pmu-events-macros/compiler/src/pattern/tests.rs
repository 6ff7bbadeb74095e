//! Patterns: by cases, and at random beside a matcher that follows the syntax.

use std::collections::BTreeSet;

use pmu_events_core::cpuid::Rule;
use pmu_events_core::wire::Wire;

use super::expression::{Tree, parse};
use super::{Builder, Use};
use crate::compile;
use crate::options::{Options, Text, Unknown};
use crate::random::{self, Random};
use crate::source::Role;

/// A tree whose map file has these patterns, through the whole compiler.
fn tree(patterns: &[&str], rule: Rule) -> Result<(String, Vec<u8>), String> {
    let mut source = random::soc();
    source.files.retain(|file| file.role == Role::Map || file.path.ends_with("later/metrics.json"));
    let mut rows = String::from("pattern,version,directory,type\n");
    for pattern in patterns {
        rows += &format!("\"{}\",v1,test_soc/later,core\n", pattern.replace('"', "\"\""));
    }
    for file in &mut source.files {
        file.text = match file.role {
            Role::Map => rows.clone(),
            _ => r#"[{"EventName":"e","EventCode":"1"}]"#.to_owned(),
        };
    }
    let arch = if rule == Rule::X86 { "x86" } else { "s390" };
    let options = Options {
        text: Text::None,
        unknown: Unknown::Allow,
        arch: Some(arch.to_owned()),
        ..Options::default()
    };
    let compiled = compile(&source, &options).map_err(|refused| refused.errors.to_string())?;
    Ok((compiled.strings, compiled.tables))
}

/// Which rows match a text.
fn matches(patterns: &[&str], rule: Rule, text: &str) -> Vec<usize> {
    let (strings, tables) = tree(patterns, rule).unwrap();
    rows(&Wire::read(&strings, &tables).unwrap(), patterns.len(), text)
}

fn rows(wire: &Wire<'_>, count: usize, text: &str) -> Vec<usize> {
    let matching = wire.cpuids().matching(text);
    let all = (0..).zip(0..count).filter(|&(number, _)| matching.contains(number));
    let all: Vec<usize> = all.map(|(_, place)| place).collect();
    let first = matching.first().map(|number| number as usize);
    assert_eq!(first, all.first().copied(), "{text:?}");
    all
}

#[test]
fn whole_matches() {
    let cases: &[(&str, &str, bool)] = &[
        ("", "", true),
        ("", "a", false),
        ("abc", "abc", true),
        ("abc", "abcd", false),
        ("abc", "xabc", false),
        ("a.c", "abc", true),
        ("a*", "", true),
        ("a*", "aaaa", true),
        ("a+", "", false),
        ("a?b", "b", true),
        ("(a|bc)+", "abcbca", true),
        ("a{2,3}", "a", false),
        ("a{2,3}", "aa", true),
        ("a{2,3}", "aaaa", false),
        ("a{2,}", "aaaaa", true),
        ("a{3}", "aaa", true),
        ("a{0}", "", true),
        ("[abc]", "b", true),
        ("[^abc]", "b", false),
        ("[^abc]", "d", true),
        ("[]a]", "]", true),
        ("[a-]", "-", true),
        ("[[:xdigit:]]+", "deadBEEF09", true),
        ("[[:xdigit:]]+", "g", false),
        ("^abc$", "abc", true),
        ("a^b", "ab", false),
        ("(^a|b)c$", "bc", true),
        ("a$|ab", "ab", true),
        ("a\\.b", "a.b", true),
        ("a\\.b", "axb", false),
        ("$^", "", true),
        ("$^", "a", false),
        ("(a|$)(^|b)", "", true),
        ("(a|$)(^|b)", "ab", true),
        ("^^a$$", "a", true),
        ("a{0}$^b{0}", "", true),
        ("a{0}^$", "", true),
        ("(^|x)(a|$)", "", true),
        ("(a|$)(^b|^)", "", true),
    ];
    for &(pattern, text, expected) in cases {
        let found = matches(&[pattern], Rule::Whole, text);
        assert_eq!(!found.is_empty(), expected, "{pattern:?} on {text:?}");
    }
}

#[test]
fn steppings() {
    let cases: &[(&str, &str, bool)] = &[
        ("V-6-55", "V-6-55-4", true),
        ("V-6-55", "V-6-55", true),
        ("V-6-55", "V-6-55-", true),
        ("V-6-55-[0-4]", "V-6-55-4", false), // Four dashes in its text: no stepping.
        ("V-6-55-[01234]", "V-6-55-4", true),
        ("V-6-55-[01234]", "V-6-55-5", false),
        ("V-6-55-[01234]", "V-6-55", false),
        ("V-6-.*", "V-6-55-4", false), // Its longest match takes the stepping along.
        ("V-6-.*", "V-6-55", true),
        ("V-6-5", "V-6-55-4", false),
        ("V-6-55", "V-6-55-4-1", false),
    ];
    for &(pattern, text, expected) in cases {
        let found = matches(&[pattern], Rule::X86, text);
        assert_eq!(!found.is_empty(), expected, "{pattern:?} on {text:?}");
    }
}

#[test]
fn all_that_match_in_order() {
    let patterns = ["a.*", "b", "ab+", ".*"];
    assert_eq!(matches(&patterns, Rule::Whole, "abb"), [0, 2, 3]);
    assert_eq!(matches(&patterns, Rule::Whole, "b"), [1, 3]);
    assert_eq!(matches(&patterns, Rule::Whole, "c"), [3]);
}

#[test]
fn uses() {
    let cases: &[(&[&str], Rule, &[Use])] = &[
        (&["a.*", "ab"], Rule::Whole, &[Use::First, Use::Hidden]),
        (&["ab", "a.*"], Rule::Whole, &[Use::First, Use::First]),
        (&["a$b"], Rule::Whole, &[Use::Never]),
        (
            &["[01]", "0", "1", "2"],
            Rule::Whole,
            &[Use::First, Use::Hidden, Use::Hidden, Use::First],
        ),
        (&["ab", "b", "ab"], Rule::Whole, &[Use::First, Use::First, Use::Hidden]),
        // With its stepping, a CPUID matches the longer of both rows, too.
        (&["V-6-55-4", "V-6-55"], Rule::X86, &[Use::First, Use::First]),
        (&["V-6-55", "V-6-55-4"], Rule::X86, &[Use::First, Use::Hidden]),
        (&["V-6-5.", "V-6-55", "V-6-60"], Rule::X86, &[Use::First, Use::Hidden, Use::First]),
        // No CPUID with a stepping matches the first.
        (&["V-6-.*", "V-6-55"], Rule::X86, &[Use::First, Use::First]),
        (&["V-6-55(-[0-4])?", "V-6-55"], Rule::X86, &[Use::First, Use::First]),
    ];
    for &(patterns, rule, expected) in cases {
        let mut builder = Builder::new(rule);
        patterns.iter().for_each(|pattern| builder.add(pattern).unwrap());
        let set = builder.build().unwrap_or_else(|_| panic!("{patterns:?}"));
        assert_eq!(set.uses, expected, "{patterns:?}");
    }
}

#[test]
fn faults_have_their_place() {
    let cases: &[(&str, usize)] = &[
        ("a(b", 1),
        ("ab)", 2),
        ("*a", 0),
        ("a|*", 2),
        ("[abc", 0),
        ("a[z-a]", 2),
        ("a{2", 1),
        ("a{3,2}", 1),
        ("a{999}", 1),
        ("[[:hex:]]", 1),
        ("ab\\", 2),
        ("\\d", 0),
        ("^*", 1),
        ("a$+", 2),
        ("a|^{2}", 3),
        ("a**", 2),
        ("a+{2}", 2),
        ("()", 1),
        ("a||b", 2),
        ("|a", 0),
        ("a|", 2),
    ];
    for &(pattern, offset) in cases {
        assert_eq!(parse(pattern).unwrap_err().offset, offset, "{pattern:?}");
    }
}

#[test]
fn what_would_not_end_is_refused() {
    assert!(parse("((a{255}){255}){255}").is_err());
    assert!(parse(&"(".repeat(100)).is_err());
}

/// Where a match of an expression that begins at one of some places may end.
fn ends(tree: &Tree, text: &[u8], from: &BTreeSet<usize>) -> BTreeSet<usize> {
    match tree {
        Tree::Empty => from.clone(),
        Tree::Begin => from.iter().copied().filter(|&at| at == 0).collect(),
        Tree::End => from.iter().copied().filter(|&at| at == text.len()).collect(),
        Tree::Take(bytes) => {
            let taken = from.iter().filter(|&&at| text.get(at).is_some_and(|&c| bytes.contains(c)));
            taken.map(|at| at + 1).collect()
        }
        Tree::Sequence(all) => all.iter().fold(from.clone(), |from, tree| ends(tree, text, &from)),
        Tree::Either(all) => all.iter().flat_map(|tree| ends(tree, text, from)).collect(),
        Tree::Repeat(inner, least, most) => {
            let mut at = from.clone();
            (0..*least).for_each(|_| at = ends(inner, text, &at));
            let mut all = at.clone();
            // More often than there are bytes adds nothing.
            let more = most.map_or(text.len() + 1, |most| usize::from(most - least));
            for _ in 0..more {
                at = ends(inner, text, &at);
                all.extend(&at);
            }
            all
        }
    }
}

fn is_matched(pattern: &str, rule: Rule, text: &str) -> bool {
    let dashes = |text: &str| text.matches('-').count();
    let len = match (rule, dashes(pattern) == 3, dashes(text) == 3) {
        (Rule::X86, true, false) => return false,
        (Rule::X86, false, true) => text.rfind('-').unwrap(),
        _ => text.len(),
    };
    let tree = parse(pattern).unwrap().tree;
    ends(&tree, text.as_bytes(), &BTreeSet::from([0])).last() == Some(&len)
}

/// An expression of few different bytes, so that texts of them are matched.
fn random_pattern(random: &mut Random, depth: usize) -> String {
    const ATOMS: [&str; 12] =
        ["a", "a", "b", "b", "-", "-", ".", "[ab]", "[^a]", "[b-]", "\\-", "[[:alpha:]]"];
    const REPEATS: [&str; 12] = ["", "", "", "", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,}"];
    let mut pattern = String::new();
    for alternative in 0..=random.below(5) / 4 {
        if alternative > 0 {
            pattern.push('|');
        }
        for _ in 0..=random.below(4) {
            if random.below(12) == 0 {
                pattern.push(if random.below(2) == 0 { '^' } else { '$' });
                continue;
            }
            if depth > 0 && random.below(4) == 0 {
                pattern += &format!("({})", random_pattern(random, depth - 1));
            } else {
                pattern += ATOMS[random.below(ATOMS.len())];
            }
            pattern += REPEATS[random.below(REPEATS.len())];
        }
    }
    pattern
}

#[test]
fn random_patterns_match_as_their_syntax_says() {
    let mut random = Random::of(7);
    let mut matched = 0;
    for round in 0..150 {
        let rule = if round % 2 == 0 { Rule::X86 } else { Rule::Whole };
        let patterns: Vec<String> = (0..1 + random.below(8))
            .map(|_| match random.below(3) {
                // What is plain text goes another way.
                0 => (0..random.below(6)).map(|_| ["a", "b", "-"][random.below(3)]).collect(),
                _ => random_pattern(&mut random, 2),
            })
            .collect();
        let mut patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
        // Of equal texts only the first is kept.
        let mut literals = BTreeSet::new();
        patterns.retain(|pattern| match parse(pattern).unwrap().literal() {
            Some(literal) => literals.insert(literal),
            None => true,
        });
        let (strings, tables) =
            tree(&patterns, rule).unwrap_or_else(|e| panic!("{patterns:?}: {e}"));
        let wire = Wire::read(&strings, &tables).unwrap();
        for _ in 0..40 {
            let len = random.below(9);
            let text: String =
                (0..len).map(|_| ["a", "b", "-", "-", "c"][random.below(5)]).collect();
            let found = rows(&wire, patterns.len(), &text);
            let meant: Vec<usize> =
                (0..patterns.len()).filter(|&row| is_matched(patterns[row], rule, &text)).collect();
            assert_eq!(found, meant, "{text:?} of {patterns:?}, {rule:?}");
            matched += meant.len();
        }
    }
    assert!(matched > 1000, "{matched}");
}

/// Nested repetitions make states that match many patterns each: more numbers
/// of patterns than two bytes can count.
#[test]
fn states_that_match_hundreds_of_patterns() {
    let patterns: Vec<String> = (1..=400).map(|n| format!("a{{{n},}}")).collect();
    let patterns: Vec<String> = patterns.into_iter().filter(|p| parse(p).is_ok()).collect();
    let more = (1..=150).map(|n| format!("(a{{{n}}}){{2}}a*"));
    let patterns: Vec<String> = patterns.into_iter().chain(more).collect();
    let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
    let (strings, tables) = tree(&patterns, Rule::Whole).unwrap();
    let wire = Wire::read(&strings, &tables).unwrap();
    for len in [0, 1, 7, 254, 255, 256, 361, 399] {
        let text = "a".repeat(len);
        let once = 0..255.min(len);
        let twice = (0..150.min(len / 2)).map(|n| 255 + n);
        let meant: Vec<usize> = once.chain(twice).collect();
        assert_eq!(rows(&wire, patterns.len(), &text), meant, "{len}");
    }
}
