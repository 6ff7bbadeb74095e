//! Which CPUIDs match which rows: recorded answers of perf
//! (`strcmp_cpuid_str` of each architecture), see `cases/cpuid_match.json`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pmu_events::Model;
use pmu_events_kernel_comparison::{KERNEL, kernel_arch, kernel_arch_dir};
use serde_json::Value;

/// The case file.
struct Cases {
    x86_rows: Vec<String>,
    /// CPUIDs, and the first row that matches each.
    x86_first_row: Vec<(String, Option<String>)>,
    /// Rows, and CPUIDs that each matches: some of all such pairs.
    x86_matches: Vec<(String, String)>,
    arm64_rows: Vec<String>,
    arm64_ids: Vec<String>,
    /// As `x86_matches`.
    arm64_matches: Vec<(String, String)>,
    /// Patterns alone, and whether each matches a CPUID.
    single: Vec<Single>,
}

/// One pattern, one CPUID.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Single {
    rule: String,
    pattern: String,
    id: String,
    matches: bool,
}

impl Cases {
    fn read() -> Self {
        let cases: Value = serde_json::from_str(include_str!("../cases/cpuid_match.json"))
            .expect("the case file is JSON");
        let cases = Cases {
            x86_rows: list(&cases, "x86_rows").map(text).collect(),
            x86_first_row: list(&cases, "x86_first_row")
                .map(|case| (text(&case[0]), case[1].as_str().map(str::to_owned)))
                .collect(),
            x86_matches: list(&cases, "x86_matches").map(pair).collect(),
            arm64_rows: list(&cases, "arm64_rows").map(text).collect(),
            arm64_ids: list(&cases, "arm64_ids").map(text).collect(),
            arm64_matches: list(&cases, "arm64_matches").map(pair).collect(),
            single: list(&cases, "single")
                .map(|case| Single {
                    rule: text(&case[0]),
                    pattern: text(&case[1]),
                    id: text(&case[2]),
                    matches: case[3].as_bool().expect("true or false"),
                })
                .collect(),
        };
        // A file cut short must not make a test that passes.
        assert_eq!((cases.x86_rows.len(), cases.x86_first_row.len()), (42, 286));
        assert_eq!((cases.arm64_rows.len(), cases.arm64_ids.len()), (31, 93));
        assert_eq!((cases.x86_matches.len(), cases.arm64_matches.len()), (274, 93));
        assert_eq!(cases.single.len(), 82);
        cases
    }

    /// Every pair of a pattern and a CPUID that the cases answer.
    fn every_pair(&self) -> BTreeSet<Single> {
        let mut pairs: BTreeSet<Single> = self.single.iter().cloned().collect();
        let mut add = |rule: &str, pattern: &str, id: &str, matches| {
            let (rule, pattern, id) = (rule.to_owned(), pattern.to_owned(), id.to_owned());
            pairs.insert(Single { rule, pattern, id, matches });
        };
        for (row, id) in &self.x86_matches {
            add("x86", row, id, true);
        }
        for (row, id) in &self.arm64_matches {
            add("arm64", row, id, true);
        }
        // No row before the first that matches does.
        for (id, first) in &self.x86_first_row {
            for row in self.x86_rows.iter().take_while(|row| Some(*row) != first.as_ref()) {
                add("x86", row, id, false);
            }
            if let Some(first) = first {
                add("x86", first, id, true);
            }
        }
        for id in &self.arm64_ids {
            for row in &self.arm64_rows {
                add("arm64", row, id, midr_matches(row, id));
            }
        }
        let distinct: BTreeSet<_> =
            pairs.iter().map(|case| (&case.rule, &case.pattern, &case.id)).collect();
        assert_eq!(distinct.len(), pairs.len(), "the cases contradict each other");
        pairs
    }
}

/// The rule of `tools/perf/arch/arm64/util/header.c` in its plainest form: the
/// recorded cases answer for few of all pairs.
fn midr_matches(row: &str, id: &str) -> bool {
    let midr = |text: &str| {
        u64::from_str_radix(text.trim_start_matches("0x"), 16).expect("a MIDR is hexadecimal")
    };
    let (row, id) = (midr(row), midr(id));
    let version = |midr: u64| (midr >> 20 & 0xf, midr & 0xf);
    row & !0xf0_000f == id & !0xf0_000f && version(row) <= version(id)
}

