//! Whether sentences agree with the facts beside them: with the name of the
//! event, its code and its keys. These errors need no other text to be found.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::fs;
use std::path::Path;

use pmu_events_core::glob;

use crate::deprecated;
use crate::json::File;
use crate::origin;
use crate::problem::{Place, Problems};
use crate::record::{Encoding, Record};
use crate::tree::{self, Arch};

/// A sentence that a rule refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The name of the rule.
    pub rule: &'static str,
    /// The place of the event.
    pub place: Place,
    /// The architecture.
    pub arch: String,
    /// The directory of the model.
    pub model: String,
    /// The name of the event.
    pub event: String,
    /// What is wrong, with the sentence.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { rule, place, event, message, .. } = self;
        write!(f, "{place}: event `{event}`: {rule}: {message}")
    }
}

/// An event and what is said of it.
struct Said<'a> {
    arch: &'a str,
    record: &'a Record,
    name: String,
    /// The brief description, without the note that the event is deprecated.
    brief: &'a str,
    /// Both descriptions, in small letters.
    text: String,
    /// Whether the model has a CHA, and hence a mesh.
    has_mesh: bool,
    /// The other events of the table that are not deprecated, by encoding.
    others: &'a HashMap<Encoding, BTreeSet<&'a str>>,
}

type Rule = fn(&Said<'_>) -> Option<String>;

const RULES: &[(&str, Rule)] = &[
    ("deprecated", successor),
    ("length", length),
    ("wrong path", wrong_path),
    ("duration", duration),
    ("retired", retired),
    ("scope", scope),
    ("opposite", opposite),
    ("number", number),
    ("unit", unit),
];

/// The names of the rules.
pub fn rules() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|(name, _)| *name)
}

/// Applies every rule to every described event of an architecture.
#[must_use]
pub fn check(arch: &Arch) -> Vec<Finding> {
    let standard: HashMap<String, &Record> = arch
        .records("")
        .filter_map(|record| Some((record.name()?.to_ascii_lowercase(), record)))
        .collect();
    let mut findings = Vec::new();
    for directory in arch.tables.keys() {
        let mut others: HashMap<Encoding, BTreeSet<&str>> = HashMap::new();
        for record in arch.records(directory).filter(|record| record.get("Deprecated").is_none()) {
            if let Some(name) = record.name() {
                others.entry(record.encoding()).or_default().insert(name);
            }
        }
        let has_mesh = arch.records(directory).any(|record| record.get("Unit") == Some("CHA"));
        for record in arch.records(directory) {
            let reference = record.get("ArchStdEvent").map(str::to_ascii_lowercase);
            let inherited = reference.and_then(|reference| standard.get(&reference)).copied();
            let words = |key| record.get(key).or_else(|| inherited?.get(key));
            let (Some(name), Some(brief)) = (record.name(), words("BriefDescription")) else {
                continue;
            };
            let text = [brief, words("PublicDescription").unwrap_or_default()].join(" ");
            let said = Said {
                arch: &arch.name,
                record,
                name: name.to_ascii_uppercase(),
                brief: deprecated::without_note(brief),
                text: text.to_ascii_lowercase(),
                has_mesh,
                others: &others,
            };
            for (name, refuses) in RULES {
                // What is only known to be deprecated has no other sentence.
                if said.brief.is_empty() && *name != "deprecated" {
                    continue;
                }
                if let Some(why) = refuses(&said) {
                    findings.push(Finding {
                        rule: name,
                        place: record.place.clone(),
                        arch: arch.name.clone(),
                        model: tree::owner(directory).to_owned(),
                        event: record.name().unwrap_or_default().to_owned(),
                        message: format!("{why}: `{brief}`"),
                    });
                }
            }
        }
    }
    findings
}

impl Said<'_> {
    fn says(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.text.contains(word))
    }

    /// The parts of the name: `L1D`, `CACHE`, …
    fn parts(&self) -> impl Iterator<Item = &str> {
        self.name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty())
    }

    fn has_part(&self, wanted: &[&str]) -> bool {
        self.parts().any(|part| wanted.contains(&part))
    }

    fn is_set(&self, key: &str) -> bool {
        self.record.get(key).is_some()
    }
}

