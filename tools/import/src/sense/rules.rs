//! The rules: each says why it refuses the descriptions of an event.

use super::filters;
use super::said::Said;

pub(super) type Rule = fn(&Said<'_>) -> Option<String>;

pub(super) const RULES: &[(&str, Rule)] = &[
    ("deprecated", successor),
    ("length", length),
    ("wrong path", wrong_path),
    ("duration", duration),
    ("retired", retired),
    ("scope", scope),
    ("opposite", opposite),
    ("number", number),
    ("unit", unit),
    ("filter", filters::filter),
];

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
    let foreign = [("mesh", "CHA"), ("mcdram", "EDC_UCLK")].into_iter().find(|(word, unit)| {
        said.arch == "x86" && said.says(&[word]) && !said.units.contains(unit)
    });
    foreign.map(|(word, _)| format!("says \"{word}\" of a model without one"))
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

impl Said<'_> {
    /// Whether the text has a number, in digits or in words.
    pub(super) fn has_number(&self, number: u64) -> bool {
        let word = usize::try_from(number).ok().and_then(|number| WORDS.get(number));
        // 1,024 is 1024.
        let text = self.text.replace(',', "");
        let mut numbers = text.split(|c: char| !c.is_ascii_digit());
        let digits = number.to_string();
        word.is_some_and(|words| self.says(words)) || numbers.any(|own| own == digits)
    }
}

/// Sizes and thresholds in the name are those of the sentence.
fn number(said: &Said<'_>) -> Option<String> {
    let text = said.text.replace(',', "");
    let missing = |digits: &str| digits.parse().is_ok_and(|number| !said.has_number(number));
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
            && ["B", "kB", "KB", "MB", "GB", "byte", "bytes", "ns", "MHz", "GHz"].contains(&unit)
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
