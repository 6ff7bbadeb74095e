//! Patterns of map files beside glibc's `regexec`, at random.
//!
//! `PATTERN_SETS` is how many sets of patterns are compared (2000), and
//! `PATTERN_SEED` chooses which (1).

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pmu_events_compiler::{Options, Source, Text, Unknown, compile};
use pmu_events_core::__private::wire::Wire;

/// How many sets are asked about at once.
const BATCH: usize = 100;
const TEXTS: usize = 30;

/// A small generator (xorshift64*): the same patterns on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// An expression over few bytes, so that texts of them are matched. Anchors are
/// in no parentheses: glibc lets `(^a){2}` match `aa`, where the second `a` is
/// not at the start.
fn pattern(random: &mut Random, depth: usize, is_whole: bool) -> String {
    const ATOMS: &[&str] = &[
        "a",
        "a",
        "b",
        "b",
        "-",
        "-",
        "0",
        ".",
        "[ab]",
        "[^a]",
        "[b-]",
        "[]a]",
        "[0-9]",
        "[^]-]",
        "[[:alpha:]]",
        "[[:digit:]b]",
        "\\.",
        "\\+",
    ];
    const REPEATS: &[&str] =
        &["", "", "", "", "", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,}", "{0}", "{2,3}"];
    let mut text = String::new();
    for alternative in 0..=random.below(5) / 4 {
        if alternative > 0 {
            text.push('|');
        }
        if is_whole && random.below(8) == 0 {
            text.push('^');
        }
        for _ in 0..=random.below(4) {
            if depth > 0 && random.below(4) == 0 {
                let _ = write!(text, "({})", pattern(random, depth - 1, false));
            } else {
                text += random.of(ATOMS);
            }
            text += random.of(REPEATS);
        }
        if is_whole && random.below(8) == 0 {
            text.push('$');
        }
    }
    text
}

/// Patterns as map files have them, and as nobody writes them.
fn patterns(random: &mut Random) -> Vec<String> {
    let count = 1 + random.below(8);
    let all = (0..count).map(|_| match random.below(4) {
        0 => (0..random.below(6)).map(|_| random.of(&["a", "b", "-", "0"])).collect(),
        1 => {
            let last = random.of(&["", "-[0123]", "-.", "(-a)?", "-[[:digit:]]+"]);
            format!(
                "{}-{}-{}{last}",
                random.of(&["a", "ab"]),
                random.of(&["0", "."]),
                random.of(&["b", "[ab]", "(a|b)"])
            )
        }
        _ => pattern(random, 1, true),
    });
    let mut all: Vec<String> = all.collect();
    // Of equal texts, between anchors or not, only the first is kept.
    let plain = |text: &String| text.replace(['^', '$', '\\'], "");
    all.sort_by_key(plain);
    all.dedup_by_key(|text| plain(text));
    all
}

fn text(random: &mut Random) -> String {
    let likely = random.below(3) == 0;
    if likely {
        let parts: [&[&str]; 4] =
            [&["a", "ab", "b"], &["0", "a"], &["a", "b"], &["0", "1", "a", ""]];
        let parts: Vec<&str> = parts.iter().map(|part| random.of(part)).collect();
        return parts[..3 + random.below(2)].join("-");
    }
    (0..random.below(9)).map(|_| random.of(&["a", "b", "-", "-", "0", ".", "]"])).collect()
}

fn scratch() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("patterns");
    fs::create_dir_all(path.join("tree/cpu")).expect("a directory can be made");
    path
}

fn peer(scratch: &Path) -> PathBuf {
    let program = scratch.join("regexec");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regexec.c");
    let status = Command::new("gcc")
        .args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-o"])
        .args([&program, &source])
        .status()
        .expect("gcc runs");
    assert!(status.success(), "regexec.c does not compile");
    program
}

fn number(variable: &str, default: u64) -> u64 {
    env::var(variable).map_or(default, |text| text.parse().expect("a number"))
}