/// A deprecated event names one that counts the same, if there is one.
fn successor(said: &Said<'_>) -> Option<String> {
    let full = said.record.get("BriefDescription")?;
    let named = full.strip_prefix("Deprecated: use ").and_then(|rest| rest.split(' ').next());
    let named = named.map(|name| name.trim_end_matches('.'));
    let same = said.others.get(&said.record.encoding());
    match (said.is_set("Deprecated"), named, same) {
        (false, None, _) if !full.starts_with("Deprecated") => None,
        (false, ..) => Some("says that the event is deprecated, which it is not".to_owned()),
        (true, Some(name), Some(same)) if same.contains(name) => None,
        (true, Some(name), _) => Some(format!("`{name}` does not count the same")),
        (true, None, Some(_)) => Some("does not name the event that counts the same".to_owned()),
        (true, None, None) if full.starts_with("Deprecated") => None,
        (true, None, None) => Some("does not say that the event is deprecated".to_owned()),
    }
}

/// A list of events has room for one line each.
fn length(said: &Said<'_>) -> Option<String> {
    let length = said.brief.len();
    (length > 100).then(|| format!("the brief description has {length} characters, more than 100"))
}

/// `SPEC` means that work on a wrongly predicted path counts, as long as the
/// core follows the architecture; some do not.
fn wrong_path(said: &Said<'_>) -> Option<String> {
    let is_about =
        said.arch == "arm64" && said.parts().last() == Some("SPEC") && said.has_part(&["SPEC"]);
    (is_about && !said.says(&["wrong path", "wrong-path", "wrongly predicted path"]))
        .then(|| "does not say whether work on wrong paths counts".to_owned())
}

/// Whether a count is one of cycles or of occurrences.
fn duration(said: &Said<'_>) -> Option<String> {
    let cycles = ["cycle", "clock", "tick"];
    let (mask, edge) = (said.is_set("CounterMask"), said.is_set("EdgeDetect"));
    if mask && !edge && !said.says(&cycles) {
        return Some("does not say that it counts cycles, as `CounterMask` makes it".to_owned());
    }
    if edge && said.brief.starts_with("Cycles") {
        return Some("is about cycles, though `EdgeDetect` makes it count occurrences".to_owned());
    }
    let named = said.has_part(&["CYCLE", "CYCLES"])
        || said.parts().any(|part| part.ends_with("CYC") && part != "PERCYC");
    if named && !edge && !said.says(&cycles) {
        return Some("does not say that it counts cycles, as the name does".to_owned());
    }
    (said.has_part(&["PERCYC"]) && !said.says(&["summed over cycles"]))
        .then(|| "does not say that it is summed over cycles, as PERCYC does".to_owned())
}

/// Retired and completed work is not speculative.
fn retired(said: &Said<'_>) -> Option<String> {
    let is_about = said.has_part(&["RETIRED", "CMPL"]);
    (is_about && !said.says(&["retire", "complet"]))
        .then(|| "does not say that only retired or completed work counts".to_owned())
}

/// Whose work a count includes.
fn scope(said: &Said<'_>) -> Option<String> {
    if said.is_set("AnyThread") && !said.says(&["thread", "core"]) {
        return Some("does not say that `AnyThread` includes the other thread".to_owned());
    }
    if said.is_set("PerPkg")
        && let Some(words) =
            ["this thread", "this core", "the core's own"].iter().find(|own| said.says(&[own]))
    {
        return Some(format!("says \"{words}\", though the count is that of a package"));
    }
    (said.arch == "x86" && said.says(&["mesh"]) && !said.has_mesh)
        .then(|| "says \"mesh\" of a model without one".to_owned())
}