fn list<'v>(cases: &'v Value, section: &str) -> impl Iterator<Item = &'v Value> {
    cases[section].as_array().expect("a section of the case file is an array").iter()
}

fn text(value: &Value) -> String {
    value.as_str().expect("a string").to_owned()
}

fn pair(value: &Value) -> (String, String) {
    (text(&value[0]), text(&value[1]))
}

/// Pattern and directory of each row of the kernel's map file, in order. Its
/// fields have neither quotes nor commas.
fn map_file(arch: &str) -> Vec<(String, String)> {
    let path = kernel_arch_dir().join(arch).join("mapfile.csv");
    let text = fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()));
    let rows = text.lines().skip(1).filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|row| {
        let columns: Vec<&str> = row.split(',').collect();
        (columns[0].to_owned(), columns[2].to_owned())
    })
    .collect()
}

fn patterns(map_file: &[(String, String)]) -> Vec<&String> {
    map_file.iter().map(|(pattern, _)| pattern).collect()
}

/// The directory of a pattern's first row.
fn directory<'r>(map_file: &'r [(String, String)], pattern: &str) -> Option<&'r str> {
    map_file.iter().find(|(row, _)| row == pattern).map(|(_, directory)| directory.as_str())
}

#[test]
fn the_kernels_x86_rows() {
    let cases = Cases::read();
    let arch = kernel_arch("x86");
    let map_file = map_file("x86");
    assert_eq!(patterns(&map_file), cases.x86_rows.iter().collect::<Vec<_>>());
    for (id, row) in &cases.x86_first_row {
        let expected = row.as_deref().and_then(|row| directory(&map_file, row));
        assert_eq!((arch.model)(id).map(Model::name), expected, "{id}");
    }
    let mut rows_hit = BTreeSet::new();
    for (row, id) in &cases.x86_matches {
        // An earlier row may match, too.
        let upto = map_file.iter().position(|(pattern, _)| pattern == row).map_or(0, |at| at + 1);
        let found = (arch.model)(id).map(Model::name);
        assert!(
            map_file[..upto].iter().any(|(_, directory)| found == Some(directory)),
            "{id}: {found:?}"
        );
        rows_hit.insert(row);
    }
    assert_eq!(rows_hit.len(), map_file.len(), "some row has no CPUID");
}

#[test]
fn the_kernels_arm64_rows() {
    let cases = Cases::read();
    let arch = kernel_arch("arm64");
    let map_file = map_file("arm64");
    assert_eq!(patterns(&map_file), cases.arm64_rows.iter().collect::<Vec<_>>());
    let found = |id: &str| (arch.model)(id).map(Model::name);
    for id in &cases.arm64_ids {
        let row = map_file.iter().find(|(row, _)| midr_matches(row, id));
        assert_eq!(found(id), row.map(|(_, directory)| directory.as_str()), "{id}");
    }
    for (row, id) in &cases.arm64_matches {
        assert_eq!(found(id), directory(&map_file, row), "{id}");
    }
}

/// powerpc, s390 and riscv: the recorded cases hold some pairs only, so that an
/// identifier without a match in them may have one.
#[test]
fn the_kernels_other_rows() {
    let cases = Cases::read();
    let mut compared = 0;
    for arch in KERNEL.iter().filter(|arch| ["powerpc", "s390", "riscv"].contains(&arch.name)) {
        let map_file = map_file(arch.name);
        for case in cases.single.iter().filter(|case| case.rule == "generic") {
            let Some(expected) = directory(&map_file, &case.pattern) else {
                continue;
            };
            let found = (arch.model)(&case.id).map(Model::name);
            if case.matches {
                assert_eq!(found, Some(expected), "{}", case.id);
            } else {
                // Several rows may share a model.
                let others = map_file.iter().filter(|(row, _)| *row != case.pattern);
                let of_others: Vec<_> = others.map(|(_, directory)| directory.as_str()).collect();
                assert!(found.is_none_or(|name| of_others.contains(&name)), "{case:?}: {found:?}");
            }
            compared += 1;
        }
    }
    let generic = cases.single.iter().filter(|case| case.rule == "generic").count();
    assert_eq!(compared, generic, "some case's pattern is in no map file");
}