/// Which of the patterns match each text, as the compiled tree has it: the
/// numbers of the patterns, and the first.
/// `None` if an automaton of them would be too large.
fn ours(tree: &Path, rule: &str, patterns: &[String], texts: &[String]) -> Option<Vec<Vec<bool>>> {
    let mut map = String::from("pattern,version,directory,type\n");
    for pattern in patterns {
        let _ = writeln!(map, "\"{pattern}\",v1,cpu,core");
    }
    fs::write(tree.join("mapfile.csv"), map).expect("a file can be written");
    let mut options = Options::default();
    options.text = Text::None;
    options.unknown = Unknown::Allow;
    options.arch = Some(rule.to_owned());
    let source = Source::read(tree, "tree", &options);
    let compiled = match compile(&source, &options) {
        Ok(compiled) => compiled,
        Err(refused) => {
            let errors = refused.errors.to_string();
            assert!(errors.contains("too complex"), "{patterns:?}: {errors}");
            return None;
        }
    };
    let wire = Wire::read(&compiled.strings, &compiled.tables).expect("it is of this version");
    let each = texts.iter().map(|text| {
        let matching = wire.cpuids().matching(text);
        let all: Vec<bool> = (0..).zip(patterns).map(|(n, _)| matching.contains(n)).collect();
        let first = all.iter().position(|&is_matched| is_matched);
        assert_eq!(matching.first().map(|n| n as usize), first, "{patterns:?} on {text:?}");
        all
    });
    Some(each.collect())
}

#[test]
#[ignore = "needs gcc and glibc; .ci/run does it"]
fn random_sets_match_as_regexec_says() {
    let scratch = scratch();
    let tree = scratch.join("tree");
    fs::write(tree.join("cpu/a.json"), r#"[{"EventName":"e","EventCode":"1"}]"#)
        .expect("a file can be written");
    let peer = peer(&scratch);
    let sets = number("PATTERN_SETS", 2000) as usize;
    let mut random = Random(number("PATTERN_SEED", 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (mut compared, mut matched, mut refused, mut differences) = (0, 0, 0, Vec::new());
    for batch in 0..sets.div_ceil(BATCH) {
        let (mut questions, mut answers) = (String::new(), Vec::new());
        for _ in 0..BATCH.min(sets - batch * BATCH) {
            let rule = random.of(&["x86", "s390"]);
            let patterns = patterns(&mut random);
            let texts: Vec<String> = (0..TEXTS).map(|_| text(&mut random)).collect();
            let Some(found) = ours(&tree, rule, &patterns, &texts) else {
                refused += 1;
                continue;
            };
            for (n, pattern) in patterns.iter().enumerate() {
                for (text, found) in texts.iter().zip(&found) {
                    let _ = writeln!(questions, "{rule}\t{pattern}\t{text}");
                    answers.push(found[n]);
                }
            }
        }
        let mut child = Command::new(&peer)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut input = child.stdin.take().expect("it is piped");
        let output = std::thread::scope(|scope| {
            scope.spawn(|| {
                input.write_all(questions.as_bytes()).expect("it reads");
                drop(input);
            });
            child.wait_with_output().expect("the program ends")
        });
        let output = String::from_utf8(output.stdout).expect("it prints digits");
        assert_eq!(output.lines().count(), answers.len());
        for ((question, theirs), ours) in questions.lines().zip(output.lines()).zip(answers) {
            compared += 1;
            matched += usize::from(ours);
            if theirs != (if ours { "1" } else { "0" }) {
                differences.push(format!("{question:?}: regexec says {theirs}"));
            }
        }
    }
    println!("{compared} comparisons, {matched} matches, {} differences", differences.len());
    println!("{refused} of {sets} sets refused");
    assert!(refused * 20 < sets, "{refused} of {sets} sets are refused");
    differences.truncate(20);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert!(matched * 50 > compared, "too little is matched: {matched} of {compared}");
}