/// A part of names, and the words that mean the same and the opposite.
const OPPOSITES: &[(&str, &[&str], &str, &str)] = &[
    ("MISS", &["miss", "beyond", "not ", "no ", "without"], "HIT", "hit"),
    ("HIT", &["hit", "found", "held", "serv", "translated"], "MISS", "miss"),
    ("LOCAL", &["local", "own", "same", "this"], "REMOTE", "remote"),
    ("REMOTE", &["remote", "other", "different"], "LOCAL", "local"),
    ("READ", &["read", "load", "fetch"], "WRITE", "writ"),
    ("WRITE", &["writ", "store"], "READ", "read"),
    ("RD", &["read", "load", "fetch"], "WR", "writ"),
    ("WR", &["writ", "store"], "RD", "read"),
    ("LD", &["load", "read"], "ST", "stor"),
    ("ST", &["stor", "writ"], "LD", "load"),
];

/// The name says one thing and the sentence only the opposite.
fn opposite(said: &Said<'_>) -> Option<String> {
    let wrong = OPPOSITES.iter().find(|(part, words, other, opposite)| {
        said.has_part(&[part])
            && !said.has_part(&[other])
            && !said.says(words)
            && said.says(&[opposite])
    });
    wrong.map(|(part, _, _, opposite)| {
        format!("says \"{opposite}\" and nothing of what {part} in the name means")
    })
}

/// Numbers up to eight are written as words.
const WORDS: [&[&str]; 9] = [
    &["no "],
    &["one", "any", "a cycle"],
    &["two", "pair"],
    &["three"],
    &["four"],
    &["five"],
    &["six"],
    &["seven"],
    &["eight"],
];

/// Sizes and thresholds in the name are those of the sentence.
fn number(said: &Said<'_>) -> Option<String> {
    // 1,024 is 1024.
    let text = said.text.replace(',', "");
    let numbers = || text.split(|c: char| !c.is_ascii_digit());
    let missing = |digits: &str| {
        let word = digits.parse().ok().and_then(|number: usize| WORDS.get(number));
        let in_words = word.is_some_and(|words| said.says(words));
        !in_words && !numbers().any(|own| own == digits)
    };
    let threshold = said.parts().zip(said.parts().skip(1)).find(|(before, digits)| {
        ["GE", "GT", "EXC"].contains(before)
            && digits.bytes().all(|b| b.is_ascii_digit())
            && missing(digits)
    });
    if let Some((_, digits)) = threshold {
        return Some(format!("does not have the number {digits} of the name"));
    }
    for part in said.parts() {
        let digits = part.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let Some(prefix @ ("K" | "M" | "G")) = part.strip_prefix(digits).filter(|_| digits != part)
        else {
            continue;
        };
        let size = format!("{digits} {}", prefix.to_ascii_lowercase());
        if digits.bytes().all(|b| b.is_ascii_digit()) && !digits.is_empty() && !text.contains(&size)
        {
            return Some(format!("does not have the size {part} of the name"));
        }
    }
    let glued = said.brief.split([' ', ',', '.', ';', '(', ')']).find(|word| {
        let unit = word.trim_start_matches(|c: char| c.is_ascii_digit());
        unit.len() < word.len()
            && ["B", "KB", "MB", "GB", "byte", "bytes", "ns", "MHz", "GHz"].contains(&unit)
    });
    glued.map(|word| format!("has no space between number and unit in `{word}`"))
}

/// A count that `ScaleUnit` turns into bytes is about data.
fn unit(said: &Said<'_>) -> Option<String> {
    const DATA: &[&str] = &["byte", "line", "data", "traffic", "flit", " kb", " mb", "bandwidth"];
    let scale = said.record.get("ScaleUnit")?;
    let is_bytes = scale.ends_with("Bytes") || scale.ends_with("iB") || scale.ends_with("MB");
    (is_bytes && !said.says(DATA))
        .then(|| format!("does not say which data `{scale}` is the amount of"))
}

/// The file of exceptions in `overlay/`.
pub const FILE: &str = "exceptions.csv";

const HEADER: [&str; 5] = ["Rule", "Architecture", "Models", "Events", "Reason"];

/// An exception from a rule.
#[derive(Clone, Debug)]
struct Exception {
    place: Place,
    rule: String,
    arch: String,
    /// A glob of model directories.
    models: String,
    /// A glob of names.
    events: String,
    used: bool,
}

