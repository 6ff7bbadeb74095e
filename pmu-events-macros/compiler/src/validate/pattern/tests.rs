//! Patterns: by cases, and at random against a matcher that follows the syntax.

use std::collections::BTreeSet;

use pmu_events_core::__private::cpuid::MatchRule;
use pmu_events_core::__private::wire::Wire;

use super::expression::{Tree, parse};
use super::set::Set;
use super::{Builder, Use};
use crate::compile;
use crate::files::Role;
use crate::options::{Options, Text, Unknown};
use crate::tests::random::{self, Random};

/// A tree whose map file has these patterns, through the whole compiler.
fn tree(patterns: &[&str], rule: MatchRule) -> Result<(String, Vec<u8>), String> {
    let mut source = random::soc();
    source
        .files
        .all
        .retain(|file| file.role == Role::Map || file.path.ends_with("later/metrics.json"));
    let mut rows = String::from("pattern,version,directory,type\n");
    for pattern in patterns {
        rows += &format!("\"{}\",v1,test_soc/later,core\n", pattern.replace('"', "\"\""));
    }
    for file in &mut source.files.all {
        file.text = match file.role {
            Role::Map => rows.clone(),
            _ => r#"[{"EventName":"e","EventCode":"1"}]"#.to_owned(),
        };
    }
    let arch = if rule == MatchRule::X86 { "x86" } else { "s390" };
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
fn matches(patterns: &[&str], rule: MatchRule, text: &str) -> Vec<usize> {
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
        let found = matches(&[pattern], MatchRule::Whole, text);
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
        ("V-6-55$", "V-6-55-4", false), // The stepping comes after the end.
        ("V-6-55$", "V-6-55", true),
        ("V-6-55-4$", "V-6-55-4", true),
    ];
    for &(pattern, text, expected) in cases {
        let found = matches(&[pattern], MatchRule::X86, text);
        assert_eq!(!found.is_empty(), expected, "{pattern:?} on {text:?}");
    }
}

#[test]
fn all_that_match_in_order() {
    let patterns = ["a.*", "b", "ab+", ".*"];
    assert_eq!(matches(&patterns, MatchRule::Whole, "abb"), [0, 2, 3]);
    assert_eq!(matches(&patterns, MatchRule::Whole, "b"), [1, 3]);
    assert_eq!(matches(&patterns, MatchRule::Whole, "c"), [3]);
}