/// Each pattern on its own, so that no earlier row hides what it matches. The
/// pattern compiler is no interface: a crate with a tree of one row for each
/// pattern drives it through the macro.
#[test]
fn every_pattern_alone() {
    let pairs = Cases::read().every_pair();
    let patterns: BTreeSet<(&str, &str)> =
        pairs.iter().map(|case| (case.rule.as_str(), case.pattern.as_str())).collect();
    let number: BTreeMap<_, _> = patterns.iter().copied().zip(0_usize..).collect();
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("patterns");
    write_crate(&directory, &patterns);

    let mut questions = String::new();
    for case in &pairs {
        let number = number[&(case.rule.as_str(), case.pattern.as_str())];
        let _ = writeln!(questions, "{number} {}", case.id);
    }
    let answers = run_crate(&directory, &questions);
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers.len(), pairs.len());
    let wrong: Vec<&Single> = pairs
        .iter()
        .zip(answers)
        .filter(|(case, answer)| *answer != case.matches.to_string())
        .map(|(case, _)| case)
        .collect();
    assert!(
        wrong.is_empty(),
        "{} wrong, such as {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(20)]
    );
}

const MANIFEST: &str = r#"[package]
name = "patterns"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
pmu-events = { path = "PMU_EVENTS", features = ["macros"] }
"#;

/// Answers each line, `number id`, with whether the pattern of that number
/// matches.
const MAIN: &str = r#"
fn main() {
    for line in std::io::stdin().lines() {
        let line = line.expect("a line");
        let (number, id) = line.split_once(' ').expect("number and CPUID");
        let model = MODELS[number.parse::<usize>().expect("a number")];
        println!("{}", model(id).is_some());
    }
}
"#;

/// Writes a crate with one module, and one tree, for each pattern.
fn write_crate(directory: &Path, patterns: &BTreeSet<(&str, &str)>) {
    // Trees of an earlier run may be other ones.
    let _ = fs::remove_dir_all(directory);
    let pmu_events = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pmu-events");
    let pmu_events = fs::canonicalize(pmu_events).expect("pmu-events is where it was compiled");
    write(
        &directory.join("Cargo.toml"),
        &MANIFEST.replace("PMU_EVENTS", &pmu_events.display().to_string()),
    );
    // The same versions as this package's: they have been downloaded.
    write(&directory.join("Cargo.lock"), include_str!("../Cargo.lock"));
    let mut main = String::new();
    let mut models = String::new();
    for (number, (rule, pattern)) in patterns.iter().enumerate() {
        let tree = directory.join(format!("trees/{number}"));
        assert!(!pattern.contains([',', '"']), "{pattern} would have to be quoted");
        write(
            &tree.join("mapfile.csv"),
            &format!("pattern,version,model,type\n{pattern},v1,m,core\n"),
        );
        write(&tree.join("m/events.json"), r#"[{ "EventName": "e", "EventCode": "0x1" }]"#);
        let _ = writeln!(
            main,
            "mod p{number} {{ pmu_events::pmu_events!(\"trees/{number}\", arch = \"{rule}\"); }}"
        );
        let _ = write!(models, "p{number}::model, ");
    }
    let _ = writeln!(main, "const MODELS: &[fn(&str) -> Option<pmu_events::Model>] = &[{models}];");
    main.push_str(MAIN);
    write(&directory.join("src/main.rs"), &main);
}

fn write(path: &Path, text: &str) {
    let parent = path.parent().expect("no root is written");
    fs::create_dir_all(parent)
        .and_then(|()| fs::write(path, text))
        .unwrap_or_else(|error| panic!("{} cannot be written: {error}", path.display()));
}

/// Compiles and runs the crate; gives what it prints.
fn run_crate(directory: &Path, questions: &str) -> String {
    let input = directory.join("questions");
    write(&input, questions);
    // This package's own target directory, where the dependencies have just
    // been compiled; Cargo holds its lock only while it compiles.
    let target: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("..");
    let run = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--offline"])
        .current_dir(directory)
        .env("CARGO_TARGET_DIR", target)
        .stdin(fs::File::open(&input).map_or_else(|_| Stdio::null(), Stdio::from))
        .output()
        .unwrap_or_else(|error| panic!("cargo cannot be run: {error}"));
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "the crate of all patterns fails:\n{errors}");
    let _ = std::io::stderr().write_all(
        format!("patterns: {} answers\n", run.stdout.split(|&b| b == b'\n').count() - 1).as_bytes(),
    );
    String::from_utf8(run.stdout).expect("true and false")
}