/// The exceptions from the rules, each with its reason.
#[derive(Clone, Debug, Default)]
pub struct Exceptions(Vec<Exception>);

impl Exceptions {
    /// Reads `exceptions.csv` of an overlay; none if there is no such file.
    #[must_use]
    pub fn of(overlay: &Path, problems: &mut Problems) -> Exceptions {
        let path = overlay.join(FILE);
        match fs::read_to_string(&path) {
            Ok(text) => Exceptions::read(&File::new(&path.to_string_lossy(), &text), problems),
            Err(_) => Exceptions::default(),
        }
    }

    /// Reads the text of `exceptions.csv`.
    #[must_use]
    pub fn read(file: &File, problems: &mut Problems) -> Exceptions {
        let mut exceptions = Vec::new();
        for (place, [rule, arch, models, events, reason]) in origin::rows(file, HEADER, problems) {
            if !rules().any(|known| known == rule) {
                let hint = pmu_events_compiler::hint(&rule, rules());
                problems.error(place.clone(), format!("unknown rule `{rule}`{hint}"));
            }
            if reason.is_empty() {
                problems.error(place.clone(), "an exception needs a reason");
            }
            exceptions.push(Exception { place, rule, arch, models, events, used: false });
        }
        Exceptions(exceptions)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Drops the findings that are excepted.
    pub fn apply(&mut self, findings: &mut Vec<Finding>) {
        findings.retain(|finding| {
            let fits = |exception: &&mut Exception| {
                exception.rule == finding.rule
                    && exception.arch == finding.arch
                    && glob::matches(&exception.models, &finding.model)
                    && glob::matches(&exception.events, &finding.event)
            };
            match self.0.iter_mut().find(fits) {
                Some(exception) => {
                    exception.used = true;
                    false
                }
                None => true,
            }
        });
    }

    /// Reports those of an architecture that no finding needs.
    pub fn report_unused(&self, arch: &str, problems: &mut Problems) {
        let unused = self.0.iter().filter(|exception| exception.arch == arch && !exception.used);
        for exception in unused {
            let Exception { place, rule, events, .. } = exception;
            problems.error(
                place.clone(),
                format!("no event `{events}` needs this exception from `{rule}`"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::record::Keep;

    /// The rules that refuse the events of a model.
    fn refused(arch: &str, standard: &str, events: &str) -> Vec<(&'static str, String)> {
        let read = |text: &str| {
            let file = File::new("x.json", text);
            let items = file.value().array().unwrap();
            let record = |item: &crate::json::Value<'_>| {
                Record::read(&item.object().unwrap(), Keep::All, &mut Problems::default()).unwrap()
            };
            BTreeMap::from([("x.json".to_owned(), items.iter().map(record).collect())])
        };
        let tables = [(String::new(), read(standard)), ("m".to_owned(), read(events))];
        let tables = BTreeMap::from(tables);
        let arch = Arch { name: arch.to_owned(), tables, ..Arch::default() };
        let mut findings = check(&arch);
        findings.retain(|finding| !finding.model.is_empty());
        findings.into_iter().map(|finding| (finding.rule, finding.message)).collect()
    }

    /// Errors that were found in descriptions, and the rule that finds each of
    /// them; then the same events with a proper sentence.
    #[test]
    fn each_rule_finds_the_errors_it_is_made_for() {
        let long = "Cycles. ".repeat(13);
        let long = long.trim();
        let cases: &[(&str, &str, &str, &str, &str)] = &[
            (
                "wrong path",
                "arm64",
                r#""EventName":"BR_SPEC""#,
                "Executed branches.",
                "Executed branches, on wrong paths too.",
            ),
            (
                "wrong path",
                "arm64",
                r#""EventName":"NOP_SPEC""#,
                "No-operations.",
                "No-operations; those on wrong paths are left out.",
            ),
            (
                "duration",
                "x86",
                r#""EventName":"A","CounterMask":"1""#,
                "Uops issued.",
                "Cycles in which a uop issued.",
            ),
            (
                "duration",
                "x86",
                r#""EventName":"A","CounterMask":"1","EdgeDetect":"1""#,
                "Cycles of a stall.",
                "Stalls, however many cycles each takes.",
            ),
            (
                "duration",
                "powerpc",
                r#""EventName":"PM_BFU_BUSY_CYC""#,
                "The unit is busy.",
                "Cycles in which the unit is busy.",
            ),
            ("duration", "s390", r#""EventName":"AES_CYCLES""#, "Calls of AES.", "Cycles of AES."),
            (
                "duration",
                "arm64",
                r#""EventName":"DTLB_WALK_PERCYC""#,
                "Page table walks in progress.",
                "Walks in progress, summed over cycles.",
            ),
            (
                "retired",
                "arm64",
                r#""EventName":"BR_RETIRED""#,
                "Branches executed.",
                "Retired branches.",
            ),
            (
                "retired",
                "powerpc",
                r#""EventName":"PM_BR_CMPL""#,
                "Branches.",
                "Branches that completed.",
            ),
            (
                "scope",
                "x86",
                r#""EventName":"A","AnyThread":"1""#,
                "Cycles.",
                "Cycles of either thread.",
            ),
            (
                "scope",
                "x86",
                r#""EventName":"A","PerPkg":"1""#,
                "Reads of this core.",
                "Reads of all cores.",
            ),
            (
                "scope",
                "x86",
                r#""EventName":"UNC_S_BOUNCE""#,
                "Bounces on the mesh.",
                "Bounces on the ring.",
            ),
            (
                "opposite",
                "x86",
                r#""EventName":"L2_RQSTS.MISS""#,
                "Requests that hit the L2.",
                "Requests that missed the L2.",
            ),
            (
                "opposite",
                "x86",
                r#""EventName":"L3.HIT""#,
                "Reads that missed the L3.",
                "Reads that hit the L3.",
            ),
            (
                "opposite",
                "s390",
                r#""EventName":"L3_REMOTE""#,
                "Lines of the local book.",
                "Lines of another book, not the local one.",
            ),
            ("opposite", "arm64", r#""EventName":"BUS_RD""#, "Bytes written.", "Bytes read."),
            ("opposite", "arm64", r#""EventName":"L1D_CACHE_WR""#, "Reads.", "Writes."),
            (
                "number",
                "powerpc",
                r#""EventName":"PM_LAT_EXC_256""#,
                "Over 32 cycles.",
                "Over 256 cycles.",
            ),
            (
                "number",
                "powerpc",
                r#""EventName":"PM_LAT_EXC_1024""#,
                "Over 24 cycles.",
                "Over 1,024 cycles.",
            ),
            ("number", "x86", r#""EventName":"LATENCY_GE_2""#, "Four or more.", "Two or more."),
            (
                "number",
                "arm64",
                r#""EventName":"L1D_TLB_64K""#,
                "Pages of 4 KB.",
                "Pages of 64 KB.",
            ),
            ("number", "arm64", r#""EventName":"A""#, "Lines of 64B each.", "Lines of 64 B each."),
            (
                "unit",
                "x86",
                r#""EventName":"A","ScaleUnit":"64Bytes""#,
                "Misses.",
                "Bytes read for misses.",
            ),
            ("length", "x86", r#""EventName":"A""#, long, "Cycles."),
            (
                "deprecated",
                "x86",
                r#""EventName":"A","Deprecated":"1""#,
                "Cycles.",
                "Deprecated; no other event here counts the same. Cycles.",
            ),
            ("deprecated", "x86", r#""EventName":"A""#, "Deprecated: use NEW. Cycles.", "Cycles."),
        ];
        for &(rule, arch, fields, wrong, right) in cases {
            let event = |text: &str| {
                format!(r#"[{{"EventCode":"1",{fields},"BriefDescription":"{text}"}}]"#)
            };
            let found = refused(arch, "[]", &event(wrong));
            let rules: Vec<&str> = found.iter().map(|(rule, _)| *rule).collect();
            assert_eq!(rules, [rule], "{fields}: {wrong}");
            assert!(found[0].1.ends_with(&format!(": `{wrong}`")), "{found:?}");
            assert_eq!(refused(arch, "[]", &event(right)), [], "{fields}: {right}");
        }
    }

    #[test]
    fn a_mesh_needs_a_cha() {
        let event =
            r#"{"EventName":"A","EventCode":"1","BriefDescription":"Bounces on the mesh."}"#;
        let cha = r#"{"EventName":"B","EventCode":"1","Unit":"CHA"}"#;
        assert_eq!(refused("x86", "[]", &format!("[{event}]")).len(), 1);
        assert_eq!(refused("x86", "[]", &format!("[{event},{cha}]")), []);
    }

    #[test]
    fn the_successor_counts_the_same() {
        let new = r#"{"EventName":"NEW","EventCode":"1","BriefDescription":"Cycles."},{"EventName":"OTHER","EventCode":"2"}"#;
        for (text, why) in [
            ("Deprecated: use NEW. Cycles.", None),
            ("Deprecated: use NEW.", None),
            ("Deprecated: use OTHER. Cycles.", Some("`OTHER` does not count the same")),
            (
                "Deprecated; no other event here counts the same. Cycles.",
                Some("does not name the event that counts the same"),
            ),
            ("Cycles.", Some("does not name the event that counts the same")),
        ] {
            let old = format!(
                r#"{{"EventName":"OLD","EventCode":"1","Deprecated":"1","BriefDescription":"{text}"}}"#
            );
            let found = refused("x86", "[]", &format!("[{new},{old}]"));
            let expected: Vec<(&str, String)> =
                why.iter().map(|why| ("deprecated", format!("{why}: `{text}`"))).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    /// Both the standard event's words and the long description count.
    #[test]
    fn words_of_standard_events() {
        let standard = |public: &str| {
            format!(
                r#"[{{"EventName":"X_SPEC","EventCode":"1","BriefDescription":"Executed.","PublicDescription":"{public}"}}]"#
            )
        };
        let event = r#"[{"ArchStdEvent":"x_spec"}]"#;
        let found = refused("arm64", &standard("More."), event);
        assert_eq!(found[0].0, "wrong path");
        assert_eq!(refused("arm64", &standard("Wrong paths count."), event), []);
    }

    fn exceptions(rows: &str) -> (Exceptions, Vec<String>) {
        let mut problems = Problems::default();
        let text = format!("Rule,Architecture,Models,Events,Reason\n{rows}");
        let exceptions = Exceptions::read(&File::new("e.csv", &text), &mut problems);
        (exceptions, problems.errors.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn exceptions_from_rules() {
        let finding = |event: &str| Finding {
            rule: "unit",
            place: Place::file("x"),
            arch: "x86".to_owned(),
            model: "m".to_owned(),
            event: event.to_owned(),
            message: String::new(),
        };
        let rows = "unit,x86,m*,LLC_*,Misses move lines.\nunit,arm64,*,*,Never.\n";
        let (mut exceptions, errors) = exceptions(rows);
        assert_eq!(errors, [""; 0]);
        assert_eq!((exceptions.len(), exceptions.is_empty()), (2, false));
        let mut findings = vec![finding("LLC_X"), finding("L2_X")];
        exceptions.apply(&mut findings);
        assert_eq!(findings, [finding("L2_X")]);
        let mut problems = Problems::default();
        exceptions.report_unused("x86", &mut problems);
        exceptions.report_unused("arm64", &mut problems);
        let unused: Vec<String> = problems.errors.iter().map(ToString::to_string).collect();
        assert_eq!(unused, ["e.csv:3:1: no event `*` needs this exception from `unit`"]);
    }

    #[test]
    fn faults_of_exceptions() {
        for (row, expected) in [
            ("unti,x86,*,*,Why.\n", "e.csv:2:1: unknown rule `unti`; did you mean `unit`?"),
            ("unit,x86,*,*,\n", "e.csv:2:1: an exception needs a reason"),
        ] {
            assert_eq!(exceptions(row).1, [expected]);
        }
    }
}