#[test]
fn uses() {
    let cases: &[(&[&str], MatchRule, &[Use])] = &[
        (&["a.*", "ab"], MatchRule::Whole, &[Use::First, Use::Hidden]),
        (&["ab", "a.*"], MatchRule::Whole, &[Use::First, Use::First]),
        (&["a$b"], MatchRule::Whole, &[Use::Never]),
        (
            &["[01]", "0", "1", "2"],
            MatchRule::Whole,
            &[Use::First, Use::Hidden, Use::Hidden, Use::First],
        ),
        (&["ab", "b", "ab"], MatchRule::Whole, &[Use::First, Use::First, Use::Hidden]),
        // With its stepping, a CPUID matches the longer of both rows, too.
        (&["V-6-55-4", "V-6-55"], MatchRule::X86, &[Use::First, Use::First]),
        (&["V-6-55", "V-6-55-4"], MatchRule::X86, &[Use::First, Use::Hidden]),
        (&["V-6-5.", "V-6-55", "V-6-60"], MatchRule::X86, &[Use::First, Use::Hidden, Use::First]),
        // No CPUID with a stepping matches the first.
        (&["V-6-.*", "V-6-55"], MatchRule::X86, &[Use::First, Use::First]),
        (&["V-6-55(-[0-4])?", "V-6-55"], MatchRule::X86, &[Use::First, Use::First]),
    ];
    // So many plain texts that none of them joins the machine.
    let others: Vec<String> = (0..100).map(|number| format!("other{number}")).collect();
    for &(patterns, rule, expected) in cases {
        assert_eq!(set(patterns, rule).uses, expected, "{patterns:?}");
        let all: Vec<&str> = patterns.iter().copied().chain(others.iter().map(|s| &**s)).collect();
        let uses = set(&all, rule).uses;
        assert_eq!(uses[..expected.len()], *expected, "{patterns:?} and many others");
        assert!(uses[expected.len()..].iter().all(|&usage| usage == Use::First), "{patterns:?}");
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

fn is_matched(pattern: &str, rule: MatchRule, text: &str) -> bool {
    let dashes = |text: &str| text.matches('-').count();
    let len = match (rule, dashes(pattern) == 3, dashes(text) == 3) {
        (MatchRule::X86, true, false) => return false,
        (MatchRule::X86, false, true) => text.rfind('-').unwrap(),
        _ => text.len(),
    };
    let tree = parse(pattern).unwrap().tree;
    ends(&tree, text.as_bytes(), &BTreeSet::from([0])).last() == Some(&len)
}

/// The bytes that each bracket matches among all text bytes, according to IEEE
/// Std 1003.1, 9.3.5 and 7.3.1 (the POSIX locale's classes).
#[test]
fn brackets_take_what_posix_says() {
    let upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let lower = "abcdefghijklmnopqrstuvwxyz";
    let digit = "0123456789";
    let punct = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    let space = "\t\n\x0b\x0c\r ";
    let cntrl: String = ('\0'..'\x20').chain(['\x7f']).collect();
    let graph = [upper, lower, digit, punct].concat();
    let print = format!("{graph} ");
    let other = |but: &str| -> String { ('\0'..='\x7f').filter(|&c| !but.contains(c)).collect() };
    let cases: &[(&str, String)] = &[
        ("[abc]", "abc".into()),
        ("[a]", "a".into()),
        ("[aa]", "a".into()),
        ("[^abc]", other("abc")),
        // First, also after `^`, it is an ordinary character.
        ("[]]", "]".into()),
        ("[]a]", "]a".into()),
        ("[^]]", other("]")),
        ("[^]a]", other("]a")),
        // Ranges have both ends; also of one character.
        ("[b-e]", "bcde".into()),
        ("[b-b]", "b".into()),
        ("[b-c]", "bc".into()),
        ("[^b-e]", other("bcde")),
        ("[a-cx-z]", "abcxyz".into()),
        ("[xa-cy]", "xabcy".into()),
        ("[]-a]", "]^_`a".into()),
        ("[^]-a]", other("]^_`a")),
        // First and last, and as an end, a dash is one.
        ("[-a]", "-a".into()),
        ("[a-]", "a-".into()),
        ("[^-a]", other("-a")),
        ("[^a-]", other("a-")),
        ("[-]", "-".into()),
        ("[+--]", "+,-".into()),
        ("[--/]", "-./".into()),
        ("[---]", "-".into()),
        ("[^--/]", other("-./")),
        ("[%--1]", "%&'()*+,-1".into()),
        ("[a-c-]", "abc-".into()),
        ("[^a-c-]", other("abc-")),
        ("[X-[]", "XYZ[".into()),
        ("[[-a]", "[\\]^_`a".into()),
        // Nothing else means anything within.
        ("[a^]", "a^".into()),
        ("[^^]", other("^")),
        ("[.*+?(){}|$]", ".*+?(){}|$".into()),
        ("[\\]", "\\".into()),
        ("[\\d]", "\\d".into()),
        ("[[]", "[".into()),
        ("[[a]", "[a".into()),
        ("[a[]", "a[".into()),
        ("[:a]", ":a".into()),
        ("[a:]", "a:".into()),
        ("[[:upper:]]", upper.into()),
        ("[[:lower:]]", lower.into()),
        ("[[:alpha:]]", [upper, lower].concat()),
        ("[[:digit:]]", digit.into()),
        ("[[:alnum:]]", [upper, lower, digit].concat()),
        ("[[:xdigit:]]", [digit, "abcdefABCDEF"].concat()),
        ("[[:punct:]]", punct.into()),
        ("[[:graph:]]", graph.clone()),
        ("[[:print:]]", print),
        ("[[:blank:]]", "\t ".into()),
        ("[[:space:]]", space.into()),
        ("[[:cntrl:]]", cntrl),
        ("[^[:space:]]", other(space)),
        ("[^[:alnum:]_]", other(&[upper, lower, digit, "_"].concat())),
        ("[[:digit:][:upper:]]", [digit, upper].concat()),
        ("[x[:digit:]-]", [digit, "x-"].concat()),
        ("[[:digit:]a-c.]", [digit, "abc."].concat()),
        // Outside, some of them are plain, and an escape takes the others.
        ("]", "]".into()),
        ("}", "}".into()),
        ("-", "-".into()),
        ("\\.", ".".into()),
        ("\\[", "[".into()),
        ("\\]", "]".into()),
        ("\\\\", "\\".into()),
        ("\\(", "(".into()),
        ("\\)", ")".into()),
        ("\\*", "*".into()),
        ("\\+", "+".into()),
        ("\\?", "?".into()),
        ("\\{", "{".into()),
        ("\\|", "|".into()),
        ("\\^", "^".into()),
        ("\\$", "$".into()),
        (".", other("\0")),
    ];
    for (pattern, expected) in cases {
        let tree = parse(pattern).unwrap_or_else(|e| panic!("{pattern}: {}", e.message)).tree;
        let takes =
            |c: &char| ends(&tree, c.encode_utf8(&mut [0; 4]).as_bytes(), &BTreeSet::from([0]));
        let taken: BTreeSet<char> =
            ('\0'..='\x7f').filter(|c| takes(c) == BTreeSet::from([1])).collect();
        assert_eq!(taken, expected.chars().collect(), "{pattern}");
        // Parsing continues after it, and it matches exactly one character.
        let behind = parse(&format!("{pattern}Z")).unwrap().tree;
        let first = expected.chars().next().unwrap();
        let text = format!("{first}Z");
        assert_eq!(ends(&behind, text.as_bytes(), &BTreeSet::from([0])), BTreeSet::from([2]));
    }
}

/// Characters beyond ASCII are bytes, of which a class has none.
#[test]
fn brackets_and_bytes_that_are_not_ascii() {
    let takes = |pattern: &str, byte: u8| {
        let tree = parse(pattern).unwrap().tree;
        !ends(&tree, &[byte], &BTreeSet::from([0])).is_empty()
    };
    for byte in 0x80..=u8::MAX {
        assert!(takes(".", byte) && takes("[^a]", byte) && takes("[^[:alpha:]]", byte));
        for class in ["alnum", "alpha", "cntrl", "graph", "print", "punct", "space"] {
            assert!(!takes(&format!("[[:{class}:]]"), byte), "{class} {byte:#x}");
        }
    }
    assert!(!takes(".", 0));
}

#[test]
fn faults_of_brackets_and_repetitions() {
    let dash = "a `-` that is not first or last in its bracket, nor within a range, which POSIX \
                leaves undefined";
    let cases: &[(&str, usize, &str)] = &[
        ("x[", 1, "unclosed bracket"),
        ("x[^", 1, "unclosed bracket"),
        ("x[]", 1, "unclosed bracket"),
        ("x[^]", 1, "unclosed bracket"),
        ("x[a-", 1, "unclosed bracket"),
        ("x[[:alpha:]", 1, "unclosed bracket"),
        ("x[ab-a]", 3, "range ends before it starts"),
        ("x[a-[]", 2, "range ends before it starts"),
        ("x[a-[:digit:]]", 2, "a range cannot end with a class of characters"),
        ("x[a-[.z.]]", 2, "a range cannot end with a class of characters"),
        ("x[A-[=Z=]]", 2, "a range cannot end with a class of characters"),
        ("[[:digit:]-a]", 10, dash),
        ("[[:digit:]--]", 10, dash),
        ("[a-c-e]", 4, dash),
        ("[^+-,-.]", 5, dash),
        ("[+-+--]", 4, dash),
        ("[[:Alpha:]]", 1, "unknown class of characters"),
        ("[[:alpha]", 1, "unknown class of characters"),
        ("[[::]]", 1, "unknown class of characters"),
        ("[[.a.]]", 1, "unknown class of characters"),
        ("[a[=a=]]", 2, "unknown class of characters"),
        ("a\\", 1, "a backslash at the end escapes nothing"),
        ("a\\1", 1, "POSIX gives this escape no meaning"),
        ("a\\w", 1, "POSIX gives this escape no meaning"),
        ("a{}", 1, "invalid repetition; write {2}, {2,} or {2,4}, of at most 255"),
        ("a{,2}", 1, "invalid repetition; write {2}, {2,} or {2,4}, of at most 255"),
        ("a{+2}", 1, "invalid repetition; write {2}, {2,} or {2,4}, of at most 255"),
        ("a{256}", 1, "invalid repetition; write {2}, {2,} or {2,4}, of at most 255"),
        ("a{1,256}", 1, "invalid repetition; write {2}, {2,} or {2,4}, of at most 255"),
        ("a{2,1}", 1, "invalid repetition; write {2}, {2,} or {2,4}, of at most 255"),
        ("a{2}{2}", 4, "a repeated repetition, which POSIX leaves undefined"),
    ];
    for &(pattern, offset, message) in cases {
        let problem = parse(pattern).unwrap_err();
        assert_eq!((problem.offset, &*problem.message), (offset, message), "{pattern}");
    }
    assert!(parse("a{255}").is_ok() && parse("a{2,2}").is_ok() && parse("a{0,255}").is_ok());
}

/// Parentheses as deep as they may be, and expressions as large, and not more.
#[test]
fn limits_of_an_expression() {
    let nested = |depth: usize| "(".repeat(depth) + "a" + &")".repeat(depth);
    assert!(parse(&nested(64)).is_ok());
    assert_eq!(parse(&nested(65)).unwrap_err().offset, 64);
    // Those that are closed do not count.
    assert!(parse(&"(a)".repeat(100)).is_ok());
}

/// Which texts the plain ones are, and that nothing else is one.
#[test]
fn plain_text() {
    let cases: &[(&str, Option<&str>)] = &[
        ("", Some("")),
        ("abc", Some("abc")),
        ("^abc$", Some("abc")),
        ("^^a$$", Some("a")),
        ("^$", Some("")),
        ("a\\.b", Some("a.b")),
        ("[a]b", Some("ab")),
        ("\u{e4}?", None),
        ("\u{e4}", Some("\u{e4}")),
        ("a^b", None),
        ("a.b", None),
        ("[ab]", None),
        ("[Az]", None),
        ("[0\u{7f}]", None),
        ("a|b", None),
        ("a*", None),
        ("(a)", None),
        ("a{1}", None),
    ];
    for &(pattern, expected) in cases {
        assert_eq!(parse(pattern).unwrap().literal().as_deref(), expected, "{pattern}");
    }
}

/// What shows which row comes first is matched by the row.
#[test]
fn samples_are_matched() {
    let cases: &[(&str, &str, &str)] = &[
        ("abc", "abc", "abc"),
        ("a*", "", "a"),
        ("a+", "a", "aa"),
        ("a?b", "b", "ab"),
        ("a{2,3}", "aa", "aaa"),
        ("a{2,}", "aa", "aaa"),
        ("a{3}", "aaa", "aaa"),
        ("a|b", "a", "b"),
        ("[^0]", "1", "1"),
        ("[[:lower:]]", "a", "a"),
        ("[[:punct:]]", "!", "!"),
        (".", "0", "0"),
        ("^a$", "a", "a"),
    ];
    for &(pattern, least, more) in cases {
        let read = parse(pattern).unwrap();
        let samples = (read.sample(false), read.sample(true));
        assert_eq!(samples, (Some(least.into()), Some(more.into())), "{pattern}");
        assert!(
            is_matched(pattern, MatchRule::Whole, least)
                && is_matched(pattern, MatchRule::Whole, more)
        );
    }
    // Of no more than 255 bytes.
    let of = |pattern: &str| parse(pattern).unwrap().sample(true).map(|text| text.len());
    assert_eq!((of("a{255}"), of("a{255}b"), of("(a{200}){2}")), (Some(255), None, None));
    assert_eq!((of("a{255,}"), of("a{254,}")), (None, Some(255)));
}

fn set(patterns: &[&str], rule: MatchRule) -> Set {
    let mut builder = Builder::new(rule);
    patterns.iter().for_each(|pattern| builder.add(pattern).unwrap());
    builder.build().unwrap_or_else(|_| panic!("{patterns:?}"))
}

/// A few plain texts are found in the same pass as the expressions, more of
/// them by a search of their own, with the same results.
#[test]
fn a_few_plain_texts_join_the_expressions() {
    let texts: Vec<String> = (0..65).map(|n| format!("V-6-{n}")).collect();
    for (count, joined) in [(1, 1), (64, 64), (65, 0)] {
        let texts = texts[..count].iter().map(String::as_str);
        let patterns: Vec<&str> = ["V-6-1.-[4567]"].into_iter().chain(texts).collect();
        let set = set(&patterns, MatchRule::X86);
        assert_eq!(set.literals.len(), count - joined);
        let samples = set.samples.iter().filter(|sample| sample.pattern > 0 && sample.is_matched);
        assert_eq!(samples.count(), joined);
        assert_eq!(set.uses, vec![Use::First; count + 1]);
        let (strings, tables) = tree(&patterns, MatchRule::X86).unwrap();
        let wire = Wire::read(&strings, &tables).unwrap();
        for (row, text) in patterns.iter().enumerate().skip(1) {
            assert_eq!(rows(&wire, patterns.len(), text), [row], "{text}");
            let stepped = format!("{text}-5");
            let first = (11..21).contains(&row).then_some(0);
            let expected: Vec<usize> = first.into_iter().chain([row]).collect();
            assert_eq!(rows(&wire, patterns.len(), &stepped), expected, "{stepped}");
        }
    }
}

/// Expressions that fit the limits only by themselves leave the plain texts to
/// the search.
#[test]
fn plain_texts_that_do_not_fit_stay_apart() {
    let texts: Vec<String> =
        ('0'..='z').filter(char::is_ascii_alphanumeric).map(String::from).collect();
    let complex = ["(a|b)*a(a|b){14}"].into_iter();
    let patterns: Vec<&str> = complex.chain(texts.iter().map(String::as_str)).collect();
    let set = set(&patterns, MatchRule::Whole);
    assert_eq!(set.literals.len(), texts.len());
    assert!(set.machine.is_some());
    assert!(set.samples.iter().all(|sample| sample.pattern == 0));
}

/// Plain texts need no automaton, as long as a look-up finds them in perf's order.
#[test]
fn plain_texts_are_looked_up() {
    let cases: &[(&str, MatchRule, bool)] = &[
        ("V-6-55", MatchRule::X86, true),
        ("V-6-55-4", MatchRule::X86, true),
        ("V-6-55-4$", MatchRule::X86, true),
        ("V-6-55$", MatchRule::X86, false),
        ("$", MatchRule::X86, false),
        ("V-6-5[5]", MatchRule::X86, true),
        ("V-6-55[-]4", MatchRule::X86, true),
        ("V-[6-6]-55", MatchRule::X86, false),
        ("V-6-55$", MatchRule::Whole, true),
        ("V-6-5.", MatchRule::Whole, false),
    ];
    for &(pattern, rule, is_plain) in cases {
        let set = set(&[pattern], rule);
        assert_eq!(!set.literals.is_empty(), is_plain, "{pattern}");
        assert_eq!(set.machine.is_none(), is_plain, "{pattern}");
    }
}

/// Every expression comes with texts that show whether the packed automaton
/// knows it: two that it matches, and two or more like them that it does not. A
/// plain text that joins the automaton is its own sample.
#[test]
fn sets_have_samples() {
    let set = set(&["ab", "a[bc]+", "d?"], MatchRule::Whole);
    let samples: Vec<_> =
        set.samples.iter().map(|s| (s.pattern, s.text.as_str(), s.is_matched)).collect();
    let expected = [
        (1, "a", false),
        (1, "ab-0", false),
        (1, "ab", true),
        (1, "ab", true),
        (1, "abb-0", false),
        (1, "abb", true),
        (2, "", true),
        (2, "-0", false),
        (2, "", true),
        (2, "", true),
        (2, "d-0", false),
        (2, "d", true),
        (0, "ab", true),
    ];
    assert_eq!(samples, expected);
}

/// The first pattern that is too much is found among the others.
#[test]
fn patterns_that_are_too_complex() {
    let mut builder = Builder::new(MatchRule::Whole);
    // The third has a state for each set of places among the last 16 letters.
    for pattern in ["x.", "y.*", "(a|b)*a(a|b){16}", "z+", "v?"] {
        builder.add(pattern).unwrap();
    }
    let fault = builder.build().err().unwrap();
    assert_eq!((fault.number, fault.alone), (2, true));
}

/// Work is what is read, rather than the product of it: hundreds of patterns that
/// wait for the end of a stepping cost little.
#[test]
fn patterns_that_wait_for_a_stepping() {
    let waiting = (1..=300).map(|n| format!("a-6-(5|w{{1,{}}})", n.min(255)));
    let patterns: Vec<String> =
        waiting.chain([format!("a-6-5-{}", "[0-9]?".repeat(100))]).collect();
    let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
    let set = set(&patterns, MatchRule::X86);
    assert_eq!(set.uses[0], Use::First);
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
        let rule = if round % 2 == 0 { MatchRule::X86 } else { MatchRule::Whole };
        let patterns: Vec<String> = (0..1 + random.below(8))
            .map(|_| match random.below(3) {
                // Plain texts join the machine, or many are searched apart.
                0 => (0..random.below(6)).map(|_| ["a", "b", "-"][random.below(3)]).collect(),
                _ => random_pattern(&mut random, 2),
            })
            .collect();
        let many: Vec<String> =
            (0..if round % 3 == 0 { 65 } else { 0 }).map(|n| format!("c{n}")).collect();
        let mut patterns: Vec<&str> = patterns.iter().chain(&many).map(String::as_str).collect();
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
    let (strings, tables) = tree(&patterns, MatchRule::Whole).unwrap();
    let wire = Wire::read(&strings, &tables).unwrap();
    for len in [0, 1, 7, 254, 255, 256, 361, 399] {
        let text = "a".repeat(len);
        let once = 0..255.min(len);
        let twice = (0..150.min(len / 2)).map(|n| 255 + n);
        let meant: Vec<usize> = once.chain(twice).collect();
        assert_eq!(rows(&wire, patterns.len(), &text), meant, "{len}");
    }
}
